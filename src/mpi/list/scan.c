// SPDX-License-Identifier: Apache-2.0
// hd_mpi_list_scan: each node learns its list's first node and its distance from it, the lists lie
// one behind the other in the order of their first nodes, and so each node knows where its value
// belongs in that sequence. Values go there, are scanned with a segment for each list, and come
// back.
#include "contract.h"
#include "links.h"
#include "mpi/fold/scan_segments.h"
#include "mpi/layout.h"
#include "mpi/move/requests.h"
#include "mpi/move/route.h"
#include "mpi/stage.h"
#include "mpi/views.h"

static const char call[] = "hd_mpi_list_scan";

typedef struct list_scan {
    hd_mpi *m;
    hd__mpi_list l;
    hd_view next, number, values, out; // number: the links as i64; values: a row without gaps
    const hd_operator *op;
    hd_list_options o;
    hd_view tails;          // positions of last nodes
    hd_view head, position; // of each node's list; of its value in the sequence of all lists
    hd_view length, begin;  // of the list that a node is the first of: elements, where they begin
} list_scan;

static hd_status check(list_scan *s)
{
    hd_mpi *m = s->m;
    hd_status status = hd__mpi_check_size(m, call, s->o.size, sizeof s->o);
    if (status == HD_OK) status = m->staging;
    if (status == HD_OK &&
        (s->o.method != HD_LIST_EFFICIENT || s->o.reserved_flag || s->o.from_head ||
         s->o.heads != NULL || s->o.steps != NULL || s->o.work != NULL))
        status = hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                              "%s: options are exclusive, backward, init and lists", call);
    if (status == HD_OK) status = hd__mpi_check_number(m, call, "lists", s->o.lists);
    if (status == HD_OK) status = hd__mpi_integers(m, call, "next", &s->next, &s->number);
    if (status == HD_OK) status = hd__mpi_dense(m, call, "values", &s->values, &s->values);
    if (status == HD_OK) status = hd__mpi_check_row(m, call, "out", &s->out);
    if (status == HD_OK && s->out.read_only != 0)
        status = hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: out is read-only", call);
    const int64_t n = s->number.shape[0];
    if (status == HD_OK && (s->values.shape[0] != n || s->out.shape[0] != n))
        status = hd__mpi_fail(m, HD_ERROR_SHAPE,
                              "%s: %lld values and %lld outputs; expected %lld, "
                              "as links",
                              call, (long long)s->values.shape[0], (long long)s->out.shape[0],
                              (long long)n);
    return status;
}

// ---- Where values belong ------------------------------------------------------------------------

HD_FUNCTION_STATE(is_last, bool, HD_NO_SOURCE, (int64_t, next, int64_t, i), int64_t,
                  { return next == *state + i; })
HD_FUNCTION(sum, int64_t, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a + b; })
HD_FUNCTION(one_more, int64_t, HD_NO_SOURCE, (int64_t, a), { return a + 1; })
HD_FUNCTION_STATE(from_end, int64_t, HD_NO_SOURCE, (int64_t, at), int64_t,
                  { return *state - 1 - at; })
HD_FUNCTION_STATE(begin_from_end, int64_t, HD_NO_SOURCE, (int64_t, begin, int64_t, length), int64_t,
                  { return *state - begin - length; })

static hd_status find_tails(list_scan *s)
{
    hd_mpi *m = s->m;
    const int64_t n = s->l.n;
    int64_t count = 0;
    hd_view flags = HD_EMPTY;
    hd_status status = hd__mpi_row(m, HD_BOOL, n, &flags);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, n, &s->tails);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_map(m->ctx, s->l.next,
                                          HD_WITH_STATE(is_last, &s->l.begin[m->rank]), flags,
                                          &(hd_map_options){.with = HD_VIEWS(hd_iota(n))}));
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_compact(m->ctx, hd_iota(n), s->tails, HD_VIEW(&count, 1),
                                              &(hd_compact_options){.flags = &flags}));
    s->tails.shape[0] = count;
    hd__mpi_drop(m, &flags);
    return status;
}

