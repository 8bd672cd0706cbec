// SPDX-License-Identifier: Apache-2.0
//
// hd_shuffle: the order that heddle/shuffle.h states, computed here a second time by a merge sort;
// every type and layout; permutations of few elements equally likely, and elements of many equally
// likely anywhere (chi-square).
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static const check_target *targets;
static int target_count;

static uint64_t mixed(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return x;
}

typedef struct keyed {
    uint64_t key;
    int64_t i;
} keyed;

static void merge_sort(keyed *x, keyed *spare, int64_t n)
{
    if (n < 2) return;
    const int64_t half = n / 2;
    merge_sort(x, spare, half), merge_sort(x + half, spare, n - half);
    memcpy(spare, x, (size_t)n * sizeof *x);
    for (int64_t a = 0, b = half, k = 0; k < n; k++)
        x[k] = b == n || (a < half && spare[a].key <= spare[b].key) ? spare[a++] : spare[b++];
}

static int64_t *order(uint64_t seed, int64_t n)
{
    keyed *x = check_memory(16 * (size_t)n), *spare = check_memory(16 * (size_t)n);
    int64_t *out = check_memory(8 * (size_t)n);
    for (int64_t i = 0; i < n; i++)
        x[i] = (keyed){mixed(mixed(seed) + (uint64_t)(i + 1) * UINT64_C(0x9e3779b97f4a7c15)), i};
    merge_sort(x, spare, n);
    for (int64_t k = 0; k < n; k++) out[k] = x[k].i;
    free(x), free(spare);
    return out;
}

static void test_order(hd_type type, int64_t n, check_layout layout, uint64_t seed)
{
    const size_t size = hd_type_size(type);
    unsigned char *x = check_memory(size * (size_t)n), *want = check_memory(size * (size_t)n),
                  *got = check_memory(size * (size_t)n);
    int64_t *from = order(seed, n);
    check_fill(HD_U8, x, n * (int64_t)size, CHECK_ORDINARY, seed);
    for (int64_t k = 0; k < n; k++)
        memcpy(want + (size_t)k * size, x + (size_t)from[k] * size, size);
    check_array a = check_new(type, n, layout, seed & 1), b = check_new(type, n, layout, seed & 2);
    check_put(&a, x);
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx,
                 hd_shuffle(targets[t].ctx, a.view, b.view, &(hd_shuffle_options){.seed = seed}));
        check_get(&b, got);
        CHECK_SAME(type, got, want, n, "%" PRId64 " elements of %zu bytes (%s) on %s", n, size,
                   check_layout_name(layout), targets[t].name);
        CHECK(check_gaps(&b), "wrote between elements on %s", targets[t].name);
    }
    check_drop(&a), check_drop(&b);
    free(x), free(want), free(got), free(from);
}

static void test_indices(int64_t n)
{
    int64_t *from = order(0, n), *got = check_memory(8 * (size_t)n);
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx, hd_shuffle(targets[t].ctx, hd_iota(n), HD_VIEW(got, n), NULL));
        CHECK_SAME(HD_I64, got, from, n, "the order itself on %s", targets[t].name);
    }
    free(from), free(got);
}

// The seeds 0 .. trials - 1 must give each of the 24 orders of four elements equally often, and put
// element 0 of 64 equally often in each place. Limits: chi-square of 23 and 63 degrees of freedom,
// 1e-4.
static void test_likely(hd_context *ctx)
{
    enum { TRIALS = 24000 };
    double few[256] = {0}, places[64] = {0}, chi_few = 0, chi_places = 0;
    int kinds = 0;
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        uint8_t x[64], y[64];
        for (int i = 0; i < 64; i++) x[i] = (uint8_t)i;
        const hd_shuffle_options options = {.seed = seed};
        CHECK_OK(ctx, hd_shuffle(ctx, HD_VIEW(x, 4), HD_VIEW(y, 4), &options));
        few[y[0] | y[1] << 2 | y[2] << 4 | y[3] << 6]++;
        CHECK_OK(ctx, hd_shuffle(ctx, HD_VIEW(x, 64), HD_VIEW(y, 64), &options));
        for (int i = 0; i < 64; i++)
            if (y[i] == 0) places[i]++;
    }
    for (int k = 0; k < 256; k++) {
        if (few[k] == 0) continue;
        kinds++;
        chi_few += (few[k] - TRIALS / 24.0) * (few[k] - TRIALS / 24.0) / (TRIALS / 24.0);
    }
    for (int k = 0; k < 64; k++)
        chi_places += (places[k] - TRIALS / 64.0) * (places[k] - TRIALS / 64.0) / (TRIALS / 64.0);
    CHECK(kinds == 24 && chi_few < 57, "%d orders, chi-square %g", kinds, chi_few);
    CHECK(chi_places < 113, "chi-square of the places %g", chi_places);
}

// Of many elements: neighbours do not stay neighbours, and pairs fall anywhere.
static void test_many(hd_context *ctx, int64_t n)
{
    int64_t *y = check_memory(8 * (size_t)n), together = 0;
    double cells[16][16] = {{0}}, chi = 0;
    CHECK_OK(ctx, hd_shuffle(ctx, hd_iota(n), HD_VIEW(y, n), &(hd_shuffle_options){.seed = 99}));
    for (int64_t k = 0; k < n; k++) {
        cells[k * 16 / n][y[k] * 16 / n]++;
        if (k > 0) together += llabs(y[k] - y[k - 1]) == 1;
    }
    for (int a = 0; a < 16; a++)
        for (int b = 0; b < 16; b++) {
            const double expected = (double)n / 256;
            chi += (cells[a][b] - expected) * (cells[a][b] - expected) / expected;
        }
    CHECK(chi < 320, "chi-square of places to places %g", chi); // 225 degrees of freedom
    CHECK(together < 15, "%" PRId64 " neighbours stayed together; 2 expected", together);
    free(y);
}

int main(void)
{
    target_count = check_targets(&targets);
    const hd_type types[] = {HD_U8,
                             HD_F16,
                             HD_I32,
                             HD_F64,
                             HD_STRUCT(char[12]),
                             HD_STRUCT(char[16]),
                             HD_STRUCT(char[37])};
    uint64_t turn = check_seed();
    for (int t = 0; t < 7; t++)
        for (int s = 0; check_size(s, check_small() ? 257 : 4097) >= 0; s++, turn++)
            test_order(types[t], check_size(s, 4097), (check_layout)(turn % CHECK_LAYOUTS), turn);
    for (int t = 0; t < (check_small() ? 2 : 7); t++, turn++)
        test_order(types[t], 100003 + 7777 * t, t % 3 ? CHECK_DENSE : CHECK_ROWS, turn);
    if (!check_small()) test_order(HD_I32, 1500007, CHECK_DENSE, 5);
    test_indices(0), test_indices(1), test_indices(1000), test_indices(200003);
    test_likely(targets[target_count > 1].ctx);
    test_many(targets[target_count > 1].ctx, 200000);
    return check_finish();
}
