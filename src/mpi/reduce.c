// SPDX-License-Identifier: Apache-2.0
// hd_mpi_reduce: each rank's elements as a carry that begins where they do, joined along a binomial
// tree of ranks to rank 0, whose result goes to all.
#include "carries.h"

#include <string.h>

static const char call[] = "hd_mpi_reduce";

static hd_status check(hd_mpi *m, const hd_view *in, const hd_view *out, const hd_reduce_options *o)
{
    if (in->ndim != 1 || in->shape[0] < 0)
        return hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: in has %d dimensions; expected one", call,
                            (int)in->ndim);
    if (hd_type_size(out->type) == 0 || hd_count(*out) != 1)
        return hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: out has %lld elements; expected 1", call,
                            (long long)hd_count(*out));
    if (o == NULL) return HD_OK;
    if (o->axis != 0 || o->segments != NULL || o->keys != NULL || o->keys_out != NULL ||
        o->runs != NULL || o->carry != NULL || o->residual != NULL || o->bound != NULL ||
        o->flags != NULL || o->keep != NULL)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                            "%s: options are map, with, ddof, accumulate, init and values", call);
    return HD_OK;
}

// The options of the calls here: without what belongs to the result alone.
static hd_reduce_options local_options(const hd_reduce_options *o, hd_carry *carry)
{
    hd_reduce_options mine = {0};
    if (o != NULL) {
        mine.map = o->map;
        mine.with = o->with;
        mine.ddof = o->ddof;
        mine.accumulate = o->accumulate;
    }
    mine.carry = carry;
    return mine;
}

static hd_status reduce_here(hd_mpi *m, hd_view in, const hd_operator *op, hd_type type,
                             const hd_reduce_options *o, hd_carry *carry)
{
    const hd_reduce_options mine = local_options(o, carry);
    return hd__mpi_failed(m, hd_reduce(m->ctx, in, op, HD_VIEW_OF(type, NULL, 0), &mine));
}

// Rank r takes in r + 1, r + 2, r + 4, ... as long as bit after bit of r is not set, and then goes
// to the rank without that bit.
static hd_status join_ranks(hd_mpi *m, hd_status status, hd_carry *carry)
{
    for (int d = 1; d < m->ranks; d *= 2) {
        if (m->rank & d) {
            const hd_status sent = hd__mpi_send_carry(m, status, carry, m->rank - d);
            return status != HD_OK ? status : sent;
        }
        if (m->rank + d < m->ranks)
            status = hd__mpi_receive_carry(m, status, carry, NULL, m->rank + d);
        if (d > m->ranks / 2) break; // before it overflows
    }
    return status;
}

typedef struct answer {
    int64_t status;
    _Alignas(64) unsigned char result[HD_MAX_ELEMENT], value[HD_MAX_ELEMENT];
} answer;

// A view of no elements, with as many along.
static void empty(hd_view *in, hd_reduce_options *o, hd_view with[HD_MAX_INPUTS])
{
    *in = hd_slice(*in, 0, 0, 0, 1);
    for (int64_t k = 0; k < o->with.count && k < HD_MAX_INPUTS; k++) {
        with[k] = o->with.view[k];
        if (with[k].ndim == 1 && with[k].shape[0] != 1) with[k] = hd_slice(with[k], 0, 0, 0, 1);
    }
    if (o->with.count <= HD_MAX_INPUTS) o->with.view = with;
}

static hd_status result_of(hd_mpi *m, hd_view in, const hd_operator *op, hd_type type,
                           const hd_reduce_options *o, hd_carry *carry, answer *a)
{
    hd_reduce_options mine = local_options(o, carry);
    hd_view with[HD_MAX_INPUTS], value;
    empty(&in, &mine, with);
    if (o != NULL) mine.init = o->init;
    if (o != NULL && o->values != NULL) {
        value = hd_view_of(o->values->type, a->value, 1);
        mine.values = &value;
    }
    return hd__mpi_failed(m, hd_reduce(m->ctx, in, op, hd_view_of(type, a->result, 1), &mine));
}

static hd_status give(hd_mpi *m, const void *bytes, hd_view out)
{
    const hd_view one = hd_view_of(out.type, bytes, 1);
    hd_view row = out;
    if (out.ndim != 1) row = hd_view_nd(out.type, out.data, 1, &one.shape[0], NULL);
    row.space = out.space, row.device = out.device, row.read_only = out.read_only;
    return hd__mpi_failed(m, hd_map(m->ctx, one, NULL, row, NULL));
}

static hd_status tell(hd_mpi *m, hd_status status, hd_view out, const hd_reduce_options *o,
                      answer *a)
{
    a->status = status;
    const hd_status sent = hd__mpi_status(m, MPI_Bcast(a, sizeof *a, MPI_BYTE, 0, m->comm));
    if (status == HD_OK) status = sent;
    if (status != HD_OK || a->status != HD_OK) return status; // rank 0's is agreed on
    status = give(m, a->result, out);
    if (status == HD_OK && o != NULL && o->values != NULL) status = give(m, a->value, *o->values);
    return status;
}

hd_status hd_mpi_reduce(hd_mpi *mpi, hd_view in, const hd_operator *op, hd_view out,
                        const hd_reduce_options *options)
{
    int64_t first = 0, all = 0;
    hd_carry *carry = NULL;
    answer a;
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    memset(&a, 0, sizeof a);
    hd_status status = check(mpi, &in, &out, options);
    status = hd__mpi_layout(mpi, status, status == HD_OK ? in.shape[0] : 0, &first, &all);
    if (status != HD_OK) return hd__mpi_end(mpi, status);
    status = hd__mpi_failed(mpi, hd_carry_open_at(mpi->ctx, &carry, first));
    if (status == HD_OK) status = reduce_here(mpi, in, op, out.type, options, carry);
    status = join_ranks(mpi, status, carry);
    if (mpi->rank == 0 && status == HD_OK)
        status = result_of(mpi, in, op, out.type, options, carry, &a);
    status = tell(mpi, status, out, options, &a);
    hd_carry_close(mpi->ctx, carry);
    return hd__mpi_end(mpi, status);
}
