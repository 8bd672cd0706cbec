// SPDX-License-Identifier: Apache-2.0
//
// The sorts built on scans: every key type, sizes, layouts, patterns, in place, sorted and equal
// input, against a stable order; the number of steps; errors; failing memory.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_teaching.h>

#include "tests/support/check.h"
#include "tests/support/reference_order.h"

static const check_target *targets;
static int target_count;

typedef hd_status sort_call(hd_context *ctx, hd_view keys, hd_view out, const hd_steps_options *o);
static sort_call *const calls[] = {hd_quicksort, hd_split_sort};
static const char *const names[] = {"quicksort", "split sort"};

static void try(hd_type type, int64_t n, check_pattern pattern, check_layout layout, int turn)
{
    const size_t size = hd_type_size(type);
    const ref_numbers how = {type, false};
    char *x = check_memory((size_t)n * size), *want = check_memory((size_t)n * size);
    char *got = check_memory((size_t)n * size);
    int64_t *order = check_memory((size_t)n * 8);
    check_fill(type, x, n, pattern, check_seed() + (uint64_t)turn);
    ref_order(x, size, n, ref_compare_numbers, &how, order);
    for (int64_t i = 0; i < n; i++)
        memcpy(want + (size_t)i * size, x + (size_t)order[i] * size, size);
    if (turn % 4 == 3) memcpy(x, want, (size_t)n * size);
    check_array keys = check_new(type, n, layout, turn & 1), out = check_new(type, n, layout, 0);
    for (int c = 0; c < 2; c++)
        for (int t = 0; t < target_count; t++) {
            if (n > 33 && t != 0 && t != 1 + turn % (target_count - 1)) continue;
            const check_array *to = turn % 3 ? &out : &keys;
            int64_t steps = -1, scans = -1;
            check_put(&keys, x);
            CHECK_OK(targets[t].ctx,
                     calls[c](targets[t].ctx, keys.view, to->view,
                              &(hd_steps_options){.steps = HD_REF(HD_VIEW(&steps, 1)),
                                                  .scans = HD_REF(HD_VIEW(&scans, 1))}));
            check_get(to, got);
            CHECK(memcmp(got, want, (size_t)n * size) == 0, "%s of %" PRId64 " %s (%s, %s) on %s",
                  names[c], n, hd_type_name(type), check_pattern_name(pattern),
                  check_layout_name(layout), targets[t].name);
            int64_t most = 4; // 2 log2 n expected
            for (int64_t k = n; k > 1; k /= 2) most += 5;
            if (c == 0)
                CHECK(steps <= most && scans == 6 * steps, "%" PRId64 " steps for %" PRId64, steps,
                      n);
            else
                CHECK(n == 0 || steps == (int64_t)(8 * size), "%" PRId64 " steps", steps);
        }
    check_drop(&keys), check_drop(&out);
    free(x), free(want), free(got), free(order);
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
    static int32_t x[4], y[4];
    static int16_t z[4];
    for (int c = 0; c < 2; c++) {
        FAILS(HD_ERROR_TYPE, "expected keys of i32",
              calls[c](ctx, HD_VIEW(z, 4), HD_VIEW(z, 4), NULL));
        FAILS(HD_ERROR_TYPE, "the same", calls[c](ctx, HD_VIEW(x, 4), HD_VIEW(z, 4), NULL));
        FAILS(HD_ERROR_SHAPE, "as many", calls[c](ctx, HD_VIEW(x, 4), HD_VIEW(y, 3), NULL));
        FAILS(HD_ERROR_ARGUMENT, "NULL",
              calls[c](ctx, HD_VIEW_OF(HD_I32, NULL, 4), HD_VIEW(y, 4), NULL));
        CHECK(calls[c](NULL, HD_VIEW(x, 4), HD_VIEW(y, 4), NULL) == HD_ERROR_ARGUMENT,
              "no context");
    }
    CHECK(hd_fail(ctx, HD_ERROR_VALUE, "mine") == HD_ERROR_VALUE && !strcmp(hd_error(ctx), "mine"),
          "a text of the caller's");
    CHECK(hd_fail(ctx, HD_ERROR_VALUE, NULL) == HD_ERROR_VALUE && hd_error(ctx)[0] == 0, "none");
    CHECK(hd_fail(NULL, HD_ERROR_VALUE, "x") == HD_ERROR_VALUE, "no context");
}

// ---- Memory that runs out -----------------------------------------------------------------------

typedef struct ledger {
    long long calls, fail_at, alive;
} ledger;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    ledger *l = user;
    if (l->calls++ == l->fail_at) return NULL;
    l->alive++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((ledger *)user)->alive--;
    free(memory);
}

static void test_memory(sort_call *call)
{
    static float x[3000], y[3000];
    check_fill(HD_F32, x, 3000, CHECK_ORDINARY, check_seed());
    for (long long k = 0; k < 20; k++) {
        ledger l = {.fail_at = -1};
        hd_context *ctx = NULL;
        CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){.allocator = {allocate, release, &l}}));
        l.fail_at = l.calls + k;
        const hd_status status = call(ctx, HD_VIEW(x, 3000), HD_VIEW(y, 3000), NULL);
        const bool met = l.calls > l.fail_at;
        CHECK(status == (met ? HD_ERROR_MEMORY : HD_OK), "allocation %lld: %s", k, hd_error(ctx));
        CHECK(!met || strstr(hd_error(ctx), "could not allocate"), "\"%s\"", hd_error(ctx));
        hd_close(ctx);
        CHECK(l.alive == 0, "allocation %lld: %lld blocks lost", k, l.alive);
    }
}

int main(void)
{
    static const hd_type types[] = {HD_I32, HD_U32, HD_I64, HD_U64, HD_F32, HD_F64};
    static const check_pattern patterns[] = {CHECK_ORDINARY, CHECK_TIES, CHECK_SPECIAL,
                                             CHECK_ZEROS};
    target_count = check_targets(&targets);
    int turn = 0;
    for (int t = 0; t < 6; t++)
        for (int s = 0; check_size(s, check_small() ? 100 : 1025) >= 0; s++, turn++)
            try(types[t], check_size(s, 1025), patterns[turn % 4],
                turn % 3 == 1 ? (check_layout)(turn / 3 % CHECK_LAYOUTS) : CHECK_DENSE, turn);
    if (!check_small()) try(HD_F32, 100003, CHECK_ORDINARY, CHECK_DENSE, 1);
    test_errors();
    test_memory(hd_quicksort);
    test_memory(hd_split_sort);
    return check_finish();
}
