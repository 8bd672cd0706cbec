// SPDX-License-Identifier: Apache-2.0
//
// hd_broadcast and hd_sort_histogram: every size against a loop, their steps and scans against the
// formulas, keys that are left out, errors, failing memory, the model machine.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_teaching.h>

#include "tests/algorithms/there.h"

static const check_target *targets;
static int target_count;

static int64_t bits_of(int64_t x)
{
    int64_t bits = 0;
    for (; x > 0; x /= 2) bits++;
    return bits;
}

static void test_broadcast(const check_target *t, int64_t n)
{
    const double value = 1.25;
    int64_t steps = -1, scans = -1;
    check_array out = check_new(HD_F64, n, n % 2 ? CHECK_STRIDED : CHECK_DENSE, false);
    double *got = check_memory((size_t)n * 8);
    CHECK_OK(t->ctx, hd_broadcast(t->ctx, HD_VIEW(&value, 1), out.view,
                                  &(hd_steps_options){.steps = HD_REF(HD_VIEW(&steps, 1)),
                                                      .scans = HD_REF(HD_VIEW(&scans, 1))}));
    check_get(&out, got);
    for (int64_t i = 0; i < n; i++) CHECK(got[i] == value, "element %" PRId64 " on %s", i, t->name);
    CHECK(steps == (n > 0 ? 1 + bits_of(n - 1) : 0) && scans == 0, "%" PRId64 " steps for %" PRId64,
          steps, n);
    CHECK(check_gaps(&out), "gaps");
    check_drop(&out), free(got);
}

static void test_histogram(const check_target *t, int64_t n, int64_t bins, uint64_t *r)
{
    uint32_t *keys = check_memory((size_t)n * 4);
    int64_t *got = check_memory((size_t)bins * 8), *want = check_memory((size_t)bins * 8);
    int64_t steps = -1, scans = -1;
    memset(want, 0, (size_t)bins * 8);
    for (int64_t i = 0; i < n; i++) {
        keys[i] = (uint32_t)(i % 11 ? check_below(r, bins + 2) : (int64_t)(check_next(r) >> 32));
        if (keys[i] < bins) want[keys[i]]++;
    }
    CHECK_OK(t->ctx, hd_sort_histogram(t->ctx, HD_VIEW(keys, n), HD_VIEW(got, bins),
                                       &(hd_steps_options){.steps = HD_REF(HD_VIEW(&steps, 1)),
                                                           .scans = HD_REF(HD_VIEW(&scans, 1))}));
    CHECK_SAME(HD_I64, got, want, bins, "%" PRId64 " keys, %" PRId64 " bins on %s", n, bins,
               t->name);
    CHECK(steps == bits_of(bins) + 1 && scans == 2 * bits_of(bins) + 1,
          "%" PRId64 " steps, %" PRId64 " scans", steps, scans);
    free(keys), free(got), free(want);
}

#define FAILS(status, text, call)                                                                  \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(void)
{
    hd_context *ctx = targets[0].ctx;
    uint32_t keys[4] = {0};
    int64_t bins[4];
    FAILS(HD_ERROR_TYPE, "keys of u32",
          hd_sort_histogram(ctx, HD_VIEW(bins, 4), HD_VIEW(bins, 4), NULL));
    FAILS(HD_ERROR_SHAPE, "1 to 16777216",
          hd_sort_histogram(ctx, HD_VIEW(keys, 4), HD_VIEW(bins, 0), NULL));
    FAILS(HD_ERROR_TYPE, "expected one type",
          hd_broadcast(ctx, HD_VIEW(keys, 1), HD_VIEW(bins, 4), NULL));
    FAILS(HD_ERROR_SHAPE, "one value",
          hd_broadcast(ctx, HD_VIEW(keys, 2), HD_VIEW(keys + 2, 2), NULL));
    FAILS(HD_ERROR_ALIAS, "out overlaps value",
          hd_broadcast(ctx, HD_VIEW(keys + 1, 1), HD_VIEW(keys, 4), NULL));
    CHECK(hd_broadcast(NULL, HD_VIEW(keys, 1), HD_VIEW(keys + 1, 3), NULL) == HD_ERROR_ARGUMENT,
          "no context");
}

static hd_status failing(hd_context *ctx)
{
    static uint32_t keys[500];
    static int64_t bins[20];
    for (uint32_t i = 0; i < 500; i++) keys[i] = i % 23;
    return hd_sort_histogram(ctx, HD_VIEW(keys, 500), HD_VIEW(bins, 20), NULL);
}

static void test_there(hd_backend which)
{
    const check_target t = {check_open(which, 0, NULL), "a GPU"};
    uint64_t r = check_seed();
    test_broadcast(&t, 100);
    test_histogram(&t, 100, 5, &r);
    hd_close(t.ctx);
}

int main(void)
{
    uint64_t r = check_seed();
    target_count = check_targets(&targets);
    for (int k = 0; check_size(k, 1025) >= 0; k++) {
        test_broadcast(&targets[k % target_count], check_size(k, 1025));
        test_histogram(&targets[k % target_count], check_size(k, 1025), 1 + k * k % 300, &r);
    }
    test_histogram(&targets[target_count - 1], check_small() ? 1000 : 100003, 1000, &r);
    test_errors();
    there_fail_each(failing);
    const int code = check_on_gpus(test_there);
    return code == CHECK_SKIP ? check_finish() : code;
}
