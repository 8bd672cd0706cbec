// SPDX-License-Identifier: Apache-2.0
// hd_mpi_compact: each rank compacts its own elements; where they are to be distributed evenly over
// the ranks again, they are sent on.
#include "mpi/direct.h"
#include "mpi/stage.h"
#include "mpi/views.h"
#include "redistribute.h"

static const char call[] = "hd_mpi_compact";

static hd_status check(hd_mpi *m, const hd_view *in, const hd_view *out, const hd_view *count,
                       const hd_compact_options *o)
{
    hd_status status = hd__mpi_check_size(m, call, o->size, sizeof *o);
    if (status == HD_OK) status = m->staging;
    if (status == HD_OK) status = hd__mpi_check_row(m, call, "in", in);
    if (status == HD_OK) status = hd__mpi_check_row(m, call, "out", out);
    if (status != HD_OK) return status;
    if (count->type != HD_I64 || hd_count(*count) != 1 || count->space != HD_HOST ||
        count->data == NULL || count->read_only != 0)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: count is not one i64 in host memory", call);
    if (o->indices != NULL)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: indices is no option here", call);
    return HD_OK;
}

static hd_status compact_here(hd_mpi *m, hd_view in, hd_view out, int64_t *kept,
                              const hd_compact_options *o)
{
    return hd__mpi_failed(m, hd_compact(m->ctx, in, out, HD_VIEW(kept, 1), o));
}

// The kept elements of all ranks, distributed evenly.
static hd_status even_out(hd_mpi *m, hd_status status, hd_view here, int64_t kept, hd_view *out)
{
    int64_t first = 0, all = 0;
    status = hd__mpi_layout(m, status, kept, &first, &all);
    if (status != HD_OK) return status;
    const int64_t mine =
        hd_mpi_even(all, m->rank + 1, m->ranks) - hd_mpi_even(all, m->rank, m->ranks);
    if (out->shape[0] < mine)
        status =
            hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: out has room for %lld elements; expected %lld",
                         call, (long long)out->shape[0], (long long)mine);
    else
        out->shape[0] = mine;
    here.shape[0] = kept;
    return hd__mpi_move(m, status, here, *out);
}

hd_status hd_mpi_compact(hd_mpi *mpi, hd_view in, hd_view out, hd_view count, bool even,
                         const hd_compact_options *options)
{
    int64_t kept = 0;
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd__mpi_take_device(mpi);
    hd_compact_options o = HD__MPI_OPTIONS(hd_compact_options, options);
    hd__mpi_stage(mpi, &in, HD__MPI_READ);
    hd__mpi_stage(mpi, &out, HD__MPI_UPDATED);
    hd__mpi_stage_small(mpi, &count, HD__MPI_WRITTEN);
    hd__mpi_stage_option(mpi, &o.flags, HD__MPI_READ);
    hd__mpi_stage_list(mpi, &o.with, 0);
    hd_view here = out;
    hd_status status = check(mpi, &in, &out, &count, &o);
    if (status == HD_OK && even) status = hd__mpi_row_near(mpi, &out, in.type, in.shape[0], &here);
    if (status == HD_OK) status = compact_here(mpi, in, here, &kept, &o);
    if (even) {
        status = even_out(mpi, status, here, kept, &out);
        kept = out.shape[0];
    }
    if (status == HD_OK) *(int64_t *)count.data = kept;
    return hd__mpi_end(mpi, status);
}
