// SPDX-License-Identifier: Apache-2.0
//
// hd_components and hd_spanning_forest: random graphs, paths, stars, grids and cliques with their
// nodes renamed, loops and repeated edges, equal weights, NaN; against disjoint sets and Kruskal's
// method; index types; errors; failing memory; device views.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

#include "failing_memory.h"
#include "tests/support/reference_order.h"

enum { NODES = 70000, EDGES = 200000 };

typedef struct graph {
    int64_t n, m;
    int64_t u[EDGES], v[EDGES];
    float weight[EDGES];
    int64_t label[NODES], count; // what is expected
    int64_t forest[NODES], chosen;
} graph;
static graph g;

// ---- Graphs -------------------------------------------------------------------------------------

typedef enum shape { RANDOM, PATH, STAR, GRID, LOOPS, CLIQUES, SHAPES } shape;

static void join(int64_t a, int64_t b)
{
    if (g.m == EDGES) return;
    g.u[g.m] = a, g.v[g.m++] = b;
}

static void make_edges(shape s, int64_t n, uint64_t *r)
{
    const int64_t side = 1 + n / 40;
    g.n = n, g.m = 0;
    for (int64_t i = 0; i < n; i++) {
        if (s == RANDOM && check_below(r, 3)) join(i, check_below(r, n));
        if (s == PATH && i > 0 && i % 1000) join(i - 1, i);
        if (s == STAR && i > 0) join(i, i % 2 ? 0 : i - 1);
        if (s == GRID && i >= side && check_below(r, 5)) join(i - side, i);
        if (s == GRID && i % side && check_below(r, 5)) join(i, i - 1);
        if (s == LOOPS) join(i, check_below(r, 2) ? i : i / 7);
        for (int64_t k = i - i % 8; s == CLIQUES && k < n && k < i - i % 8 + 8; k++) join(i, k);
    }
}

// Nodes under other names, edges in another order and direction.
static void rename_nodes(uint64_t *r)
{
    static int64_t name[NODES];
    for (int64_t i = 0; i < g.n; i++) name[i] = i;
    for (int64_t i = g.n - 1; i > 0; i--) {
        const int64_t j = check_below(r, i + 1), kept = name[i];
        name[i] = name[j], name[j] = kept;
    }
    for (int64_t k = 0; k < g.m; k++) g.u[k] = name[g.u[k]], g.v[k] = name[g.v[k]];
    for (int64_t k = g.m - 1; k > 0; k--) {
        const int64_t j = check_below(r, k + 1), a = g.u[k], b = g.v[k];
        const bool turned = check_below(r, 2);
        g.u[k] = g.u[j], g.v[k] = g.v[j], g.u[j] = turned ? b : a, g.v[j] = turned ? a : b;
    }
}

// ---- What is right ------------------------------------------------------------------------------

static int64_t set[NODES];

static int64_t find(int64_t i)
{
    while (set[i] != i) i = set[i] = set[set[i]];
    return i;
}

// Kruskal's method, by the order that the reference gives; the lower node stays the root.
static void solve(void)
{
    static int64_t order[EDGES];
    static bool taken[EDGES];
    const ref_numbers how = {HD_F32, false};
    for (int64_t i = 0; i < g.n; i++) set[i] = i;
    ref_order((const char *)g.weight, 4, g.m, ref_compare_numbers, &how, order);
    for (int64_t k = 0; k < g.m; k++) {
        const int64_t a = find(g.u[order[k]]), b = find(g.v[order[k]]);
        taken[order[k]] = a != b;
        set[a > b ? a : b] = a > b ? b : a;
    }
    g.count = g.chosen = 0;
    for (int64_t i = 0; i < g.n; i++) g.label[i] = find(i), g.count += g.label[i] == i;
    for (int64_t k = 0; k < g.m; k++)
        if (taken[k]) g.forest[g.chosen++] = k;
}

