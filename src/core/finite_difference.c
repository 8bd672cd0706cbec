// SPDX-License-Identifier: Apache-2.0
// The weights of central finite differences: the textbook's fractions.
#include "core/types.h"
#include "core/float_state.h"

#include <math.h>

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

int32_t hd_finite_difference(int32_t derivative, int32_t order, double spacing, double *weights)
{
    HD__FLOAT_STATE;
    const bool known = (derivative == 1 || derivative == 2) && order >= 2 && order <= 8 &&
                       order % 2 == 0 && spacing > 0 && spacing < HUGE_VAL && weights != NULL;
    if (!known) return 0;
    const fractions *f = &table[derivative - 1][order / 2];
    const double unit = derivative == 1 ? spacing : spacing * spacing;
    for (int32_t k = 0; k <= order / 2; k++) {
        const double weight = (double)f->numerator[k] / (double)f->denominator / unit;
        weights[order / 2 - k] = derivative == 1 && k > 0 ? -weight : weight;
        weights[order / 2 + k] = weight;
    }
    return order + 1;
}

// Row-major order of the points of a star: the half of the first axis before the middle, then all
// of the other axes, then the other half.
int32_t hd_laplacian(int32_t dims, int32_t order, double spacing, int64_t *offsets, double *weights)
{
    HD__FLOAT_STATE;
    double line[HD_MAX_DIFFERENCE];
    if (dims < 1 || dims > 3 || offsets == NULL || weights == NULL) return 0;
    if (hd_finite_difference(2, order, spacing, line) == 0) return 0;
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
