// SPDX-License-Identifier: Apache-2.0
//
// hd_allocate_spans: every policy against a loop over the requests; one pool and many, requests of
// several types and layouts, sums beyond 2^63, inputs that take a round of "skip" for each power of
// two; the figures of the lectures; device memory, errors, failing memory.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

#include "tests/algorithms/there.h"

static const check_target *targets;
static int target_count;

// ---- The definition -----------------------------------------------------------------------------

typedef struct outcome {
    int64_t *starts, *granted, *left, *unmet, count;
} outcome;

static void make_outcome(outcome *r, int64_t n, int64_t m)
{
    r->starts = check_memory((size_t)n * 8), r->granted = check_memory((size_t)n * 8);
    r->left = check_memory((size_t)m * 8), r->unmet = check_memory((size_t)n * 8);
    r->count = -1;
}

static void drop_outcome(outcome *r)
{
    free(r->starts), free(r->granted), free(r->left), free(r->unmet);
}

static bool all_fit(const int64_t *want, int64_t n, int64_t pool)
{
    for (int64_t i = 0; i < n; i++) {
        if (want[i] > pool) return false;
        pool -= want[i];
    }
    return true;
}

static void serve(const int64_t *want, int64_t n, int64_t pool, hd_spans_policy policy,
                  int64_t origin, int64_t first, int64_t pool_index, outcome *r)
{
    bool over = policy == HD_SPANS_ALL && !all_fit(want, n, pool);
    int64_t left = pool;
    for (int64_t i = 0; i < n; i++) {
        const bool fits = want[i] <= left;
        int64_t gets = fits && !over ? want[i] : 0;
        if (!fits && policy == HD_SPANS_PARTIAL) gets = left;
        if (!fits && policy == HD_SPANS_IN_ORDER) over = true;
        r->starts[first + i] = origin + (pool - left), r->granted[first + i] = gets;
        left -= gets;
        if (gets < want[i]) r->unmet[r->count++] = first + i;
    }
    r->left[pool_index] = left;
}

// ---- Cases --------------------------------------------------------------------------------------

typedef struct spans_case {
    int64_t n, m;
    int64_t *want, *pool, *offset, *origin;
    hd_spans_policy policy;
    bool segmented;
} spans_case;

static void check_outcome(const spans_case *c, const outcome *got, const char *where)
{
    outcome want;
    make_outcome(&want, c->n, c->m);
    want.count = 0;
    for (int64_t j = 0; j < c->m; j++) {
        const int64_t begin = c->segmented ? c->offset[j] : 0;
        const int64_t end = c->segmented ? c->offset[j + 1] : c->n;
        serve(c->want + begin, end - begin, c->pool[j], c->policy, c->origin ? c->origin[j] : 0,
              begin, j, &want);
    }
    const char *policy = hd_spans_policy_name(c->policy);
    CHECK_SAME(HD_I64, got->granted, want.granted, c->n, "granted, %s, n %" PRId64 " on %s", policy,
               c->n, where);
    CHECK_SAME(HD_I64, got->starts, want.starts, c->n, "starts, %s, n %" PRId64 " on %s", policy,
               c->n, where);
    CHECK_SAME(HD_I64, got->left, want.left, c->m, "left, %s, n %" PRId64 " on %s", policy, c->n,
               where);
    CHECK(got->count == want.count, "%" PRId64 " unmet, expected %" PRId64 " on %s", got->count,
          want.count, where);
    if (got->count == want.count)
        CHECK_SAME(HD_I64, got->unmet, want.unmet, want.count, "unmet, %s on %s", policy, where);
    drop_outcome(&want);
}

// The cores need no rounds, and take the patterns' way where they are asked for.
static void run_case_with(const spans_case *c, const check_target *t, hd_view wants, bool asks)
{
    outcome got;
    int64_t rounds = -1;
    make_outcome(&got, c->n, c->m);
    const hd_view offsets = HD_VIEW(c->offset, c->m + 1), origins = HD_VIEW(c->origin, c->m);
    const hd_view of_rounds = HD_VIEW(&rounds, 1);
    CHECK_OK(t->ctx,
             hd_allocate_spans(t->ctx, wants, HD_VIEW(c->pool, c->m), HD_VIEW(got.starts, c->n),
                               &(hd_spans_options){.policy = (int32_t)c->policy,
                                                   .segments = c->segmented ? &offsets : NULL,
                                                   .origins = c->origin ? &origins : NULL,
                                                   .granted = HD_REF(HD_VIEW(got.granted, c->n)),
                                                   .left = HD_REF(HD_VIEW(got.left, c->m)),
                                                   .unmet = HD_REF(HD_VIEW(got.unmet, c->n)),
                                                   .unmet_count = HD_REF(HD_VIEW(&got.count, 1)),
                                                   .rounds = asks ? &of_rounds : NULL}));
    check_outcome(c, &got, t->name);
    if (asks)
        CHECK(rounds >= 0 && rounds <= (c->policy == HD_SPANS_SKIP ? 63 : 1), "%" PRId64 " rounds",
              rounds);
    drop_outcome(&got);
}