// Last nodes tell the first ones how long their lists are.
static hd_status find_lengths(list_scan *s, hd_status status, hd_view rank)
{
    hd_mpi *m = s->m;
    hd__mpi_route route;
    hd_view head = HD_EMPTY, length = HD_EMPTY, at, came;
    if (status == HD_OK) status = hd__mpi_filled(m, s->l.n, 0, &s->length);
    if (status == HD_OK) status = hd__mpi_gathered(m, s->head, s->tails, &head);
    if (status == HD_OK) status = hd__mpi_gathered(m, rank, s->tails, &length);
    if (status == HD_OK) status = hd__mpi_failed(m, hd_map(m->ctx, length, one_more, length, NULL));
    status = hd__mpi_find_route(m, status, s->l.begin, head, &route);
    status = hd__mpi_deliver_indices(m, status, &route, s->l.begin, head, &at);
    status = hd__mpi_deliver(m, status, &route, length, &came);
    if (status == HD_OK) status = hd__mpi_failed(m, hd_scatter(m->ctx, came, at, s->length, NULL));
    hd_view *rows[] = {&head, &length, &at, &came};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) hd__mpi_drop(m, rows[k]);
    hd__mpi_drop_route(m, &route);
    return status;
}

// Lists lie in the order of their first nodes: the sums of the lengths before.
static hd_status find_begins(list_scan *s, hd_status status)
{
    hd_mpi *m = s->m;
    int64_t sum_here = 0, first = 0, all = 0;
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, s->l.n, &s->begin);
    if (status == HD_OK)
        status =
            hd__mpi_failed(m, hd_reduce(m->ctx, s->length, HD_SUM, HD_VIEW(&sum_here, 1), NULL));
    status = hd__mpi_layout(m, status, sum_here, &first, &all);
    if (status != HD_OK) return status;
    return hd__mpi_failed(m, hd_scan(m->ctx, s->length, HD_SUM, s->begin,
                                     &(hd_scan_options){.exclusive = true, .init = &first}));
}

static hd_status find_places(list_scan *s, hd_status status, hd_view rank)
{
    hd_mpi *m = s->m;
    hd__mpi_requests asked;
    hd_view fetched;
    const int64_t *all = &s->l.begin[m->ranks];
    status = hd__mpi_request(m, status, s->l.begin, s->head, &asked);
    status = hd__mpi_fetch(m, status, &asked, s->begin, &fetched);
    if (status == HD_OK) status = hd__mpi_gathered(m, fetched, asked.slot, &s->position);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_map(m->ctx, s->position, sum, s->position,
                                          &(hd_map_options){.with = HD_VIEWS(rank)}));
    if (status == HD_OK && s->o.backward)
        status = hd__mpi_failed(
            m, hd_map(m->ctx, s->position, HD_WITH_STATE(from_end, all), s->position, NULL));
    hd__mpi_drop(m, &fetched);
    hd__mpi_drop_requests(m, &asked);
    return status;
}

static hd_status lay_out(list_scan *s, hd_status status)
{
    hd_mpi *m = s->m;
    hd_view rank = HD_EMPTY;
    if (status == HD_OK) status = find_tails(s);
    if (status == HD_OK) status = hd__mpi_turn_links(&s->l);
    status = hd__mpi_agree(m, status);
    status = hd__mpi_rank_list(&s->l, status, &rank, &s->head);
    if (status == HD_OK) status = hd__mpi_check_circles(&s->l, call, rank);
    status = hd__mpi_agree(m, status);
    status = find_lengths(s, status, rank);
    status = find_begins(s, status);
    status = find_places(s, status, rank);
    hd__mpi_drop(m, &rank);
    return status;
}

// ---- The scan -----------------------------------------------------------------------------------

