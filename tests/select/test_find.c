// SPDX-License-Identifier: Apache-2.0
//
// hd_find: what is not zero, what is equal, what a function says, first and last; every type, at
// every place of awkward sizes, in every layout; zeros, NaN, nothing to find.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

HD_FUNCTION(is_large, bool, HD_NO_SOURCE, (int32_t, x, int32_t, bound), { return x > bound; })
HD_FUNCTION(half, double, HD_NO_SOURCE, (int32_t, x), { return x / 2.0; })

static const check_target *targets;
static int target_count;

static void store_one(hd_type type, void *at, int value)
{
    if (type == HD_F64)
        *(double *)at = value;
    else if (type == HD_F32)
        *(float *)at = (float)value;
    else if (check_is_float(type))
        *(uint16_t *)at = ref_narrow(type, value);
    else
        memcpy(at, &value, hd_type_size(type) < 4 ? hd_type_size(type) : 4);
}

// Elements that are all zero (of both signs) but for some, at given places.
static void test_places(hd_type type, int64_t n, check_layout layout, uint64_t seed)
{
    const size_t size = hd_type_size(type);
    unsigned char *x = check_memory(size * (size_t)n);
    check_array a = check_new(type, n, layout, seed & 1);
    uint64_t state = seed;
    for (int round = 0; round < 4; round++) {
        int64_t first = n, last = -1, second = n;
        check_fill(type, x, n, CHECK_ZEROS, seed);
        for (int k = 0; n > 0 && k < round; k++) {
            const int64_t i = k == 0 && seed % 5 == 0   ? n - 1
                              : k == 1 && seed % 7 == 0 ? 0
                                                        : check_below(&state, n);
            store_one(type, x + (size_t)i * size, 1);
            if (i < first) first = i;
            if (i > last) last = i;
        }
        if (n > 0) { // and one of another value, to be found only as itself
            second = check_below(&state, n);
            store_one(type, x + (size_t)second * size, type == HD_BOOL ? 1 : 2);
            if (type == HD_BOOL) {
                if (second < first) first = second;
                if (second > last) last = second;
            } else if (second == first || second == last) {
                first = n, last = -1;
                for (int64_t i = 0; i < n; i++)
                    if (memcmp(x + (size_t)i * size, x + (size_t)second * size, size) != 0 &&
                        hd_type_size(type) &&
                        ref_to_whole(HD_U8, x + (size_t)i * size + size - 1) +
                                ref_to_whole(HD_U8, x + (size_t)i * size) !=
                            0 &&
                        !(check_is_float(type) && ref_to_double(type, x + (size_t)i * size) == 0)) {
                        if (first == n) first = i;
                        last = i;
                    }
            }
        }
        check_put(&a, x);
        _Alignas(8) unsigned char one[8] = {0}, three[8] = {0};
        store_one(type, one, 1), store_one(type, three, 3);
        const int64_t low = type == HD_BOOL || n == 0 ? first : first < second ? first : second;
        const int64_t high = type == HD_BOOL || n == 0 ? last : last > second ? last : second;
        for (int t = 0; t < target_count; t++) {
            hd_context *ctx = targets[t].ctx;
            int64_t at[5] = {-9, -9, -9, -9, -9};
            CHECK_OK(ctx, hd_find(ctx, a.view, HD_VIEW(&at[0], 1), NULL));
            CHECK_OK(ctx,
                     hd_find(ctx, a.view, HD_VIEW(&at[1], 1), &(hd_find_options){.last = true}));
            CHECK_OK(ctx,
                     hd_find(ctx, a.view, HD_VIEW(&at[2], 1), &(hd_find_options){.value = one}));
            CHECK_OK(ctx, hd_find(ctx, a.view, HD_VIEW(&at[3], 1),
                                  &(hd_find_options){.value = one, .last = true}));
            if (type != HD_BOOL)
                CHECK_OK(ctx, hd_find(ctx, a.view, HD_VIEW(&at[4], 1),
                                      &(hd_find_options){.value = three}));
            CHECK(at[0] == (low < n ? low : -1) && at[1] == high &&
                      at[2] == (first < n ? first : -1) && at[3] == last &&
                      (at[4] == -1 || type == HD_BOOL),
                  "%s of %" PRId64 " (%s): %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
                  " expected %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " on %s",
                  hd_type_name(type), n, check_layout_name(layout), at[0], at[1], at[2], at[3],
                  at[4], low, high, first, last, targets[t].name);
        }
    }
    check_drop(&a);
    free(x);
}

