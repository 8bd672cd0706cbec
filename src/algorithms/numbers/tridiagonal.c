// SPDX-License-Identifier: Apache-2.0
// hd_tridiagonal: arguments, layout, and the calls of patterns that its header names; the texts are
// tridiagonal_body.h's.
#include <heddle/algorithms/tridiagonal.h>

#include <inttypes.h>
#include <string.h>

#include "algorithms/support/frame.h"
#include "algorithms/support/team.h"
#include "algorithms/simd/tridiagonal_kernels.h"

enum { LOWER, DIAGONAL, UPPER, RIGHT, ARRAYS };

// Far above what any memory holds, far below where sizes overflow.
#define MAX_ELEMENTS (INT64_C(1) << 48)

typedef struct systems {
    hd__frame f;
    const hd__tridiagonal_kernels *k;
    hd_function reduced, unknowns; // of k, with the loops for this backend
    hd_view user[ARRAYS], out;
    int64_t m, n, pitch;
    bool side_by_side;          // many small systems by the cores, in loops of their own
    int64_t blocks, whole;      // of a system; those of them that lie in the rows themselves
    hd_view row[ARRAYS], x;     // element (i, j) is at i * pitch + j
    hd_view rest[ARRAYS], tail; // the last block of the one system, where it is not whole
    hd_view pairs, before, behind, borders;
} systems;

// ---- Arguments ------------------------------------------------------------------------------

static bool same_view(const hd_view *a, const hd_view *b)
{
    const size_t dims = sizeof *a->shape * (size_t)a->ndim;
    return a->data == b->data && a->type == b->type && a->space == b->space && a->ndim == b->ndim &&
           !memcmp(a->shape, b->shape, dims) && !memcmp(a->stride, b->stride, dims);
}

static const char *const names[] = {"lower", "diagonal", "upper", "right"};

static hd_status check_array(systems *s, const char *what, hd_view v, bool written)
{
    const hd_view *like = &s->user[DIAGONAL];
    hd_status status =
        written ? hd__frame_check_out(&s->f, what, v) : hd__frame_check(&s->f, what, v);
    if (status != HD_OK) return status;
    if (v.type != HD_F32 && v.type != HD_F64)
        return hd__frame_fail(&s->f, HD_ERROR_TYPE, "%s: expected f32 or f64, got %s", what,
                              hd_type_name(v.type));
    if (v.ndim != like->ndim || memcmp(v.shape, like->shape, sizeof *v.shape * (size_t)v.ndim))
        return hd__frame_fail(&s->f, HD_ERROR_SHAPE,
                              "%s has not the shape of diagonal: %" PRId64
                              " elements in %d dimensions, not %" PRId64 " in %d",
                              what, hd_count(v), v.ndim, hd_count(*like), like->ndim);
    if (v.space > HD_DEVICE || v.space != s->out.space)
        return hd__frame_fail(&s->f, HD_ERROR_ARGUMENT,
                              "%s: expected the same memory as out, of the host or a device", what);
    return HD_OK;
}

static hd_status check_overlaps(systems *s, const hd_tridiagonal_options *o)
{
    const bool more = o->refinements > 0 || o->residual != NULL;
    const bool in_place = same_view(&s->user[RIGHT], &s->out) && !more;
    hd_status status = HD_OK;
    for (int k = 0; status == HD_OK && k < ARRAYS - in_place; k++)
        status = hd__frame_check_apart(&s->f, "out", s->out, names[k], s->user[k]);
    for (int k = 0; status == HD_OK && o->residual != NULL && k < ARRAYS; k++)
        status = hd__frame_check_apart(&s->f, "residual", *o->residual, names[k], s->user[k]);
    if (status != HD_OK || o->residual == NULL) return status;
    return hd__frame_check_apart(&s->f, "residual", *o->residual, "out", s->out);
}

