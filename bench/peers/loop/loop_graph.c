// SPDX-License-Identifier: Apache-2.0
//
// Connected components by one thread, with a union of sets whose links are halved on the way, and
// numbers of trees by a walk with a stack.
#include "bench/peer/peer_algorithm.h"
#include "bench/peers/support/finders.h"

#include <stddef.h>
#include <stdlib.h>

static const void *input(const peer_job *job, int k)
{
    return ((const peer_algorithm *)job->more)->array[k].data;
}

static int32_t root_of(int32_t *link, int32_t node)
{
    while (link[node] != node) node = link[node] = link[link[node]];
    return node;
}

static void components(const peer_job *job)
{
    const int32_t *u = input(job, 0), *v = input(job, 1);
    const int64_t edges = ((const peer_algorithm *)job->more)->array[0].n,
                  nodes = *(const int64_t *)input(job, 2);
    int32_t *label = job->out;
    for (int64_t i = 0; i < nodes; i++) label[i] = (int32_t)i;
    for (int64_t k = 0; k < edges; k++) {
        const int32_t a = root_of(label, u[k]), b = root_of(label, v[k]);
        label[a > b ? a : b] = a > b ? b : a;
    }
    for (int64_t i = 0; i < nodes; i++) label[i] = label[label[i]];
}

typedef struct walk {
    int32_t *first, *next, *stack, *order;
} walk;

// Nodes in preorder, children in the order of their numbers.
static void walk_tree(walk *w, const int32_t *parent, int64_t n)
{
    int64_t top = 0, count = 0;
    int32_t root = 0;
    for (int64_t i = 0; i < n; i++) w->first[i] = w->next[i] = -1;
    for (int64_t i = n - 1; i >= 0; i--) {
        if (parent[i] == (int32_t)i)
            root = (int32_t)i;
        else
            w->next[i] = w->first[parent[i]], w->first[parent[i]] = (int32_t)i;
    }
    w->stack[top++] = root;
    while (top > 0) {
        const int32_t node = w->stack[--top];
        w->order[count++] = node;
        if (w->next[node] >= 0) w->stack[top++] = w->next[node];
        if (w->first[node] >= 0) w->stack[top++] = w->first[node];
    }
}

static void number_nodes(const walk *w, const int32_t *parent, int64_t n, int32_t *out)
{
    int32_t *depth = out, *preorder = out + n, *size = out + 2 * n;
    for (int64_t k = 0; k < n; k++) {
        const int32_t node = w->order[k];
        depth[node] = k == 0 ? 0 : depth[parent[node]] + 1;
        preorder[node] = (int32_t)k, size[node] = 1;
    }
    for (int64_t k = n - 1; k > 0; k--) size[parent[w->order[k]]] += size[w->order[k]];
}

static void add_up(const walk *w, const int32_t *parent, int64_t n, const int32_t *value,
                   int32_t *out)
{
    for (int64_t i = 0; i < n; i++) out[i] = value[i];
    for (int64_t k = n - 1; k > 0; k--) out[parent[w->order[k]]] += out[w->order[k]];
}

static void over_tree(const peer_job *job, int sums)
{
    const int64_t n = job->n;
    int32_t *room = malloc((size_t)n * 5 * sizeof *room);
    if (!room) return;
    walk w = {room, room + n, room + 2 * n, room + 4 * n}; // a stack may hold 2 n
    walk_tree(&w, job->in, n);
    if (sums)
        add_up(&w, job->in, n, input(job, 1), job->out);
    else
        number_nodes(&w, job->in, n, job->out);
    free(room);
}

static void order(const peer_job *job)
{
    over_tree(job, 0);
}

static void sums(const peer_job *job)
{
    over_tree(job, 1);
}

static peer_run *find_graph(const peer_job *job)
{
    if (peer_algorithm_of(job, "components")) return components;
    if (peer_algorithm_of(job, "tree-order")) return order;
    return peer_algorithm_of(job, "tree-sums") ? sums : NULL;
}

PEER_FINDER(find_graph)
