// SPDX-License-Identifier: Apache-2.0
// The methods of accuracy_sums.c for one type, REAL.

static REAL OF(loop)(const REAL *x, int64_t n)
{
    REAL sum = 0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    return sum;
}

// NumPy's add.reduce over contiguous elements: blocks of up to 128 by eight sums, halves above.
static REAL OF(pairwise)(const REAL *x, int64_t n)
{
    REAL r[8];
    int64_t i = 8;
    if (n < 8) return OF(loop)(x, n);
    if (n > 128) {
        const int64_t half = n / 2 - n / 2 % 8;
        return OF(pairwise)(x, half) + OF(pairwise)(x + half, n - half);
    }
    for (int k = 0; k < 8; k++) r[k] = x[k];
    for (; i < n - n % 8; i += 8)
        for (int k = 0; k < 8; k++) r[k] += x[i + k];
    REAL sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; i++) sum += x[i];
    return sum;
}

static REAL OF(kahan)(const REAL *x, int64_t n)
{
    REAL sum = 0, lost = 0;
    for (int64_t i = 0; i < n; i++) {
        const REAL y = x[i] - lost, next = sum + y;
        lost = (next - sum) - y;
        sum = next;
    }
    return sum;
}

static REAL OF(neumaier)(const REAL *x, int64_t n)
{
    REAL sum = 0, lost = 0;
    for (int64_t i = 0; i < n; i++) {
        const REAL next = sum + x[i];
        lost += fabs(sum) >= fabs(x[i]) ? (sum - next) + x[i] : (x[i] - next) + sum;
        sum = next;
    }
    return sum + lost;
}

// The reproducible sum of Ahrens, Demmel and Nguyen (2020), as ReproBLAS and CCCL's gpu_to_gpu have
// it: exponents are cut into bins of BIN_BITS; each number is rounded to slices in the three bins
// from the greatest number's down, what is below them is dropped, and sums of slices are exact.
// Here they are integers; the bins are added up from the greatest in f64.
static REAL OF(binned)(const REAL *x, int64_t n)
{
    double greatest = 0, sum = 0;
    int64_t bin[3] = {0};
    int exponent;
    for (int64_t i = 0; i < n; i++)
        if (fabs((double)x[i]) > greatest) greatest = fabs((double)x[i]);
    if (greatest == 0) return 0;
    frexp(greatest, &exponent);
    const int top = GREATEST_AT - (GREATEST_AT - exponent) / BIN_BITS * BIN_BITS;
    for (int64_t i = 0; i < n; i++) {
        double rest =
            ldexp((double)x[i], -top); // at most one: a slice of the greatest may be 2^top
        for (int k = 0; k < 3; k++) {
            const double slice = nearbyint(ldexp(rest, (k + 1) * BIN_BITS));
            bin[k] += (int64_t)slice;
            rest -= ldexp(slice, -(k + 1) * BIN_BITS);
        }
    }
    for (int k = 0; k < 3; k++) {
        const int64_t high = bin[k] / (1 << 24);
        sum += ldexp((double)high, top - (k + 1) * BIN_BITS + 24);
        sum += ldexp((double)(bin[k] % (1 << 24)), top - (k + 1) * BIN_BITS);
    }
    return (REAL)sum;
}

// Python's math.fsum: the exact sum, rounded once.
static REAL OF(rounded)(const REAL *x, int64_t n)
{
    exact sum = {{0}};
    for (int64_t i = 0; i < n; i++) exact_add_double(&sum, (double)x[i]);
    return (REAL)exact_round(&sum, FORMAT);
}

#undef REAL
#undef OF
#undef BIN_BITS
#undef GREATEST_AT
#undef FORMAT
