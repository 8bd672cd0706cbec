// SPDX-License-Identifier: Apache-2.0
//
// hd_list_rank, hd_list_scan and hd_forest_roots on the model machine, and on a card where there is
// one, against the serial backend: one list and many, in random order, in order and reversed, by
// both methods, from both ends, of several types of links and results, in place, from heads; host
// and device memory. What is no list or no forest has the text of the serial backend.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

enum { MOST = 3000 };
static int32_t order[MOST], next[MOST], wide_want[MOST], wide_got[MOST];
static int64_t long_next[MOST], want[MOST], got[MOST];

// Lists of `mean` nodes (0: one list) of n, along a random order (shape 0), rising or falling.
static void make_lists(int64_t n, int64_t mean, int shape, uint64_t *r)
{
    for (int64_t i = 0; i < n; i++) order[i] = (int32_t)(shape == 2 ? n - 1 - i : i);
    for (int64_t i = n - 1; i > 0 && shape == 0; i--) {
        const int64_t j = check_below(r, i + 1);
        const int32_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (int64_t k = 0, left = 0; k < n; k++, left--) {
        if (left == 0) left = mean == 0 ? n : 1 + check_below(r, 2 * mean - 1);
        const bool last = left == 1 || k + 1 == n;
        next[order[k]] = !last ? order[k + 1] : check_below(r, 2) ? order[k] : -1;
    }
    for (int64_t i = 0; i < n; i++) long_next[i] = next[i];
}

static hd_view there_of(hd_view in)
{
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, in.type, 1, in.shape, &v));
    CHECK_OK(ctx, hd_map(ctx, in, NULL, v, NULL));
    return v;
}

// ---- Ranks --------------------------------------------------------------------------------------

static void test_rank(int64_t n, hd_list_options o)
{
    int64_t lists[2] = {-1, -1}, steps[2] = {-1, -1}, work[2] = {-1, -1};
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        o.lists = HD_REF(HD_VIEW(&lists[k], 1));
        o.steps = HD_REF(HD_VIEW(&steps[k], 1));
        o.work = HD_REF(HD_VIEW(&work[k], 1));
        CHECK_OK(c, hd_list_rank(c, HD_VIEW(next, n), HD_VIEW(k ? got : want, n), &o));
    }
    CHECK_SAME(HD_I64, got, want, n, "ranks of %" PRId64 " on %s", n, backend);
    CHECK(lists[0] == lists[1], "%" PRId64 " lists on %s", lists[1], backend);
    CHECK(o.method != HD_LIST_WYLLIE || (steps[0] == steps[1] && work[0] == work[1]),
          "%" PRId64 " steps on %s", steps[1], backend);
    o.lists = o.steps = o.work = NULL;
    hd_view heads = HD_EMPTY, there = there_of(HD_VIEW(long_next, n)); // in place
    if (o.heads != NULL) {
        heads = there_of(*o.heads);
        o.heads = &heads;
    }
    CHECK_OK(ctx, hd_list_rank(ctx, there, there, &o));
    CHECK_OK(ctx, hd_map(ctx, there, NULL, HD_VIEW(got, n), NULL));
    CHECK_SAME(HD_I64, got, want, n, "ranks of %" PRId64 " on %s's memory", n, backend);
    CHECK_OK(ctx, hd_free(ctx, &there));
    CHECK_OK(ctx, hd_free(ctx, &heads));
}

static void test_scan(int64_t n, const hd_operator *op, hd_list_options o)
{
    float values[MOST], out[2][MOST];
    int64_t lists[2] = {-1, -1};
    check_fill(HD_F32, values, n, CHECK_ORDINARY, 17);
    for (int i = 0; i < n; i++) out[0][i] = out[1][i] = (float)i;
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        o.lists = HD_REF(HD_VIEW(&lists[k], 1));
        CHECK_OK(c,
                 hd_list_scan(c, HD_VIEW(next, n), HD_VIEW(values, n), op, HD_VIEW(out[k], n), &o));
    }
    CHECK_SAME(HD_F32, out[1], out[0], n, "scan of %" PRId64 " on %s", n, backend);
    CHECK(lists[0] == lists[1], "%" PRId64 " lists on %s", lists[1], backend);
    o.lists = NULL;
    hd_view links = there_of(HD_VIEW(next, n)), there = there_of(HD_VIEW(values, n));
    CHECK_OK(serial, hd_list_scan(serial, HD_VIEW(next, n), HD_VIEW(values, n), op,
                                  HD_VIEW(values, n), &o)); // in place
    CHECK_OK(ctx, hd_list_scan(ctx, links, there, op, there, &o));
    CHECK_OK(ctx, hd_map(ctx, there, NULL, HD_VIEW(out[1], n), NULL));
    CHECK_SAME(HD_F32, out[1], values, n, "scan of %" PRId64 " on %s's memory", n, backend);
    CHECK_OK(ctx, hd_free(ctx, &links));
    CHECK_OK(ctx, hd_free(ctx, &there));
}

