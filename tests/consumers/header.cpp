// SPDX-License-Identifier: Apache-2.0
// The same as header.c, in C++.
#include <heddle.h>
#include <heddle_algorithms.h>
#include <heddle_complex.h>
#include <heddle_dlpack.h>
#include <heddle_model.h>
#include <heddle_teaching.h>

HD_SOURCE(
    geometry, typedef struct { float x, y, z; } point;
    static inline float norm2(point p) { return p.x * p.x + p.y * p.y + p.z * p.z; })
HD_OPERATOR(farther, point, geometry, HD_ASSOCIATIVE, { return norm2(a) >= norm2(b) ? a : b; })
HD_MONOID(longest, int, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE | HD_EXACT, 0,
          { return a > b ? a : b; })
HD_FUNCTION(times, float, HD_NO_SOURCE, (float, x, float, y), { return x * y; })

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
    hd_view others[1] = {HD_VIEW(y, n)};
    hd_reduce_options options = hd_reduce_options();
    options.map = times;
    options.with = hd_views_of(others);
    hd_status s = hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(&dot, 1), &options);
    if (!s)
        s = hd_reduce(ctx, HD_VIEW_OF(HD_TYPE(point), p, 2), farther,
                      HD_VIEW_OF(HD_TYPE(point), &far, 1), nullptr);
    if (!s) s = hd_reduce(ctx, hd_iota(n), longest, HD_VIEW(&most, 1), nullptr);
    if (!s)
        s = hd_sort(ctx, HD_VIEW(x, n), HD_EMPTY, HD_VALUES(HD_VIEW(y, n), HD_VIEW(x, n)), nullptr);
    if (!s) s = hd_scan(ctx, hd_constant(1.0f, n), HD_SUM, HD_VIEW(x, n), nullptr);
    const int32_t at[2] = {1, 0};
    hd_sort_options order = hd_sort_options();
    order.comparison = above;
    if (!s) s = hd_sort(ctx, HD_VIEW(x, 2), HD_VIEW(x, 2), HD_NO_VALUES, &order);
    if (!s)
        s = hd_reduce(ctx, hd_indexed(HD_VIEW(y, n), HD_VIEW(at, 2)), HD_SUM, HD_VIEW(x, 1),
                      nullptr);
    if (!s) s = hd_map(ctx, HD_DEVICE_VIEW(y, n), nullptr, HD_DEVICE_VIEW(x, n, 1), nullptr);
    static const hd_type types[] = {HD_TYPE(point), HD_STRUCT(point), HD_TYPE(char)};
    static_assert(HD_TYPE(point) == HD_STRUCT(point) && HD_TYPE(char) == HD_U8, "names are known");
    float parts[3];
    if (!s)
        s = hd_unzip(ctx, HD_VIEW_OF(types[0], p, 1),
                     HD_VIEWS(HD_VIEW(parts, 1), HD_VIEW(parts + 1, 1), HD_VIEW(parts + 2, 1)),
                     nullptr);
    const int64_t shape[2] = {1, 2};
    const point *const fixed = p;
    if (HD_VIEW_ND(HD_TYPE(point), fixed, 2, shape, nullptr).read_only != 1 ||
        HD_VIEW_ND(HD_TYPE(point), p, 2, shape, nullptr).read_only != 0)
        return HD_ERROR_VALUE;
    char text[2] = {'a', 'b'};
    if (!s) s = hd_map(ctx, HD_VIEW(text, 2), nullptr, HD_VIEW(text, 2), nullptr);
    const range r = {0, 1};
    const unsigned modulus = 7;
    const hd_function within = hd_with_state(inside, &r, sizeof r);
    const hd_operator capped = hd_with_state(kept, &r, sizeof r),
                      remainder = hd_with_state(modular, &modulus, sizeof modulus);
    const hd_comparison distance = hd_with_state(nearer, &r.low, sizeof r.low);
    unsigned rest;
    hd_compact_options some = hd_compact_options();
    hd_sort_options by = hd_sort_options();
    int64_t count;
    some.keep = &within;
    by.comparison = &distance;
    if (!s) s = hd_compact(ctx, HD_VIEW(x, n), HD_VIEW(x, n), HD_VIEW(&count, 1), &some);
    if (!s) s = hd_sort(ctx, HD_VIEW(x, n), HD_VIEW(x, n), HD_NO_VALUES, &by);
    if (!s) s = hd_reduce(ctx, HD_VIEW(x, n), &capped, HD_VIEW(x, 1), nullptr);
    if (!s) s = hd_reduce(ctx, HD_VIEW(&modulus, 1), &remainder, HD_VIEW(&rest, 1), nullptr);
    // Outputs are read, and nothing has set them as far as a compiler can see: no warning either.
    return s || dot > far.x || most > 0 || rest > 0 || count > 0 ? HD_ERROR_VALUE : HD_OK;
}
