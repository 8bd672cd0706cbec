// SPDX-License-Identifier: Apache-2.0
// The body of accuracy_data.c for one type, REAL. Each operation rounds at most once.

// The cancelling ones: exponents over 20 powers of two, magnitudes that add up to about 2^35; the
// second half has the negatives of the first, in the order of a step that is prime to their count;
// one more is what is left.
static REAL VALUE(accuracy_set set, int64_t i)
{
    const int64_t half = ACCURACY_MAX / 2, step = 314159;
    const REAL unit = (REAL)(number(i) >> (64 - FRACTION)) / (REAL)((uint64_t)1 << FRACTION);
    const REAL sign = number(i) & 1 ? -1 : 1;
    switch (set) {
    case ACCURACY_UNIFORM: return unit;
    case ACCURACY_TENTHS: return (REAL)0.1;
    case ACCURACY_ALTERNATING: return (REAL)(i % 2 ? -i - 1 : i + 1) / 7;
    case ACCURACY_HARMONIC: return (REAL)1 / (REAL)(i + 1);
    case ACCURACY_FALLING: {
        const int64_t place = 40 * i / ACCURACY_MAX; // 0 .. 39
        return sign * (1 + unit) * (REAL)((uint64_t)1 << (40 - place)) / (REAL)((uint64_t)1 << 20);
    }
    case ACCURACY_CANCELLING:
        if (i < half) return sign * unit * (REAL)((uint64_t)1 << (number(i) >> 1) % 20);
        if (i < 2 * half) return -VALUE(set, (i - half) * step % half);
        return (REAL)1 / (REAL)((uint64_t)1 << 18);
    default: return i < 2 ? GREATEST : -GREATEST;
    }
}

int64_t FILL(accuracy_set set, REAL *x)
{
    const int64_t n = set == ACCURACY_OVERFLOW ? 4 : ACCURACY_MAX;
    for (int64_t i = 0; i < n; i++) x[i] = VALUE(set, i);
    return n;
}

#undef REAL
#undef FILL
#undef VALUE
#undef FRACTION
#undef GREATEST
