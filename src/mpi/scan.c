// SPDX-License-Identifier: Apache-2.0
// hd_mpi_scan: the carry of all elements before this rank's comes in ceil(log2 ranks) messages,
// each of twice as many ranks as the one before [W. D. Hillis and G. L. Steele, "Data parallel
// algorithms", CACM 29 (1986)]; a scan of the local elements goes on behind it.
#include "carries.h"

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
    if (o == NULL) return HD_OK;
    if (o->axis != 0 || o->backward || o->monotone || o->segments != NULL || o->keys != NULL ||
        o->carry != NULL || o->residual != NULL || o->bound != NULL)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                            "%s: options are exclusive, map, with, ddof, accumulate, init and "
                            "values",
                            call);
    return HD_OK;
}

static hd_reduce_options reduction_options(const hd_scan_options *o, hd_carry *carry)
{
    hd_reduce_options mine = {.carry = carry};
    if (o != NULL) {
        mine.map = o->map;
        mine.with = o->with;
        mine.ddof = o->ddof;
        mine.accumulate = o->accumulate;
    }
    return mine;
}

// A carry at `first` that has seen `in`; before: no element of it.
static hd_status begin(hd_mpi *m, hd_view in, const hd_operator *op, hd_type type,
                       const hd_scan_options *o, int64_t first, bool before, hd_carry **carry)
{
    hd_view with[HD_MAX_INPUTS];
    hd_status status = hd_carry_open_at(m->ctx, carry, first);
    if (status != HD_OK) return hd__mpi_failed(m, status);
    hd_reduce_options mine = reduction_options(o, *carry);
    if (before) {
        in = hd_slice(in, 0, 0, 0, 1);
        for (int64_t k = 0; k < mine.with.count && k < HD_MAX_INPUTS; k++) {
            with[k] = mine.with.view[k];
            if (with[k].ndim == 1 && with[k].shape[0] != 1) with[k] = hd_slice(with[k], 0, 0, 0, 1);
        }
        if (mine.with.count <= HD_MAX_INPUTS) mine.with.view = with;
    }
    return hd__mpi_failed(m, hd_reduce(m->ctx, in, op, HD_VIEW_OF(type, NULL, 0), &mine));
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
    hd_scan_options mine = {0};
    if (o != NULL) {
        mine.exclusive = o->exclusive;
        mine.ddof = o->ddof;
        mine.accumulate = o->accumulate;
        mine.init = o->init;
        mine.map = o->map;
        mine.with = o->with;
        mine.values = o->values;
    }
    mine.carry = before;
    return hd__mpi_failed(m, hd_scan(m->ctx, in, op, out, &mine));
}

hd_status hd_mpi_scan(hd_mpi *mpi, hd_view in, const hd_operator *op, hd_view out,
                      const hd_scan_options *options)
{
    int64_t first = 0, all = 0;
    hd_carry *here = NULL, *before = NULL;
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd_status status = check(mpi, &in, &out, options);
    status = hd__mpi_layout(mpi, status, status == HD_OK ? in.shape[0] : 0, &first, &all);
    if (status != HD_OK) return hd__mpi_end(mpi, status);
    status = begin(mpi, in, op, out.type, options, first, false, &here);
    if (status == HD_OK) status = begin(mpi, in, op, out.type, options, first, true, &before);
    status = join_ranks(mpi, status, here, before);
    if (status == HD_OK) status = scan_here(mpi, in, op, out, options, before);
    hd_carry_close(mpi->ctx, here);
    hd_carry_close(mpi->ctx, before);
    return hd__mpi_end(mpi, status);
}