static void run_case(const spans_case *c, const check_target *t, hd_view wants)
{
    run_case_with(c, t, wants, true);
    run_case_with(c, t, wants, false);
}

static void run_there(const spans_case *c, const check_target *t)
{
    outcome got;
    make_outcome(&got, c->n, c->m);
    hd_view wants = there_put(t->ctx, HD_VIEW(c->want, c->n));
    hd_view pools = there_put(t->ctx, HD_VIEW(c->pool, c->m));
    hd_view offsets = there_put(t->ctx, HD_VIEW(c->offset, c->m + 1));
    hd_view starts = there_room(t->ctx, wants), granted = there_room(t->ctx, wants);
    hd_view unmet = there_put(t->ctx, wants), left = there_room(t->ctx, pools);
    CHECK_OK(t->ctx,
             hd_allocate_spans(t->ctx, wants, pools, starts,
                               &(hd_spans_options){.policy = (int32_t)c->policy,
                                                   .segments = c->segmented ? &offsets : NULL,
                                                   .granted = &granted,
                                                   .left = &left,
                                                   .unmet = &unmet,
                                                   .unmet_count = HD_REF(HD_VIEW(&got.count, 1))}));
    there_take(t->ctx, &starts, HD_VIEW(got.starts, c->n));
    there_take(t->ctx, &granted, HD_VIEW(got.granted, c->n));
    there_take(t->ctx, &unmet, HD_VIEW(got.unmet, c->n));
    there_take(t->ctx, &left, HD_VIEW(got.left, c->m));
    CHECK_OK(t->ctx, hd_free(t->ctx, &wants));
    CHECK_OK(t->ctx, hd_free(t->ctx, &pools));
    CHECK_OK(t->ctx, hd_free(t->ctx, &offsets));
    spans_case plain = *c;
    plain.origin = NULL;
    check_outcome(&plain, &got, t->name);
    drop_outcome(&got);
}

// Requests of several kinds: small, of all magnitudes, halves of halves, near 2^63.
static int64_t one_want(int kind, int64_t i, uint64_t *r)
{
    switch (kind) {
    case 0: return check_below(r, 10);
    case 1: return (int64_t)(check_next(r) >> (1 + check_below(r, 62)));
    case 2: return i % 2 == 0 ? 1 : (int64_t)1 << (62 - i / 2 % 62);
    case 3: return INT64_MAX - check_below(r, 3);
    default: return check_below(r, 5) ? 0 : 1 + check_below(r, 100);
    }
}

static void make_case(spans_case *c, int64_t n, int kind, bool segmented, uint64_t *r)
{
    c->n = n, c->segmented = segmented;
    c->want = check_memory((size_t)n * 8);
    c->offset = check_memory((size_t)(n + 3) * 8);
    int64_t all = 0;
    for (int64_t i = 0; i < n; i++) {
        c->want[i] = one_want(kind, i, r);
        all = c->want[i] > INT64_MAX - all ? INT64_MAX : all + c->want[i];
    }
    c->m = 1, c->offset[0] = 0, c->offset[1] = n;
    if (segmented) {
        c->m = check_offsets(n, n / 3 + 3, r, c->offset) - 1;
        c->offset[0] = 0, c->offset[c->m] = n;
    }
    c->pool = check_memory((size_t)(c->m + 1) * 8);
    c->origin = check_below(r, 2) ? check_memory((size_t)(c->m + 1) * 8) : NULL;
    for (int64_t j = 0; j < c->m; j++) {
        c->pool[j] = check_below(r, 4) ? all / (1 + check_below(r, 2 * c->m)) : check_below(r, 50);
        if (c->origin != NULL)
            c->origin[j] = check_below(r, INT64_MAX - c->pool[j]) - (check_below(r, 2) ? 1000 : 0);
    }
}

static void drop_case(spans_case *c)
{
    free(c->want), free(c->offset), free(c->pool), free(c->origin);
}

