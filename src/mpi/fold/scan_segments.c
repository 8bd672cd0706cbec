// SPDX-License-Identifier: Apache-2.0
// The elements before a rank's first head go on behind a carry of their segment, which comes from
// lower ranks. Those from the first head on hang on nothing before it, but their tree is over the
// index of the whole: they are scanned in chunks that lie as nodes of it do, each with a carry of
// the segment that is open where it begins. Chunks rise in size as far as the index's powers of two
// let them; the last has all that is left.
#include "scan_segments.h"

#include "aligned_chunks.h"
#include "heads.h"
#include "means.h"
#include "mpi/layout.h"
#include "mpi/views.h"
#include "offsets.h"
#include "open_segment.h"

static const char call[] = "hd_mpi_scan";

typedef struct scanning {
    hd__mpi_segmented s;
    const hd_scan_options *o;
    hd_view keys;         // a row without gaps
    const int64_t *begin; // elements of all ranks
    hd__mpi_offsets offsets;
} scanning;

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

static hd_status check(scanning *c)
{
    hd_mpi *m = c->s.f.m;
    const hd_scan_options *o = c->o;
    if (is_given(o->segments) && is_given(o->keys))
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: segments and keys exclude each other", call);
    if (!is_given(o->keys) && o->comparison != NULL)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: comparison goes with keys", call);
    if (is_given(o->segments))
        return hd__mpi_integers(m, call, "segments", o->segments, &c->offsets.own);
    const hd_status status = hd__mpi_dense(m, call, "keys", o->keys, &c->keys);
    if (status != HD_OK || c->keys.shape[0] == c->s.f.in.shape[0]) return status;
    return hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: %lld keys; expected %lld, as in", call,
                        (long long)c->keys.shape[0], (long long)c->s.f.in.shape[0]);
}

// Where segments begin among this rank's elements.
static hd_status find_segments(scanning *c, hd_status status)
{
    hd_mpi *m = c->s.f.m;
    if (is_given(c->o->keys)) {
        status =
            hd__mpi_find_heads(m, status, c->begin, c->keys, c->o->comparison, &c->offsets.here);
        if (status == HD_OK) status = hd__mpi_make_local(m, c->offsets.here, -c->begin[m->rank]);
        status = hd__mpi_agree(m, status);
        return status != HD_OK ? status : hd__mpi_find_greatest(m, &c->offsets);
    }
    status = hd__mpi_check_offsets(m, status, call, c->begin, &c->offsets);
    return hd__mpi_send_offsets(m, status, c->begin, false, &c->offsets);
}

// The last segment that begins here, or the one that is open where the rank begins.
static hd_status open_here(const scanning *c, hd__mpi_open *here)
{
    const hd__mpi_segmented *s = &c->s;
    const int64_t n = s->f.in.shape[0], before = c->offsets.before;
    const int64_t from = s->heads > 0 ? s->head[s->heads - 1] : s->begin;
    here->origin = s->heads > 0 ? from : before > 0 ? before : 0;
    return hd__mpi_open_carry(&s->f, from, from - s->begin, n - (from - s->begin), &here->carry);
}

// Complete where the rank begins with a head: what came before is of no use then.
static hd_status open_before(const scanning *c, hd__mpi_open *before)
{
    const hd__mpi_segmented *s = &c->s;
    const bool begins = s->heads > 0 && s->head[0] == s->begin;
    before->origin = begins ? s->begin : c->offsets.before > 0 ? c->offsets.before : 0;
    return hd__mpi_open_carry(&s->f, s->begin, 0, 0, &before->carry);
}

static hd_status run(scanning *c, hd_status status)
{
    hd_mpi *m = c->s.f.m;
    const hd__mpi_number same[] = {{"whether there are keys", is_given(c->o->keys)},
                                   {"the type of the keys", c->keys.type},
                                   {"the type of out", c->s.out.type}};
    hd__mpi_open here = {NULL, 0}, before = {NULL, 0};
    status = hd__mpi_same_numbers(m, status, call, same, 3);
    status = hd__mpi_begins(m, status, status == HD_OK ? c->s.f.in.shape[0] : 0, &c->begin);
    if (status != HD_OK) return status;
    status = find_segments(c, status);
    if (status != HD_OK) return status;
    c->s.begin = c->begin[m->rank];
    c->s.head = c->offsets.here.data;
    c->s.heads = c->offsets.here.shape[0];
    status = open_here(c, &here);
    if (status == HD_OK) status = open_before(c, &before);
    status = hd__mpi_join_open(m, status, &here, &before);
    if (status == HD_OK) status = hd__mpi_scan_segmented(&c->s, before.carry);
    hd_carry_close(m->ctx, here.carry);
    hd_carry_close(m->ctx, before.carry);
    return status;
}

hd_status hd__mpi_scan_slices(hd_mpi *m, hd_status status, hd_view in, const hd_operator *op,
                              hd_view out, const hd_scan_options *o)
{
    if (op == HD_MEAN) return hd__mpi_scan_means(m, status, in, out, o);
    scanning c = {.s = {.f = {.m = m,
                              .in = in,
                              .op = op,
                              .type = out.type,
                              .map = o->map,
                              .with = o->with,
                              .ddof = o->ddof,
                              .accumulate = o->accumulate},
                        .out = out,
                        .values = is_given(o->values) ? *o->values : HD_EMPTY,
                        .init = o->init,
                        .exclusive = o->exclusive},
                  .o = o};
    if (status == HD_OK) status = check(&c);
    return run(&c, status);
}
