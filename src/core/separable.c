// SPDX-License-Identifier: Apache-2.0
// The rank-1 test of docs/numerics.md, "Separable masks", in exact arithmetic: the row factor is
// the first row that is not zero, divided by the greatest common divisor of its elements (as whole
// multiples of a power of two); the column factor is what then remains. Every element is checked
// by one fused multiply-add, which is zero only where the product is exact.
#include "core/separable.h"

#include <math.h>

// Outside of this range a product or its error could underflow; inside fma tells the truth.
#define LEAST    0x1p-400
#define GREATEST 0x1p400

static bool in_range(double x)
{
    return x == 0 || (fabs(x) >= LEAST && fabs(x) <= GREATEST);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// x = odd * 2^exponent, x > 0.
static uint64_t odd_part(double x, int *exponent)
{
    uint64_t whole = (uint64_t)ldexp(frexp(x, exponent), 53);
    const int zeros = __builtin_ctzll(whole);
    *exponent += zeros - 53;
    return whole >> zeros;
}

// The greatest common divisor of the elements that are not zero: gcd(odd parts) * 2^(least
// exponent). Dividing by it is exact.
static double divisor_of(const double *x, int64_t n)
{
    uint64_t divisor = 0;
    int least = 0;
    for (int64_t j = 0; j < n; j++) {
        if (x[j] == 0) continue;
        int exponent;
        const uint64_t odd = odd_part(fabs(x[j]), &exponent);
        if (divisor == 0 || exponent < least) least = exponent;
        divisor = common_divisor(odd, divisor);
    }
    return ldexp((double)divisor, least);
}

bool hd__separate(const double *mask, int64_t rows, int64_t columns, double *column, double *row)
{
    const int64_t n = rows * columns;
    int64_t first = 0;
    for (int64_t i = 0; i < n; i++)
        if (!in_range(mask[i])) return false; // NaN and infinity too
    while (first < n && mask[first] == 0) first++;
    if (first == n) return false;
    const double *model = mask + first / columns * columns, divisor = divisor_of(model, columns);
    const int64_t pivot = first % columns;
    for (int64_t j = 0; j < columns; j++) {
        row[j] = model[j] / divisor;
        if (!in_range(row[j])) return false;
    }
    for (int64_t i = 0; i < rows; i++) {
        column[i] = mask[i * columns + pivot] / row[pivot];
        if (!in_range(column[i])) return false;
        for (int64_t j = 0; j < columns; j++)
            if (fma(column[i], row[j], -mask[i * columns + j]) != 0) return false;
    }
    return true;
}
