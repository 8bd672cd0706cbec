// SPDX-License-Identifier: Apache-2.0
// hd_mpi_partition: each rank partitions its own elements, and the counts of all ranks say where
// each one goes: behind the buckets before its own, and behind the same bucket of lower ranks.
#include "mpi/direct.h"
#include "mpi/layout.h"
#include "mpi/move/route.h"
#include "mpi/stage.h"
#include "mpi/views.h"
#include "rebalance.h"

static const char call[] = "hd_mpi_partition";

typedef struct partitioning {
    hd_mpi *m;
    hd_view in, out, counts;
    hd_partition_options o;
    int64_t ways, first; // buckets; the index of this rank's first element
    const int64_t *begin;
    hd_view packed, index;     // by bucket; and the global indices of these, if they are asked for
    hd_view mine, before, all; // counts of each bucket: here, on lower ranks, on all
    hd_view to;                // where each packed element goes
} partitioning;

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

// ---- Checks -------------------------------------------------------------------------------------

// A view that receives an integer for each bucket: n of them.
static hd_status check_list(const partitioning *p, const char *name, const hd_view *v, int64_t n)
{
    const hd_status status = hd__mpi_check_rebalanced(p->m, call, name, v, HD_I64);
    if (status != HD_OK || !is_given(v) || v->shape[0] == n) return status;
    return hd__mpi_fail(p->m, HD_ERROR_SHAPE, "%s: %s has %lld elements; expected %lld", call, name,
                        (long long)v->shape[0], (long long)n);
}

static hd_status check(partitioning *p)
{
    hd_mpi *m = p->m;
    hd_status status = hd__mpi_check_size(m, call, p->o.size, sizeof p->o);
    if (status == HD_OK) status = m->staging;
    p->ways = p->o.ways > 0 ? p->o.ways : 2;
    if (status == HD_OK && (p->in.ndim != 1 || p->in.shape[0] < 0))
        status = hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: in has %d dimensions; expected one", call,
                              (int)p->in.ndim);
    if (status == HD_OK) status = hd__mpi_check_rebalanced(m, call, "out", &p->out, p->in.type);
    if (status == HD_OK && !is_given(&p->out))
        status = hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: out is empty", call);
    if (status == HD_OK) status = check_list(p, "counts", &p->counts, p->ways);
    if (status == HD_OK) status = check_list(p, "offsets", p->o.offsets, p->ways + 1);
    if (status == HD_OK) status = check_list(p, "indices", p->o.indices, p->out.shape[0]);
    return status;
}

// ---- Steps --------------------------------------------------------------------------------------

static hd_status lay_out(partitioning *p, hd_status status)
{
    hd_mpi *m = p->m;
    const bool well = status == HD_OK;
    int64_t all = 0;
    const hd__mpi_number same[] = {{"the type of in", p->in.type},
                                   {"ways", p->ways},
                                   {"whether there are indices", is_given(p->o.indices)}};
    status = hd__mpi_same_numbers(m, status, call, same, 3);
    status = hd__mpi_begins(m, status, well ? p->out.shape[0] : 0, &p->begin);
    status = hd__mpi_layout(m, status, well ? p->in.shape[0] : 0, &p->first, &all);
    if (status == HD_OK && p->begin[m->ranks] != all) // on every rank
        status = hd__mpi_fail(m, HD_ERROR_SHAPE,
                              "%s: the outs have room for %lld elements; the ins have %lld", call,
                              (long long)p->begin[m->ranks], (long long)all);
    if (status == HD_OK && is_given(p->o.indices))
        status = hd__mpi_check_holds(m, call, "indices", p->o.indices, all);
    if (status == HD_OK && is_given(&p->counts))
        status = hd__mpi_check_holds(m, call, "counts", &p->counts, all + 1);
    if (status == HD_OK && is_given(p->o.offsets))
        status = hd__mpi_check_holds(m, call, "offsets", p->o.offsets, all + 1);
    return status;
}

static hd_status partition_here(partitioning *p)
{
    hd_mpi *m = p->m;
    const int64_t n = p->in.shape[0];
    hd_partition_options o = p->o;
    hd_status status = hd__mpi_row_near(m, &p->in, p->in.type, n, &p->packed);
    if (status == HD_OK && is_given(o.indices))
        status = hd__mpi_row_near(m, o.indices, HD_I64, n, &p->index);
    hd_view *counts[] = {&p->mine, &p->before, &p->all};
    for (int k = 0; status == HD_OK && k < 3; k++)
        status = hd__mpi_row(m, HD_I64, p->ways, counts[k]);
    if (status != HD_OK) return status;
    o.offsets = NULL;
    o.indices = is_given(o.indices) ? &p->index : NULL;
    status = hd__mpi_failed(m, hd_partition(m->ctx, p->in, p->packed, p->mine, &o));
    if (status == HD_OK && o.indices != NULL) status = hd__mpi_make_local(m, p->index, -p->first);
    return status;
}

static hd_status count_all(const partitioning *p)
{
    hd_mpi *m = p->m;
    const int ways = (int)p->ways;
    hd_status status = hd__mpi_status(
        m, MPI_Exscan(p->mine.data, p->before.data, ways, MPI_INT64_T, MPI_SUM, m->comm));
    if (status == HD_OK)
        status = hd__mpi_status(
            m, MPI_Allreduce(p->mine.data, p->all.data, ways, MPI_INT64_T, MPI_SUM, m->comm));
    return status;
}

