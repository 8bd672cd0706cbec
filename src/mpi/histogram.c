// SPDX-License-Identifier: Apache-2.0
// hd_mpi_histogram: each rank counts its own elements; bins are added up, not elements sent.
#include "ranks.h"

#include <limits.h>
#include <string.h>

static const char call[] = "hd_mpi_histogram";

static bool is_counted(hd_type type)
{
    return type == HD_I32 || type == HD_U32 || type == HD_I64 || type == HD_U64;
}

static hd_status check(hd_mpi *m, const hd_view *out, const hd_histogram_options *o)
{
    int64_t next = 1;
    for (int axis = out->ndim - 1; axis >= 0 && axis < HD_MAX_DIMS; axis--) {
        if (out->shape[axis] > 1 && out->stride[axis] != next) next = -1;
        next *= out->shape[axis];
    }
    if (out->space != HD_HOST || next < 0 || hd_count(*out) < 1 || out->data == NULL)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                            "%s: out is not in host memory, one bin behind the other", call);
    if (!is_counted(out->type))
        return hd__mpi_fail(m, HD_ERROR_TYPE,
                            "%s: out is %s; expected i32, u32, i64 or u64: sums of float weights "
                            "have an order",
                            call, hd_type_name(out->type));
    if (o != NULL && o->outside != NULL &&
        (o->outside->type != HD_I64 || hd_count(*o->outside) != 1 || o->outside->space != HD_HOST ||
         o->outside->data == NULL))
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: outside is not one i64 in host memory",
                            call);
    return HD_OK;
}

static MPI_Datatype mpi_type(hd_type type)
{
    return hd_type_size(type) == 4 ? MPI_UINT32_T : MPI_UINT64_T; // sums wrap alike
}

static hd_status add_up(hd_mpi *m, void *bins, hd_type type, int64_t n)
{
    const int64_t chunk = (int64_t)1 << 24, size = (int64_t)hd_type_size(type);
    hd_status status = HD_OK;
    for (int64_t at = 0; at < n && status == HD_OK; at += chunk)
        status = hd__mpi_status(m, MPI_Allreduce(MPI_IN_PLACE, (char *)bins + at * size,
                                                 (int)(n - at < chunk ? n - at : chunk),
                                                 mpi_type(type), MPI_SUM, m->comm));
    return status;
}

hd_status hd_mpi_histogram(hd_mpi *mpi, hd_view in, hd_view out,
                           const hd_histogram_options *options)
{
    hd_histogram_options mine = {0};
    int64_t outside = 0;
    const hd_view outside_here = HD_VIEW(&outside, 1);
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd_status status = check(mpi, &out, options);
    if (options != NULL) mine = *options;
    mine.add = mine.add && mpi->rank == 0;
    if (mine.outside != NULL) mine.outside = &outside_here;
    if (status == HD_OK)
        status = hd__mpi_failed(mpi, hd_histogram(mpi->ctx, in, out, options ? &mine : NULL));
    status = hd__mpi_same(mpi, status, call, "the number of bins", hd_count(out));
    if (status == HD_OK) status = hd__mpi_same(mpi, status, call, "the type of out", out.type);
    if (status == HD_OK)
        status = hd__mpi_same(mpi, status, call, "whether there is outside", mine.outside != NULL);
    if (status == HD_OK) status = add_up(mpi, out.data, out.type, hd_count(out));
    if (status == HD_OK && mine.outside != NULL) {
        status = add_up(mpi, &outside, HD_I64, 1);
        if (status == HD_OK) *(int64_t *)options->outside->data = outside;
    }
    return hd__mpi_end(mpi, status);
}
