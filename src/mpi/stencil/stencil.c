// SPDX-License-Identifier: Apache-2.0
// hd_mpi_stencil: how far offsets or the box of weights reach along the first axis, and hd_stencil
// over rows with their halo.
#include "halo.h"
#include "mpi/direct.h"
#include "mpi/stage.h"
#include "mpi/views.h"

static const char name[] = "hd_mpi_stencil";

enum { FARTHEST_LOG = 31 }; // of an offset, as in hd_stencil

typedef struct stencil {
    hd_view offsets, weights; // copies without gaps, or empty
    hd_stencil_options o;
} stencil;

static hd_status call(hd_context *ctx, const void *user, int64_t steps, hd_view in, hd_view out)
{
    const stencil *s = user;
    hd_stencil_options o = s->o;
    o.iterations = steps;
    return hd_stencil(ctx, in, s->offsets, s->weights, out, &o);
}

// Weights and offsets are read for each part anew: the call's own may not change in between.
static hd_status copy_lists(hd_mpi *m, stencil *s)
{
    const hd_type type = s->offsets.type;
    hd_status status = HD_OK;
    if (s->weights.type != HD_NONE)
        status = hd__mpi_copy(m, &s->weights, s->weights.type, &s->weights);
    if (status == HD_OK && type >= HD_I8 && type <= HD_U64) // the call refuses other types
        status = hd__mpi_copy(m, &s->offsets, HD_I64, &s->offsets);
    return status;
}

static hd_status measure_offsets(hd_mpi *m, const stencil *s, hd__mpi_neighbours *n)
{
    const int64_t axes = s->offsets.ndim == 2 ? s->offsets.shape[1] : 1;
    const int64_t *offset = s->offsets.data, farthest = (int64_t)1 << FARTHEST_LOG;
    for (int64_t t = 0; t < hd_count(s->offsets) / axes; t++) {
        const int64_t at = offset[t * axes];
        if (at < -farthest || at > farthest)
            return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                                "%s: offset %lld is %lld; expected at most 2^31 either way", name,
                                (long long)t, (long long)at);
        if (-at > n->above) n->above = -at;
        if (at > n->below) n->below = at;
    }
    return HD_OK;
}

// The rows that a result depends on, if the neighbourhood reaches over the first axis.
static hd_status measure(hd_mpi *m, const stencil *s, hd__mpi_neighbours *n)
{
    const bool box = s->offsets.type == HD_NONE;
    const int32_t axes = box                    ? s->weights.ndim
                         : s->offsets.ndim == 2 ? (int32_t)s->offsets.shape[1]
                                                : 1;
    if (!hd__mpi_reaches_over(&n->in, axes, s->o.channels)) return HD_OK;
    if (!box) return measure_offsets(m, s, n);
    n->above = s->weights.shape[0] / 2;
    n->below = s->weights.shape[0] - 1 - n->above;
    return HD_OK;
}

static hd_status check(hd_mpi *m, stencil *s, hd__mpi_neighbours *n)
{
    hd_status status = hd__mpi_check_size(m, name, s->o.size, sizeof s->o);
    if (status == HD_OK) status = m->staging;
    n->border = s->o.border != HD_BORDER_DEFAULT ? s->o.border : HD_BORDER_ZERO;
    n->steps = s->o.iterations != 0 ? s->o.iterations : 1;
    if (status == HD_OK) status = hd__mpi_check_array(m, name, "in", &n->in);
    if (status == HD_OK) status = hd__mpi_check_array(m, name, "out", &n->out);
    if (status == HD_OK) status = copy_lists(m, s);
    if (status == HD_OK) status = hd__mpi_check_neighbours(m, name, n);
    return status != HD_OK ? status : measure(m, s, n);
}

hd_status hd_mpi_stencil(hd_mpi *mpi, hd_view in, hd_view offsets, hd_view weights, hd_view out,
                         const hd_stencil_options *options)
{
    if (mpi == NULL) return HD_ERROR_ARGUMENT;
    hd__mpi_begin(mpi);
    hd__mpi_take_device(mpi);
    hd__mpi_stage(mpi, &in, HD__MPI_READ);
    hd__mpi_stage_small(mpi, &offsets, HD__MPI_READ);
    hd__mpi_stage_small(mpi, &weights, HD__MPI_READ);
    hd__mpi_stage(mpi, &out, HD__MPI_UPDATED);
    stencil s = {
        .offsets = offsets, .weights = weights, .o = HD__MPI_OPTIONS(hd_stencil_options, options)};
    hd__mpi_neighbours n = {.in = in, .out = out, .call = call, .user = &s};
    const hd_status status = check(mpi, &s, &n);
    return hd__mpi_end(mpi, hd__mpi_run_neighbours(mpi, status, name, &n));
}