static hd_status check_options(systems *s, const hd_tridiagonal_options *o)
{
    if (o->refinements < 0 || o->refinements > HD_MAX_REFINEMENTS)
        return hd__frame_fail(&s->f, HD_ERROR_ARGUMENT, "refinements is %d; expected 0 to %d",
                              o->refinements, HD_MAX_REFINEMENTS);
    if (o->reserved_32 != 0)
        return hd__frame_fail(&s->f, HD_ERROR_ARGUMENT, "reserved_32: expected 0");
    hd_status status = HD_OK;
    for (int k = 0; status == HD_OK && k < ARRAYS; k++)
        status = check_array(s, names[k], s->user[k], false);
    if (status == HD_OK) status = check_array(s, "out", s->out, true);
    if (status == HD_OK && o->residual != NULL)
        status = check_array(s, "residual", *o->residual, true);
    return status == HD_OK ? check_overlaps(s, o) : status;
}

// ---- Layout ---------------------------------------------------------------------------------

// Elements first .. first + count - 1 of every row of a storage, in the shape of the user's arrays.
static hd_view shaped(const systems *s, hd_view storage, int64_t first, int64_t count)
{
    const hd_view *like = &s->user[DIAGONAL];
    hd_view v = storage;
    int64_t stride = s->pitch;
    v.ndim = like->ndim;
    v.data = (char *)v.data + first * (int64_t)hd_type_size(v.type);
    v.shape[v.ndim - 1] = count, v.stride[v.ndim - 1] = 1;
    for (int32_t k = v.ndim - 2; k >= 0; k--) {
        v.shape[k] = like->shape[k], v.stride[k] = stride;
        stride *= v.shape[k];
    }
    return v;
}

// Elements first .. first + count - 1 of every row of an array of `length` elements a row.
static hd_view columns(const systems *s, hd_view array, int64_t length, int64_t first,
                       int64_t count)
{
    hd_view v = hd__frame_part(array, first, count);
    v.ndim = 1, v.stride[0] = 1;
    if (s->m == 1) return v;
    v.ndim = 2;
    v.shape[0] = s->m, v.stride[0] = length;
    v.shape[1] = count, v.stride[1] = 1;
    return v;
}

static hd_view blocks_of(const systems *s, hd_view storage)
{
    storage.type = s->k->block;
    return columns(s, storage, s->pitch / s->k->length, 0, s->whole);
}

static hd_view as_block(const systems *s, hd_view rest)
{
    rest.type = s->k->block;
    rest.shape[0] = 1;
    return rest;
}

static bool is_direct(const systems *s, const hd_view *v)
{
    int64_t dense = 1;
    for (int32_t k = v->ndim - 1; k >= 0; k--) {
        if (v->shape[k] != 1 && v->stride[k] != dense) return false;
        dense *= v->shape[k];
    }
    return v->type == s->k->real && (s->m == 1 || s->side_by_side || s->n % s->k->length == 0);
}

static hd_view flat(hd_view v)
{
    v.shape[0] = hd_count(v), v.stride[0] = 1, v.ndim = 1;
    return v;
}

static hd_status filled(systems *s, int64_t n, double x, hd_view *row)
{
    const hd_status status = hd__frame_row(&s->f, s->k->real, n, row);
    return status == HD_OK ? hd_map(s->f.ctx, hd_constant(x, n), NULL, *row, NULL) : status;
}

// What of a row is used: not lower[0], and not upper[n - 1].
static hd_status copy_used(systems *s, int array, hd_view to)
{
    const int64_t first = array == LOWER, count = s->n - (array == LOWER || array == UPPER);
    const int32_t last = to.ndim - 1;
    if (count == 0) return HD_OK;
    return hd_map(s->f.ctx, hd_slice(s->user[array], last, first, count, 1), NULL,
                  hd_slice(to, last, first, count, 1), NULL);
}

// Elements first .. first + count - 1 of every row of a storage become the one of x.
static hd_status fill_columns(systems *s, hd_view row, int64_t first, int64_t count, hd_view x)
{
    if (count == 0) return HD_OK;
    const hd_view to = columns(s, row, s->pitch, first, count);
    x.ndim = to.ndim;
    for (int32_t k = 0; k < to.ndim; k++) x.shape[k] = to.shape[k], x.stride[k] = 0;
    return hd_map(s->f.ctx, x, NULL, to, NULL);
}

