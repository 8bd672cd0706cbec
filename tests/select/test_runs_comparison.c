// SPDX-License-Identifier: Apache-2.0
//
// Runs by a comparison: hd_unique, hd_run_lengths, reductions and scans by key, of numbers and of
// structures, against plain loops over neighbours.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static const check_target *targets;
static int target_count;

typedef struct record {
    int32_t key, rest, more;
} record;
HD_COMPARISON(by_key, record, HD_NO_SOURCE, { return a.key < b.key; })
HD_COMPARISON(by_tens, float, HD_NO_SOURCE, { return (int)(a / 10) < (int)(b / 10); })

// What the calls are to give.
typedef struct runs {
    int64_t count;
    int64_t *begin; // of each run, and n
} runs;

static runs runs_of(const hd_comparison *order, const void *x, int64_t n)
{
    const size_t size = order->elements.size;
    runs r = {0, check_memory((size_t)(n + 1) * sizeof(int64_t))};
    for (int64_t i = 0; i < n; i++) {
        const char *at = (const char *)x + (size_t)i * size;
        if (i == 0 || order->less(at, at - size, NULL) || order->less(at - size, at, NULL))
            r.begin[r.count++] = i;
    }
    r.begin[r.count] = n;
    return r;
}

static void test_select(const check_target *t, const hd_comparison *order, const hd_view in,
                        const char *x, const runs *want)
{
    const size_t size = order->elements.size, room = (size_t)(want->count + 1);
    char *out = check_memory(room * size), *values = check_memory(room * size);
    int32_t *at = check_memory(room * sizeof *at), *lengths = check_memory(room * sizeof *lengths);
    int64_t count = -1, found = -1;
    const hd_view indices = HD_VIEW(at, want->count);
    CHECK_OK(t->ctx,
             hd_unique(t->ctx, in, hd_view_of(in.type, out, want->count), HD_VIEW(&count, 1),
                       &(hd_unique_options){.indices = &indices, .comparison = order}));
    CHECK_OK(t->ctx, hd_run_lengths(t->ctx, in, hd_view_of(in.type, values, want->count),
                                    HD_VIEW(lengths, want->count), HD_VIEW(&found, 1),
                                    &(hd_run_lengths_options){.comparison = order}));
    CHECK(count == want->count && found == count,
          "%" PRId64 ", %" PRId64 " runs, expected %" PRId64 " on %s", count, found, want->count,
          t->name);
    for (int64_t j = 0; j < count && count == want->count; j++) {
        const char *first = x + (size_t)want->begin[j] * size;
        CHECK(at[j] == want->begin[j] && lengths[j] == want->begin[j + 1] - want->begin[j] &&
                  memcmp(out + (size_t)j * size, first, size) == 0 &&
                  memcmp(values + (size_t)j * size, first, size) == 0,
              "run %" PRId64 " on %s", j, t->name);
    }
    free(out), free(values), free(at), free(lengths);
}

static void test_by_key(const check_target *t, const hd_comparison *order, const hd_view keys,
                        const char *x, int64_t n, const runs *want)
{
    const size_t size = order->elements.size;
    int64_t *sums = check_memory((size_t)(n + 1) * sizeof *sums), runs_found = -1;
    int64_t *scan = check_memory((size_t)(n + 1) * sizeof *scan);
    int64_t *back = check_memory((size_t)(n + 1) * sizeof *back);
    char *kept = check_memory((size_t)(want->count + 1) * size);
    const hd_view keys_out = hd_view_of(keys.type, kept, want->count);
    const hd_view found = HD_VIEW(&runs_found, 1);
    CHECK_OK(
        t->ctx,
        hd_reduce(t->ctx, hd_iota(n), HD_SUM, HD_VIEW(sums, want->count),
                  &(hd_reduce_options){
                      .keys = &keys, .keys_out = &keys_out, .runs = &found, .comparison = order}));
    CHECK(runs_found == want->count, "%" PRId64 " runs on %s", runs_found, t->name);
    CHECK_OK(t->ctx, hd_scan(t->ctx, hd_iota(n), HD_SUM, HD_VIEW(scan, n),
                             &(hd_scan_options){.keys = &keys, .comparison = order}));
    CHECK_OK(t->ctx,
             hd_scan(t->ctx, hd_iota(n), HD_SUM, HD_VIEW(back, n),
                     &(hd_scan_options){
                         .keys = &keys, .comparison = order, .backward = true, .exclusive = true}));
    for (int64_t j = 0; j < want->count; j++) {
        const int64_t begin = want->begin[j], end = want->begin[j + 1];
        int64_t sum = 0, rest = (begin + end - 1) * (end - begin) / 2;
        CHECK(sums[j] == rest &&
                  memcmp(kept + (size_t)j * size, x + (size_t)begin * size, size) == 0,
              "sum of run %" PRId64 " on %s", j, t->name);
        for (int64_t i = begin; i < end; i++) {
            sum += i;
            rest -= i;
            CHECK(scan[i] == sum && back[i] == rest, "scan at %" PRId64 " on %s", i, t->name);
        }
    }
    free(sums), free(scan), free(back), free(kept);
}

