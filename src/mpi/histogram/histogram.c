// SPDX-License-Identifier: Apache-2.0
// hd_mpi_histogram: each rank counts its own elements; bins are added up, not elements sent.
#include "mpi/layout.h"
#include "mpi/stage.h"
#include "mpi/views.h"
#include "weights.h"

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
    const hd_status status = hd__mpi_check_size(m, call, o->size, sizeof *o);
    if (status != HD_OK || m->staging != HD_OK) return status != HD_OK ? status : m->staging;
    for (int axis = out->ndim - 1; axis >= 0 && axis < HD_MAX_DIMS; axis--) {
        if (out->shape[axis] > 1 && out->stride[axis] != next) next = -1;
        next *= out->shape[axis];
    }
    if (out->space != HD_HOST || next < 0 || hd_count(*out) < 1 || out->data == NULL)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                            "%s: out is not in host memory, one bin behind the other", call);
    const bool weighed = o->weights != NULL && o->weights->type != HD_NONE;
    if (!is_counted(out->type) && !(weighed && out->type >= HD_F16 && out->type <= HD_F64))
        return hd__mpi_fail(m, HD_ERROR_TYPE,
                            "%s: out is %s; expected i32, u32, i64 or u64, or with weights floats",
                            call, hd_type_name(out->type));
    if (out->read_only != 0)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: out is read-only", call);
    if (o->outside != NULL && (o->outside->type != HD_I64 || hd_count(*o->outside) != 1 ||
                               o->outside->space != HD_HOST || o->outside->data == NULL))
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
    const int64_t most = (int64_t)1 << 24, size = (int64_t)hd_type_size(type),
                  fit = m->chunk / size,
                  chunk = fit < 1      ? 1
                          : fit < most ? fit
                                       : most;
    hd_status status = HD_OK;
    for (int64_t at = 0; at < n && status == HD_OK; at += chunk)
        status = hd__mpi_status(m, MPI_Allreduce(MPI_IN_PLACE, (char *)bins + at * size,
                                                 (int)(n - at < chunk ? n - at : chunk),
                                                 mpi_type(type), MPI_SUM, m->comm));
    return status;
}

// Counts, and sums of integers: in any order.
static hd_status count(hd_mpi *m, hd_view in, hd_view out, const hd_histogram_options *options,
                       int64_t *outside)
{
    hd_histogram_options mine = *options;
    const hd_view outside_here = HD_VIEW(outside, 1);
    mine.add = mine.add && m->rank == 0;
    if (mine.outside != NULL) mine.outside = &outside_here;
    hd_status status = hd__mpi_failed(m, hd_histogram(m->ctx, in, out, &mine));
    status = hd__mpi_agree(m, status);
    if (status == HD_OK) status = add_up(m, out.data, out.type, hd_count(out));
    if (status == HD_OK && mine.outside != NULL) status = add_up(m, outside, HD_I64, 1);
    return status;
}

// What is counted stays where it is.
static void stage(hd_mpi *m, hd_view *in, hd_view *out, hd_histogram_options *o)
{
    const hd_view **read[] = {&o->edges, &o->weights, &o->second, &o->second_edges, &o->segments};
    hd__mpi_stage(m, out, HD__MPI_UPDATED);
    hd__mpi_stage_option(m, &o->outside, HD__MPI_UPDATED);
    if (is_counted(out->type)) return;
    hd__mpi_stage(m, in, HD__MPI_READ);
    for (size_t k = 0; k < sizeof read / sizeof read[0]; k++)
        hd__mpi_stage_option(m, read[k], HD__MPI_READ);
    hd__mpi_stage_list(m, &o->with, 0);
}

hd_status hd_mpi_histogram(hd_mpi *mpi, hd_view in, hd_view out,
                           const hd_histogram_options *options)
{
    int64_t outside = 0;
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd_histogram_options o = HD__MPI_OPTIONS(hd_histogram_options, options);
    stage(mpi, &in, &out, &o);
    hd_status status = check(mpi, &out, &o);
    const hd__mpi_number same[] = {{"the number of bins", status == HD_OK ? hd_count(out) : 0},
                                   {"the type of out", out.type},
                                   {"whether there is outside", o.outside != NULL}};
    status = hd__mpi_same_numbers(mpi, status, call, same, 3);
    if (status == HD_OK)
        status = is_counted(out.type) ? count(mpi, in, out, &o, &outside)
                                      : hd__mpi_histogram_weights(mpi, in, out, &o, &outside);
    if (status == HD_OK && o.outside != NULL) *(int64_t *)o.outside->data = outside;
    return hd__mpi_end(mpi, status);
}