static void make(shape s, int64_t n, check_pattern weights, uint64_t *r)
{
    make_edges(s, n, r);
    rename_nodes(r);
    check_fill(HD_F32, g.weight, g.m, weights, check_next(r));
    solve();
}

// ---- Checks -------------------------------------------------------------------------------------

static hd_view as(hd_context *serial, const int64_t *in, int64_t n, hd_type type, void *out)
{
    const hd_view v = hd_view_of(type, out, n);
    CHECK_OK(serial, hd_map(serial, hd_view_of(HD_I64, in, n), NULL, v, NULL));
    return v;
}

static void try(hd_context *serial, const check_target *t, hd_type type, shape s)
{
    static uint64_t us[EDGES], vs[EDGES];
    static int64_t label[NODES], edges[NODES];
    static float weights[NODES];
    int64_t count = -1, rounds = -1, chosen = -1, most = 2;
    float total = -1, want = 0;
    const hd_view u = as(serial, g.u, g.m, type, us), v = as(serial, g.v, g.m, type, vs);
    CHECK_OK(t->ctx,
             hd_components(t->ctx, u, v, HD_VIEW(label, g.n),
                           &(hd_components_options){.count = HD_REF(HD_VIEW(&count, 1)),
                                                    .rounds = HD_REF(HD_VIEW(&rounds, 1))}));
    CHECK_SAME(HD_I64, label, g.label, g.n, "labels, shape %d of %" PRId64 " on %s", s, g.n,
               t->name);
    for (int64_t k = g.n; k > 1; k /= 2) most += 2;
    CHECK(count == g.count && rounds <= most, "%" PRId64 " components, %" PRId64 " rounds", count,
          rounds);
    // Nobody asks for rounds: the cores need none.
    memset(label, 1, sizeof label);
    CHECK_OK(t->ctx, hd_components(t->ctx, u, v, HD_VIEW(label, g.n), NULL));
    CHECK_SAME(HD_I64, label, g.label, g.n, "labels without rounds, shape %d of %" PRId64 " on %s",
               s, g.n, t->name);
    CHECK_OK(t->ctx, hd_spanning_forest(
                         t->ctx, u, v, HD_VIEW(g.weight, g.m), g.n, HD_VIEW(edges, g.n),
                         HD_VIEW(&chosen, 1),
                         &(hd_spanning_forest_options){.total = HD_REF(HD_VIEW(&total, 1)),
                                                       .rounds = HD_REF(HD_VIEW(&rounds, 1))}));
    CHECK(chosen == g.chosen && rounds <= most,
          "%" PRId64 " edges, expected %" PRId64 ", %" PRId64 " rounds on %s", chosen, g.chosen,
          rounds, t->name);
    CHECK_SAME(HD_I64, edges, g.forest, g.chosen, "forest, shape %d of %" PRId64 " on %s", s, g.n,
               t->name);
    for (int64_t k = 0; k < g.chosen; k++) weights[k] = g.weight[g.forest[k]];
    CHECK_OK(serial,
             hd_reduce(serial, HD_VIEW(weights, g.chosen), HD_SUM, HD_VIEW(&want, 1), NULL));
    CHECK_SAME(HD_F32, &total, &want, 1, "total on %s", t->name);
}

// ---- Errors -------------------------------------------------------------------------------------

