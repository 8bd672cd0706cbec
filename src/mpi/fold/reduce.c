// SPDX-License-Identifier: Apache-2.0
// hd_mpi_reduce: each rank's elements as a carry that begins where they do, joined along a binomial
// tree of ranks to rank 0, whose result goes to all.
#include "mpi/direct.h"
#include "mpi/stage.h"
#include "mpi/views.h"
#include "carries.h"
#include "part.h"
#include "reduce_segments.h"

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
    const hd_status status = hd__mpi_check_size(m, call, o->size, sizeof *o);
    if (status != HD_OK) return status;
    if (o->axis != 0 || o->segments != NULL || o->keys != NULL || o->keys_out != NULL ||
        o->runs != NULL || o->carry != NULL || o->residual != NULL || o->bound != NULL ||
        o->flags != NULL || o->keep != NULL)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                            "%s: options are map, with, ddof, accumulate, init, values, segments "
                            "and keys",
                            call);
    return HD_OK;
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

// A reduction of no elements goes on behind the carry of all.
static hd_status result_of(const hd__mpi_fold *f, const hd_reduce_options *o, hd_carry *carry,
                           answer *a)
{
    hd__mpi_part part;
    hd_view value;
    hd__mpi_take_part(f, 0, 0, &part);
    hd_reduce_options mine = hd__mpi_part_options(f, &part, carry);
    mine.init = o->init;
    if (o->values != NULL) {
        value = hd_view_of(o->values->type, a->value, 1);
        mine.values = &value;
    }
    return hd__mpi_failed(
        f->m, hd_reduce(f->m->ctx, part.in, f->op, hd_view_of(f->type, a->result, 1), &mine));
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
    if (status == HD_OK && o->values != NULL) status = give(m, a->value, *o->values);
    return status;
}

static hd_status reduce_everything(hd_mpi *m, hd_view in, const hd_operator *op, hd_view out,
                                   const hd_reduce_options *o)
{
    int64_t first = 0, all = 0;
    hd_carry *carry = NULL;
    answer a;
    hd__mpi_fold f = {.m = m,
                      .in = in,
                      .op = op,
                      .type = out.type,
                      .map = o->map,
                      .with = o->with,
                      .ddof = o->ddof,
                      .accumulate = o->accumulate};
    memset(&a, 0, sizeof a);
    hd_status status = check(m, &in, &out, o);
    status = hd__mpi_layout(m, status, status == HD_OK ? in.shape[0] : 0, &first, &all);
    if (status != HD_OK) return status;
    status = hd__mpi_open_carry(&f, first, 0, in.shape[0], &carry);
    status = join_ranks(m, status, carry);
    if (m->rank == 0 && status == HD_OK) status = result_of(&f, o, carry, &a);
    status = tell(m, status, out, o, &a);
    hd_carry_close(m->ctx, carry);
    return status;
}

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

// Of segments and keys results are sent, too, and keys, and offsets are looked at; elements stay
// where they are.
static void stage(hd_mpi *m, hd_view *out, hd_reduce_options *o)
{
    hd__mpi_take_device(m);
    hd__mpi_stage(m, out, HD__MPI_UPDATED);
    hd__mpi_stage_small_option(m, &o->segments, HD__MPI_READ);
    hd__mpi_stage_option(m, &o->keys, HD__MPI_READ);
    hd__mpi_stage_option(m, &o->keys_out, HD__MPI_UPDATED);
    hd__mpi_stage_small_option(m, &o->runs, HD__MPI_UPDATED);
    hd__mpi_stage_option(m, &o->values, HD__MPI_UPDATED);
}

hd_status hd_mpi_reduce(hd_mpi *mpi, hd_view in, const hd_operator *op, hd_view out,
                        const hd_reduce_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd_reduce_options o = options != NULL ? *options : (hd_reduce_options){0};
    if (!is_given(o.segments) && !is_given(o.keys))
        return hd__mpi_end(mpi, reduce_everything(mpi, in, op, out, &o));
    stage(mpi, &out, &o);
    return hd__mpi_end(mpi, hd__mpi_reduce_slices(mpi, in, op, out, &o));
}