static void test_functions(int64_t n)
{
    int32_t *x = check_memory(4 * (size_t)n);
    for (int64_t i = 0; i < n; i++) x[i] = (int32_t)(i % 1000);
    if (n > 0) x[n * 2 / 3] = 5000, x[n * 3 / 4] = 5001;
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        int64_t first, last, equal;
        const hd_views with = HD_VIEWS(hd_constant((int32_t)2000, n));
        CHECK_OK(ctx, hd_find(ctx, HD_VIEW(x, n), HD_VIEW(&first, 1),
                              &(hd_find_options){.map = is_large, .with = with}));
        CHECK_OK(ctx, hd_find(ctx, HD_VIEW(x, n), HD_VIEW(&last, 1),
                              &(hd_find_options){.map = is_large, .with = with, .last = true}));
        CHECK_OK(ctx, hd_find(ctx, HD_VIEW(x, n), HD_VIEW(&equal, 1),
                              &(hd_find_options){.map = half, .value = &(double){2500.5}}));
        const int64_t a = n > 0 ? n * 2 / 3 : -1, b = n > 0 ? n * 3 / 4 : -1;
        const int64_t want = a == b ? a : a;
        CHECK(first == want && last == b && equal == b,
              "%" PRId64 " %" PRId64 " %" PRId64 " of %" PRId64 " on %s", first, last, equal, n,
              targets[t].name);
    }
    free(x);
}

static void test_special(void)
{
    typedef struct {
        int32_t a, b;
    } couple;
    const double x[] = {0.0, -0.0, NAN, 1};
    const couple c[] = {{1, 2}, {3, 4}, {3, 5}};
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        int64_t at;
        CHECK_OK(ctx, hd_find(ctx, HD_VIEW(x, 4), HD_VIEW(&at, 1), NULL));
        CHECK(at == 2, "NaN is not zero: %" PRId64 " on %s", at, targets[t].name);
        CHECK_OK(ctx,
                 hd_find(ctx, HD_VIEW(x, 4), HD_VIEW(&at, 1), &(hd_find_options){.value = &x[2]}));
        CHECK(at == -1, "NaN is equal to nothing: %" PRId64 " on %s", at, targets[t].name);
        CHECK_OK(ctx, hd_find(ctx, HD_VIEW(x + 1, 3), HD_VIEW(&at, 1),
                              &(hd_find_options){.value = &x[0]}));
        CHECK(at == 0, "-0 is equal to 0: %" PRId64 " on %s", at, targets[t].name);
        CHECK_OK(ctx, hd_find(ctx, HD_VIEW_OF(HD_TYPE(couple), c, 3), HD_VIEW(&at, 1),
                              &(hd_find_options){.value = &c[2]}));
        CHECK(at == 2, "a structure: %" PRId64 " on %s", at, targets[t].name);
        CHECK_OK(ctx, hd_find(ctx, hd_progression(-500000, 1, 1000000), HD_VIEW(&at, 1),
                              &(hd_find_options){.value = &(int64_t){123456}}));
        CHECK(at == 623456, "in a progression: %" PRId64 " on %s", at, targets[t].name);
        const uint8_t odd_bool[] = {0, 0, 77};
        CHECK_OK(ctx, hd_find(ctx, HD_VIEW_OF(HD_BOOL, odd_bool, 3), HD_VIEW(&at, 1),
                              &(hd_find_options){.value = &(bool){true}}));
        CHECK(at == 2, "any byte is true: %" PRId64 " on %s", at, targets[t].name);
    }
}

int main(void)
{
    target_count = check_targets(&targets);
    uint64_t turn = check_seed();
    for (int t = 0; check_type(t); t++)
        for (int s = 0; check_size(s, check_small() ? 257 : 1025) >= 0; s++, turn++)
            test_places(check_type(t), check_size(s, 1025), (check_layout)(turn % CHECK_LAYOUTS),
                        turn);
    static const int64_t large[] = {65537, 300007, 1500007};
    for (int s = 0; s < (check_small() ? 1 : 3); s++)
        for (int t = 0; check_type(t); t++, turn++)
            if (s < 2 || t % 4 == 2)
                test_places(check_type(t), large[s], turn % 3 ? CHECK_DENSE : CHECK_ROWS, turn);
    test_functions(0), test_functions(1), test_functions(5000), test_functions(400009);
    test_special();
    return check_finish();
}
