// SPDX-License-Identifier: Apache-2.0
//
// Trees of several shapes, with their nodes renamed: parents of edges, depth, preorder, postorder,
// sizes, the tour, reductions over subtrees by operators that do not commute, common ancestors;
// against a walk with a stack. What is no tree; errors; failing memory; device views.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

#include "failing_memory.h"

// Not commutative: the composition of x -> a x + b, exactly, modulo 2^32.
HD_SOURCE(
    lines, typedef struct { uint32_t a, b; } line;)
HD_OPERATOR(after, line, lines, HD_ASSOCIATIVE | HD_EXACT, {
    line r;
    r.a = a.a * b.a;
    r.b = a.a * b.b + a.b;
    return r;
})

enum { NODES = 20000 };

typedef struct tree {
    int64_t n, root;
    int64_t parent[NODES]; // of the root: -1
    int64_t depth[NODES], preorder[NODES], postorder[NODES], sizes[NODES], tour[2 * NODES];
    int64_t order[NODES]; // nodes in preorder
    int64_t u[NODES], v[NODES];
} tree;
static tree x;

typedef enum shape { RANDOM, PATH, STAR, BINARY, BROOM, SHAPES } shape;

static int64_t parent_of(shape s, int64_t i, uint64_t *r)
{
    switch (s) {
    case PATH: return i - 1;
    case STAR: return 0;
    case BINARY: return (i - 1) / 2;
    case BROOM: return i < x.n / 2 ? i - 1 : x.n / 2 - 1;
    default: return check_below(r, i);
    }
}

// Children in the order of their numbers, one node after another.
static void walk(void)
{
    static int64_t first[NODES], next[NODES];
    int64_t entered = 0, left = 0, at = x.root, arcs = 0;
    for (int64_t i = 0; i < x.n; i++) first[i] = -1;
    for (int64_t i = x.n - 1; i >= 0; i--)
        if (i != x.root) next[i] = first[x.parent[i]], first[x.parent[i]] = i;
    x.depth[at] = 0, x.order[entered] = at, x.preorder[at] = entered++, x.tour[arcs++] = at;
    while (true) {
        const int64_t child = first[at];
        if (child >= 0) {
            first[at] = next[child];
            x.depth[child] = x.depth[at] + 1;
            x.order[entered] = child, x.preorder[child] = entered++;
            x.tour[arcs++] = at = child;
            continue;
        }
        x.sizes[at] = entered - x.preorder[at];
        x.postorder[at] = left++, x.tour[arcs++] = at;
        if (at == x.root) return;
        at = x.parent[at];
    }
}

static void make(shape s, int64_t n, uint64_t *r)
{
    static int64_t name[NODES], plain[NODES];
    x.n = n;
    plain[0] = -1;
    for (int64_t i = 0; i < n; i++) name[i] = i;
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t j = check_below(r, i + 1), kept = name[i];
        name[i] = name[j], name[j] = kept;
    }
    for (int64_t i = 1; i < n; i++) plain[i] = parent_of(s, i, r) < 0 ? 0 : parent_of(s, i, r);
    for (int64_t i = 1; i < n; i++) {
        x.parent[name[i]] = name[plain[i]];
        const bool turned = check_below(r, 2);
        x.u[n - 1 - i] = name[turned ? i : plain[i]], x.v[n - 1 - i] = name[turned ? plain[i] : i];
    }
    x.root = name[0], x.parent[x.root] = -1;
    walk();
}

// ---- Checks -------------------------------------------------------------------------------------

static hd_view as(hd_context *serial, const int64_t *in, int64_t n, hd_type type, void *out)
{
    const hd_view v = hd_view_of(type, out, n);
    CHECK_OK(serial, hd_map(serial, hd_view_of(HD_I64, in, n), NULL, v, NULL));
    return v;
}

