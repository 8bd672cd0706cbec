// SPDX-License-Identifier: Apache-2.0
// A segment is reduced on the rank where it ends: of the first one that ends there the elements
// before come as a carry, all others are there. Then results go to where the segments' offsets are.
// By key, runs are the segments, and the offsets are where they begin.
//
// Carries count from the beginning of their own segment: each segment has a tree of its own.
#include "reduce_segments.h"

#include "heads.h"
#include "part.h"
#include "mpi/direct.h"
#include "mpi/layout.h"
#include "mpi/redistribute.h"
#include "mpi/views.h"
#include "offsets.h"
#include "open_segment.h"

static const char call[] = "hd_mpi_reduce";

typedef struct reduction {
    hd__mpi_fold f;
    const hd_reduce_options *o;
    hd_view out, keys, numbers; // keys and offsets: rows without gaps
    const int64_t *begin;       // elements of all ranks
    hd__mpi_offsets offsets;
    hd_view result, value; // of the segments that end here
} reduction;

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

// ---- Checks -------------------------------------------------------------------------------------

static hd_status check_options(hd_mpi *m, const hd_reduce_options *o)
{
    if (o->axis != 0 || o->carry != NULL || is_given(o->residual) || is_given(o->bound) ||
        is_given(o->flags) || o->keep != NULL || o->invert)
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                            "%s: options with segments or keys are map, with, ddof, accumulate, "
                            "init, values, keys_out, runs and comparison",
                            call);
    if (is_given(o->segments) && is_given(o->keys))
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: segments and keys exclude each other", call);
    if (!is_given(o->keys) && (is_given(o->keys_out) || is_given(o->runs) || o->comparison != NULL))
        return hd__mpi_fail(m, HD_ERROR_ARGUMENT,
                            "%s: keys_out, runs and comparison go with keys, and there are none",
                            call);
    return hd__mpi_check_number(m, call, "runs", o->runs);
}

static hd_status check_output(hd_mpi *m, const char *name, const hd_view *v)
{
    const hd_status status = hd__mpi_check_row(m, call, name, v);
    if (status != HD_OK || v->read_only == 0) return status;
    return hd__mpi_fail(m, HD_ERROR_ARGUMENT, "%s: %s is read-only", call, name);
}

static hd_status check_keys(reduction *r)
{
    hd_mpi *m = r->f.m;
    const hd_reduce_options *o = r->o;
    hd_status status = hd__mpi_dense(m, call, "keys", o->keys, &r->keys);
    if (status == HD_OK && r->keys.shape[0] != r->f.in.shape[0])
        status = hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: %lld keys; expected %lld, as in", call,
                              (long long)r->keys.shape[0], (long long)r->f.in.shape[0]);
    if (status != HD_OK || !is_given(o->keys_out)) return status;
    status = check_output(m, "keys_out", o->keys_out);
    if (status == HD_OK && o->keys_out->type != r->keys.type)
        status =
            hd__mpi_fail(m, HD_ERROR_TYPE, "%s: keys_out is %s, keys are %s; expected the same",
                         call, hd_type_name(o->keys_out->type), hd_type_name(r->keys.type));
    return status;
}

static hd_status check(reduction *r)
{
    hd_mpi *m = r->f.m;
    const hd_reduce_options *o = r->o;
    hd_status status = hd__mpi_check_size(m, call, o->size, sizeof *o);
    if (status == HD_OK) status = m->staging;
    if (status == HD_OK) status = check_options(m, o);
    if (status == HD_OK && (r->f.in.ndim != 1 || r->f.in.shape[0] < 0))
        status = hd__mpi_fail(m, HD_ERROR_SHAPE, "%s: in has %d dimensions; expected one", call,
                              (int)r->f.in.ndim);
    if (status == HD_OK) status = check_output(m, "out", &r->out);
    if (status == HD_OK && is_given(o->values)) status = check_output(m, "values", o->values);
    if (status != HD_OK) return status;
    return is_given(o->keys) ? check_keys(r)
                             : hd__mpi_integers(m, call, "segments", o->segments, &r->numbers);
}

static hd_status check_room(const reduction *r, const char *name, const hd_view *v, int64_t n)
{
    if (!is_given(v)) return HD_OK;
    if (is_given(r->o->keys) && v->shape[0] < n)
        return hd__mpi_fail(r->f.m, HD_ERROR_SHAPE,
                            "%s: %lld runs of keys begin here; %s has room for %lld", call,
                            (long long)n, name, (long long)v->shape[0]);
    if (!is_given(r->o->keys) && v->shape[0] != n)
        return hd__mpi_fail(r->f.m, HD_ERROR_SHAPE,
                            "%s: %s has %lld elements; expected %lld, one for each offset of this "
                            "rank but the last of all",
                            call, name, (long long)v->shape[0], (long long)n);
    return HD_OK;
}