// What copy_used leaves of a row: its end, and before it upper[n - 1] and lower[0].
static hd_status fill_unused(systems *s, int array)
{
    const int64_t first = s->n - (array == UPPER);
    hd_view x;
    hd_status status = filled(s, 1, array == DIAGONAL, &x);
    if (status == HD_OK && array == LOWER) status = fill_columns(s, s->row[array], 0, 1, x);
    if (status == HD_OK) status = fill_columns(s, s->row[array], first, s->pitch - first, x);
    return status == HD_OK ? hd__frame_drop(&s->f, &x) : status;
}

// All rows in scratch, each filled up to whole blocks by equations that say x = 0.
static hd_status load_copies(systems *s)
{
    hd_status status = HD_OK;
    s->pitch = s->blocks * s->k->length;
    s->whole = s->blocks;
    for (int k = 0; status == HD_OK && k < ARRAYS; k++) {
        status = hd__frame_row(&s->f, s->k->real, s->m * s->pitch, &s->row[k]);
        if (status == HD_OK) status = fill_unused(s, k);
        if (status == HD_OK) status = copy_used(s, k, shaped(s, s->row[k], 0, s->n));
    }
    return status == HD_OK ? hd__frame_row(&s->f, s->k->real, s->m * s->pitch, &s->x) : status;
}

// The last block of one array of the one system, if it is not whole.
static hd_status load_rest(systems *s, int array, hd_view from)
{
    const int64_t at = s->whole * s->k->length, count = s->n - at - (array == UPPER);
    const int64_t first = array == LOWER && at == 0;
    if (count - first <= 0) return HD_OK;
    return hd_map(s->f.ctx, hd__frame_part(from, at + first, count - first), NULL,
                  hd__frame_part(s->rest[array], first, count - first), NULL);
}

static hd_status load(systems *s)
{
    bool direct = is_direct(s, &s->out);
    hd_status status = HD_OK;
    for (int k = 0; k < ARRAYS; k++) direct = direct && is_direct(s, &s->user[k]);
    if (!direct) s->side_by_side = false;
    if (!direct) return load_copies(s);
    s->pitch = s->n;
    s->whole = s->n / s->k->length;
    s->x = flat(s->out);
    for (int k = 0; k < ARRAYS; k++) s->row[k] = flat(s->user[k]);
    if (s->whole == s->blocks || s->side_by_side) return HD_OK;
    for (int k = 0; status == HD_OK && k < ARRAYS; k++) {
        status = filled(s, s->k->length, k == DIAGONAL, &s->rest[k]);
        if (status == HD_OK && k != RIGHT) status = load_rest(s, k, s->row[k]);
    }
    return status == HD_OK ? hd__frame_row(&s->f, s->k->real, s->k->length, &s->tail) : status;
}

static hd_status make_room(systems *s)
{
    const int64_t p = s->m * s->blocks;
    hd_status status = hd__frame_row(&s->f, s->k->pair, p, &s->pairs);
    if (status == HD_OK) status = hd__frame_row(&s->f, s->k->pair, p, &s->before);
    if (status == HD_OK) status = hd__frame_row(&s->f, s->k->pair, p, &s->behind);
    if (status == HD_OK) status = hd__frame_row(&s->f, s->k->border, p + s->m, &s->borders);
    return status;
}

// ---- The steps ------------------------------------------------------------------------------

static hd_status reduce_blocks(systems *s, hd_view right)
{
    const hd_view *const r = s->row, *const e = s->rest;
    hd_status status = HD_OK;
    if (s->whole > 0)
        status = hd_map(
            s->f.ctx, blocks_of(s, r[LOWER]), &s->reduced,
            columns(s, s->pairs, s->blocks, 0, s->whole),
            &(hd_map_options){.with = HD_VIEWS(blocks_of(s, r[DIAGONAL]), blocks_of(s, r[UPPER]),
                                               blocks_of(s, right))});
    if (status != HD_OK || s->whole == s->blocks) return status;
    status = load_rest(s, RIGHT, right);
    if (status != HD_OK) return status;
    return hd_map(
        s->f.ctx, as_block(s, e[LOWER]), &s->reduced, hd__frame_part(s->pairs, s->whole, 1),
        &(hd_map_options){.with = HD_VIEWS(as_block(s, e[DIAGONAL]), as_block(s, e[UPPER]),
                                           as_block(s, e[RIGHT]))});
}

