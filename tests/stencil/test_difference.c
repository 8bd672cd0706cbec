// SPDX-License-Identifier: Apache-2.0
//
// hd_difference: every type, size and layout, in place and not, along each axis, with an element
// before and with functions, against plain loops; and the inclusive sum turns it back, exactly or
// as nearly as it is said to.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

HD_FUNCTION(changes, bool, HD_NO_SOURCE, (int32_t, now, int32_t, before), { return now != before; })
HD_FUNCTION(mean2, double, HD_NO_SOURCE, (double, now, double, before),
            { return (now + before) / 2; })

static const check_target *targets;
static int target_count;

static void minus(hd_type type, void *out, const void *a, const void *b)
{
    if (type == HD_F64) {
        *(double *)out = *(const double *)a - *(const double *)b;
    } else if (type == HD_F32) {
        *(float *)out = *(const float *)a - *(const float *)b;
    } else if (check_is_float(type)) {
        const float r = (float)ref_to_double(type, a) - (float)ref_to_double(type, b);
        *(uint16_t *)out = ref_narrow(type, (double)r);
    } else {
        const uint64_t r = ref_to_whole(type, a) - ref_to_whole(type, b);
        memcpy(out, &r, hd_type_size(type));
    }
}

static void test_row(hd_type type, int64_t n, check_layout layout, uint64_t seed)
{
    const size_t size = hd_type_size(type);
    unsigned char *x = check_memory(size * (size_t)n), *want = check_memory(size * (size_t)n),
                  *got = check_memory(size * (size_t)n);
    _Alignas(8) unsigned char before[8];
    check_fill(type, x, n, seed % 4 ? CHECK_ORDINARY : CHECK_SPECIAL, seed);
    check_fill(type, before, 1, CHECK_ORDINARY, seed + 1);
    const bool has_before = seed % 3 == 0, in_place = seed % 2;
    for (int64_t i = 0; i < n; i++) {
        const size_t at = (size_t)i * size;
        if (i > 0 || has_before)
            minus(type, want + at, x + at, i > 0 ? x + at - size : before);
        else
            memcpy(want, x, size);
    }
    check_array a = check_new(type, n, layout, seed & 4), b = check_new(type, n, layout, seed & 8);
    for (int t = 0; t < target_count; t++) {
        // Under sanitizers long rows go to the serial backend and a third of the others, in turn.
        if (check_small() && n > 257 && t > 0 && (seed + (uint64_t)t) % 3 != 0) continue;
        hd_context *ctx = targets[t].ctx;
        const check_array *out = in_place ? &a : &b;
        check_put(&a, x);
        CHECK_OK(ctx,
                 hd_difference(ctx, a.view, out->view,
                               &(hd_difference_options){.before = has_before ? before : NULL}));
        check_get(out, got);
        CHECK_SAME(type, got, want, n, "%" PRId64 " %s (%s)%s%s on %s", n, hd_type_name(type),
                   check_layout_name(layout), in_place ? " in place" : "",
                   has_before ? " before" : "", targets[t].name);
        CHECK(check_gaps(out), "wrote between elements on %s", targets[t].name);
        if (check_is_float(type) || has_before) continue;
        CHECK_OK(ctx, hd_scan(ctx, out->view, HD_SUM, out->view, NULL));
        check_get(out, got);
        CHECK_SAME(type, got, x, n, "%" PRId64 " %s turned back on %s", n, hd_type_name(type),
                   targets[t].name);
    }
    check_drop(&a), check_drop(&b);
    free(x), free(want), free(got);
}

static void test_axes(int64_t p, int64_t q, int64_t r, uint64_t seed)
{
    const int64_t shape[] = {p, q, r}, step[] = {q * r, r, 1};
    uint64_t state = seed;
    int32_t *x = check_memory(4 * (size_t)(p * q * r)), before = 77;
    check_fill(HD_I32, x, p * q * r, CHECK_ORDINARY, seed);
    for (int axis = 0; axis < 3; axis++)
        for (int way = 0; way < 4; way++) {
            int64_t stride[3];
            check_strides(3, shape, &state, stride);
            check_array a = check_new_nd(HD_I32, 3, shape, way & 1 ? stride : NULL, false),
                        b = check_new_nd(HD_I32, 3, shape, way & 1 ? stride : NULL, true);
            const check_array *out = way & 2 ? &a : &b;
            for (int t = 0; t < target_count; t++) {
                hd_context *ctx = targets[t].ctx;
                check_put(&a, x);
                CHECK_OK(ctx,
                         hd_difference(ctx, a.view, out->view,
                                       &(hd_difference_options){.axis = HD_AXIS(axis),
                                                                .before = way ? &before : NULL}));
                int64_t wrong = 0;
                for (int64_t k = 0; k < p * q * r; k++) {
                    const bool first = k / step[axis] % shape[axis] == 0;
                    const int32_t prior = !first ? x[k - step[axis]] : way ? before : 0;
                    const uint32_t want = (uint32_t)x[k] - (uint32_t)prior;
                    wrong += *(uint32_t *)check_element(out->view, k) != want;
                }
                CHECK(wrong == 0 && check_gaps(out), "%" PRId64 " wrong along %d, way %d on %s",
                      wrong, axis, way, targets[t].name);
            }
            check_drop(&a), check_drop(&b);
        }
    free(x);
}