// ---- Segments -----------------------------------------------------------------------------------

// By key: an offset where each run begins, and one behind the last element.
static hd_status make_offsets(reduction *r, hd_status status)
{
    hd_mpi *m = r->f.m;
    hd_view heads;
    status = hd__mpi_find_heads(m, status, r->begin, r->keys, r->o->comparison, &heads);
    if (status != HD_OK) return status;
    const int64_t n = heads.shape[0];
    status = check_room(r, "out", &r->out, n);
    if (status == HD_OK) status = check_room(r, "values", r->o->values, n);
    if (status == HD_OK) status = check_room(r, "keys_out", r->o->keys_out, n);
    hd__mpi_give_number(r->o->runs, n);
    if (status == HD_OK && is_given(r->o->keys_out))
        status = hd__mpi_failed(
            m, hd_gather(m->ctx, r->keys, heads, hd_slice(*r->o->keys_out, 0, 0, n, 1), NULL));
    if (status == HD_OK) status = hd__mpi_make_local(m, heads, -r->begin[m->rank]);
    const bool last = m->rank == m->ranks - 1;
    if (last) ((int64_t *)heads.data)[heads.shape[0]++] = r->begin[m->ranks]; // there is room
    r->offsets.own = heads;
    return status;
}

// How many results this rank's out has: of the segments that begin at its offsets.
static int64_t results_of(const hd__mpi_offsets *o)
{
    const int64_t n = o->own.shape[0];
    return n - (n > 0 && o->first + n == o->all);
}

static hd_status take_offsets(reduction *r, hd_status status)
{
    hd_mpi *m = r->f.m;
    if (is_given(r->o->keys)) {
        status = make_offsets(r, status);
        return hd__mpi_layout(m, status, status == HD_OK ? r->offsets.own.shape[0] : 0,
                              &r->offsets.first, &r->offsets.all);
    }
    r->offsets.own = r->numbers;
    status = hd__mpi_check_offsets(m, status, call, r->begin, &r->offsets);
    if (status == HD_OK) status = check_room(r, "out", &r->out, results_of(&r->offsets));
    if (status == HD_OK) status = check_room(r, "values", r->o->values, results_of(&r->offsets));
    return status;
}

// An operator of the user's that has no result of no elements.
static bool needs_elements(const reduction *r)
{
    const hd_operator *built_in;
    for (int32_t k = 0; (built_in = hd_operator_at(k)) != NULL; k++)
        if (built_in == r->f.op) return false;
    return r->f.op != NULL && r->f.op->identity == NULL && r->o->init == NULL;
}

// numbered: the number among all segments of the first one that ends here.
static hd_status check_empty(const reduction *r, int64_t numbered)
{
    const int64_t *end = r->offsets.here.data;
    int64_t before = r->offsets.before;
    if (!needs_elements(r)) return HD_OK;
    for (int64_t j = 0; j < r->offsets.here.shape[0]; before = end[j++])
        if (end[j] == before)
            return hd__mpi_fail(r->f.m, HD_ERROR_VALUE,
                                "%s: segment %lld has no elements and operator %s no identity",
                                call, (long long)(numbered + j - (r->offsets.before < 0)),
                                hd_operator_name(r->f.op));
    return HD_OK;
}

// ---- Results ------------------------------------------------------------------------------------

// Of this rank's elements b .. e - 1: segments end at `end`, the first of which began at `before`.
typedef struct ends {
    const int64_t *end;
    int64_t count, results; // offsets; segments that end here
    int64_t b, n, before;
    int64_t joined; // elements of the first one here, where some are on lower ranks
} ends;

static ends ends_of(const reduction *r)
{
    const hd_mpi *m = r->f.m;
    const hd__mpi_offsets *o = &r->offsets;
    ends s = {o->here.data, o->here.shape[0], 0, r->begin[m->rank], r->f.in.shape[0], o->before, 0};
    s.results = s.count - (s.before < 0 && s.count > 0);
    const bool crosses = s.before >= 0 && s.before < s.b && s.before < o->last;
    s.joined = !crosses ? 0 : s.count > 0 ? s.end[0] - s.b : s.n;
    return s;
}

static hd_status open_here(const reduction *r, const ends *s, hd__mpi_open *here)
{
    const int64_t from = s->count > 0 ? s->end[s->count - 1] : s->before;
    const bool open = from >= 0 && from < r->offsets.last;
    const int64_t at = !open ? s->n : from > s->b ? from - s->b : 0;
    here->origin = 0;
    return hd__mpi_open_carry(&r->f, open && from < s->b ? s->b - from : 0, at, s->n - at,
                              &here->carry);
}

static hd_status open_before(const reduction *r, const ends *s, hd__mpi_open *before)
{
    const bool crosses = s->before >= 0 && s->before < s->b && s->before < r->offsets.last;
    before->origin = 0;
    return hd__mpi_open_carry(&r->f, crosses ? s->b - s->before : 0, 0, 0, &before->carry);
}