static void test_lists(uint64_t *r)
{
    static const struct {
        int64_t n, mean;
        int shape;
    } all[] = {{1, 0, 0},    {2, 0, 1},    {33, 0, 0},   {1000, 0, 0},
               {MOST, 0, 2}, {MOST, 7, 0}, {2047, 1, 0}, {MOST, 500, 0}};
    for (int k = 0; k < 8; k++) {
        make_lists(all[k].n, all[k].mean, all[k].shape, r);
        test_rank(all[k].n, (hd_list_options){.from_head = k % 2});
        test_rank(all[k].n, (hd_list_options){.from_head = !(k % 2), .method = HD_LIST_WYLLIE});
        test_scan(all[k].n, HD_SUM, (hd_list_options){.exclusive = k % 2, .backward = k % 3 == 0});
    }
    const int64_t none = 0;
    CHECK_OK(ctx, hd_list_rank(ctx, HD_VIEW(next, none), HD_VIEW(got, none), NULL));
}

// ---- Lists in a larger memory -------------------------------------------------------------------

// What is no node of the lists of the heads holds anything.
static void test_heads(uint64_t *r)
{
    make_lists(MOST, 40, 0, r);
    int32_t heads[9];
    for (int k = 0; k < 9; k++) heads[k] = order[300 * k]; // in the middle of lists
    heads[8] = heads[1];
    bool node[MOST] = {false};
    for (int k = 0; k < 9; k++)
        for (int32_t at = heads[k], last = -1; at >= 0 && at != last; at = next[at])
            node[at] = true, last = at;
    for (int i = 0; i < MOST; i++)
        if (!node[i]) next[i] = i % 3 ? (int32_t)check_below(r, MOST) : i % 2 ? -77 : INT32_MAX;
    for (int i = 0; i < MOST; i++) long_next[i] = next[i];
    hd_list_options o = {.heads = HD_REF(HD_VIEW(heads, 9))};
    test_scan(MOST, HD_SUM, o);
    o.exclusive = o.backward = true;
    test_scan(MOST, HD_SUM, o);
    test_rank(MOST, (hd_list_options){.heads = o.heads});
    test_rank(MOST, (hd_list_options){.heads = HD_REF(HD_VIEW(heads, 1)), .from_head = true});
    // A head that is none, two lists that meet, a cycle, a bad link.
    hd_view there = there_of(HD_VIEW(heads, 9)), links = there_of(HD_VIEW(next, MOST));
    const int32_t kept = next[heads[0]];
    for (int k = 0; k < 4; k++) {
        if (k == 0) heads[3] = MOST;
        if (k == 1) next[heads[0]] = next[heads[2]];
        if (k == 2) next[heads[0]] = heads[0], next[next[heads[2]]] = heads[2];
        if (k == 3) next[heads[0]] = -5;
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW(heads, 9), NULL, there, NULL));
        CHECK_OK(ctx, hd_map(ctx, HD_VIEW(next, MOST), NULL, links, NULL));
        const hd_list_options here = {.heads = HD_REF(HD_VIEW(heads, 9))}, far = {.heads = &there};
        const hd_status want_status =
            hd_list_rank(serial, HD_VIEW(next, MOST), HD_VIEW(want, MOST), &here);
        const hd_status status = hd_list_rank(ctx, links, HD_VIEW(got, MOST), &far);
        CHECK(status == want_status &&
                  (status == HD_OK || strcmp(hd_error(ctx), hd_error(serial)) == 0),
              "heads %d on %s: '%s', expected '%s'", k, backend, hd_error(ctx), hd_error(serial));
        CHECK(k == 2 || status == HD_ERROR_VALUE, "heads %d: %s", k, hd_error(ctx));
        if (k == 0) heads[3] = heads[4];
        next[heads[0]] = kept;
    }
    CHECK_OK(ctx, hd_free(ctx, &there));
    CHECK_OK(ctx, hd_free(ctx, &links));
}

