// SPDX-License-Identifier: Apache-2.0
// hd_mpi_components: hooking and pointer jumping as on one machine [Y. Shiloach and U. Vishkin, "An
// O(log n) parallel connectivity algorithm", J. Algorithms 3 (1982); S. Liu and R. E. Tarjan,
// "Simple concurrent labeling algorithms for connected components", SOSA 2019], over edges that
// each rank first reduces to its own components: of them a star each is sent.
#include "mpi/layout.h"
#include "mpi/move/requests.h"
#include "mpi/move/route.h"
#include "mpi/stage.h"
#include "mpi/views.h"

static const char call[] = "hd_mpi_components";

typedef struct search {
    hd_mpi *m;
    const int64_t *begin; // nodes of all ranks
    hd_view f;            // for each of this rank's the node it hangs on, itself for a root
    hd_view u, v;         // edges between roots
    int64_t rounds;
} search;

HD_FUNCTION(differs, bool, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a != b; })
HD_FUNCTION_STATE(is_root, int64_t, HD_NO_SOURCE, (int64_t, f, int64_t, i), int64_t,
                  { return f == *state + i; })
HD_FUNCTION_STATE(is_no_root, bool, HD_NO_SOURCE, (int64_t, f, int64_t, i), int64_t,
                  { return f != *state + i; })

// ---- This rank's edges --------------------------------------------------------------------------

static hd_status concatenate(hd_mpi *m, hd_view a, hd_view b, hd_view *both)
{
    const int64_t n = a.shape[0];
    hd_status status = hd__mpi_row(m, HD_I64, 2 * n, both);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_map(m->ctx, a, NULL, hd_slice(*both, 0, 0, n, 1), NULL));
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_map(m->ctx, b, NULL, hd_slice(*both, 0, n, n, 1), NULL));
    return status;
}

// Of the pairs (a, b) those that differ, in place.
static hd_status keep_different(hd_mpi *m, hd_view *a, hd_view *b)
{
    int64_t count = 0;
    hd_view flags = HD_EMPTY;
    const hd_compact_options kept = {.flags = &flags};
    hd_status status = hd__mpi_row(m, HD_BOOL, a->shape[0], &flags);
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_map(m->ctx, *a, differs, flags, &(hd_map_options){.with = HD_VIEWS(*b)}));
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_compact(m->ctx, *a, *a, HD_VIEW(&count, 1), &kept));
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_compact(m->ctx, *b, *b, HD_VIEW(&count, 1), &kept));
    hd__mpi_drop(m, &flags);
    if (status == HD_OK) a->shape[0] = b->shape[0] = count;
    return status;
}

// The nodes of this rank's edges, numbered in their order, and the smallest of the component of
// each among these edges alone: these pairs take the place of the edges.
static hd_status reduce_edges(search *s)
{
    hd_mpi *m = s->m;
    const int64_t edges = s->u.shape[0];
    int64_t nodes = 0;
    hd_view ends = HD_EMPTY, node = HD_EMPTY, slot = HD_EMPTY, label = HD_EMPTY,
            smallest = HD_EMPTY;
    hd_status status = concatenate(m, s->u, s->v, &ends);
    if (status == HD_OK) status = hd__mpi_different(m, ends, &node, &nodes, &slot);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, nodes, &label);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_components(m->ctx, hd_slice(slot, 0, 0, edges, 1),
                                                 hd_slice(slot, 0, edges, edges, 1), label, NULL));
    if (status == HD_OK) status = hd__mpi_gathered(m, node, label, &smallest);
    hd_view *gone[] = {&ends, &slot, &label, &s->u, &s->v};
    for (size_t k = 0; k < sizeof gone / sizeof gone[0]; k++) hd__mpi_drop(m, gone[k]);
    if (status != HD_OK) return status;
    s->u = node, s->v = smallest;
    s->u.shape[0] = nodes;
    return keep_different(m, &s->u, &s->v);
}

// ---- Everybody's trees --------------------------------------------------------------------------

