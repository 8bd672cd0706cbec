// SPDX-License-Identifier: Apache-2.0
//
// What the rows of all patterns share: views of arrays, and Heddle's calls.
#include "pattern.h"

hd_view row_view(int32_t type, const void *data, int64_t n)
{
    return hd_view_of(hd_type_named(data_type_name(type)), data, n);
}

void row_call_reduce(bench_row *row)
{
    const hd_status status =
        hd_reduce(row->ctx, row->in, row->op, row->out, row->with_options ? &row->reduce : NULL);
    if (status) row->status = status;
}

void row_call_scan(bench_row *row)
{
    const hd_status status =
        hd_scan(row->ctx, row->in, row->op, row->out, row->with_options ? &row->scan : NULL);
    if (status) row->status = status;
}

void row_set(bench_row *row, int32_t pattern, const void *in, void *out, int64_t out_n)
{
    const bench_case *what = row->what;
    peer_job *job = &row->job;
    job->pattern = pattern, job->op = what->peer_op;
    job->type = what->peer_type, job->out_type = what->peer_out_type;
    job->in = in, job->out = out;
    row->op = what->operator? what->operator: hd_operator_named(what->op);
    row->in = row_view(job->type, in, job->n);
    row->out = row_view(job->out_type, out, out_n);
    row->heddle = pattern == PEER_SCAN ? row_call_scan : row_call_reduce;
}