static hd_status scan_pairs(systems *s)
{
    const int64_t p = s->blocks;
    const hd_view pairs = columns(s, s->pairs, p, 0, p);
    hd_scan_options o = {.axis = s->m == 1 ? 0 : HD_AXIS(1)};
    hd_status status = hd_scan(s->f.ctx, pairs, s->k->compose, columns(s, s->before, p, 0, p), &o);
    if (status != HD_OK) return status;
    o.backward = true;
    return hd_scan(s->f.ctx, pairs, s->k->behind, columns(s, s->behind, p, 0, p), &o);
}

static hd_status solve_borders(systems *s)
{
    const int64_t p = s->blocks, length = p + 1;
    hd_status status = hd_map(s->f.ctx, columns(s, s->behind, p, 0, 1), s->k->left,
                              columns(s, s->borders, length, 0, 1), NULL);
    if (status == HD_OK && p > 1)
        status = hd_map(s->f.ctx, columns(s, s->before, p, 0, p - 1), s->k->between,
                        columns(s, s->borders, length, 1, p - 1),
                        &(hd_map_options){.with = HD_VIEWS(columns(s, s->behind, p, 1, p - 1))});
    if (status != HD_OK) return status;
    return hd_map(s->f.ctx, columns(s, s->before, p, p - 1, 1), s->k->right,
                  columns(s, s->borders, length, p, 1), NULL);
}

static hd_status singular(systems *s, int64_t system)
{
    if (s->m == 1)
        return hd__frame_fail(&s->f, HD_ERROR_VALUE,
                              "the matrix is singular: a pivot is 0; expected a regular one");
    return hd__frame_fail(&s->f, HD_ERROR_VALUE,
                          "system %" PRId64 " is singular: a pivot is 0; expected regular ones",
                          system);
}

static hd_status check_singular(systems *s)
{
    hd_view first;
    int64_t at;
    hd_status status = hd__frame_row(&s->f, HD_I64, 1, &first);
    const hd_view numbers = hd_iota(hd_count(s->borders));
    if (status == HD_OK)
        status = hd_reduce(s->f.ctx, s->borders, HD_MIN, first,
                           &(hd_reduce_options){.map = s->k->singular, .with = HD_VIEWS(numbers)});
    if (status == HD_OK) status = hd__frame_read(&s->f, first, 0, &at);
    if (status == HD_OK) status = hd__frame_drop(&s->f, &first);
    return status != HD_OK || at == INT64_MAX ? status : singular(s, at / (s->blocks + 1));
}

static hd_status find_unknowns(systems *s, hd_view right, hd_view x)
{
    const int64_t length = s->blocks + 1;
    const hd_view *const r = s->row, *const e = s->rest;
    hd_status status = HD_OK;
    if (s->whole > 0)
        status = hd_map(
            s->f.ctx, blocks_of(s, r[LOWER]), &s->unknowns, blocks_of(s, x),
            &(hd_map_options){.with = HD_VIEWS(blocks_of(s, r[DIAGONAL]), blocks_of(s, r[UPPER]),
                                               blocks_of(s, right),
                                               columns(s, s->borders, length, 0, s->whole),
                                               columns(s, s->borders, length, 1, s->whole))});
    if (status != HD_OK || s->whole == s->blocks) return status;
    status = hd_map(s->f.ctx, as_block(s, e[LOWER]), &s->unknowns, as_block(s, s->tail),
                    &(hd_map_options){.with = HD_VIEWS(as_block(s, e[DIAGONAL]),
                                                       as_block(s, e[UPPER]), as_block(s, e[RIGHT]),
                                                       hd__frame_part(s->borders, s->whole, 1),
                                                       hd__frame_part(s->borders, s->blocks, 1))});
    if (status != HD_OK) return status;
    const int64_t at = s->whole * s->k->length;
    return hd_map(s->f.ctx, hd__frame_part(s->tail, 0, s->n - at), NULL,
                  hd__frame_part(x, at, s->n - at), NULL);
}

// Systems for a thread at a time: about so many unknowns.
#define TASK 8192