// Nodes at positions of this rank hang on their roots, where those that hang on others make chains.
static hd_status jump(search *s, hd_status status, hd_view at)
{
    hd_mpi *m = s->m;
    for (int64_t moved = 1, first; status == HD_OK && moved > 0;) {
        hd__mpi_requests asked;
        hd_view above = HD_EMPTY, fetched, next = HD_EMPTY;
        int64_t differ = -1;
        status = hd__mpi_gathered(m, s->f, at, &above);
        status = hd__mpi_request(m, status, s->begin, above, &asked);
        status = hd__mpi_fetch(m, status, &asked, s->f, &fetched);
        if (status == HD_OK) status = hd__mpi_gathered(m, fetched, asked.slot, &next);
        if (status == HD_OK)
            status = hd__mpi_failed(m, hd_mismatch(m->ctx, above, next, HD_VIEW(&differ, 1), NULL));
        if (status == HD_OK) status = hd__mpi_failed(m, hd_scatter(m->ctx, next, at, s->f, NULL));
        hd__mpi_drop(m, &above);
        hd__mpi_drop(m, &fetched);
        hd__mpi_drop(m, &next);
        hd__mpi_drop_requests(m, &asked);
        status = hd__mpi_layout(m, status, differ >= 0, &first, &moved);
    }
    return status;
}

// Roots u hook onto v, each onto the smallest of all ranks.
static hd_status hook(search *s, hd_status status)
{
    hd_mpi *m = s->m;
    hd__mpi_route route;
    hd_view at, smallest;
    status = hd__mpi_find_route(m, status, s->begin, s->u, &route);
    status = hd__mpi_deliver_indices(m, status, &route, s->begin, s->u, &at);
    status = hd__mpi_deliver(m, status, &route, s->v, &smallest);
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_scatter(m->ctx, smallest, at, s->f, &(hd_scatter_options){.combine = HD_MIN}));
    status = jump(s, hd__mpi_agree(m, status), at);
    hd__mpi_drop(m, &at);
    hd__mpi_drop(m, &smallest);
    hd__mpi_drop_route(m, &route);
    return status;
}

// The ends of edges become their roots; those within a tree go.
static hd_status relabel(search *s, hd_status status)
{
    hd_mpi *m = s->m;
    hd__mpi_requests asked;
    hd_view ends = HD_EMPTY, fetched;
    const int64_t edges = s->u.shape[0];
    if (status == HD_OK) status = concatenate(m, s->u, s->v, &ends);
    status = hd__mpi_request(m, status, s->begin, ends, &asked);
    status = hd__mpi_fetch(m, status, &asked, s->f, &fetched);
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_gather(m->ctx, fetched, hd_slice(asked.slot, 0, 0, edges, 1), s->u, NULL));
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_gather(m->ctx, fetched, hd_slice(asked.slot, 0, edges, edges, 1), s->v, NULL));
    hd__mpi_drop(m, &ends);
    hd__mpi_drop(m, &fetched);
    hd__mpi_drop_requests(m, &asked);
    return status == HD_OK ? keep_different(m, &s->u, &s->v) : status;
}

// What hung on a root that hooked later hangs on the last one.
static hd_status finish(search *s)
{
    hd_mpi *m = s->m;
    const int64_t n = s->f.shape[0];
    int64_t count = 0;
    hd_view at = HD_EMPTY, flags = HD_EMPTY;
    hd_status status = hd__mpi_row(m, HD_BOOL, n, &flags);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, n, &at);
    if (status == HD_OK)
        status =
            hd__mpi_failed(m, hd_map(m->ctx, s->f, HD_WITH_STATE(is_no_root, &s->begin[m->rank]),
                                     flags, &(hd_map_options){.with = HD_VIEWS(hd_iota(n))}));
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_compact(m->ctx, hd_iota(n), at, HD_VIEW(&count, 1),
                                              &(hd_compact_options){.flags = &flags}));
    at.shape[0] = count;
    return jump(s, hd__mpi_agree(m, status), at);
}

static hd_status label(search *s)
{
    hd_mpi *m = s->m;
    const int64_t n = s->begin[m->rank + 1] - s->begin[m->rank];
    const hd_view own = hd_progression(s->begin[m->rank], 1, n);
    hd_status status = hd__mpi_copy(m, &own, HD_I64, &s->f);
    for (int64_t first, edges;;) {
        if (status == HD_OK) status = reduce_edges(s);
        status = hd__mpi_layout(m, status, status == HD_OK ? s->u.shape[0] : 0, &first, &edges);
        if (status != HD_OK) return status;
        if (edges == 0) break;
        s->rounds++;
        status = relabel(s, hook(s, status));
    }
    return finish(s);
}

