// SPDX-License-Identifier: Apache-2.0
// The macros of the public headers in use: compiled with all warnings, never run.
#include <heddle.h>
#include <heddle_algorithms.h>
#include <heddle_dlpack.h>
#include <heddle_model.h>
#include <heddle_teaching.h>

HD_SOURCE(
    geometry, typedef struct { float x, y, z; } point;
    static inline float norm2(point p) { return p.x * p.x + p.y * p.y + p.z * p.z; })
HD_OPERATOR(farther, point, geometry, HD_ASSOCIATIVE, { return norm2(a) >= norm2(b) ? a : b; })
HD_MONOID(longest, int, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE | HD_EXACT, 0,
          { return a > b ? a : b; })
HD_FUNCTION(square, float, HD_NO_SOURCE, (float, x), { return x * x; })
HD_FUNCTION(times, float, HD_NO_SOURCE, (float, x, float, y), { return x * y; })
HD_FUNCTION(eight, double, HD_NO_SOURCE,
            (double, a, double, b, double, c, double, d, float, e, float, f, float, g, float, h),
            { return a + b + c + d + (double)(e + f + g + h); })

HD_SOURCE(
    ranges, typedef struct { float low, high; } range;)
HD_FUNCTION_STATE(inside, bool, ranges, (float, x), range,
                  { return state->low <= x && x <= state->high; })
HD_OPERATOR_STATE(kept, float, ranges, HD_ASSOCIATIVE, range,
                  { return a + b < state->high ? a + b : state->high; })
HD_MONOID_STATE(modular, unsigned, HD_NO_SOURCE, HD_ASSOCIATIVE, 0, unsigned,
                { return (a + b) % *state; })
HD_COMPARISON(above, float, HD_NO_SOURCE, { return a > b; })
HD_COMPARISON_STATE(nearer, float, HD_NO_SOURCE, float,
                    { return (a - *state) * (a - *state) < (b - *state) * (b - *state); })

hd_status all(hd_context *ctx, float *x, const float *y, int64_t n);
hd_status all(hd_context *ctx, float *x, const float *y, int64_t n)
{
    point p[2] = {{0, 0, 0}, {1, 1, 1}}, far;
    float dot;
    int most;
    double sum;
    const double d[1] = {1};
    hd_status s = hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(&dot, 1),
                            &(hd_reduce_options){.map = times, .with = HD_VIEWS(HD_VIEW(y, n))});
    if (!s)
        s = hd_reduce(ctx, HD_VIEW_OF(HD_TYPE(point), p, 2), farther,
                      HD_VIEW_OF(HD_TYPE(point), &far, 1), NULL);
    if (!s) s = hd_reduce(ctx, HD_VIEW((int *)NULL, 0), longest, HD_VIEW(&most, 1), NULL);
    if (!s)
        s = hd_reduce(
            ctx, HD_VIEW(d, 1), HD_SUM, HD_VIEW(&sum, 1),
            &(hd_reduce_options){.map = eight,
                                 .with = HD_VIEWS(HD_VIEW(d, 1), HD_VIEW(d, 1), HD_VIEW(d, 1),
                                                  HD_VIEW(x, 1), HD_VIEW(x, 1), HD_VIEW(y, 1),
                                                  HD_VIEW(y, 1))});
    if (!s) s = hd_scan(ctx, hd_constant(1.0f, n), HD_SUM, HD_VIEW(x, n), NULL);
    if (!s)
        s = hd_scan(ctx, HD_VIEW(y, n), HD_SUM, HD_VIEW(x, n), &(hd_scan_options){.map = square});
    const int32_t at[2] = {1, 0};
    if (!s)
        s = hd_sort(ctx, HD_VIEW(x, 2), HD_VIEW(x, 2), HD_NO_VALUES,
                    HD_OPTIONS(hd_sort_options, .comparison = above));
    if (!s)
        s = hd_reduce(ctx, hd_indexed(HD_VIEW(y, n), HD_VIEW(at, 2)), HD_SUM, HD_VIEW(x, 1),
                      &(hd_reduce_options){.flags = HD_REF(HD_VIEW(at, 2))});
    if (!s) s = hd_map(ctx, HD_DEVICE_VIEW(y, n), NULL, HD_DEVICE_VIEW(x, n, 1), NULL);
    const range r = {0, 1};
    const unsigned modulus = 7;
    const hd_function within = hd_with_state(inside, &r, sizeof r);
    int64_t count;
    unsigned rest;
    if (!s)
        s = hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(&count, 1),
                      &(hd_reduce_options){.map = &within});
    if (!s) s = hd_reduce(ctx, HD_VIEW(x, n), HD_WITH_STATE(kept, &r), HD_VIEW(x, 1), NULL);
    if (!s)
        s = hd_reduce(ctx, HD_VIEW(&modulus, 1), HD_WITH_STATE(modular, &modulus),
                      HD_VIEW(&rest, 1), NULL);
    if (!s)
        s = hd_sort(ctx, HD_VIEW(x, n), HD_VIEW(x, n), HD_NO_VALUES,
                    &(hd_sort_options){.comparison = HD_WITH_STATE(nearer, &r.low)});
    // Outputs are read, and nothing has set them as far as a compiler can see: no warning either.
    return s || dot > far.x || most > 0 || sum > 0 || count > 0 || rest > 0 ? HD_ERROR_VALUE
                                                                            : HD_OK;
}
