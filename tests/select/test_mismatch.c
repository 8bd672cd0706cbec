// SPDX-License-Identifier: Apache-2.0
//
// hd_mismatch and hd_is_sorted: every type, at every place of awkward sizes, in every layout;
// zeros, NaN and bits; both directions, strict, by a comparison; nothing to find.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

typedef struct pair {
    int32_t key, rest;
} pair;
HD_COMPARISON(by_key, pair, HD_NO_SOURCE, { return a.key < b.key; })

// Whether two numbers differ, by their values or their bits.
static bool differ(hd_type type, const void *a, const void *b, bool bits)
{
    if (check_is_float(type) && !bits) return !(ref_to_double(type, a) == ref_to_double(type, b));
    if (type == HD_BOOL) return !*(const uint8_t *)a != !*(const uint8_t *)b;
    return memcmp(a, b, hd_type_size(type)) != 0;
}

static void test_mismatch(hd_type type, int64_t n, check_layout layout, check_pattern pattern,
                          uint64_t seed)
{
    const size_t size = hd_type_size(type);
    uint64_t state = seed;
    unsigned char *x = check_memory(size * (size_t)n + 1), *y = check_memory(size * (size_t)n + 1);
    check_array a = check_new(type, n, layout, seed & 1);
    check_array b = check_new(type, n, layout, seed & 2);
    check_fill(type, x, n, pattern, seed);
    memcpy(y, x, size * (size_t)n);
    for (int round = 0; round < 3; round++) {
        if (round > 0 && n > 0) {
            const int64_t at = round == 1 ? n - 1 : check_below(&state, n);
            y[(size_t)at * size + (type == HD_BOOL ? 0 : check_below(&state, (int64_t)size))] ^= 1;
        }
        int64_t want[2] = {-1, -1};
        for (int bits = 0; bits < 2; bits++)
            for (int64_t i = 0; i < n && want[bits] < 0; i++)
                if (differ(type, x + (size_t)i * size, y + (size_t)i * size, bits)) want[bits] = i;
        check_put(&a, x);
        check_put(&b, y);
        for (int t = 0; t < target_count; t++)
            for (int bits = 0; bits < 2; bits++) {
                int64_t got = -9;
                CHECK_OK(targets[t].ctx,
                         hd_mismatch(targets[t].ctx, a.view, b.view, HD_VIEW(&got, 1),
                                     &(hd_mismatch_options){.bits = bits}));
                CHECK(got == want[bits],
                      "%s of %" PRId64 " (%s, %s, bits %d): %" PRId64 " expected %" PRId64 " on %s",
                      hd_type_name(type), n, check_layout_name(layout), check_pattern_name(pattern),
                      bits, got, want[bits], targets[t].name);
            }
    }
    check_drop(&a);
    check_drop(&b);
    free(x);
    free(y);
}

// Three-way comparison of numbers as hd_sort orders them; NaN beyond everything in both directions.
static int compare(hd_type type, const void *a, const void *b, bool descending)
{
    if (check_is_float(type)) {
        const double x = ref_to_double(type, a), y = ref_to_double(type, b);
        if (x != x || y != y) return (x != x) - (y != y);
        if (x == y && x == 0) { // by sign
            const int order = !!signbit(y) - !!signbit(x);
            return descending ? -order : order;
        }
        return ((x > y) - (x < y)) * (descending ? -1 : 1);
    }
    const uint64_t flip = check_is_signed(type) ? UINT64_C(1) << 63 : 0;
    uint64_t x = ref_to_whole(type, a) ^ flip, y = ref_to_whole(type, b) ^ flip;
    if (type == HD_BOOL) x = *(const uint8_t *)a != 0, y = *(const uint8_t *)b != 0;
    return ((x > y) - (x < y)) * (descending ? -1 : 1);
}

static void test_sorted(hd_type type, int64_t n, check_layout layout, check_pattern pattern,
                        uint64_t seed)
{
    const size_t size = hd_type_size(type);
    uint64_t state = seed;
    unsigned char *x = check_memory(size * (size_t)n + 1);
    check_array a = check_new(type, n, layout, seed & 1);
    check_fill(type, x, n, pattern, seed);
    const bool descending = seed & 4;
    for (int round = 0; round < 3; round++) {
        if (round < 2) // sorted; then one element somewhere else
            CHECK_OK(targets[0].ctx,
                     hd_sort(targets[0].ctx, hd_view_of(type, x, n), hd_view_of(type, x, n),
                             HD_NO_VALUES, &(hd_sort_options){.descending = descending}));
        if (round == 1 && n > 1) {
            const int64_t i = check_below(&state, n), j = check_below(&state, n);
            memcpy(x + (size_t)i * size, x + (size_t)j * size, size);
        }
        check_put(&a, x);
        for (int strict = 0; strict < 2; strict++) {
            int64_t want = -1;
            for (int64_t i = 1; i < n && want < 0; i++) {
                const int c =
                    compare(type, x + (size_t)(i - 1) * size, x + (size_t)i * size, descending);
                if (c > 0 || (strict && c == 0)) want = i;
            }
            for (int t = 0; t < target_count; t++) {
                int64_t got = -9;
                CHECK_OK(targets[t].ctx,
                         hd_is_sorted(
                             targets[t].ctx, a.view, HD_VIEW(&got, 1),
                             &(hd_is_sorted_options){.descending = descending, .strict = strict}));
                CHECK(got == want,
                      "%s of %" PRId64 " (%s, %s, %d %d): %" PRId64 " expected %" PRId64 " on %s",
                      hd_type_name(type), n, check_layout_name(layout), check_pattern_name(pattern),
                      descending, strict, got, want, targets[t].name);
            }
        }
        check_fill(type, x, n, pattern, seed + 1);
    }
    check_drop(&a);
    free(x);
}