// ---- The call -----------------------------------------------------------------------------------

static hd_status check(search *s, const hd_view *u, const hd_view *v, const hd_view *out,
                       const hd_components_options *o)
{
    hd_mpi *m = s->m;
    hd_status status = hd__mpi_check_size(m, call, o->size, sizeof *o);
    if (status == HD_OK) status = m->staging;
    if (status == HD_OK) status = hd__mpi_check_number(m, call, "count", o->count);
    if (status == HD_OK) status = hd__mpi_check_number(m, call, "rounds", o->rounds);
    if (status == HD_OK) status = hd__mpi_integers(m, call, "u", u, &s->u);
    if (status == HD_OK) status = hd__mpi_integers(m, call, "v", v, &s->v);
    if (status == HD_OK) status = hd__mpi_check_row(m, call, "label", out);
    if (status == HD_OK && s->u.shape[0] != s->v.shape[0])
        status =
            hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: u has %lld elements and v %lld; expected as many",
                         call, (long long)s->u.shape[0], (long long)s->v.shape[0]);
    if (status == HD_OK) status = hd__mpi_check_apart(m, call, "label", out, "u", &s->u);
    return status != HD_OK ? status : hd__mpi_check_apart(m, call, "label", out, "v", &s->v);
}

// The first edge of all ranks with an end that is no node.
static hd_status check_nodes(const search *s, hd_status status, const char *what,
                             const hd_view *was, hd_view node)
{
    int64_t bad = -1, here = -1;
    const int64_t nodes = status == HD_OK ? s->begin[s->m->ranks] : 0;
    status = hd__mpi_first_bad(s->m, status, node, nodes, &bad, &here);
    if (status == HD_OK && here >= 0)
        status = hd__mpi_fail_bad(s->m, call, what, was, bad, here, nodes);
    return hd__mpi_agree(s->m, status);
}

static hd_status tell(search *s, const hd_components_options *o)
{
    hd_mpi *m = s->m;
    int64_t roots = 0, first;
    hd_status status = hd__mpi_failed(
        m, hd_reduce(m->ctx, s->f, HD_SUM, HD_VIEW(&roots, 1),
                     &(hd_reduce_options){.map = HD_WITH_STATE(is_root, &s->begin[m->rank]),
                                          .with = HD_VIEWS(hd_iota(s->f.shape[0]))}));
    status = hd__mpi_layout(m, status, roots, &first, &roots);
    if (status != HD_OK) return status;
    hd__mpi_give_number(o->count, roots);
    hd__mpi_give_number(o->rounds, s->rounds);
    return HD_OK;
}

hd_status hd_mpi_components(hd_mpi *mpi, hd_view u, hd_view v, hd_view label_out,
                            const hd_components_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd_components_options o = HD__MPI_OPTIONS(hd_components_options, options);
    hd__mpi_stage(mpi, &u, HD__MPI_READ);
    hd__mpi_stage(mpi, &v, HD__MPI_READ);
    hd__mpi_stage(mpi, &label_out, HD__MPI_WRITTEN);
    hd__mpi_stage_option(mpi, &o.count, HD__MPI_UPDATED);
    hd__mpi_stage_option(mpi, &o.rounds, HD__MPI_UPDATED);
    search s = {.m = mpi};
    hd_status status = check(&s, &u, &v, &label_out, &o);
    status = hd__mpi_begins(mpi, status, status == HD_OK ? label_out.shape[0] : 0, &s.begin);
    if (status == HD_OK)
        status = hd__mpi_check_holds(mpi, call, "label", &label_out, s.begin[mpi->ranks]);
    status = check_nodes(&s, status, "node u of edge", &u, s.u);
    status = check_nodes(&s, status, "node v of edge", &v, s.v);
    if (status == HD_OK) status = label(&s);
    if (status == HD_OK) status = tell(&s, &o);
    if (status == HD_OK) status = hd__mpi_failed(mpi, hd_map(mpi->ctx, s.f, NULL, label_out, NULL));
    return hd__mpi_end(mpi, status);
}
