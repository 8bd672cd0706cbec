// SPDX-License-Identifier: Apache-2.0
// The weights of central finite differences: the textbook's fractions over a power of the spacing,
// rounded so that their sum is exactly zero ("Differences" in numerics.md).
#include "core/types.h"
#include "core/system/float_state.h"

#include <float.h>
#include <math.h>

// Rounding to whole multiples adds less than this to a sum of magnitudes.
#define MARGIN (1 + 0x1p-40)

// Numerators for offsets 0 .. order / 2 over one denominator; the other side mirrors them (with the
// opposite sign for the first derivative).
typedef struct fractions {
    int32_t numerator[5], denominator;
} fractions;

static const fractions table[2][5] = { // by derivative - 1 and order / 2
    {{{0}, 0}, {{0, 1}, 2}, {{0, 8, -1}, 12}, {{0, 45, -9, 1}, 60}, {{0, 672, -168, 32, -3}, 840}},
    {{{0}, 0},
     {{-2, 1}, 1},
     {{-30, 16, -1}, 12},
     {{-490, 270, -27, 2}, 180},
     {{-14350, 8064, -1008, 128, -9}, 5040}}};

// A weight is used only if it is a normal number: infinite ones give NaN, and below those the
// fraction loses its digits.
static bool is_normal(double weight)
{
    return fabs(weight) >= DBL_MIN && fabs(weight) <= DBL_MAX;
}

// Half of the sum of magnitudes of all weights, if so many axes share the middle one: no partial
// sum of weights that sum to zero is greater. 0 where a weight is not normal.
static double half_of_sum(const fractions *f, int32_t half, double unit, int32_t dims)
{
    double sum = 0;
    for (int32_t k = 1; k <= half; k++) {
        const double weight = (double)f->numerator[k] / (double)f->denominator / unit;
        if (!is_normal(weight)) return 0;
        sum += fabs(weight);
    }
    const double middle = fabs((double)f->numerator[0] / (double)f->denominator / unit);
    const double all = (double)dims * (sum + middle / 2);
    return all * MARGIN <= DBL_MAX ? all * MARGIN : 0;
}

// The weights of one axis as whole multiples of a quantum so great that 53 bits hold every sum of
// them; the middle one is what brings the sum to zero.
static bool fill_line(int32_t derivative, int32_t order, double spacing, int32_t dims, double *line)
{
    const bool known = (derivative == 1 || derivative == 2) && order >= 2 && order <= 8 &&
                       order % 2 == 0 && spacing > 0 && spacing < HUGE_VAL;
    if (!known) return false;
    const fractions *f = &table[derivative - 1][order / 2];
    const double unit = derivative == 1 ? spacing : spacing * spacing;
    const double most = half_of_sum(f, order / 2, unit, dims);
    if (most == 0) return false;
    int exponent;
    (void)frexp(most, &exponent);
    double sum = 0;
    for (int32_t k = 1; k <= order / 2; k++) {
        const double weight = (double)f->numerator[k] / (double)f->denominator / unit;
        const double whole = ldexp(rint(ldexp(weight, 53 - exponent)), exponent - 53);
        line[order / 2 - k] = derivative == 1 ? -whole : whole;
        line[order / 2 + k] = whole;
        sum += whole;
    }
    line[order / 2] = derivative == 1 ? 0 : -2 * sum;
    return true;
}

int32_t hd_finite_difference(int32_t derivative, int32_t order, double spacing, double *weights)
{
    HD__FLOAT_STATE;
    if (weights == NULL || !fill_line(derivative, order, spacing, 1, weights)) return 0;
    return order + 1;
}

// Row-major order of the points of a star: the half of the first axis before the middle, then all
// of the other axes, then the other half.
int32_t hd_laplacian(int32_t dims, int32_t order, double spacing, int64_t *offsets, double *weights)
{
    HD__FLOAT_STATE;
    double line[HD_MAX_DIFFERENCE];
    if (dims < 1 || dims > 3 || offsets == NULL || weights == NULL) return 0;
    if (!fill_line(2, order, spacing, dims, line)) return 0;
    const int32_t half = order / 2, count = dims * order + 1;
    for (int32_t t = 0; t < count; t++) {
        const int32_t before = dims * half, axis_before = t / half;
        const int32_t after = t - before - 1, axis_after = dims - 1 - after / half;
        for (int32_t k = 0; k < dims; k++) offsets[t * dims + k] = 0;
        weights[t] = (double)dims * line[half];
        if (t == before) continue;
        const int32_t at = t < before ? t % half - half : after % half + 1;
        offsets[t * dims + (t < before ? axis_before : axis_after)] = at;
        weights[t] = line[half + at];
    }
    return count;
}