// Where lists begin among this rank's positions, rising.
static hd_status find_segments(list_scan *s, hd_status status, hd_view *segments)
{
    hd_mpi *m = s->m;
    hd__mpi_route route;
    hd_view begins = HD_EMPTY, came;
    int64_t count = 0;
    const int64_t *all = &s->l.begin[m->ranks];
    if (status == HD_OK && s->o.backward)
        status =
            hd__mpi_failed(m, hd_map(m->ctx, s->begin, HD_WITH_STATE(begin_from_end, all), s->begin,
                                     &(hd_map_options){.with = HD_VIEWS(s->length)}));
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, s->l.n, &begins);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_compact(m->ctx, s->begin, begins, HD_VIEW(&count, 1),
                                              &(hd_compact_options){.flags = &s->length}));
    begins.shape[0] = count;
    status = hd__mpi_find_route(m, status, s->l.begin, begins, &route);
    status = hd__mpi_deliver(m, status, &route, begins, &came);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, came.shape[0], segments);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_sort(m->ctx, came, *segments, HD_NO_VALUES, NULL));
    hd__mpi_drop(m, &begins);
    hd__mpi_drop(m, &came);
    hd__mpi_drop_route(m, &route);
    return status;
}

// The values in the order of the lists.
static hd_status arrange(list_scan *s, hd_status status, hd_view *sequence)
{
    hd_mpi *m = s->m;
    hd__mpi_route route;
    hd_view at, came;
    status = hd__mpi_find_route(m, status, s->l.begin, s->position, &route);
    status = hd__mpi_deliver_indices(m, status, &route, s->l.begin, s->position, &at);
    status = hd__mpi_deliver(m, status, &route, s->values, &came);
    if (status == HD_OK) status = hd__mpi_row(m, s->values.type, s->l.n, sequence);
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_scatter(m->ctx, came, at, *sequence, &(hd_scatter_options){.unique = true}));
    hd__mpi_drop(m, &at);
    hd__mpi_drop(m, &came);
    hd__mpi_drop_route(m, &route);
    return status;
}

static hd_status come_back(const list_scan *s, hd_status status, hd_view results)
{
    hd_mpi *m = s->m;
    hd__mpi_requests asked;
    hd_view fetched;
    status = hd__mpi_request(m, status, s->l.begin, s->position, &asked);
    status = hd__mpi_fetch(m, status, &asked, results, &fetched);
    return status != HD_OK
               ? status
               : hd__mpi_failed(m, hd_gather(m->ctx, fetched, asked.slot, s->out, NULL));
}

static hd_status run(list_scan *s, hd_status status)
{
    hd_mpi *m = s->m;
    hd_view sequence = HD_EMPTY, results = HD_EMPTY, segments = hd_view_of(HD_I64, NULL, 0);
    const hd__mpi_number same[] = {{"the type of values", s->values.type},
                                   {"the type of out", s->out.type},
                                   {"exclusive", s->o.exclusive},
                                   {"backward", s->o.backward}};
    status = hd__mpi_same_numbers(m, status, call, same, 4);
    s->l.n = status == HD_OK ? s->number.shape[0] : 0;
    status = hd__mpi_begins(m, status, s->l.n, &s->l.begin);
    if (status != HD_OK) return status; // on every rank
    status = hd__mpi_read_links(&s->l, status, call, s->next.type, s->number);
    status = lay_out(s, status);
    status = arrange(s, status, &sequence);
    status = find_segments(s, status, &segments);
    if (status == HD_OK) status = hd__mpi_row(m, s->out.type, s->l.n, &results);
    status = hd__mpi_scan_slices(
        m, status, sequence, s->op, results,
        &(hd_scan_options){.exclusive = s->o.exclusive, .init = s->o.init, .segments = &segments});
    status = come_back(s, status, results);
    if (status == HD_OK) hd__mpi_give_number(s->o.lists, s->l.lists);
    return status;
}

hd_status hd_mpi_list_scan(hd_mpi *mpi, hd_view next, hd_view values, const hd_operator *op,
                           hd_view out, const hd_list_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    list_scan s = {.m = mpi, .next = next, .values = values, .out = out, .op = op};
    s.l.m = mpi;
    s.o = HD__MPI_OPTIONS(hd_list_options, options);
    hd__mpi_stage(mpi, &s.next, HD__MPI_READ);
    hd__mpi_stage(mpi, &s.values, HD__MPI_READ);
    hd__mpi_stage(mpi, &s.out, HD__MPI_WRITTEN);
    hd__mpi_stage_option(mpi, &s.o.lists, HD__MPI_UPDATED);
    return hd__mpi_end(mpi, run(&s, check(&s)));
}