static void test_structures(int64_t n)
{
    pair *x = check_memory(sizeof(pair) * (size_t)(n + 1)),
         *y = check_memory(sizeof *y * (size_t)(n + 1));
    for (int64_t i = 0; i < n; i++) x[i] = (pair){(int32_t)(i / 3), (int32_t)(-i)};
    memcpy(y, x, sizeof *x * (size_t)n);
    if (n > 5) y[n - 2].key = y[n - 3].key - 1;
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const hd_view a = HD_VIEW_OF(HD_TYPE(pair), x, n), b = HD_VIEW_OF(HD_TYPE(pair), y, n);
        int64_t sorted, strict, late, differ_at, same;
        const hd_is_sorted_options by = {.comparison = by_key},
                                   strictly = {.comparison = by_key, .strict = true};
        CHECK_OK(ctx, hd_is_sorted(ctx, a, HD_VIEW(&sorted, 1), &by));
        CHECK_OK(ctx, hd_is_sorted(ctx, a, HD_VIEW(&strict, 1), &strictly));
        CHECK_OK(ctx, hd_is_sorted(ctx, b, HD_VIEW(&late, 1), &by));
        // From the last to the first the keys fall.
        int64_t back = -9, rises = -9;
        const hd_view turned = n > 1 ? hd_slice(a, 0, n - 1, n, -1) : a;
        const hd_is_sorted_options down = {.comparison = by_key, .descending = true};
        CHECK_OK(ctx, hd_is_sorted(ctx, turned, HD_VIEW(&back, 1), &down));
        CHECK_OK(ctx, hd_is_sorted(ctx, a, HD_VIEW(&rises, 1), &down));
        CHECK(back == -1 && rises == (n > 3 ? 3 : -1), "%" PRId64 " %" PRId64 " on %s", back, rises,
              targets[t].name);
        CHECK_OK(ctx, hd_mismatch(ctx, a, b, HD_VIEW(&differ_at, 1), NULL));
        CHECK_OK(ctx, hd_mismatch(ctx, a, a, HD_VIEW(&same, 1), NULL));
        CHECK(sorted == -1 && strict == (n > 1 ? 1 : -1) && late == (n > 5 ? n - 2 : -1) &&
                  differ_at == late && same == -1,
              "structures, %" PRId64 ": %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " on %s", n,
              sorted, strict, late, differ_at, targets[t].name);
        int64_t at;
        CHECK_OK(ctx, hd_is_sorted(ctx, hd_progression(5, -1, n), HD_VIEW(&at, 1), NULL));
        CHECK(at == (n > 1 ? 1 : -1), "a falling progression on %s", targets[t].name);
        CHECK_OK(ctx, hd_mismatch(ctx, hd_iota(n), hd_iota(n), HD_VIEW(&at, 1), NULL));
        CHECK(at == -1, "progressions on %s", targets[t].name);
    }
    free(x), free(y);
}

int main(void)
{
    uint64_t seed = check_seed();
    target_count = check_targets(&targets);
    for (int k = 0; check_type(k) != HD_NONE; k++) {
        int64_t n;
        for (int s = 0; (n = check_size(s, 5000)) >= 0; s++)
            for (int times = 0; times < 2; times++, seed++) {
                const check_layout layout = (check_layout)(seed % CHECK_LAYOUTS);
                const check_pattern pattern = (check_pattern)(seed / 3 % CHECK_PATTERNS);
                test_mismatch(check_type(k), n, layout, pattern, seed);
                test_sorted(check_type(k), n, layout, pattern, seed);
            }
        if (check_small()) continue;
        test_mismatch(check_type(k), 100003, CHECK_DENSE, CHECK_ORDINARY, seed);
        test_sorted(check_type(k), 100003, CHECK_DENSE, CHECK_ORDINARY, seed);
    }
    const int64_t sizes[] = {0, 1, 2, 6, 1000, 300007};
    for (int s = 0; s < 6; s++) test_structures(sizes[s]);
    return check_finish();
}