static void test_order(hd_context *serial, const check_target *t, hd_type type)
{
    static uint64_t parents[NODES], us[NODES], vs[NODES];
    static int64_t got[4][NODES], tour[2 * NODES], back[NODES];
    const int64_t n = x.n, *const want[4] = {x.depth, x.preorder, x.postorder, x.sizes};
    const hd_view parent = as(serial, x.parent, n, type, parents);
    CHECK_OK(t->ctx, hd_tree_order(t->ctx, parent,
                                   &(hd_tree_order_options){.depth = HD_REF(HD_VIEW(got[0], n)),
                                                            .preorder = HD_REF(HD_VIEW(got[1], n)),
                                                            .postorder = HD_REF(HD_VIEW(got[2], n)),
                                                            .sizes = HD_REF(HD_VIEW(got[3], n)),
                                                            .tour = HD_REF(HD_VIEW(tour, 2 * n))}));
    for (int k = 0; k < 4; k++)
        CHECK_SAME(HD_I64, got[k], want[k], n, "number %d of %" PRId64 " nodes on %s", k, n,
                   t->name);
    CHECK_SAME(HD_I64, tour, x.tour, 2 * n, "tour of %" PRId64 " nodes on %s", n, t->name);
    CHECK_OK(t->ctx,
             hd_tree_parents(t->ctx, as(serial, x.u, n - 1, type, us),
                             as(serial, x.v, n - 1, type, vs), x.root, HD_VIEW(back, n), NULL));
    CHECK(back[x.root] == x.root, "the root's parent is %" PRId64, back[x.root]);
    back[x.root] = -1;
    CHECK_SAME(HD_I64, back, x.parent, n, "parents of %" PRId64 " nodes on %s", n, t->name);
}

// The blocks that the header states, one after another.
static float block_sum(const float *v, int64_t length)
{
    return length == 1 ? *v : block_sum(v, length / 2) + block_sum(v + length / 2, length / 2);
}

static float subtree_sum(const float *v, int64_t begin, int64_t end)
{
    float sum = v[begin++];
    while (begin < end) {
        int64_t length = 1;
        while (begin % (2 * length) == 0 && begin + 2 * length <= end) length *= 2;
        while (begin + length > end) length /= 2;
        sum += block_sum(v + begin, length);
        begin += length;
    }
    return sum;
}

static void test_reduce(const check_target *t, uint64_t *r)
{
    static float value[NODES], ordered[NODES], want[NODES], got[NODES];
    static line lines_in[NODES], lines_out[NODES];
    static int32_t small[NODES];
    static int64_t sums[NODES], sums_want[NODES];
    const int64_t n = x.n;
    const hd_view parent = HD_VIEW(x.parent, n);
    check_fill(HD_F32, value, n, CHECK_ORDINARY, check_next(r));
    for (int64_t i = 0; i < n; i++) {
        ordered[x.preorder[i]] = value[i];
        small[i] = (int32_t)check_below(r, 2000) - 1000, sums_want[i] = 0;
        lines_in[i] = (line){(uint32_t)check_next(r), (uint32_t)check_next(r)};
    }
    for (int64_t i = 0; i < n; i++)
        want[i] = subtree_sum(ordered, x.preorder[i], x.preorder[i] + x.sizes[i]);
    CHECK_OK(t->ctx,
             hd_tree_reduce(t->ctx, parent, HD_VIEW(value, n), HD_SUM, HD_VIEW(got, n), NULL));
    CHECK_SAME(HD_F32, got, want, n, "sums of %" PRId64 " nodes on %s", n, t->name);
    for (int64_t k = n - 1; k >= 0; k--) {
        const int64_t i = x.order[k];
        sums_want[i] += small[i];
        if (i != x.root) sums_want[x.parent[i]] += sums_want[i];
    }
    CHECK_OK(t->ctx,
             hd_tree_reduce(t->ctx, parent, HD_VIEW(small, n), HD_SUM, HD_VIEW(sums, n), NULL));
    CHECK_SAME(HD_I64, sums, sums_want, n, "wide sums of %" PRId64 " on %s", n, t->name);
    const hd_view in = HD_VIEW_OF(HD_TYPE(line), lines_in, n);
    CHECK_OK(t->ctx, hd_tree_reduce(t->ctx, parent, in, after,
                                    HD_VIEW_OF(HD_TYPE(line), lines_out, n), NULL));
    for (int64_t i = 0; i < n; i += 1 + n / 50) {
        line made = lines_in[i];
        for (int64_t k = x.preorder[i] + 1; k < x.preorder[i] + x.sizes[i]; k++) {
            const line next = lines_in[x.order[k]];
            made = (line){made.a * next.a, made.a * next.b + made.b};
        }
        CHECK(made.a == lines_out[i].a && made.b == lines_out[i].b,
              "composition at node %" PRId64 " of %" PRId64 " on %s", i, n, t->name);
    }
    CHECK_OK(t->ctx, hd_tree_reduce(t->ctx, parent, in, after, in, NULL)); // in place
    CHECK(memcmp(lines_in, lines_out, (size_t)n * sizeof *lines_in) == 0, "in place on %s",
          t->name);
}

