// SPDX-License-Identifier: Apache-2.0
// hd_mpi_unique and hd_mpi_run_lengths: a run is kept by the rank on which it begins, which knows
// where the next one begins by the first of each rank.
#include "mpi/direct.h"
#include "mpi/fold/heads.h"
#include "mpi/layout.h"
#include "mpi/stage.h"
#include "mpi/views.h"
#include "rebalance.h"

typedef struct runs {
    hd_mpi *m;
    const char *call;
    hd_view in; // a row without gaps
    const hd_view *out, *lengths, *indices, *count;
    const hd_comparison *comparison;
    const int64_t *begin;
    hd_view heads; // positions on this rank
} runs;

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

static hd_status check(runs *r, const hd_view *in, size_t size, size_t known)
{
    hd_mpi *m = r->m;
    hd_status status = hd__mpi_check_size(m, r->call, size, known);
    if (status == HD_OK) status = m->staging;
    if (status == HD_OK && !is_given(r->count))
        status = hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: count is empty", r->call);
    if (status == HD_OK) status = hd__mpi_check_number(m, r->call, "count", r->count);
    if (status == HD_OK) status = hd__mpi_dense(m, r->call, "in", in, &r->in);
    if (status == HD_OK) status = hd__mpi_check_rebalanced(m, r->call, "out", r->out, r->in.type);
    if (status == HD_OK)
        status = hd__mpi_check_rebalanced(m, r->call, "lengths", r->lengths, HD_I64);
    return status != HD_OK ? status
                           : hd__mpi_check_rebalanced(m, r->call, "indices", r->indices, HD_I64);
}

static hd_status find_runs(runs *r, hd_status status, bool even)
{
    hd_mpi *m = r->m;
    const hd__mpi_number same[] = {{"the type of in", r->in.type},
                                   {"whether there is an out", is_given(r->out)},
                                   {"whether there are lengths", is_given(r->lengths)},
                                   {"whether there are indices", is_given(r->indices)},
                                   {"even", even}};
    status = hd__mpi_same_numbers(m, status, r->call, same, 5);
    status = hd__mpi_begins(m, status, status == HD_OK ? r->in.shape[0] : 0, &r->begin);
    if (status != HD_OK) return status;
    const int64_t all = r->begin[m->ranks];
    if (is_given(r->lengths))
        status = hd__mpi_check_holds(m, r->call, "lengths", r->lengths, all + 1);
    if (status == HD_OK && is_given(r->indices))
        status = hd__mpi_check_holds(m, r->call, "indices", r->indices, all);
    return hd__mpi_find_heads(m, status, r->begin, r->in, r->comparison, &r->heads);
}

// From each head to the next one, the last of a rank to the first of those behind.
static hd_status measure(const runs *r, hd_view *lengths)
{
    hd_mpi *m = r->m;
    hd_view firsts = HD_EMPTY;
    const int64_t n = r->heads.shape[0], *head = r->heads.data, first = r->begin[m->rank];
    const int64_t mine = n > 0 ? first + head[0] : -1;
    hd_status status = hd__mpi_row(m, HD_I64, m->ranks, &firsts);
    if (status == HD_OK) status = hd__mpi_row(m, HD_I64, n, lengths);
    status = hd__mpi_agree(m, status);
    if (status != HD_OK) return status;
    int64_t *of = firsts.data, *length = lengths->data, end = r->begin[m->ranks];
    status = hd__mpi_status(m, MPI_Allgather(&mine, 1, MPI_INT64_T, of, 1, MPI_INT64_T, m->comm));
    for (int k = m->ranks - 1; k > m->rank; k--)
        if (of[k] >= 0) end = of[k];
    for (int64_t j = 0; j < n; j++)
        length[j] = (j + 1 < n ? first + head[j + 1] : end) - first - head[j];
    hd__mpi_drop(m, &firsts);
    return status;
}

static hd_status run(runs *r, hd_status status, bool even)
{
    hd_mpi *m = r->m;
    hd__mpi_rebalance balance;
    hd_view values = HD_EMPTY, lengths = HD_EMPTY;
    status = find_runs(r, status, even);
    if (status == HD_OK && is_given(r->lengths)) status = measure(r, &lengths);
    if (status == HD_OK && is_given(r->out)) status = hd__mpi_gathered(m, r->in, r->heads, &values);
    status = hd__mpi_plan_rebalance(m, status, r->call, status == HD_OK ? r->heads.shape[0] : 0,
                                    even, &balance);
    if (status != HD_OK) return status;
    *(int64_t *)r->count->data = balance.mine;
    status = hd__mpi_rebalance_into(&balance, status, "out", values, r->out);
    status = hd__mpi_rebalance_into(&balance, status, "lengths", lengths, r->lengths);
    if (status == HD_OK) status = hd__mpi_make_local(m, r->heads, -r->begin[m->rank]);
    return hd__mpi_rebalance_into(&balance, status, "indices", r->heads, r->indices);
}

hd_status hd_mpi_unique(hd_mpi *mpi, hd_view in, hd_view out, hd_view count, bool even,
                        const hd_unique_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd__mpi_take_device(mpi);
    hd_unique_options o = HD__MPI_OPTIONS(hd_unique_options, options);
    hd__mpi_stage(mpi, &in, HD__MPI_READ);
    hd__mpi_stage(mpi, &out, HD__MPI_UPDATED);
    hd__mpi_stage_small(mpi, &count, HD__MPI_UPDATED);
    hd__mpi_stage_option(mpi, &o.indices, HD__MPI_UPDATED);
    runs r = {.m = mpi,
              .call = "hd_mpi_unique",
              .out = &out,
              .count = &count,
              .indices = o.indices,
              .comparison = o.comparison};
    const hd_status status = check(&r, &in, o.size, sizeof o);
    return hd__mpi_end(mpi, run(&r, status, even));
}

hd_status hd_mpi_run_lengths(hd_mpi *mpi, hd_view in, hd_view values, hd_view lengths,
                             hd_view count, bool even, const hd_run_lengths_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd__mpi_take_device(mpi);
    hd_run_lengths_options o = HD__MPI_OPTIONS(hd_run_lengths_options, options);
    hd__mpi_stage(mpi, &in, HD__MPI_READ);
    hd__mpi_stage(mpi, &values, HD__MPI_UPDATED);
    hd__mpi_stage(mpi, &lengths, HD__MPI_UPDATED);
    hd__mpi_stage_small(mpi, &count, HD__MPI_UPDATED);
    hd__mpi_stage_option(mpi, &o.indices, HD__MPI_UPDATED);
    runs r = {.m = mpi,
              .call = "hd_mpi_run_lengths",
              .out = &values,
              .lengths = &lengths,
              .count = &count,
              .indices = o.indices,
              .comparison = o.comparison};
    hd_status status = check(&r, &in, o.size, sizeof o);
    if (status == HD_OK && !is_given(&lengths))
        status = hd__mpi_fail(mpi, HD_ERROR_ARGUMENT, "%s: lengths is empty", r.call);
    return hd__mpi_end(mpi, run(&r, status, even));
}