HD_FUNCTION(sum, int64_t, HD_NO_SOURCE, (int64_t, a, int64_t, b), { return a + b; })

// Bucket k begins at the sum of those before it; here it stands behind that of lower ranks.
static hd_status find_places(partitioning *p)
{
    hd_mpi *m = p->m;
    const int64_t n = p->in.shape[0], *mine = p->mine.data, *all = p->all.data;
    int64_t *before = p->before.data, count = 0;
    for (int64_t k = 0, at = 0, here = 0; k < p->ways; k++) {
        if (m->rank == 0) before[k] = 0; // Exscan leaves rank 0's alone
        before[k] += at - here;
        at += all[k], here += mine[k];
    }
    hd_status status = hd__mpi_row_near(m, &p->packed, HD_I64, n, &p->to);
    if (status == HD_OK)
        status = hd__mpi_failed(
            m, hd_expand(m->ctx, p->before, p->mine, p->to, HD_VIEW(&count, 1), NULL));
    if (status != HD_OK) return status;
    return hd__mpi_failed(
        m, hd_map(m->ctx, p->to, sum, p->to, &(hd_map_options){.with = HD_VIEWS(hd_iota(n))}));
}

static hd_status put(const partitioning *p, hd_view came, hd_view at, const hd_view *out)
{
    hd_mpi *m = p->m;
    const hd_scatter_options once = {.unique = true};
    hd_view row = HD_EMPTY;
    if (out->type == came.type) return hd__mpi_failed(m, hd_scatter(m->ctx, came, at, *out, &once));
    hd_status status = hd__mpi_row_near(m, out, came.type, out->shape[0], &row);
    if (status == HD_OK) status = hd__mpi_failed(m, hd_scatter(m->ctx, came, at, row, &once));
    if (status == HD_OK) status = hd__mpi_failed(m, hd_map(m->ctx, row, NULL, *out, NULL));
    hd__mpi_drop(m, &row);
    return status;
}

static hd_status move(partitioning *p, hd_status status)
{
    hd_mpi *m = p->m;
    hd__mpi_route route;
    hd_view at, came, index = HD_EMPTY;
    status = hd__mpi_find_route(m, status, p->begin, p->to, &route);
    status = hd__mpi_deliver_indices(m, status, &route, p->begin, p->to, &at);
    status = hd__mpi_deliver(m, status, &route, p->packed, &came);
    if (is_given(p->o.indices)) status = hd__mpi_deliver(m, status, &route, p->index, &index);
    if (status == HD_OK) status = put(p, came, at, &p->out);
    if (status == HD_OK && is_given(p->o.indices)) status = put(p, index, at, p->o.indices);
    return status;
}

static hd_status tell(const partitioning *p)
{
    hd_mpi *m = p->m;
    hd_view begin = HD_EMPTY;
    hd_status status = HD_OK;
    if (is_given(&p->counts))
        status = hd__mpi_failed(m, hd_map(m->ctx, p->all, NULL, p->counts, NULL));
    if (status != HD_OK || !is_given(p->o.offsets)) return status;
    status = hd__mpi_row(m, HD_I64, p->ways + 1, &begin);
    if (status != HD_OK) return status;
    int64_t *at = begin.data;
    at[0] = 0;
    for (int64_t k = 0; k < p->ways; k++) at[k + 1] = at[k] + ((const int64_t *)p->all.data)[k];
    return hd__mpi_failed(m, hd_map(m->ctx, begin, NULL, *p->o.offsets, NULL));
}

static void stage(partitioning *p)
{
    hd__mpi_stage(p->m, &p->in, HD__MPI_READ);
    hd__mpi_stage(p->m, &p->out, HD__MPI_WRITTEN);
    hd__mpi_stage(p->m, &p->counts, HD__MPI_WRITTEN);
    hd__mpi_stage_option(p->m, &p->o.flags, HD__MPI_READ);
    hd__mpi_stage_option(p->m, &p->o.buckets, HD__MPI_READ);
    hd__mpi_stage_option(p->m, &p->o.offsets, HD__MPI_WRITTEN);
    hd__mpi_stage_option(p->m, &p->o.indices, HD__MPI_WRITTEN);
    hd__mpi_stage_list(p->m, &p->o.with, 0);
}

hd_status hd_mpi_partition(hd_mpi *mpi, hd_view in, hd_view out, hd_view counts,
                           const hd_partition_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd__mpi_take_device(mpi);
    partitioning p = {.m = mpi, .in = in, .out = out, .counts = counts};
    p.o = HD__MPI_OPTIONS(hd_partition_options, options);
    stage(&p);
    hd_status status = lay_out(&p, check(&p));
    if (status == HD_OK) status = partition_here(&p);
    status = hd__mpi_agree(mpi, status);
    if (status == HD_OK) status = count_all(&p);
    if (status == HD_OK) status = find_places(&p);
    status = move(&p, status);
    if (status == HD_OK) status = tell(&p);
    return hd__mpi_end(mpi, status);
}