static void test_ancestors(const check_target *t, uint64_t *r)
{
    enum { QUERIES = 500 };
    static int32_t a[QUERIES], b[QUERIES];
    static int64_t got[QUERIES], want[QUERIES];
    for (int k = 0; k < QUERIES; k++) {
        int64_t i = check_below(r, x.n), j = k % 5 ? check_below(r, x.n) : x.parent[i];
        if (j < 0 || k % 7 == 0) j = i;
        a[k] = (int32_t)i, b[k] = (int32_t)j;
        while (i != j)
            if (x.depth[i] > x.depth[j])
                i = x.parent[i];
            else
                j = x.parent[j];
        want[k] = i;
    }
    CHECK_OK(t->ctx, hd_tree_ancestors(t->ctx, HD_VIEW(x.parent, x.n), HD_VIEW(a, QUERIES),
                                       HD_VIEW(b, QUERIES), HD_VIEW(got, QUERIES), NULL));
    CHECK_SAME(HD_I64, got, want, QUERIES, "ancestors among %" PRId64 " on %s", x.n, t->name);
    CHECK_OK(t->ctx, hd_tree_ancestors(t->ctx, HD_VIEW(x.parent, x.n), HD_VIEW(a, QUERIES),
                                       HD_VIEW(b, QUERIES), HD_VIEW(a, QUERIES), NULL));
    for (int k = 0; k < QUERIES; k++) CHECK(a[k] == want[k], "query %d in place", k);
    CHECK_OK(t->ctx, hd_tree_ancestors(t->ctx, HD_VIEW(x.parent, x.n), HD_VIEW(a, 0), HD_VIEW(b, 0),
                                       HD_VIEW(got, 0), NULL));
}

// ---- What is no tree ----------------------------------------------------------------------------

