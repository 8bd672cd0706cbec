// SPDX-License-Identifier: Apache-2.0
// Disjoint sets that threads join at once (Jayanti and Tarjan 2016, "A randomized concurrent
// algorithm for disjoint set union", here with the order of the nodes, so that roots are least):
// a root is hooked beneath a lower node by an atomic exchange, so every edge is looked at once.
#include "union_find.h"

#include <stdatomic.h>

#include "../support/team.h"

enum { TASK = 16384 }; // edges or nodes

typedef struct forest {
    const void *u, *v;
    void *parent;
    int64_t edges, nodes;
} forest;

static int64_t end_of(int64_t task, int64_t n)
{
    return n - task * TASK < TASK ? n : (task + 1) * TASK;
}

#define NODE    int32_t
#define NAME(x) x##_i32
#include "union_find.inc"
#undef NODE
#undef NAME
#define NODE    int64_t
#define NAME(x) x##_i64
#include "union_find.inc"

hd_status hd__union_find(hd__frame *f, const hd__edges *e, hd_view root, bool *done)
{
    hd_status status = hd_map(f->ctx, hd_iota(e->n), NULL, root, NULL);
    if (status != HD_OK || !hd__team_serves(f->ctx, f->on_device)) return status;
    const bool wide = root.type == HD_I64;
    const int32_t threads = hd__team_size(f->ctx);
    forest t = {e->u.data, e->v.data, root.data, e->m, e->n};
    hd__team_run(threads, (t.edges + TASK - 1) / TASK, wide ? join_i64 : join_i32, &t);
    hd__team_run(threads, (t.nodes + TASK - 1) / TASK, wide ? flatten_i64 : flatten_i32, &t);
    *done = true;
    return HD_OK;
}