static void test_random(void)
{
    uint64_t r = check_seed();
    for (int turn = 0; turn < (check_small() ? 40 : 160); turn++) {
        const int64_t n = check_size(turn % 20, 3000);
        spans_case c = {0};
        make_case(&c, n < 0 ? 100 : n, turn / 3 % 5, turn % 3 != 0, &r);
        const check_target *t = &targets[turn % target_count];
        for (int p = 0; p < HD_SPANS_POLICIES; p++) {
            c.policy = (hd_spans_policy)p;
            run_case(&c, t, HD_VIEW(c.want, c.n));
        }
        drop_case(&c);
    }
}

// One large input for each policy: threads share it.
static void test_large(void)
{
    uint64_t r = check_seed() + 1;
    for (int p = 0; p < HD_SPANS_POLICIES; p++) {
        spans_case c = {.policy = (hd_spans_policy)p};
        make_case(&c, check_small() ? 5000 : 200003, p % 2 ? 1 : 0, p > 1, &r);
        for (int t = 0; t<target_count; t += target_count> 1 ? target_count - 1 : 1)
            run_case(&c, &targets[t], HD_VIEW(c.want, c.n));
        drop_case(&c);
    }
}

static void test_types(void)
{
    static const hd_type types[] = {HD_I8, HD_I16, HD_I32, HD_I64, HD_U8, HD_U16, HD_U32, HD_U64};
    uint64_t r = check_seed() + 2;
    for (int k = 0; k < 8; k++) {
        spans_case c = {0};
        make_case(&c, 200, 0, k % 2, &r);
        check_array a = check_new(types[k], c.n, CHECK_STRIDED, k & 1);
        hd_context *ctx = targets[0].ctx;
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW(c.want, c.n), NULL, a.view, NULL));
        for (int t = 0; t < target_count; t++) run_case(&c, &targets[t], a.view);
        check_drop(&a), drop_case(&c);
    }
}

// ---- Figures ------------------------------------------------------------------------------------

static void test_lectures(void)
{
    static const int32_t wants[10] = {3, 5, 2, 7, 28, 4, 3, 0, 8, 1};
    static const int64_t want[10] = {0, 3, 8, 10, 17, 45, 49, 52, 52, 60};
    const int32_t bread = 100;
    for (int t = 0; t < target_count; t++) {
        int64_t cut[10], left = -1;
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx,
                 hd_allocate_spans(ctx, HD_VIEW(wants, 10), HD_VIEW(&bread, 1), HD_VIEW(cut, 10),
                                   &(hd_spans_options){.left = HD_REF(HD_VIEW(&left, 1))}));
        CHECK_SAME(HD_I64, cut, want, 10, "the bread");
        CHECK(left == 39, "%" PRId64 " left", left);
    }
}

// ---- Errors -------------------------------------------------------------------------------------