typedef struct rows {
    const hd__tridiagonal_kernels *k;
    hd__tridiagonal_rows of;
    int64_t m, step, *bad; // bad: of each task
} rows;

static void solve_rows(void *user, int64_t task)
{
    const rows *const r = user;
    const int64_t from = task * r->step;
    r->bad[task] = r->k->systems(&r->of, from, from + r->step < r->m ? from + r->step : r->m);
}

static hd_status solve_side_by_side(systems *s, hd_view right, hd_view x)
{
    const hd_view *const a = s->row;
    const void *const in[] = {a[LOWER].data, a[DIAGONAL].data, a[UPPER].data, right.data};
    rows r = {s->k, {{in[0], in[1], in[2], in[3]}, s->n, s->blocks, x.data}, s->m, 0, NULL};
    r.step = (TASK / s->n + 15) / 16 * 16;
    const int64_t tasks = (s->m + r.step - 1) / r.step;
    hd_view bad;
    hd_status status = hd__frame_row(&s->f, HD_I64, tasks, &bad);
    if (status != HD_OK) return status;
    r.bad = bad.data;
    hd__team_run(hd__team_size(s->f.ctx), tasks, solve_rows, &r);
    for (int64_t k = 0; k < tasks && status == HD_OK; k++)
        if (r.bad[k] >= 0) status = singular(s, r.bad[k]);
    return status == HD_OK ? hd__frame_drop(&s->f, &bad) : status;
}

static hd_status solve(systems *s, hd_view right, hd_view x)
{
    if (s->side_by_side) return solve_side_by_side(s, right, x);
    hd_status status = reduce_blocks(s, right);
    if (status == HD_OK) status = scan_pairs(s);
    if (status == HD_OK) status = solve_borders(s);
    if (status == HD_OK) status = find_unknowns(s, right, x);
    return status == HD_OK ? check_singular(s) : status; // waits, so it comes last
}

// ---- Residuals ------------------------------------------------------------------------------

// residual = right - A x, rows of storage: the first and the last equation have two terms.
static hd_status find_residual(systems *s, hd_view residual)
{
    const int64_t n = s->n;
#define PART(array, first, count) shaped(s, array, first, count)
    const hd_view a = s->row[LOWER], b = s->row[DIAGONAL], c = s->row[UPPER], d = s->row[RIGHT];
    const hd_view x = s->x;
    hd_context *const ctx = s->f.ctx;
    if (n == 1)
        return hd_map(ctx, PART(b, 0, 1), s->k->alone, PART(residual, 0, 1),
                      &(hd_map_options){.with = HD_VIEWS(PART(x, 0, 1), PART(d, 0, 1))});
    hd_status status = hd_map(ctx, PART(b, 0, 1), s->k->ahead, PART(residual, 0, 1),
                              &(hd_map_options){.with = HD_VIEWS(PART(x, 0, 1), PART(c, 0, 1),
                                                                 PART(x, 1, 1), PART(d, 0, 1))});
    if (status == HD_OK)
        status = hd_map(ctx, PART(b, n - 1, 1), s->k->ahead, PART(residual, n - 1, 1),
                        &(hd_map_options){.with = HD_VIEWS(PART(x, n - 1, 1), PART(a, n - 1, 1),
                                                           PART(x, n - 2, 1), PART(d, n - 1, 1))});
    if (status != HD_OK || n == 2) return status;
    return hd_map(ctx, PART(a, 1, n - 2), s->k->inner, PART(residual, 1, n - 2),
                  &(hd_map_options){.with = HD_VIEWS(PART(x, 0, n - 2), PART(b, 1, n - 2),
                                                     PART(x, 1, n - 2), PART(c, 1, n - 2),
                                                     PART(x, 2, n - 2), PART(d, 1, n - 2))});
#undef PART
}

