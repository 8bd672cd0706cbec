// SPDX-License-Identifier: Apache-2.0
//
// The rows of trees of n nodes by their parents: depth, preorder and subtree sizes; sums over
// subtrees; lowest common ancestors of n pairs. Trees are drawn at random, or one long path, their
// numbers in random order. Peers: parents (of the root itself), then values, or pairs. GB/s counts
// bytes read and written once; the peak is a copy of as many.
#include "algorithm_row.h"

#include <heddle_algorithms.h>
#include <string.h>

#define RANDOM "random"
#define PATH   "path"

#define I32 PEER_OTHER_OP, PEER_I32, PEER_I32, HD_SUM, NULL
static const bench_case cases[] = {
    {"order", "i32", RANDOM, I32},
    {"order", "i32", PATH, I32},
    {"sums", "i32", RANDOM, I32},
    {"ancestors", "i32", RANDOM, I32},
};

enum { DEPTH, PREORDER, SIZES, OUTPUTS };

typedef struct state {
    algorithm_row row;
    int32_t *first, *next, *stack; // of the definition: children of nodes
    int32_t *a, *b;                // values, or pairs
    hd_view parent, out[OUTPUTS], a_view, b_view;
} state;

static void call(bench_row *row)
{
    state *s = row->state;
    const hd_tree_order_options o = {
        .depth = &s->out[DEPTH], .preorder = &s->out[PREORDER], .sizes = &s->out[SIZES]};
    const char op = row->what->op[0];
    const hd_status status =
        op == 'o'   ? hd_tree_order(row->ctx, s->parent, &o)
        : op == 's' ? hd_tree_reduce(row->ctx, s->parent, s->a_view, HD_SUM, row->out, NULL)
                    : hd_tree_ancestors(row->ctx, s->parent, s->a_view, s->b_view, row->out, NULL);
    if (status) row->status = status;
}

// ---- The definition: a walk with a stack --------------------------------------------------------

// Children in the order of their numbers; returns the root.
static int32_t find_children(state *s, const int32_t *parent, int64_t n)
{
    int32_t root = 0;
    for (int64_t i = 0; i < n; i++) s->first[i] = -1;
    for (int64_t i = n - 1; i >= 0; i--) {
        if (parent[i] == (int32_t)i)
            root = (int32_t)i;
        else
            s->next[i] = s->first[parent[i]], s->first[parent[i]] = (int32_t)i;
    }
    s->next[root] = -1;
    return root;
}

// order[k] = the node of preorder number k; numbers of nodes, in want: depth, preorder, sizes.
static void walk(state *s, const int32_t *parent, int64_t n, int32_t *want, int32_t *order)
{
    const int32_t root = find_children(s, parent, n);
    int64_t top = 0, count = 0;
    s->stack[top++] = root;
    while (top > 0) {
        const int32_t node = s->stack[--top];
        want[DEPTH * n + node] = node == root ? 0 : want[DEPTH * n + parent[node]] + 1;
        want[PREORDER * n + node] = (int32_t)count, order[count++] = node;
        if (s->next[node] >= 0) s->stack[top++] = s->next[node];
        if (s->first[node] >= 0) s->stack[top++] = s->first[node];
    }
    for (int64_t i = 0; i < n; i++) want[SIZES * n + i] = 1;
    for (int64_t k = n - 1; k > 0; k--)
        want[SIZES * n + parent[order[k]]] += want[SIZES * n + order[k]];
}

static int32_t ancestor(const int32_t *parent, const int32_t *depth, int32_t a, int32_t b)
{
    while (a != b)
        if (depth[a] >= depth[b])
            a = parent[a];
        else
            b = parent[b];
    return a;
}

static bool define(const bench_row *row, const int32_t *parent, int64_t n)
{
    state *s = row->state;
    int32_t *all = algorithm_array(&s->row, OUTPUTS * n, sizeof *all), *want = s->row.want,
            *order = algorithm_array(&s->row, n, sizeof *order);
    if (s->row.no_memory) return false;
    walk(s, parent, n, all, order);
    if (row->what->op[0] == 'o') memcpy(want, all, (size_t)(OUTPUTS * n) * sizeof *all);
    if (row->what->op[0] == 's') {
        memcpy(want, s->a, (size_t)n * sizeof *s->a);
        for (int64_t k = n - 1; k > 0; k--) want[parent[order[k]]] += want[order[k]];
    }
    for (int64_t k = 0; row->what->op[0] == 'a' && k < n; k++)
        want[k] = ancestor(parent, all + DEPTH * n, s->a[k], s->b[k]);
    return true;
}

// ---- The row ------------------------------------------------------------------------------------

// Node k of n, in a random order of numbers, hangs below one of those before it, or the last one.
static void plant(state *s, int32_t *parent, int64_t n, bool path)
{
    int32_t *name = s->stack;
    for (int64_t i = 0; i < n; i++) name[i] = (int32_t)i;
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t j = (int64_t)(data_mix((uint64_t)i) % (uint64_t)(i + 1));
        const int32_t kept = name[i];
        name[i] = name[j], name[j] = kept;
    }
    for (int64_t i = 0; i < n; i++) {
        const int64_t above = i == 0 ? 0
                              : path ? i - 1
                                     : (int64_t)(data_mix((uint64_t)(i + n)) % (uint64_t)i);
        parent[name[i]] = name[above];
    }
}

static const char *work_of(const char *op)
{
    return op[0] == 'o' ? "tree-order" : op[0] == 's' ? "tree-sums" : "tree-ancestors";
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n, size = sizeof(int32_t);
    const char op = row->what->op[0];
    state *s = algorithm_begin(row, d, work_of(row->what->op), sizeof *s);
    if (!s || n > INT32_MAX / 4) return false;
    int32_t **own[] = {&s->first, &s->next, &s->stack, &s->a, &s->b};
    for (int k = 0; k < 5; k++) *own[k] = algorithm_array(&s->row, 2 * n, sizeof **own[k]);
    algorithm_output(row, d, op == 'o' ? OUTPUTS * n : n);
    if (s->row.no_memory) return false;
    plant(s, d->in, n, strcmp(row->what->variant, PATH) == 0);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t r = data_mix((uint64_t)(i + 7 * n));
        s->a[i] = (int32_t)(op == 's' ? r % 16 : r % (uint64_t)n);
        s->b[i] = (int32_t)(data_mix(r) % (uint64_t)n);
    }
    s->parent = HD_VIEW((int32_t *)d->in, n);
    s->a_view = HD_VIEW(s->a, n), s->b_view = HD_VIEW(s->b, n);
    for (int k = 0; op == 'o' && k < OUTPUTS; k++)
        s->out[k] = HD_VIEW((int32_t *)d->out + k * n, n);
    algorithm_input(&s->row, 0, d->in, PEER_I32, n);
    if (op != 'o') algorithm_input(&s->row, 1, s->a, PEER_I32, n);
    if (op == 'a') algorithm_input(&s->row, 2, s->b, PEER_I32, n);
    const int64_t bytes = (op == 's' ? 3 : 4) * n * size;
    algorithm_peak(row, PEAK_COPY, bytes, bytes / 2);
    row->heddle = call;
    return define(row, d->in, n);
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 22, 0};

const bench_pattern pattern_tree = {
    .name = "tree",
    .formula = "bytes of arrays read and written, once",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 12,
    .prepare = prepare,
    .finish = algorithm_finish,
};