static void test_functions(int64_t n)
{
    int32_t *x = check_memory(4 * (size_t)n);
    bool *heads = check_memory((size_t)n);
    double *y = check_memory(8 * (size_t)n);
    for (int64_t i = 0; i < n; i++) x[i] = (int32_t)(i / 3);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        for (int64_t i = 0; i < n; i++) y[i] = (double)(i * i % 1000);
        CHECK_OK(ctx, hd_difference(
                          ctx, HD_VIEW(x, n), HD_VIEW(heads, n),
                          &(hd_difference_options){.function = changes, .before = &(int32_t){-1}}));
        CHECK_OK(ctx, hd_difference(ctx, HD_VIEW(y, n), HD_VIEW(y, n),
                                    &(hd_difference_options){.function = mean2}));
        int64_t wrong = 0;
        for (int64_t i = 0; i < n; i++) {
            wrong += heads[i] != (i % 3 == 0);
            const double now = (double)(i * i % 1000), prior = (double)((i - 1) * (i - 1) % 1000);
            wrong += y[i] != (i > 0 ? (now + prior) / 2 : now);
        }
        CHECK(wrong == 0, "%" PRId64 " wrong of %" PRId64 " on %s", wrong, n, targets[t].name);
        int64_t z[4];
        CHECK_OK(ctx, hd_difference(ctx, hd_progression(7, 3, 4), HD_VIEW(z, 4), NULL));
        CHECK(z[0] == 7 && z[1] == 3 && z[3] == 3, "a progression on %s", targets[t].name);
    }
    free(x), free(heads), free(y);
}

// The sum of differences of floats comes near what they were made from, as near as heddle.h says
// and not to the bit; exactly for whole numbers; not past an infinity.
static void test_back(void)
{
    enum { N = 100003 };
    float *x = check_memory(N * 4), *d = check_memory(N * 4), *back = check_memory(N * 4);
    hd_context *ctx = targets[1 % target_count].ctx;
    uint64_t state = check_seed();
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < N; i++)
            x[i] = turn == 0 ? (float)check_next(&state) * 0x1p-64f
                             : (float)check_below(&state, (1 << 24) + 1);
        CHECK_OK(ctx, hd_difference(ctx, HD_VIEW(x, N), HD_VIEW(d, N), NULL));
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(d, N), HD_SUM, HD_VIEW(back, N), NULL));
        double sum = 0;
        int64_t differ = 0;
        for (int i = 0; i < N; i++) {
            const int roundings = 31 - __builtin_clz((unsigned)i + 1) + __builtin_popcount(i + 1);
            sum += fabs((double)d[i]);
            differ += back[i] != x[i];
            CHECK(fabs((double)back[i] - (double)x[i]) <= 1.001 * roundings * 0x1p-24 * sum,
                  "element %d comes back as %.9g, was %.9g", i, (double)back[i], (double)x[i]);
        }
        CHECK(turn == 0 ? differ > N / 2 : differ == 0, "%" PRId64 " differ", differ);
    }
    x[7] = INFINITY;
    CHECK_OK(ctx, hd_difference(ctx, HD_VIEW(x, N), HD_VIEW(d, N), NULL));
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(d, N), HD_SUM, HD_VIEW(back, N), NULL));
    CHECK(back[6] == x[6] && back[7] == INFINITY && isnan(back[8]) && isnan(back[N - 1]),
          "past an infinity: %g", (double)back[8]);
    free(x), free(d), free(back);
}

int main(void)
{
    target_count = check_targets(&targets);
    uint64_t turn = check_seed();
    for (int t = 0; check_type(t); t++)
        for (int s = 0; check_size(s, check_small() ? 1025 : 4097) >= 0; s++, turn++)
            if (check_type(t) != HD_BOOL)
                test_row(check_type(t), check_size(s, 4097), (check_layout)(turn % CHECK_LAYOUTS),
                         turn);
    for (int s = 0; s < (check_small() ? 1 : 3); s++)
        for (int t = 0; check_type(t) != HD_BOOL; t++, turn++)
            test_row(check_type(t), (int64_t[]){65537, 200003, 300007}[s],
                     turn % 2 ? CHECK_DENSE : (check_layout)(turn / 2 % CHECK_LAYOUTS), turn);
    test_axes(3, 4, 5, 1), test_axes(1, 7, 300, 2), test_axes(200, 1, 9, 3);
    test_axes(check_small() ? 6 : 60, 50, 70, 4), test_axes(2, check_small() ? 9000 : 100000, 1, 5),
        test_axes(3, 0, 2, 6);
    test_functions(0), test_functions(1), test_functions(300);
    test_functions(check_small() ? 70001 : 300007);
    test_back();
    return check_finish();
}