#define FAILS(status, text, call)                                                                  \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(void)
{
    hd_context *ctx = targets[0].ctx;
    int64_t w[4] = {1, 2, -3, 4}, pool[2] = {10, 5}, s[4], more[4];
    int32_t narrow[4], offset[3] = {0, 2, 4}, bad[3] = {0, 3, 2}, short_of[3] = {0, 1, 3};
    float x[4] = {0};
    const uint64_t big[1] = {UINT64_MAX};
    const hd_view wants = HD_VIEW(w, 4), one = HD_VIEW(pool, 1), two = HD_VIEW(pool, 2);
    FAILS(HD_ERROR_VALUE, "wants[2] is -3; expected 0 to 2^63 - 1",
          hd_allocate_spans(ctx, wants, one, HD_VIEW(s, 4), NULL));
    w[2] = 3;
    FAILS(HD_ERROR_VALUE, "wants[0]",
          hd_allocate_spans(ctx, HD_VIEW(big, 1), one, HD_VIEW(s, 1), NULL));
    FAILS(HD_ERROR_TYPE, "wants: expected integers, got f32",
          hd_allocate_spans(ctx, HD_VIEW(x, 4), one, HD_VIEW(s, 4), NULL));
    FAILS(HD_ERROR_TYPE, "starts: expected i64, got i32",
          hd_allocate_spans(ctx, wants, one, HD_VIEW(narrow, 4), NULL));
    FAILS(HD_ERROR_SHAPE, "starts: expected one dimension of 4 elements, got 3",
          hd_allocate_spans(ctx, wants, one, HD_VIEW(s, 3), NULL));
    FAILS(HD_ERROR_SHAPE, "expected one, or segments, got 2",
          hd_allocate_spans(ctx, wants, two, HD_VIEW(s, 4), NULL));
    FAILS(HD_ERROR_ALIAS, "starts overlaps wants", hd_allocate_spans(ctx, wants, one, wants, NULL));
    FAILS(HD_ERROR_ALIAS, "granted overlaps starts",
          hd_allocate_spans(ctx, wants, one, HD_VIEW(s, 4),
                            &(hd_spans_options){.granted = HD_REF(HD_VIEW(s, 4))}));
    FAILS(HD_ERROR_ARGUMENT, "policy 4",
          hd_allocate_spans(ctx, wants, one, HD_VIEW(s, 4), &(hd_spans_options){.policy = 4}));
    FAILS(HD_ERROR_ARGUMENT, "starts is empty", hd_allocate_spans(ctx, wants, one, HD_EMPTY, NULL));
    FAILS(HD_ERROR_VALUE, "never fall",
          hd_allocate_spans(ctx, HD_VIEW(w, 2), two, HD_VIEW(s, 2),
                            &(hd_spans_options){.segments = HD_REF(HD_VIEW(bad, 3))}));
    FAILS(HD_ERROR_VALUE, "from 0 to 3; expected 0 to 4",
          hd_allocate_spans(ctx, wants, two, HD_VIEW(s, 4),
                            &(hd_spans_options){.segments = HD_REF(HD_VIEW(short_of, 3))}));
    FAILS(HD_ERROR_SHAPE, "segments: expected 3 offsets",
          hd_allocate_spans(ctx, wants, two, HD_VIEW(s, 4),
                            &(hd_spans_options){.segments = HD_REF(HD_VIEW(offset, 2))}));
    FAILS(HD_ERROR_VALUE, "pools[0] is 10",
          hd_allocate_spans(
              ctx, wants, one, HD_VIEW(s, 4),
              &(hd_spans_options){.origins = HD_REF(HD_VIEW(((int64_t[]){INT64_MAX - 9}), 1))}));
    FAILS(HD_ERROR_SHAPE, "elements", // all four get less
          hd_allocate_spans(ctx, wants, HD_VIEW(((int64_t[]){0}), 1), HD_VIEW(s, 4),
                            &(hd_spans_options){.unmet = HD_REF(HD_VIEW(more, 3))}));
    CHECK(hd_allocate_spans(NULL, wants, one, HD_VIEW(s, 4), NULL) == HD_ERROR_ARGUMENT, "none");
    CHECK_OK(ctx, hd_allocate_spans(ctx, HD_VIEW(w, 0), one, HD_VIEW(s, 0),
                                    &(hd_spans_options){.policy = HD_SPANS_SKIP,
                                                        .left = HD_REF(HD_VIEW(more, 1))}));
    CHECK(more[0] == 10, "%" PRId64 " left of a pool without requests", more[0]);
    CHECK(hd_spans_policy_named("skip") == HD_SPANS_SKIP && hd_spans_policy_name(4) == NULL &&
              hd_spans_policy_named("x") == -1 && hd_spans_policy_named(NULL) == -1,
          "names");
}

static int64_t failing_wants[300], failing_pool[2] = {500, 90};

static hd_status failing(hd_context *ctx)
{
    static int64_t starts[300], left[2];
    const int32_t offset[3] = {0, 150, 300};
    for (int i = 0; i < 300; i++) failing_wants[i] = i % 17;
    return hd_allocate_spans(ctx, HD_VIEW(failing_wants, 300), HD_VIEW(failing_pool, 2),
                             HD_VIEW(starts, 300),
                             &(hd_spans_options){.policy = HD_SPANS_SKIP,
                                                 .segments = HD_REF(HD_VIEW(offset, 3)),
                                                 .left = HD_REF(HD_VIEW(left, 2))});
}

static void test_there(hd_backend which)
{
    const check_target t = {check_open(which, 0, NULL), "a GPU"};
    uint64_t r = check_seed() + 3;
    for (int turn = 0; turn < 4; turn++) {
        spans_case c = {0};
        make_case(&c, turn == 0 ? 0 : turn == 1 ? 1 : 90 + turn, turn % 2, turn % 3 != 0, &r);
        for (int p = 0; p < HD_SPANS_POLICIES; p++) {
            if (p == HD_SPANS_SKIP && turn % 2) continue; // many rounds
            c.policy = (hd_spans_policy)p;
            run_there(&c, &t);
        }
        drop_case(&c);
    }
    hd_close(t.ctx);
}

int main(void)
{
    target_count = check_targets(&targets);
    test_lectures();
    test_random();
    test_large();
    test_types();
    test_errors();
    there_fail_each(failing);
    const int code = check_on_gpus(test_there);
    return code == CHECK_SKIP ? check_finish() : code;
}