#define FAILS(ctx, status, text, call)                                                             \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(const check_target *t)
{
    hd_context *ctx = t->ctx;
    int32_t p[6] = {-1, 0, 1, 1, 2, 2}, out[6];
    uint8_t bytes[3] = {255, 0, 1};
    int8_t narrow[6];
    int64_t first = 5, second = 6;
    float value[6] = {0}, sum[6];
    const hd_view parent = HD_VIEW(p, 6), o = HD_VIEW(out, 6), v = HD_VIEW(value, 6);
    CHECK_OK(ctx, hd_tree_order(ctx, parent, NULL));
    CHECK_OK(ctx, hd_tree_order(ctx, HD_VIEW(bytes, 3), NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "no nodes", hd_tree_order(ctx, HD_VIEW(p, 0), NULL));
    p[3] = 6;
    FAILS(ctx, HD_ERROR_VALUE, "hd_tree_order: the parent of node 3 is 6; expected 0 .. 5",
          hd_tree_order(ctx, parent, NULL));
    p[3] = -7;
    FAILS(ctx, HD_ERROR_VALUE, "is -7", hd_tree_order(ctx, parent, NULL));
    p[3] = 3;
    FAILS(ctx, HD_ERROR_VALUE, "nodes 0 and 3 are both roots", hd_tree_order(ctx, parent, NULL));
    p[3] = 5, p[5] = 3;
    FAILS(ctx, HD_ERROR_VALUE, "node 3", hd_tree_order(ctx, parent, NULL));
    FAILS(ctx, HD_ERROR_VALUE, "no tree",
          hd_tree_reduce(ctx, parent, v, HD_SUM, HD_VIEW(sum, 6), NULL));
    FAILS(ctx, HD_ERROR_VALUE, "no tree", hd_tree_ancestors(ctx, parent, o, o, o, NULL));
    p[0] = 4;
    FAILS(ctx, HD_ERROR_VALUE, "no tree", hd_tree_order(ctx, parent, NULL));
    p[0] = -1, p[3] = 1, p[5] = 2;
    FAILS(ctx, HD_ERROR_SHAPE, "depth has 5 elements",
          hd_tree_order(ctx, parent, &(hd_tree_order_options){.depth = HD_REF(HD_VIEW(out, 5))}));
    FAILS(ctx, HD_ERROR_ALIAS, "sizes overlaps depth",
          hd_tree_order(ctx, parent, &(hd_tree_order_options){.depth = &o, .sizes = &o}));
    FAILS(ctx, HD_ERROR_ALIAS, "depth overlaps parent",
          hd_tree_order(ctx, parent, &(hd_tree_order_options){.depth = &parent}));
    FAILS(ctx, HD_ERROR_TYPE, "parent is of f32", hd_tree_order(ctx, v, NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "values of 5",
          hd_tree_reduce(ctx, parent, HD_VIEW(value, 5), HD_SUM, HD_VIEW(sum, 6), NULL));
    FAILS(ctx, HD_ERROR_ARGUMENT, "operator mean",
          hd_tree_reduce(ctx, parent, v, HD_MEAN, HD_VIEW(sum, 6), NULL));
    FAILS(ctx, HD_ERROR_VALUE, "node b of query 0 is 6",
          hd_tree_ancestors(ctx, parent, HD_VIEW(&first, 1), HD_VIEW(&second, 1),
                            HD_VIEW(narrow, 1), NULL));
    CHECK(hd_tree_order(NULL, parent, NULL) == HD_ERROR_ARGUMENT, "no context");
}

static void test_edge_errors(const check_target *t)
{
    hd_context *ctx = t->ctx;
    int32_t u[] = {0, 1, 2, 4}, v[] = {1, 2, 0, 3}, parent[5];
    const hd_view a = HD_VIEW(u, 4), b = HD_VIEW(v, 4), p = HD_VIEW(parent, 5);
    FAILS(ctx, HD_ERROR_VALUE, "node 3 is not joined to the root, 1",
          hd_tree_parents(ctx, a, b, 1, p, NULL));
    FAILS(ctx, HD_ERROR_VALUE, "node 0 is not joined to the root, 4",
          hd_tree_parents(ctx, a, b, 4, p, NULL));
    u[3] = 0, v[3] = 2; // two cycles, and nodes without an edge
    FAILS(ctx, HD_ERROR_VALUE, "node 3 is not joined", hd_tree_parents(ctx, a, b, 0, p, NULL));
    FAILS(ctx, HD_ERROR_VALUE, "node 0 is not joined", hd_tree_parents(ctx, a, b, 3, p, NULL));
    v[3] = 0;
    FAILS(ctx, HD_ERROR_VALUE, "edge 3 joins a node to itself",
          hd_tree_parents(ctx, a, b, 0, p, NULL));
    v[3] = 5;
    FAILS(ctx, HD_ERROR_VALUE, "node v of edge 3 is 5", hd_tree_parents(ctx, a, b, 0, p, NULL));
    FAILS(ctx, HD_ERROR_ARGUMENT, "the root is 5", hd_tree_parents(ctx, a, b, 5, p, NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "expected one more in parent",
          hd_tree_parents(ctx, a, b, 0, HD_VIEW(parent, 4), NULL));
}

// Random edges of any kind: a tree exactly where they join everything.
static void test_random_edges(const check_target *t, uint64_t *r)
{
    for (int turn = 0; turn < 300; turn++) {
        int32_t u[8], v[8], set[9], parent[9];
        const int n = 2 + (int)check_below(r, 8);
        int joined = 1;
        bool loop = false;
        for (int i = 0; i < n; i++) set[i] = i;
        for (int k = 0; k < n - 1; k++) {
            u[k] = (int32_t)check_below(r, n), v[k] = (int32_t)check_below(r, n);
            loop |= u[k] == v[k];
            const int32_t from = set[u[k]], to = set[v[k]];
            joined += from != to;
            for (int i = 0; i < n; i++)
                if (set[i] == from) set[i] = to;
        }
        const hd_status got = hd_tree_parents(t->ctx, HD_VIEW(u, n - 1), HD_VIEW(v, n - 1),
                                              check_below(r, n), HD_VIEW(parent, n), NULL);
        CHECK(got == (joined == n && !loop ? HD_OK : HD_ERROR_VALUE), "turn %d on %s: %s \"%s\"",
              turn, t->name, hd_status_name(got), hd_error(t->ctx));
    }
}

static hd_status call_reduce(hd_context *ctx)
{
    static float v[NODES];
    return hd_tree_reduce(ctx, HD_VIEW(x.parent, x.n), HD_VIEW(v, x.n), HD_SUM, HD_VIEW(v, x.n),
                          NULL);
}

static hd_status call_ancestors(hd_context *ctx)
{
    static int64_t out[NODES];
    return hd_tree_ancestors(ctx, HD_VIEW(x.parent, x.n), HD_VIEW(x.order, x.n),
                             HD_VIEW(x.preorder, x.n), HD_VIEW(out, x.n), NULL);
}

static hd_status call_parents(hd_context *ctx)
{
    static int64_t out[NODES];
    return hd_tree_parents(ctx, HD_VIEW(x.u, x.n - 1), HD_VIEW(x.v, x.n - 1), x.root,
                           HD_VIEW(out, x.n), NULL);
}

// ---- A device -----------------------------------------------------------------------------------

static hd_view there_of(hd_context *ctx, hd_view in)
{
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, in.type, 1, in.shape, &v));
    CHECK_OK(ctx, hd_map(ctx, in, NULL, v, NULL));
    return v;
}

static void test_gpu(hd_backend which)
{
    enum { N = 200 };
    uint64_t r = check_seed();
    hd_context *ctx = check_open(which, 0, NULL);
    float value[N], want[N], got[N];
    int64_t depth[N], back[N], middle[N];
    make(RANDOM, N, &r);
    check_fill(HD_F32, value, N, CHECK_LITTLE, check_seed());
    for (int64_t k = 0; k < N; k++) want[k] = value[k];
    for (int64_t k = N - 1; k > 0; k--) want[x.parent[x.order[k]]] += want[x.order[k]];
    hd_view parent = there_of(ctx, HD_VIEW(x.parent, N)), v = there_of(ctx, HD_VIEW(value, N));
    hd_view d = there_of(ctx, HD_VIEW(x.order, N)), u = there_of(ctx, HD_VIEW(x.u, N - 1));
    hd_view w = there_of(ctx, HD_VIEW(x.v, N - 1)), a = there_of(ctx, HD_VIEW(x.order, N));
    CHECK_OK(ctx, hd_tree_order(ctx, parent, &(hd_tree_order_options){.depth = &d}));
    CHECK_OK(ctx, hd_map(ctx, d, NULL, HD_VIEW(depth, N), NULL));
    CHECK_SAME(HD_I64, depth, x.depth, N, "depth on %s", hd_backend_name(which));
    CHECK_OK(ctx, hd_tree_reduce(ctx, parent, v, HD_SUM, v, NULL));
    CHECK_OK(ctx, hd_map(ctx, v, NULL, HD_VIEW(got, N), NULL));
    CHECK_SAME(HD_F32, got, want, N, "sums on %s", hd_backend_name(which));
    CHECK_OK(ctx, hd_tree_ancestors(ctx, parent, a, a, d, NULL));
    CHECK_OK(ctx, hd_map(ctx, d, NULL, HD_VIEW(middle, N), NULL));
    CHECK_SAME(HD_I64, middle, x.order, N, "ancestors on %s", hd_backend_name(which));
    CHECK_OK(ctx, hd_tree_parents(ctx, u, w, x.root, d, NULL));
    CHECK_OK(ctx, hd_map(ctx, d, NULL, HD_VIEW(back, N), NULL));
    back[x.root] = -1;
    CHECK_SAME(HD_I64, back, x.parent, N, "parents on %s", hd_backend_name(which));
    hd_view *const all[] = {&parent, &v, &d, &u, &w, &a};
    for (int k = 0; k < 6; k++) CHECK_OK(ctx, hd_free(ctx, all[k]));
    hd_close(ctx);
}

int main(void)
{
    static const hd_type types[] = {HD_I32, HD_U32, HD_I64, HD_U64, HD_I16};
    static const int64_t sizes[] = {1, 2, 3, 33, 1000, 4097};
    const check_target *targets;
    const int count = check_targets(&targets);
    uint64_t r = check_seed();
    int turn = 0;
    for (int s = 0; s < SHAPES; s++)
        for (int k = 0; k < 6; k++, turn++) {
            make((shape)s, sizes[k], &r);
            for (int t = 0; t < count; t++) {
                if (t > 0 && t % 6 != turn % 6) continue;
                test_order(targets[0].ctx, &targets[t], types[turn % 5]);
                test_reduce(&targets[t], &r);
                test_ancestors(&targets[t], &r);
            }
        }
    if (!check_small()) {
        make(RANDOM, NODES, &r);
        test_order(targets[0].ctx, &targets[count / 2], HD_I32);
        test_reduce(&targets[count / 2], &r);
    }
    for (int t = 0; t < count && t < 3; t++) {
        test_errors(&targets[t]), test_edge_errors(&targets[t]);
        test_random_edges(&targets[t], &r);
    }
    make(RANDOM, 100, &r);
    failing_memory("hd_tree_reduce", call_reduce);
    failing_memory("hd_tree_ancestors", call_ancestors);
    failing_memory("hd_tree_parents", call_parents);
    const int failed = check_finish();
    const int gpu = check_on_gpus(test_gpu);
    return failed ? failed : gpu == CHECK_SKIP ? 0 : gpu;
}