// ---- Forests ------------------------------------------------------------------------------------

static void test_forest(int64_t n, int64_t reach, uint64_t *r)
{
    for (int64_t i = 0; i < n; i++)
        next[i] = i == 0 || check_below(r, 200) == 0
                      ? (check_below(r, 2) ? (int32_t)i : -1)
                      : (int32_t)(i - 1 - check_below(r, reach < i ? reach : i));
    hd_view depth = HD_VIEW(wide_want, n);
    CHECK_OK(serial, hd_forest_roots(serial, HD_VIEW(next, n), HD_VIEW(want, n),
                                     &(hd_forest_options){.depth = &depth}));
    depth = HD_VIEW(wide_got, n);
    CHECK_OK(ctx, hd_forest_roots(ctx, HD_VIEW(next, n), HD_VIEW(got, n),
                                  &(hd_forest_options){.depth = &depth}));
    CHECK_SAME(HD_I64, got, want, n, "roots of %" PRId64 " on %s", n, backend);
    CHECK_SAME(HD_I32, wide_got, wide_want, n, "depths of %" PRId64 " on %s", n, backend);
    hd_view there = there_of(HD_VIEW(next, n));
    CHECK_OK(ctx, hd_forest_roots(ctx, there, there, NULL));
    CHECK_OK(ctx, hd_map(ctx, there, NULL, HD_VIEW(got, n), NULL));
    CHECK_SAME(HD_I64, got, want, n, "roots of %" PRId64 " on %s's memory", n, backend);
    CHECK_OK(ctx, hd_free(ctx, &there));
}

// ---- No lists -----------------------------------------------------------------------------------

static void expect_same(hd_status status, hd_status there, const char *what)
{
    CHECK(status == HD_ERROR_VALUE && there == status &&
              strcmp(hd_error(ctx), hd_error(serial)) == 0,
          "%s on %s: '%s', expected '%s'", what, backend, hd_error(ctx), hd_error(serial));
}

static void test_refused(int64_t n, const char *what)
{
    const hd_view in = HD_VIEW(next, n);
    expect_same(hd_list_rank(serial, in, HD_VIEW(want, n), NULL),
                hd_list_rank(ctx, in, HD_VIEW(got, n), NULL), what);
    hd_view there = there_of(in);
    expect_same(hd_list_rank(serial, in, HD_VIEW(want, n), NULL),
                hd_list_rank(ctx, there, there, NULL), what);
    float values[MOST] = {0};
    expect_same(hd_list_scan(serial, in, HD_VIEW(values, n), HD_SUM, HD_VIEW(values, n), NULL),
                hd_list_scan(ctx, there, HD_VIEW(values, n), HD_SUM, HD_VIEW(values, n), NULL),
                what);
    CHECK_OK(ctx, hd_free(ctx, &there));
}

static void test_faults(uint64_t *r)
{
    enum { N = 900 };
    make_lists(N, 0, 0, r);
    next[order[500]] = N;
    test_refused(N, "a bad link");
    make_lists(N, 0, 0, r);
    next[order[500]] = order[700];
    test_refused(N, "two before one");
    make_lists(N, 0, 0, r);
    next[order[N - 1]] = order[0];
    test_refused(N, "a cycle of all");
    make_lists(N, 0, 0, r);
    next[order[10]] = order[10];
    next[order[13]] = order[11];
    next[order[14]] = -1;
    for (int k = 15; k < N; k++) next[order[k]] = order[k];
    test_refused(N, "a short cycle");
    hd_view there = there_of(HD_VIEW(next, N));
    expect_same(hd_forest_roots(serial, HD_VIEW(next, N), HD_VIEW(want, N), NULL),
                hd_forest_roots(ctx, there, HD_VIEW(got, N), NULL), "a cycle in a forest");
    CHECK_OK(ctx, hd_free(ctx, &there));
}

static void test_backend(hd_backend which)
{
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    setenv("HEDDLE_TUNE", "list_stride=16 list_lanes=256", 1);
    ctx = check_open(which, 1, NULL);
    test_lists(&r);
    test_heads(&r);
    test_forest(1, 1, &r);
    test_forest(MOST, 1, &r);
    test_forest(MOST, 50, &r);
    test_faults(&r);
    hd_close(ctx);
    unsetenv("HEDDLE_TUNE");
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
