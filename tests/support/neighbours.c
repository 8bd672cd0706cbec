// SPDX-License-Identifier: Apache-2.0
//
// The reference behind neighbours.h.
#include "neighbours.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "reference.h"

int64_t near_count(const near_grid *g)
{
    return g->batches * g->n[0] * g->n[1] * g->n[2] * g->n[3];
}

// Walks home one bounce at a time; -1: nothing is there.
static int64_t home(hd_border border, int64_t i, int64_t n)
{
    while (i < 0 || i >= n) switch (border) {
        case HD_BORDER_REPLICATE: i += i < 0 ? 1 : -1; break;
        case HD_BORDER_WRAP: i += i < 0 ? n : -n; break;
        case HD_BORDER_SYMMETRIC: i = i < 0 ? -1 - i : 2 * n - 1 - i; break;
        case HD_BORDER_REFLECT:
            if (n == 1) return 0;
            i = i < 0 ? -i : 2 * (n - 1) - i;
            break;
        default: return -1;
        }
    return i;
}

double near_fetch(const near_grid *g, const double *values, int64_t b, const int64_t at[4])
{
    int64_t index = b;
    for (int k = 0; k < 4; k++) {
        const int64_t i = home(g->border, at[k], g->n[k]);
        if (i < 0) return g->border == HD_BORDER_CONSTANT ? g->beyond : 0;
        index = index * g->n[k] + i;
    }
    return values[index];
}

static double step(near_sum sum, bool first, double acc, double w, double x)
{
    if (sum == NEAR_F32)
        return first ? (double)((float)w * (float)x) : (double)fmaf((float)w, (float)x, (float)acc);
    if (sum == NEAR_F64) return first ? w * x : fma(w, x, acc);
    return (double)((int64_t)acc + (int64_t)w * (int64_t)x);
}

void near_weighted(const near_grid *g, near_sum sum, const double *in, int64_t count,
                   const int64_t (*offset)[3], const double *weight, double *out)
{
    const int64_t total = near_count(g);
    for (int64_t i = 0; i < total; i++) {
        int64_t p[4], rest = i;
        for (int k = 3; k >= 0; k--) p[k] = rest % g->n[k], rest /= g->n[k];
        double acc = 0;
        for (int64_t t = 0; t < count; t++) {
            const int64_t q[4] = {p[0] + offset[t][0], p[1] + offset[t][1], p[2] + offset[t][2],
                                  p[3]};
            acc = step(sum, t == 0, acc, weight[t], near_fetch(g, in, rest, q));
        }
        out[i] = acc;
    }
}

double near_load(hd_type type, const void *element)
{
    return check_is_float(type) ? ref_to_double(type, element)
                                : (double)(int64_t)ref_to_whole(type, element);
}

static void store_whole(hd_type type, void *element, double value)
{
    const int bits = 8 * (int)hd_type_size(type);
    const bool is_signed = check_is_signed(type);
    const double least = is_signed ? -ldexp(1, bits - 1) : 0;
    const double most = type == HD_BOOL ? 1 : ldexp(1, bits - is_signed) - 1;
    const double whole = isnan(value) ? 0 : fmin(fmax(nearbyint(value), least), most);
    const int64_t bytes = (int64_t)whole;
    memcpy(element, &bytes, hd_type_size(type)); // little endian, as the machines we run on
}

void near_store(hd_type type, void *element, double value)
{
    const float f32 = (float)value;
    if (type == HD_F64)
        memcpy(element, &value, sizeof value);
    else if (type == HD_F32)
        memcpy(element, &f32, sizeof f32);
    else if (check_is_float(type))
        memcpy(element, &(uint16_t){ref_narrow(type, value)}, sizeof(uint16_t));
    else
        store_whole(type, element, value);
}

void near_load_all(hd_type type, const void *elements, double *to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = near_load(type, (const char *)elements + (size_t)i * hd_type_size(type));
}

void near_store_all(hd_type type, void *elements, const double *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        near_store(type, (char *)elements + (size_t)i * hd_type_size(type), from[i]);
}

static bool is_wide(hd_type type)
{
    return type == HD_F64 || type == HD_I32 || type == HD_U32;
}

near_sum near_sum_of(hd_type in, hd_type weights, hd_type out)
{
    if (!check_is_float(in) && !check_is_float(weights) && !check_is_float(out)) return NEAR_WHOLE;
    return is_wide(in) || is_wide(out) ? NEAR_F64 : NEAR_F32;
}

const char *near_border_name(hd_border border)
{
    static const char *const names[] = {"default",   "zero", "replicate", "reflect",
                                        "symmetric", "wrap", "constant",  "keep"};
    return names[border];
}
