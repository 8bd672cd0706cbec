// SPDX-License-Identifier: Apache-2.0
// Gaussian weights, as floats and as whole numbers, and the boxes that come near them.
#include "gaussian.h"

#include <math.h>
#include <string.h>

#define LOG2_E   0x1.71547652b82fep+0
#define LN2_HIGH 0x1.62e42fee00000p-1 // its last 21 bits are zero: n * LN2_HIGH is exact
#define LN2_LOW  0x1.a39ef35793c76p-33
#define TERMS    13 // (ln 2 / 2)^14 / 14! is 4e-18, a fiftieth of the last bit

double hd__exp_negative(double x)
{
    if (!(x > -745.0)) return 0;
    const double n = rint(x * LOG2_E);
    const double r = (x - n * LN2_HIGH) - n * LN2_LOW;
    double p = 1;
    for (int k = TERMS; k > 0; k--) p = 1 + p * r / (double)k;
    return ldexp(p, (int)n);
}

void hd__gaussian(double sigma, int64_t radius, double *g)
{
    double sides = 0; // from the small ones on
    for (int64_t k = radius; k >= 0; k--) {
        const double at = (double)k / sigma;
        g[k] = hd__exp_negative(-0.5 * (at * at));
        if (k > 0) sides += g[k];
    }
    const double sum = g[0] + 2 * sides;
    for (int64_t k = 0; k <= radius; k++) g[k] /= sum;
}

void hd__gaussian_whole(double sigma, int64_t radius, double *g, uint64_t *w)
{
    hd__gaussian(sigma, radius, g);
    double outside = 0;
    int64_t before = 0; // units from k + 1 outwards
    for (int64_t k = radius; k > 0; k--) {
        outside += g[k];
        const int64_t units = (int64_t)floor(outside * HD__BLUR_ONE + 0.5);
        w[k] = (uint64_t)(units - before);
        before = units;
    }
    w[0] = (uint64_t)(HD__BLUR_ONE - 2 * before);
}

// Variances add up: (a^2 - 1 + b^2 - 1 + c^2 - 1) / 12 shall be sigma^2. The ideal width of three
// equal boxes lies between two odd numbers; as many of the lower are taken as fits best.
void hd__three_boxes(double sigma, int64_t box[3])
{
    const double twelve = 12 * sigma * sigma, ideal = sqrt(twelve / 3 + 1);
    int64_t lower = (int64_t)ideal;
    if (lower % 2 == 0) lower--;
    const double l = (double)lower;
    double few = rint((twelve - 3 * l * l - 12 * l - 9) / (-4 * l - 4));
    few = few < 0 ? 0 : few > 3 ? 3 : few;
    for (int k = 0; k < 3; k++) box[k] = (lower + (k < (int)few ? 0 : 2) - 1) / 2;
}

void hd__boxes_whole(const int64_t box[3], uint64_t *scratch, uint64_t *w)
{
    const int64_t radius = box[0] + box[1] + box[2], width = 2 * radius + 1;
    uint64_t *from = scratch, *to = scratch + width;
    memset(from, 0, (size_t)width * sizeof *from);
    from[radius] = 1;
    for (int k = 0; k < 3; k++) {
        uint64_t sum = 0; // of from[i - box .. i + box]
        for (int64_t i = -box[k]; i < width; i++) {
            if (i + box[k] < width) sum += from[i + box[k]];
            if (i - box[k] - 1 >= 0) sum -= from[i - box[k] - 1];
            if (i >= 0) to[i] = sum;
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    for (int64_t k = 0; k <= radius; k++) w[k] = from[radius + k];
}
