// SPDX-License-Identifier: Apache-2.0
// The weights of hd_stencil, rounded to the type of its sums; "Differences" in numerics.md.
//
// f64 weights that sum to zero, rounded to f32 one by one, would not. They become whole multiples
// of one power of two, so great that f32 holds every partial sum of them: sums are then exact in
// any order. What the roundings add up to is taken from the weight of greatest magnitude.
#include "stencil_weights.h"
#include "core/context.h"
#include "core/convert.h"
#include "core/reader.h"

#include <float.h>
#include <math.h>

#define MAX_WEIGHTS ((int64_t)1 << 20) // of a difference: roundings then add up to less than 2^20

static double weight_at(const hd_view *weights, int64_t t)
{
    unsigned char raw[8];
    double w;
    hd__gather(weights, t, 1, raw);
    hd__convert(HD_F64, &w, weights->type, raw, 1);
    return w;
}

// ---- Weights that sum to zero ----------------------------------------------------------------

typedef struct difference {
    const hd_view *weights;
    int64_t n, greatest; // index of the weight that takes what is left
    int exponent;        // half of the sum of magnitudes is below 2^exponent
} difference;

// The weight as a multiple of 2^(exponent - bits), not yet whole.
static double multiple_of(const difference *d, int64_t t, int bits)
{
    return ldexp(weight_at(d->weights, t), bits - d->exponent);
}

// Whether all weights are finite and some are not f32 already. Finds the sum of magnitudes.
static bool measure(difference *d)
{
    double sum = 0, most = -1;
    bool rounded = false;
    for (int64_t t = 0; t < d->n; t++) {
        const double w = fabs(weight_at(d->weights, t));
        rounded |= (double)(float)w != w;
        if (w > most) most = w, d->greatest = t;
        sum += w;
    }
    if (!rounded || !(sum <= DBL_MAX)) return false;
    (void)frexp(sum / 2, &d->exponent);
    return true;
}

// Whether the sum is exactly zero. Where all weights are whole multiples of 2^-53 of the sum of
// magnitudes f64 can tell; what is finer is no difference that was meant to vanish.
static bool vanishes(const difference *d)
{
    double sum = 0;
    for (int64_t t = 0; t < d->n; t++) {
        const double m = multiple_of(d, t, 53);
        if (m != rint(m)) return false;
        sum += m;
    }
    return sum == 0;
}

// Whole multiples of 2^(exponent - bits) that sum to zero; false if f32 would not hold a sum of
// them.
static bool round_together(const difference *d, int bits, float *to)
{
    double sum = 0, magnitudes = 0;
    for (int64_t t = 0; t < d->n; t++) sum += rint(multiple_of(d, t, bits));
    for (int64_t t = 0; t < d->n; t++) {
        const double m = rint(multiple_of(d, t, bits)) - (t == d->greatest ? sum : 0);
        magnitudes += fabs(m);
        to[t] = (float)ldexp(m, d->exponent - bits);
    }
    return magnitudes / 2 <= 0x1p24;
}

// False: these weights are no difference, or need no rounding.
static bool keep_zero_sum(const hd_view *weights, int64_t n, float *to)
{
    difference d = {.weights = weights, .n = n};
    if (n > MAX_WEIGHTS || !measure(&d) || !vanishes(&d)) return false;
    if (d.exponent - 24 < -149 || d.exponent > 127) return false;
    return round_together(&d, 24, to) || round_together(&d, 23, to);
}

// ---- All weights -----------------------------------------------------------------------------

static hd_status check_range(hd_context *ctx, const hd_view *weights, int64_t n, const float *f32)
{
    bool some = false, left = false;
    for (int64_t t = 0; t < n; t++) {
        const double w = weight_at(weights, t);
        if (isfinite(w) && !isfinite(f32[t]))
            return hd__fail(ctx, HD_ERROR_ARGUMENT,
                            "hd_stencil: weight %lld is %g; expected at most %g either way, the "
                            "greatest f32, which these sums have",
                            (long long)t, w, (double)FLT_MAX);
        some |= w != 0;
        left |= f32[t] != 0;
    }
    if (left || !some) return HD_OK;
    return hd__fail(ctx, HD_ERROR_ARGUMENT,
                    "hd_stencil: all %lld weights are zero in f32, which these sums have; expected "
                    "one of at least %g",
                    (long long)n, 0x1p-149);
}

hd_status hd__stencil_weights(hd_context *ctx, const hd_view *weights, hd_type sum, void *to)
{
    const int64_t n = hd_count(*weights);
    if (sum == HD_F32 && weights->type == HD_F64 && keep_zero_sum(weights, n, to)) return HD_OK;
    for (int64_t t = 0; t < n; t++) {
        unsigned char raw[8];
        hd__gather(weights, t, 1, raw);
        hd__convert(sum, (char *)to + (size_t)t * hd__size_of(sum), weights->type, raw, 1);
    }
    return sum == HD_F32 ? check_range(ctx, weights, n, to) : HD_OK;
}