#define FAILS(ctx, status, text, call)                                                             \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(const check_target *t)
{
    hd_context *ctx = t->ctx;
    uint32_t u[] = {0, 1, 2}, v[] = {1, 2, 3};
    int64_t label[5] = {0}, edges[4], n = 0;
    float w[] = {1, 2, 3};
    const hd_view a = HD_VIEW(u, 3), b = HD_VIEW(v, 3), out = HD_VIEW(label, 4);
    const hd_view weight = HD_VIEW(w, 3), e = HD_VIEW(edges, 3), count = HD_VIEW(&n, 1);
    int8_t small[300];
    FAILS(ctx, HD_ERROR_VALUE, "hd_components: node v of edge 2 is 3; expected 0 .. 2",
          hd_components(ctx, a, b, HD_VIEW(label, 3), NULL));
    u[1] = UINT32_MAX;
    FAILS(ctx, HD_ERROR_VALUE, "node u of edge 1 is 4294967295; expected 0 .. 3",
          hd_components(ctx, a, b, out, NULL));
    FAILS(ctx, HD_ERROR_VALUE, "node u of edge 1",
          hd_spanning_forest(ctx, a, b, weight, 4, e, count, NULL));
    u[1] = 1;
    FAILS(ctx, HD_ERROR_SHAPE, "u has 3 elements and v 2",
          hd_components(ctx, a, HD_VIEW(v, 2), out, NULL));
    FAILS(ctx, HD_ERROR_TYPE, "node u of edge is of f32", hd_components(ctx, weight, b, out, NULL));
    FAILS(ctx, HD_ERROR_TYPE, "label is of i8",
          hd_components(ctx, a, b, HD_VIEW(small, 300), NULL));
    FAILS(ctx, HD_ERROR_ALIAS, "label overlaps u", hd_components(ctx, a, b, a, NULL));
    FAILS(ctx, HD_ERROR_ARGUMENT, "-1 nodes",
          hd_spanning_forest(ctx, a, b, weight, -1, e, count, NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "2 weights for 3 edges",
          hd_spanning_forest(ctx, a, b, HD_VIEW(w, 2), 4, e, count, NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "3",
          hd_spanning_forest(ctx, a, b, weight, 4, HD_VIEW(edges, 2), count, NULL));
    CHECK(n == 3, "the count where edges do not fit is %" PRId64, n);
    FAILS(ctx, HD_ERROR_ALIAS, "edges overlaps u",
          hd_spanning_forest(ctx, a, b, weight, 4, a, count, NULL));
    CHECK(hd_components(NULL, a, b, out, NULL) == HD_ERROR_ARGUMENT, "no context");
    const hd_components_options early = {.size = 2};
    FAILS(ctx, HD_ERROR_ARGUMENT, "options.size", hd_components(ctx, a, b, out, &early));
    // Without edges every node is a component.
    CHECK_OK(ctx, hd_components(ctx, HD_VIEW(u, 0), HD_VIEW(v, 0), out, NULL));
    for (int64_t k = 0; k < 4; k++) CHECK(label[k] == k, "label %" PRId64, k);
    CHECK_OK(ctx, hd_spanning_forest(ctx, HD_VIEW(u, 0), HD_VIEW(v, 0), HD_VIEW(w, 0), 4, e, count,
                                     NULL));
    CHECK(n == 0, "%" PRId64 " edges of none", n);
    CHECK_OK(ctx, hd_components(ctx, HD_VIEW(u, 0), HD_VIEW(v, 0), HD_VIEW(label, 0), NULL));
}

static hd_status call_components(hd_context *ctx)
{
    static int64_t label[NODES];
    return hd_components(ctx, HD_VIEW(g.u, g.m), HD_VIEW(g.v, g.m), HD_VIEW(label, g.n), NULL);
}

static hd_status call_forest(hd_context *ctx)
{
    static int64_t edges[NODES], count;
    return hd_spanning_forest(ctx, HD_VIEW(g.u, g.m), HD_VIEW(g.v, g.m), HD_VIEW(g.weight, g.m),
                              g.n, HD_VIEW(edges, g.n), HD_VIEW(&count, 1), NULL);
}

// ---- A device -----------------------------------------------------------------------------------

static hd_view there_of(hd_context *ctx, hd_view in)
{
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, in.type, 1, in.shape, &v));
    CHECK_OK(ctx, hd_map(ctx, in, NULL, v, NULL));
    return v;
}