static void test_all(const hd_comparison *order, hd_type type, const void *x, int64_t n,
                     check_layout layout)
{
    check_array a = check_new(type, n, layout, n & 1);
    check_put(&a, x);
    const runs want = runs_of(order, x, n);
    for (int t = 0; t < target_count; t++) {
        test_select(&targets[t], order, a.view, x, &want);
        if (a.view.ndim == 1) test_by_key(&targets[t], order, a.view, x, n, &want);
    }
    check_drop(&a);
    free(want.begin);
}

static void test_size(int64_t n, uint64_t seed)
{
    record *r = check_memory(sizeof *r * (size_t)(n + 1));
    float *f = check_memory(sizeof *f * (size_t)(n + 1));
    int32_t key = -3;
    for (int64_t i = 0; i < n; i++) {
        if (check_below(&seed, 3) == 0) key += (int32_t)check_below(&seed, 3) - (seed % 16 == 0);
        r[i] = (record){key, (int32_t)i, (int32_t)-i};
        f[i] = (float)key * 3;
    }
    const check_layout layout = (check_layout)(seed % CHECK_LAYOUTS);
    test_all(by_key, HD_TYPE(record), r, n, CHECK_DENSE);
    test_all(by_key, HD_TYPE(record), r, n, layout);
    test_all(by_tens, HD_F32, f, n, layout);
    free(r), free(f);
}

// In place, too little room, and what is refused.
static void test_rest(void)
{
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        float x[6] = {1, 2, 11, 15, 3, 4}, y[2];
        int64_t count;
        const hd_unique_options tens = {.comparison = by_tens};
        CHECK(hd_unique(ctx, HD_VIEW(x, 6), HD_VIEW(y, 2), HD_VIEW(&count, 1), &tens) ==
                      HD_ERROR_SHAPE &&
                  count == 3 && y[0] == 1 && y[1] == 11,
              "too little room on %s: %s", targets[t].name, hd_error(ctx));
        CHECK_OK(ctx, hd_unique(ctx, HD_VIEW(x, 6), HD_VIEW(x, 6), HD_VIEW(&count, 1), &tens));
        CHECK(count == 3 && x[0] == 1 && x[1] == 11 && x[2] == 3, "in place on %s",
              targets[t].name);
        int32_t i[2] = {0, 0};
        CHECK(hd_unique(ctx, HD_VIEW(i, 2), HD_EMPTY, HD_VIEW(&count, 1), &tens) == HD_ERROR_TYPE,
              "another type on %s: %s", targets[t].name, hd_error(ctx));
        CHECK(hd_run_lengths(ctx, HD_VIEW(i, 2), HD_EMPTY, HD_EMPTY, HD_VIEW(&count, 1),
                             &(hd_run_lengths_options){.comparison = by_tens}) == HD_ERROR_TYPE,
              "another type on %s: %s", targets[t].name, hd_error(ctx));
        CHECK(hd_reduce(ctx, HD_VIEW(x, 6), HD_SUM, HD_VIEW(y, 1),
                        &(hd_reduce_options){.comparison = by_tens}) == HD_ERROR_ARGUMENT,
              "no keys on %s: %s", targets[t].name, hd_error(ctx));
        CHECK(hd_scan(ctx, HD_VIEW(x, 2), HD_SUM, HD_VIEW(y, 2),
                      &(hd_scan_options){.comparison = by_tens}) == HD_ERROR_ARGUMENT,
              "no keys on %s: %s", targets[t].name, hd_error(ctx));
    }
}

int main(void)
{
    uint64_t seed = check_seed();
    target_count = check_targets(&targets);
    int64_t n;
    for (int s = 0; (n = check_size(s, 5000)) >= 0; s++) test_size(n, seed + (uint64_t)s);
    test_size(200003, seed);
    test_rest();
    return check_finish();
}
