// SPDX-License-Identifier: Apache-2.0
// Maps whose texts join trees in the memory of a device: a root is hooked beneath a lower node by
// compare-and-swap, and paths are shortened on the way (J. Jaiganesh and M. Burtscher, "A
// high-performance connected components implementation for GPUs", HPDC 2018). A spanning forest
// needs two such maps a round (A. Fallin, A. Gonzalez, J. Seo and M. Burtscher, "A high-performance
// MST implementation for GPUs", SC 2023), and takes the light edges first, since most of the heavy
// ones then lie within a tree (V. Osipov, P. Sanders and J. Singler, "The filter-Kruskal minimum
// spanning tree algorithm", ALENEX 2009). Which threads meet changes the trees on the way, but
// neither their roots, the least nodes, nor the forest's edges: no two are equally light.
#include "device_forest.h"

// On the host, what the texts have of CUDA and of the kernels (gpu/device/base.cuh).
static inline uint32_t hk_load_relaxed(const uint32_t *at)
{
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

static inline int32_t atomicCAS(int32_t *at, int32_t expected, int32_t x)
{
    __atomic_compare_exchange_n(at, &expected, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

static inline int32_t atomicMin(int32_t *at, int32_t x)
{
    int32_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (x < old &&
           !__atomic_compare_exchange_n(at, &old, x, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    return old;
}

HD_SOURCE(
    device_forest_source,
    // u, v: of edges; best: of nodes; a node's parent is below it, or the node itself, a root.
    typedef struct forest_arrays {
        int32_t *parent, *best, *u, *v;
        const int32_t *id;
        uint8_t *chosen;
    } forest_arrays;
    // As some thread has left it.
    static inline int32_t forest_read(const int32_t *at) {
        return (int32_t)hk_load_relaxed((const uint32_t *)at);
    }
    // The root of a node, or what was one a moment ago. Every node on the way gets its grandparent
    // as its parent, which is an ancestor whatever other threads do.
    static inline int32_t forest_root(int32_t * parent, int32_t x, int32_t above) {
        while (above != x) {
            const int32_t next = forest_read(parent + above);
            if (next == above) break;
            atomicMin(parent + x, next);
            x = above, above = next;
        }
        return above;
    }
    // Joins the trees of two nodes whose parents were read.
    static inline void forest_join(int32_t *parent, int32_t a, int32_t b, int32_t over_a,
                                   int32_t over_b) {
        while (over_a != over_b) {
            a = forest_root(parent, a, over_a), b = forest_root(parent, b, over_b);
            if (a == b) return;
            const int32_t high = a > b ? a : b;
            const int32_t low = a > b ? b : a;
            const int32_t found = atomicCAS(parent + high, high, low);
            if (found == high) return;
            a = high, over_a = found; // is no root any more
            b = low, over_b = forest_read(parent + low);
        }
    })

// Of an edge: joins its ends' trees.
HD_FUNCTION_STATE(join_ends, bool, device_forest_source, (int32_t, u, int32_t, v), forest_arrays, {
    int32_t *const parent = state->parent;
    if (u != v) forest_join(parent, u, v, forest_read(parent + u), forest_read(parent + v));
    return true;
})
// Of a node. Nobody joins trees. Threads shorten the paths of each other, lest each walk along a
// long chain of nodes.
HD_FUNCTION_STATE(root_of, int32_t, device_forest_source, (int32_t, x), forest_arrays, {
    const int32_t above = forest_read(state->parent + x);
    const int32_t root = forest_root(state->parent, x, above);
    if (root != above) atomicMin(state->parent + x, root);
    return root;
})
// Of an edge's position: whether it is between trees, which are then its ends, and know of it.
// Nobody joins trees.
HD_FUNCTION_STATE(offer, bool, device_forest_source, (int32_t, p), forest_arrays, {
    int32_t *const parent = state->parent;
    const int32_t u = state->u[p], v = state->v[p];
    const int32_t a = forest_root(parent, u, forest_read(parent + u));
    const int32_t b = forest_root(parent, v, forest_read(parent + v));
    if (a == b) return false;
    if (a != u) state->u[p] = a;
    if (b != v) state->v[p] = b;
    if (forest_read(state->best + a) > p) atomicMin(state->best + a, p);
    if (forest_read(state->best + b) > p) atomicMin(state->best + b, p);
    return true;
})
// Of an edge's position, and whether it is between trees: whether it goes on to the next round. The
// lightest edge of a tree does not, and joins it to the other.
HD_FUNCTION_STATE(take, bool, device_forest_source, (int32_t, p, bool, is_between), forest_arrays, {
    if (!is_between) return false;
    const int32_t a = state->u[p], b = state->v[p];
    if (state->best[a] != p && state->best[b] != p) return true;
    state->chosen[state->id[p]] = 1;
    forest_join(state->parent, a, b, forest_read(state->parent + a),
                forest_read(state->parent + b));
    return false;
})

enum { LIGHT = 2 }; // edges a node that are taken first

bool hd__device_forest_serves(const hd__frame *f, const hd__edges *e)
{
    return f->on_device && e->on->type == HD_I32 && e->m < INT32_MAX;
}

// A row's elements are their own indices.
static hd_status number(hd__frame *f, hd_view row)
{
    return hd_map(f->ctx, hd_iota(hd_count(row)), NULL, row, NULL);
}

hd_status hd__device_components(hd__frame *f, const hd__edges *e, hd_view root)
{
    hd_view parent, done;
    hd_status status = hd__frame_row(f, HD_I32, e->n, &parent);
    if (!status) status = hd__frame_row(f, HD_BOOL, e->m, &done);
    if (!status) status = number(f, parent);
    if (status) return status;
    const forest_arrays a = {.parent = parent.data};
    status = hd_map(f->ctx, e->u, HD_WITH_STATE(join_ends, &a), done,
                    &(hd_map_options){.with = HD_VIEWS(e->v)});
    if (!status) status = number(f, root);
    return status ? status : hd_map(f->ctx, root, HD_WITH_STATE(root_of, &a), root, NULL);
}

// Edges begin .. end - 1, which are heavier than all before them: rounds until none is between
// trees.
static hd_status grow_among(hd__frame *f, const hd__device_forest *d, int64_t begin, int64_t end)
{
    const hd_view u = hd__frame_part(d->u, begin, 0), v = hd__frame_part(d->v, begin, 0),
                  id = hd__frame_part(d->id, begin, 0);
    const forest_arrays a = {.parent = d->parent.data,
                             .best = d->best.data,
                             .u = u.data,
                             .v = v.data,
                             .id = id.data,
                             .chosen = d->chosen.data};
    hd_view list = d->list, next = d->next;
    int64_t left = end - begin;
    hd_status status = number(f, hd__frame_part(list, 0, left));
    while (!status && left > 0) {
        const hd_view row = hd__frame_part(list, 0, left);
        const hd_view flags = hd__frame_part(d->flags, 0, left);
        status = hd_map(f->ctx, hd_constant(INT32_MAX, hd_count(d->best)), NULL, d->best, NULL);
        if (!status) status = hd_map(f->ctx, row, HD_WITH_STATE(offer, &a), flags, NULL);
        if (!status)
            status = hd_map(f->ctx, row, HD_WITH_STATE(take, &a), flags,
                            &(hd_map_options){.with = HD_VIEWS(flags)});
        if (!status)
            status = hd_compact(f->ctx, row, next, HD_VIEW(&left, 1),
                                &(hd_compact_options){.flags = &flags});
        const hd_view kept = list;
        list = next, next = kept;
    }
    return status;
}

hd_status hd__device_forest_grow(hd__frame *f, const hd__device_forest *d)
{
    const int64_t m = hd_count(d->u), n = hd_count(d->parent);
    const int64_t light = m / LIGHT <= n ? m : n * LIGHT;
    hd_status status = number(f, d->parent);
    if (!status) status = grow_among(f, d, 0, light);
    return status || light == m ? status : grow_among(f, d, light, m);
}