// With the rounds asked for, and without: other ways to the same results.
static void try_gpu(hd_context *ctx, bool asks, const char *where)
{
    int64_t label[1000] = {0}, edges[1000] = {0}, count = 0, parts = 0, rounds = -1;
    const hd_view round = asks ? HD_VIEW(&rounds, 1) : HD_EMPTY, part = HD_VIEW(&parts, 1);
    hd_view v[5] = {there_of(ctx, HD_VIEW(g.u, g.m)), there_of(ctx, HD_VIEW(g.v, g.m)),
                    there_of(ctx, HD_VIEW(g.weight, g.m)), there_of(ctx, HD_VIEW(label, g.n)),
                    there_of(ctx, HD_VIEW(edges, g.n))};
    CHECK_OK(ctx, hd_components(ctx, v[0], v[1], v[3],
                                &(hd_components_options){.rounds = &round, .count = &part}));
    CHECK_OK(ctx, hd_map(ctx, v[3], NULL, HD_VIEW(label, g.n), NULL));
    CHECK_SAME(HD_I64, label, g.label, g.n, "labels on %s", where);
    CHECK(parts == g.count, "%" PRId64 " components on %s", parts, where);
    CHECK_OK(ctx, hd_spanning_forest(ctx, v[0], v[1], v[2], g.n, v[4], HD_VIEW(&count, 1),
                                     &(hd_spanning_forest_options){.rounds = &round}));
    CHECK_OK(ctx, hd_map(ctx, v[4], NULL, HD_VIEW(edges, g.n), NULL));
    CHECK(count == g.chosen, "%" PRId64 " edges on %s", count, where);
    CHECK_SAME(HD_I64, edges, g.forest, g.chosen, "forest on %s", where);
    CHECK(asks == (rounds >= 0), "%" PRId64 " rounds on %s", rounds, where);
    for (int k = 0; k < 5; k++) CHECK_OK(ctx, hd_free(ctx, &v[k]));
}

static void test_gpu(hd_backend which)
{
    uint64_t r = check_seed();
    hd_context *ctx = check_open(which, 0, NULL);
    static const check_pattern weights[] = {CHECK_TIES, CHECK_ORDINARY, CHECK_SPECIAL};
    const int64_t n = which == HD_MODEL ? 100 : 1000;
    for (int s = 0; s < SHAPES; s++) {
        make((shape)s, s ? n : 300, weights[s % 3], &r);
        try_gpu(ctx, false, hd_backend_name(which));
    }
    try_gpu(ctx, true, hd_backend_name(which));
    for (int64_t few = 1; few <= 2; few++) {
        make(PATH, few, CHECK_TIES, &r);
        try_gpu(ctx, false, hd_backend_name(which));
    }
    hd_close(ctx);
}

int main(void)
{
    static const hd_type types[] = {HD_I32, HD_U32, HD_I64, HD_U64};
    static const check_pattern weights[] = {CHECK_ORDINARY, CHECK_TIES, CHECK_SPECIAL, CHECK_ZEROS};
    static const int64_t sizes[] = {1, 2, 33, 1000, 4000};
    const check_target *targets;
    const int count = check_targets(&targets);
    uint64_t r = check_seed();
    int turn = 0;
    for (int s = 0; s < SHAPES; s++)
        for (int k = 0; k < 5; k++, turn++) {
            make((shape)s, sizes[k], weights[turn % 4], &r);
            for (int t = 0; t < count; t++)
                if (t == 0 || t % 5 == turn % 5)
                    try(targets[0].ctx, &targets[t], types[turn % 4], s);
        }
    make(RANDOM, check_small() ? 2000 : NODES, CHECK_ORDINARY, &r);
    try(targets[0].ctx, &targets[count / 2], HD_I32, RANDOM);
    for (int t = 0; t < count && t < 3; t++) test_errors(&targets[t]);
    make(RANDOM, 300, CHECK_ORDINARY, &r);
    failing_memory("hd_components", call_components);
    failing_memory("hd_spanning_forest", call_forest);
    const int failed = check_finish();
    const int gpu = check_on_gpus(test_gpu);
    return failed ? failed : gpu == CHECK_SKIP ? 0 : gpu;
}
