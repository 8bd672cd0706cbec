// SPDX-License-Identifier: Apache-2.0
// Bins are cut over the ranks. Weights go to the owners of their bins, where those of a bin come in
// the order of the whole sequence, and are summed up as on one machine; then all ranks get all
// bins.
#include "weights.h"

#include <string.h>

#include "bins.h"
#include "mpi/layout.h"
#include "mpi/move/route.h"
#include "mpi/views.h"

static const char call[] = "hd_mpi_histogram";

typedef struct weighing {
    hd_mpi *m;
    const hd_histogram_options *o;
    hd_view in, second, weights; // rows without gaps
    hd_view out, sums;           // the caller's; those of this rank's bins
    hd_view bin;
    int64_t *begin; // bins of all ranks
} weighing;

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

// The checks of the call itself, over no elements and into other bins.
static hd_status check_call(weighing *w)
{
    hd_mpi *m = w->m;
    const hd_view none = hd_slice(w->weights, 0, 0, 0, 1),
                  no_second = is_given(&w->second) ? hd_slice(w->second, 0, 0, 0, 1) : HD_EMPTY;
    hd_view with[HD_MAX_INPUTS], bins = HD_EMPTY;
    hd_histogram_options o = *w->o;
    for (int64_t k = 0; k < o.with.count && k < HD_MAX_INPUTS; k++)
        with[k] = hd_slice(o.with.view[k], 0, 0, 0, 1);
    o.with.view = with;
    o.weights = &none;
    o.second = is_given(&w->second) ? &no_second : NULL;
    o.outside = NULL;
    hd_status status = hd__mpi_rows_like(m, &w->out, w->out.type, w->out.shape[0], &bins);
    if (status == HD_OK && o.add)
        memset(bins.data, 0, (size_t)hd_count(bins) * hd_type_size(bins.type));
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_histogram(m->ctx, hd_slice(w->in, 0, 0, 0, 1), bins, &o));
    hd__mpi_drop(m, &bins);
    return status;
}

static hd_status check(weighing *w, const hd_view *in)
{
    hd_mpi *m = w->m;
    const hd_histogram_options *o = w->o;
    if (o->axis != 0 || is_given(o->segments) || o->with.count > HD_MAX_INPUTS)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: axis and segments are no options here",
                            call);
    hd_status status = hd__mpi_check_size(m, call, o->size, sizeof *o);
    if (status == HD_OK) status = hd__mpi_dense(m, call, "in", in, &w->in);
    if (status == HD_OK) status = hd__mpi_dense(m, call, "weights", o->weights, &w->weights);
    if (status == HD_OK && is_given(o->second))
        status = hd__mpi_dense(m, call, "second", o->second, &w->second);
    if (status != HD_OK) return status;
    if (w->weights.shape[0] != w->in.shape[0] ||
        (is_given(&w->second) && w->second.shape[0] != w->in.shape[0]))
        return hd__mpi_fail(m, HD_ERROR_SHAPE,
                            "%s: weights or second has not the %lld elements of "
                            "in",
                            call, (long long)w->in.shape[0]);
    return check_call(w);
}

// ---- Bins ---------------------------------------------------------------------------------------

HD_FUNCTION_STATE(bin_of_both, int64_t, HD_NO_SOURCE, (int64_t, row, int64_t, column), int64_t,
                  { return row < 0 || column < 0 ? -1 : row * *state + column; })
HD_FUNCTION(has_none, int64_t, HD_NO_SOURCE, (int64_t, bin), { return bin < 0; })

static hd_status find_bins(weighing *w)
{
    hd_mpi *m = w->m;
    const hd_histogram_options *o = w->o;
    const bool both = is_given(&w->second);
    const int64_t columns = both ? w->out.shape[1] : 1;
    hd_view column = HD_EMPTY;
    hd__mpi_bins b = {.in = w->in,
                      .bins = hd_count(w->out) / columns,
                      .map = o->map,
                      .bin = o->bin,
                      .with = o->with,
                      .edges = o->edges,
                      .lower = o->lower,
                      .upper = o->upper,
                      .first = o->first,
                      .letters = o->letters,
                      .even = o->even,
                      .clamp = o->clamp};
    hd_status status = hd__mpi_find_bins(m, &b, &w->bin);
    if (status != HD_OK || !both) return status;
    b = (hd__mpi_bins){.in = w->second,
                       .bins = columns,
                       .edges = o->second_edges,
                       .lower = o->second_lower,
                       .upper = o->second_upper,
                       .first = o->second_first,
                       .even = o->second_even,
                       .clamp = o->clamp};
    status = hd__mpi_find_bins(m, &b, &column);
    if (status == HD_OK)
        status = hd__mpi_failed(m, hd_map(m->ctx, w->bin, HD_WITH_STATE(bin_of_both, &columns),
                                          w->bin, &(hd_map_options){.with = HD_VIEWS(column)}));
    hd__mpi_drop(m, &column);
    return status;
}