static hd_status refine(systems *s, int32_t steps, const hd_view *wanted)
{
    hd_view residual, change;
    hd_status status = filled(s, s->m * s->pitch, 0, &residual);
    if (status == HD_OK && steps > 0)
        status = hd__frame_row(&s->f, s->k->real, s->m * s->pitch, &change);
    for (int32_t k = 0; status == HD_OK && k < steps; k++) {
        status = find_residual(s, residual);
        if (status == HD_OK) status = solve(s, residual, change);
        if (status == HD_OK)
            status = hd_map(s->f.ctx, shaped(s, s->x, 0, s->n), s->k->sum, shaped(s, s->x, 0, s->n),
                            &(hd_map_options){.with = HD_VIEWS(shaped(s, change, 0, s->n))});
    }
    if (status != HD_OK || wanted == NULL) return status;
    status = find_residual(s, residual);
    return status == HD_OK ? hd_map(s->f.ctx, shaped(s, residual, 0, s->n), NULL, *wanted, NULL)
                           : status;
}

// ---- The call -------------------------------------------------------------------------------

// The cores take blocks side by side; every other backend, also the serial one, takes the texts.
static hd_status choose_loops(systems *s)
{
    hd_backend ran = HD_AUTO;
    s->reduced = *s->k->reduced, s->unknowns = *s->k->unknowns;
    if (s->f.on_device) return HD_OK;
    const hd_status status = hd__frame_backend(&s->f, &ran);
    if (ran != HD_CPU) return status;
    s->side_by_side = s->m > 1 && s->blocks <= HD__TRIDIAGONAL_BLOCKS;
    s->reduced.apply = s->k->reduced_lanes, s->unknowns.apply = s->k->unknowns_lanes;
    return status;
}

static hd_status run(systems *s, const hd_tridiagonal_options *o)
{
    bool narrow = s->out.type == HD_F32;
    for (int k = 0; k < ARRAYS; k++) narrow = narrow && s->user[k].type == HD_F32;
    const hd_view *const like = &s->user[DIAGONAL];
    const int64_t count = hd_count(*like);
    if (count == 0) return HD_OK;
    s->n = like->shape[like->ndim - 1];
    s->m = count / s->n;
    s->k = hd__tridiagonal_kernels_of(s->f.ctx, narrow ? HD_F32 : HD_F64, s->n);
    s->blocks = (s->n + s->k->length - 1) / s->k->length;
    hd_status status = choose_loops(s);
    if (status != HD_OK) return status;
    if (s->m > MAX_ELEMENTS / (s->n + s->k->length))
        return hd__frame_fail(&s->f, HD_ERROR_MEMORY,
                              "%" PRId64 " systems of %" PRId64
                              " unknowns are more than any memory holds",
                              s->m, s->n);
    status = load(s);
    if (status == HD_OK && !s->side_by_side) status = make_room(s);
    if (status == HD_OK) status = solve(s, s->row[RIGHT], s->x);
    if (status == HD_OK && (o->refinements > 0 || o->residual != NULL))
        status = refine(s, o->refinements, o->residual);
    if (status != HD_OK || s->x.data == s->out.data) return status;
    return hd_map(s->f.ctx, shaped(s, s->x, 0, s->n), NULL, s->out, NULL);
}

static void with_dimension(hd_view *v)
{
    if (v->ndim == 0) v->ndim = 1, v->shape[0] = v->stride[0] = 1;
}

hd_status hd_tridiagonal(hd_context *ctx, hd_view lower, hd_view diagonal, hd_view upper,
                         hd_view right, hd_view out, const hd_tridiagonal_options *options)
{
    systems s;
    hd_tridiagonal_options o;
    memset(&s, 0, sizeof s);
    hd_status status = hd__frame_open(&s.f, ctx, "hd_tridiagonal", out);
    if (status != HD_OK) return status;
    s.user[LOWER] = lower, s.user[DIAGONAL] = diagonal;
    s.user[UPPER] = upper, s.user[RIGHT] = right, s.out = out;
    for (int k = 0; k < ARRAYS; k++) with_dimension(&s.user[k]);
    with_dimension(&s.out);
    status = hd__frame_options(&s.f, options, sizeof o, &o);
    if (status == HD_OK && o.residual != NULL && o.residual->type == HD_NONE) o.residual = NULL;
    if (status == HD_OK) status = check_options(&s, &o);
    if (status == HD_OK) status = run(&s, &o);
    return hd__frame_close(&s.f, status);
}
