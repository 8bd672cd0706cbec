// SPDX-License-Identifier: Apache-2.0
// The rank-1 test of numerics.md, "Separable masks", in exact arithmetic: a number is an odd
// whole one times a power of two. The row factor is the first row that is not zero, divided by the
// greatest common divisor of its elements, so that it is whole and without a common divisor; the
// column factor is what then remains of each row.
//
// Every mask of rank one has such factors. Its rows are multiples of that row factor, and by
// Gauss's lemma the multipliers' odd parts divide those of the mask's elements: they have no more
// bits. Exponents fit if a power of two is moved from one factor to the other: with the last and
// the first bits of a factor's elements at lsb and msb,
//
//     lsb(column) + lsb(row) >= least   and   msb(column) + msb(row) <= most
//
// hold of the mask, and least <= lsb, msb <= most can then be had of both.
#include "separable.h"

#include <float.h>
#include <math.h>

// (-1)^negative * odd * 2^exponent; odd is 0 for zero.
typedef struct number {
    uint64_t odd;
    int exponent;
    bool negative, finite;
} number;

typedef struct mask_of {
    hd_type type;
    const void *element;
    int64_t rows, columns;
    int64_t model,
        pivot;        // the first row that is not zero, and the first of its elements that is not
    uint64_t divisor; // of that row: divisor * 2^least
    int least;
} mask_of;

// ---- Numbers ---------------------------------------------------------------------------------

static number number_of(uint64_t whole, int exponent, bool negative)
{
    const int zeros = whole == 0 ? 0 : __builtin_ctzll(whole);
    return (number){whole >> zeros, exponent + zeros, negative, true};
}

static number element_at(const mask_of *m, int64_t i, int64_t j)
{
    const int64_t at = i * m->columns + j;
    if (m->type == HD_I64) {
        const int64_t x = ((const int64_t *)m->element)[at];
        return number_of(x < 0 ? 0 - (uint64_t)x : (uint64_t)x, 0, x < 0);
    }
    const double x = m->type == HD_F32 ? (double)((const float *)m->element)[at]
                                       : ((const double *)m->element)[at];
    if (!isfinite(x)) return (number){.finite = false};
    int exponent;
    const double half = frexp(fabs(x), &exponent);
    return number_of((uint64_t)ldexp(half, DBL_MANT_DIG), exponent - DBL_MANT_DIG, signbit(x) != 0);
}

static int first_bit(const number *x)
{
    return x->exponent + 63 - __builtin_clzll(x->odd);
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

// ---- The factors, up to a power of two -------------------------------------------------------

static number row_at(const mask_of *m, int64_t j)
{
    number x = element_at(m, m->model, j);
    x.odd /= m->divisor;
    x.exponent -= m->least;
    return x;
}

// What row i is a multiple by, if it is one.
static number column_at(const mask_of *m, int64_t i)
{
    number x = element_at(m, i, m->pivot);
    const number r = row_at(m, m->pivot);
    x.odd /= r.odd;
    x.exponent -= r.exponent;
    x.negative ^= r.negative;
    return x;
}

static bool is_product(const number *x, const number *c, const number *r)
{
    if (x->odd == 0 || c->odd == 0 || r->odd == 0)
        return x->finite && x->odd == 0 && (c->odd == 0 || r->odd == 0);
    return x->odd % r->odd == 0 && x->odd / r->odd == c->odd &&
           x->exponent == c->exponent + r->exponent && x->negative == (c->negative ^ r->negative);
}

static bool find_model(mask_of *m)
{
    const int64_t n = m->rows * m->columns;
    int64_t first = 0;
    while (first < n && element_at(m, 0, first).odd == 0) {
        if (!element_at(m, 0, first).finite) return false;
        first++;
    }
    if (first == n) return false;
    m->model = first / m->columns;
    m->pivot = first % m->columns;
    for (int64_t j = m->pivot; j < m->columns; j++) {
        const number x = element_at(m, m->model, j);
        if (!x.finite) return false;
        if (x.odd == 0) continue;
        if (m->divisor == 0 || x.exponent < m->least) m->least = x.exponent;
        m->divisor = common_divisor(x.odd, m->divisor);
    }
    return true;
}

static bool has_rank_one(const mask_of *m)
{
    for (int64_t i = 0; i < m->rows; i++) {
        const number c = column_at(m, i);
        for (int64_t j = 0; j < m->columns; j++) {
            const number x = element_at(m, i, j), r = row_at(m, j);
            if (!is_product(&x, &c, &r)) return false;
        }
    }
    return true;
}

// ---- The factors, as numbers of the type -----------------------------------------------------

// Narrows the range of powers of two, as exponents, by which one factor may be multiplied.
static void narrow(const mask_of *m, const number *x, int *from, int *to)
{
    const int last = m->type == HD_F32 ? FLT_MIN_EXP - FLT_MANT_DIG : DBL_MIN_EXP - DBL_MANT_DIG;
    const int most = m->type == HD_F32 ? FLT_MAX_EXP - 1 : DBL_MAX_EXP - 1;
    if (x->odd == 0) return;
    if (last - x->exponent > *from) *from = last - x->exponent;
    if (most - first_bit(x) < *to) *to = most - first_bit(x);
}

// The power of two that moves from the row to the column: none, if both are numbers of the type
// then.
static int moved(const mask_of *m)
{
    int column_from = -4 * DBL_MAX_EXP, column_to = -column_from;
    int row_from = column_from, row_to = column_to;
    if (m->type == HD_I64) return 0; // the row has an odd element, so the column is whole, too
    for (int64_t i = 0; i < m->rows; i++) {
        const number c = column_at(m, i);
        narrow(m, &c, &column_from, &column_to);
    }
    for (int64_t j = 0; j < m->columns; j++) {
        const number r = row_at(m, j);
        narrow(m, &r, &row_from, &row_to);
    }
    const int from = column_from > -row_to ? column_from : -row_to;
    const int to = column_to < -row_from ? column_to : -row_from;
    return from > 0 ? from : to < 0 ? to : 0;
}

static void store(hd_type type, const number *x, int by, int64_t at, void *to)
{
    const uint64_t whole = type != HD_I64 || x->odd == 0 ? 0 : x->odd << x->exponent;
    const double magnitude = ldexp((double)x->odd, x->exponent + by);
    if (type == HD_I64)
        ((uint64_t *)to)[at] = x->negative ? 0 - whole : whole; // modulo 2^64, as the sums are
    else if (type == HD_F32)
        ((float *)to)[at] = (float)(x->negative ? -magnitude : magnitude);
    else
        ((double *)to)[at] = x->negative ? -magnitude : magnitude;
}

bool hd__separate(hd_type sum, const void *mask, int64_t rows, int64_t columns, void *column,
                  void *row)
{
    mask_of m = {.type = sum, .element = mask, .rows = rows, .columns = columns};
    if (!find_model(&m) || !has_rank_one(&m)) return false;
    const int by = moved(&m);
    for (int64_t i = 0; i < rows; i++) {
        const number c = column_at(&m, i);
        store(sum, &c, by, i, column);
    }
    for (int64_t j = 0; j < columns; j++) {
        const number r = row_at(&m, j);
        store(sum, &r, -by, j, row);
    }
    return true;
}