static hd_status count_outside(const weighing *w, hd_status status, int64_t *outside)
{
    int64_t mine = 0, first;
    if (status == HD_OK)
        status = hd__mpi_failed(w->m, hd_reduce(w->m->ctx, w->bin, HD_SUM, HD_VIEW(&mine, 1),
                                                &(hd_reduce_options){.map = has_none}));
    return hd__mpi_layout(w->m, status, mine, &first, outside);
}

// ---- Sums ---------------------------------------------------------------------------------------

enum { CHUNK = 1 << 24 };

// What rank 0 had, where sums are added to it.
static hd_status fetch_old(const weighing *w)
{
    hd_mpi *m = w->m;
    const int64_t bytes = hd_count(w->out) * (int64_t)hd_type_size(w->out.type);
    hd_status status = HD_OK;
    for (int64_t at = 0; status == HD_OK && at < bytes; at += CHUNK)
        status = hd__mpi_status(m, MPI_Bcast((char *)w->out.data + at,
                                             (int)(bytes - at < CHUNK ? bytes - at : CHUNK),
                                             MPI_BYTE, 0, m->comm));
    return status;
}

// Each rank's bins for all of them: by "or", as the others' are zero bits.
static hd_status spread(const weighing *w)
{
    hd_mpi *m = w->m;
    const int64_t size = (int64_t)hd_type_size(w->out.type), bytes = hd_count(w->out) * size;
    const int64_t first = w->begin[m->rank];
    hd_status status = HD_OK;
    memset(w->out.data, 0, (size_t)bytes);
    if (w->sums.shape[0] > 0)
        memcpy((char *)w->out.data + first * size, w->sums.data, (size_t)(w->sums.shape[0] * size));
    for (int64_t at = 0; status == HD_OK && at < bytes; at += CHUNK)
        status = hd__mpi_status(m, MPI_Allreduce(MPI_IN_PLACE, (char *)w->out.data + at,
                                                 (int)(bytes - at < CHUNK ? bytes - at : CHUNK),
                                                 MPI_BYTE, MPI_BOR, m->comm));
    return status;
}

// The weights of this rank's bins, in the order of the whole.
static hd_status sum_here(weighing *w, hd_view bin, hd_view weights)
{
    hd_mpi *m = w->m;
    const int64_t first = w->begin[m->rank], n = w->sums.shape[0];
    const size_t size = hd_type_size(w->out.type);
    const hd_histogram_options o = {
        .weights = &weights, .add = w->o->add, .sum = w->o->sum, .accumulate = w->o->accumulate};
    if (n == 0) return HD_OK;
    if (o.add)
        memcpy(w->sums.data, (const char *)w->out.data + (size_t)first * size, (size_t)n * size);
    return hd__mpi_failed(m, hd_histogram(m->ctx, bin, w->sums, &o));
}

static hd_status sum_up(weighing *w, hd_status status)
{
    hd_mpi *m = w->m;
    hd__mpi_route route;
    hd_view begins = HD_EMPTY, bin, weights;
    const int64_t bins = status == HD_OK ? hd_count(w->out) : 0;
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, (int64_t)m->ranks + 1, &begins);
    if (status == HD_OK) {
        w->begin = begins.data;
        for (int r = 0; r <= m->ranks; r++) w->begin[r] = hd_mpi_even(bins, r, m->ranks);
        status = hd__mpi_row(m, w->out.type, w->begin[m->rank + 1] - w->begin[m->rank], &w->sums);
    }
    status = hd__mpi_find_route(m, status, w->begin, w->bin, &route);
    if (status == HD_OK && w->o->add) status = fetch_old(w);
    status = hd__mpi_deliver_indices(m, status, &route, w->begin, w->bin, &bin);
    status = hd__mpi_deliver(m, status, &route, w->weights, &weights);
    if (status == HD_OK) status = sum_here(w, bin, weights);
    status = hd__mpi_agree(m, status);
    return status == HD_OK ? spread(w) : status;
}

hd_status hd__mpi_histogram_weights(hd_mpi *m, hd_view in, hd_view out,
                                    const hd_histogram_options *o, int64_t *outside)
{
    weighing w = {.m = m, .o = o, .out = out};
    hd_status status = check(&w, &in);
    const hd__mpi_number same[] = {{"the type of the weights", w.weights.type}, {"add", o->add}};
    status = hd__mpi_same_numbers(m, status, call, same, 2);
    if (status == HD_OK) status = find_bins(&w);
    status = count_outside(&w, status, outside);
    return sum_up(&w, status);
}
