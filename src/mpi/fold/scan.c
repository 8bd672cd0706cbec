// SPDX-License-Identifier: Apache-2.0
// hd_mpi_scan: the carry of all elements before this rank's comes in ceil(log2 ranks) messages,
// each of twice as many ranks as the one before [W. D. Hillis and G. L. Steele, "Data parallel
// algorithms", CACM 29 (1986)]; a scan of the local elements goes on behind it.
#include "mpi/direct.h"
#include "mpi/stage.h"
#include "mpi/views.h"
#include "carries.h"
#include "part.h"
#include "scan_segments.h"

static const char call[] = "hd_mpi_scan";

static hd_status check(hd_mpi *m, const hd_view *in, const hd_view *out, const hd_scan_options *o)
{
    if (in->ndim != 1 || in->shape[0] < 0)
        return hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: in has %d dimensions; expected one", call,
                            (int)in->ndim);
    if (hd_type_size(out->type) == 0 || out->ndim != 1 || out->shape[0] != in->shape[0])
        return hd__mpi_fail(m, HD_ERROR_SHAPE,
                            "%s: out has not the %lld elements of in, in one dimension", call,
                            (long long)in->shape[0]);
    hd_status status = hd__mpi_check_size(m, call, o->size, sizeof *o);
    if (status == HD_OK) status = m->staging;
    if (status != HD_OK) return status;
    if (o->axis != 0 || o->backward || o->monotone || o->carry != NULL || o->residual != NULL ||
        o->bound != NULL)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                            "%s: options are exclusive, map, with, ddof, accumulate, init, values, "
                            "segments, keys and comparison",
                            call);
    return HD_OK;
}

// After the round of distance d, `here` has the elements of 2d ranks up to this one, `before` all
// of those but this one's. What is sent is what was here before the message came.
static hd_status join_round(hd_mpi *m, hd_status status, hd_carry *here, hd_carry *before, int d)
{
    hd__mpi_parcel parcel = {MPI_REQUEST_NULL, NULL};
    if (m->rank + d < m->ranks) status = hd__mpi_begin_carry(m, status, here, m->rank + d, &parcel);
    if (m->rank >= d) status = hd__mpi_receive_carry(m, status, before, here, m->rank - d);
    return hd__mpi_end_carry(m, status, &parcel);
}

static hd_status join_ranks(hd_mpi *m, hd_status status, hd_carry *here, hd_carry *before)
{
    for (int d = 1; d < m->ranks; d *= 2) {
        status = join_round(m, status, here, before, d);
        if (d > m->ranks / 2) break; // before it overflows
    }
    return status;
}

static hd_status scan_here(hd_mpi *m, hd_view in, const hd_operator *op, hd_view out,
                           const hd_scan_options *o, hd_carry *before)
{
    const hd_scan_options mine = {.exclusive = o->exclusive,
                                  .ddof = o->ddof,
                                  .accumulate = o->accumulate,
                                  .init = o->init,
                                  .map = o->map,
                                  .with = o->with,
                                  .values = o->values,
                                  .carry = before};
    return hd__mpi_failed(m, hd_scan(m->ctx, in, op, out, &mine));
}

static hd_status scan_everything(hd_mpi *m, hd_status status, hd_view in, const hd_operator *op,
                                 hd_view out, const hd_scan_options *o)
{
    int64_t first = 0, all = 0;
    hd_carry *here = NULL, *before = NULL;
    hd__mpi_fold f = {.m = m,
                      .in = in,
                      .op = op,
                      .type = out.type,
                      .map = o->map,
                      .with = o->with,
                      .ddof = o->ddof,
                      .accumulate = o->accumulate};
    status = hd__mpi_layout(m, status, status == HD_OK ? in.shape[0] : 0, &first, &all);
    if (status != HD_OK) return status;
    status = hd__mpi_open_carry(&f, first, 0, in.shape[0], &here);
    if (status == HD_OK) status = hd__mpi_open_carry(&f, first, 0, 0, &before);
    status = join_ranks(m, status, here, before);
    if (status == HD_OK) status = scan_here(m, in, op, out, o, before);
    hd_carry_close(m->ctx, here);
    hd_carry_close(m->ctx, before);
    return status;
}

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

// Of segments and keys offsets are sent, too, and a key; elements and results stay where they are.
static void stage(hd_mpi *m, hd_scan_options *o)
{
    hd__mpi_take_device(m);
    hd__mpi_stage_small_option(m, &o->segments, HD__MPI_READ);
    hd__mpi_stage_option(m, &o->keys, HD__MPI_READ);
}

hd_status hd_mpi_scan(hd_mpi *mpi, hd_view in, const hd_operator *op, hd_view out,
                      const hd_scan_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd_scan_options o = options != NULL ? *options : (hd_scan_options){0};
    const bool slices = is_given(o.segments) || is_given(o.keys);
    if (slices) stage(mpi, &o);
    const hd_status status = check(mpi, &in, &out, &o);
    return hd__mpi_end(mpi, slices ? hd__mpi_scan_slices(mpi, status, in, op, out, &o)
                                   : scan_everything(mpi, status, in, op, out, &o));
}