// All segments that end here, the first one from this rank's elements alone.
static hd_status reduce_here(const reduction *r, const ends *s)
{
    hd_mpi *m = r->f.m;
    hd__mpi_part part;
    hd_view local = HD_EMPTY;
    if (s->results == 0) return HD_OK;
    hd_status status = hd__mpi_row(m, HD_I64, s->results + 1, &local);
    if (status != HD_OK) return status;
    int64_t *offset = local.data;
    const int64_t skipped = s->count - s->results; // the first offset of all, which ends nothing
    offset[0] = skipped ? s->end[0] - s->b : s->before > s->b ? s->before - s->b : 0;
    for (int64_t j = 0; j < s->results; j++) offset[j + 1] = s->end[skipped + j] - s->b;
    hd__mpi_take_part(&r->f, 0, s->n, &part);
    hd_reduce_options o = hd__mpi_part_options(&r->f, &part, NULL);
    o.segments = &local;
    o.init = r->o->init;
    o.values = is_given(&r->value) ? &r->value : NULL;
    status = hd__mpi_failed(m, hd_reduce(m->ctx, part.in, r->f.op, r->result, &o));
    hd__mpi_drop(m, &local);
    return status;
}

// The first one again, behind its elements on lower ranks.
static hd_status reduce_joined(const reduction *r, const ends *s, hd_carry *before)
{
    hd__mpi_part part;
    if (s->joined == 0 || s->count == 0) return HD_OK;
    const hd_view value = is_given(&r->value) ? hd_slice(r->value, 0, 0, 1, 1) : HD_EMPTY;
    hd__mpi_take_part(&r->f, 0, s->joined, &part);
    hd_reduce_options o = hd__mpi_part_options(&r->f, &part, before);
    o.init = r->o->init;
    o.values = is_given(&value) ? &value : NULL;
    return hd__mpi_failed(
        r->f.m, hd_reduce(r->f.m->ctx, part.in, r->f.op, hd_slice(r->result, 0, 0, 1, 1), &o));
}

static hd_status reduce_all(reduction *r, hd_status status, const ends *s)
{
    hd_mpi *m = r->f.m;
    hd__mpi_open here = {NULL, 0}, before = {NULL, 0};
    if (status == HD_OK) status = hd__mpi_row_near(m, &r->out, r->out.type, s->results, &r->result);
    if (status == HD_OK && is_given(r->o->values))
        status = hd__mpi_row_near(m, r->o->values, r->o->values->type, s->results, &r->value);
    if (status == HD_OK) status = open_here(r, s, &here);
    if (status == HD_OK) status = open_before(r, s, &before);
    if (status == HD_OK) status = reduce_here(r, s);
    status = hd__mpi_join_open(m, status, &here, &before);
    if (status == HD_OK) status = reduce_joined(r, s, before.carry);
    hd_carry_close(m->ctx, here.carry);
    hd_carry_close(m->ctx, before.carry);
    return status;
}

static hd_status run(reduction *r, hd_status status)
{
    hd_mpi *m = r->f.m;
    const hd__mpi_number same[] = {{"whether there are keys", is_given(r->o->keys)},
                                   {"the type of the keys", r->keys.type},
                                   {"the type of out", r->out.type},
                                   {"whether there are values", is_given(r->o->values)}};
    int64_t first = 0, all = 0;
    status = hd__mpi_same_numbers(m, status, call, same, 4);
    status = hd__mpi_begins(m, status, status == HD_OK ? r->f.in.shape[0] : 0, &r->begin);
    if (status == HD_OK) status = take_offsets(r, status);
    status = hd__mpi_send_offsets(m, status, r->begin, true, &r->offsets);
    if (status != HD_OK) return status;
    const ends s = ends_of(r);
    status = hd__mpi_layout(m, status, s.results, &first, &all);
    if (status == HD_OK) status = check_empty(r, first);
    status = reduce_all(r, status, &s);
    const int64_t n = results_of(&r->offsets);
    status = hd__mpi_move(m, status, r->result, hd_slice(r->out, 0, 0, n, 1));
    if (is_given(r->o->values))
        status = hd__mpi_move(m, status, r->value, hd_slice(*r->o->values, 0, 0, n, 1));
    return status;
}

hd_status hd__mpi_reduce_slices(hd_mpi *m, hd_view in, const hd_operator *op, hd_view out,
                                const hd_reduce_options *o)
{
    reduction r = {.f = {.m = m,
                         .in = in,
                         .op = op,
                         .type = out.type,
                         .map = o->map,
                         .with = o->with,
                         .ddof = o->ddof,
                         .accumulate = o->accumulate},
                   .o = o,
                   .out = out};
    return run(&r, check(&r));
}
