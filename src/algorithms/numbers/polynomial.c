// SPDX-License-Identifier: Apache-2.0
// hd_polynomial: Horner's rule for blocks of points, or a reduction over the coefficients.
#include <heddle/algorithms/polynomial.h>

#include <inttypes.h>
#include <string.h>

#include "algorithms/simd/polynomial_kernels.h"
#include "algorithms/support/frame.h"

enum {
    AT_ONCE = HD__POLYNOMIAL_TERMS,
    BLOCK = HD__POLYNOMIAL_BLOCK,
    TREE_POINTS = 64, // HD_POLYNOMIAL_AUTO: less than these,
    TREE_TERMS = 4096 // and at least so many coefficients
};

typedef struct polynomial {
    hd__frame f;
    hd_polynomial_options o;
    const hd__polynomial_kernels *t;
    hd_view c, x, out;
    hd_view points, result; // rows of the computation's type; result may be points
    int64_t terms, count;
} polynomial;

// ---- Arguments ------------------------------------------------------------------------------

static bool same_view(const hd_view *a, const hd_view *b)
{
    const size_t dims = sizeof *a->shape * (size_t)a->ndim;
    return a->data == b->data && a->type == b->type && a->space == b->space && a->ndim == b->ndim &&
           !memcmp(a->shape, b->shape, dims) && !memcmp(a->stride, b->stride, dims);
}

static bool is_real(hd_type type)
{
    return type == HD_F32 || type == HD_F64;
}

static hd_status check_views(polynomial *p)
{
    hd_status status = hd__frame_check(&p->f, "coefficients", p->c);
    if (status == HD_OK) status = hd__frame_check(&p->f, "x", p->x);
    if (status == HD_OK) status = hd__frame_check_out(&p->f, "out", p->out);
    if (status != HD_OK) return status;
    if (!is_real(p->x.type) || !is_real(p->out.type))
        return hd__frame_fail(&p->f, HD_ERROR_TYPE, "expected x and out of f32 or f64, got %s, %s",
                              hd_type_name(p->x.type), hd_type_name(p->out.type));
    if (p->c.type < HD_I8 || p->c.type > HD_F64)
        return hd__frame_fail(&p->f, HD_ERROR_TYPE, "coefficients: expected numbers, got %s",
                              hd_type_name(p->c.type));
    if (p->c.ndim > 1)
        return hd__frame_fail(&p->f, HD_ERROR_SHAPE, "coefficients: expected one dimension, got %d",
                              p->c.ndim);
    if (p->x.ndim != p->out.ndim ||
        memcmp(p->x.shape, p->out.shape, sizeof *p->x.shape * (size_t)p->x.ndim))
        return hd__frame_fail(&p->f, HD_ERROR_SHAPE, "out has not the shape of x");
    if ((p->x.space == HD_DEVICE) != p->f.on_device || p->x.space > HD_IMPLICIT ||
        p->c.space > HD_IMPLICIT)
        return hd__frame_fail(&p->f, HD_ERROR_ARGUMENT,
                              "expected x and out in the same memory, of the host or a device");
    status = hd__frame_check_apart(&p->f, "out", p->out, "coefficients", p->c);
    if (status != HD_OK || same_view(&p->x, &p->out)) return status;
    return hd__frame_check_apart(&p->f, "out", p->out, "x", p->x);
}

static hd_status check_options(polynomial *p)
{
    if (p->o.method < HD_POLYNOMIAL_AUTO || p->o.method > HD_POLYNOMIAL_TREE)
        return hd__frame_fail(&p->f, HD_ERROR_ARGUMENT, "method is %d; expected 0 to %d",
                              p->o.method, HD_POLYNOMIAL_TREE);
    if (p->o.accumulate != HD_NONE && p->o.accumulate != HD_F64)
        return hd__frame_fail(&p->f, HD_ERROR_TYPE, "accumulate: expected HD_F64, got %s",
                              hd_type_name(p->o.accumulate));
    for (size_t k = 0; k < sizeof p->o.reserved_flags; k++)
        if (p->o.reserved_flags[k])
            return hd__frame_fail(&p->f, HD_ERROR_ARGUMENT, "reserved_flags: expected zeros");
    return HD_OK;
}

// ---- Horner's rule --------------------------------------------------------------------------

// One state of coefficients over all points: the first one begins, the others go on.
static hd_status horner_pass(polynomial *p, const void *state, bool first)
{
    const hd__polynomial_kernels *const t = p->t;
    const int64_t blocks = p->count / BLOCK, rest = p->count % BLOCK, at = blocks * BLOCK;
    const hd_function block = hd_with_state(first ? t->begin_block : t->more_block, state,
                                            t->state_bytes),
                      one = hd_with_state(first ? t->begin : t->more, state, t->state_bytes);
    hd_view x = hd__frame_part(p->points, 0, blocks), r = hd__frame_part(p->result, 0, blocks);
    x.type = r.type = t->block;
    hd_map_options o = {.with = {&r, !first}};
    hd_status status = blocks > 0 ? hd_map(p->f.ctx, x, &block, r, &o) : HD_OK;
    if (status != HD_OK || rest == 0) return status;
    const hd_view last = hd__frame_part(p->result, at, rest);
    o.with.view = &last;
    return hd_map(p->f.ctx, hd__frame_part(p->points, at, rest), &one, last, &o);
}

static hd_status horner(polynomial *p)
{
    unsigned char state[HD_MAX_STATE];
    double some[AT_ONCE];
    hd_status status = HD_OK;
    for (int64_t end = p->terms; status == HD_OK && end > 0;) {
        const int64_t begin = end > AT_ONCE ? end - AT_ONCE : 0;
        status = hd_map(p->f.ctx, hd_slice(p->c, 0, begin, end - begin, 1), NULL,
                        HD_VIEW(some, end - begin), NULL);
        if (status == HD_OK && p->c.space == HD_DEVICE) status = hd_sync(p->f.ctx);
        if (status != HD_OK) return status;
        p->t->fill(state, some, end - begin);
        status = horner_pass(p, state, end == p->terms);
        end = begin;
    }
    return status;
}

// ---- The tree -------------------------------------------------------------------------------

static hd_status tree(polynomial *p)
{
    hd_view c, sum;
    hd_status status = hd__frame_dense(&p->f, p->c, p->t->real, &c);
    if (status == HD_OK) status = hd__frame_row(&p->f, p->t->part, 1, &sum);
    for (int64_t i = 0; status == HD_OK && i < p->count; i++) {
        const hd_view x = hd__frame_part(p->points, i, 1);
        status = hd_reduce(p->f.ctx, c, p->t->joined, sum,
                           &(hd_reduce_options){.map = p->t->part_of, .with = HD_VIEWS(x)});
        if (status == HD_OK)
            status = hd_map(p->f.ctx, sum, p->t->value_of, hd__frame_part(p->result, i, 1), NULL);
    }
    return status;
}

// ---- The call -------------------------------------------------------------------------------

static bool takes_tree(const polynomial *p)
{
    if (p->o.method != HD_POLYNOMIAL_AUTO) return p->o.method == HD_POLYNOMIAL_TREE;
    return p->count < TREE_POINTS && p->terms >= TREE_TERMS;
}

static bool is_dense(const hd_view *v, hd_type real)
{
    int64_t dense = 1;
    for (int32_t k = v->ndim - 1; k >= 0; k--) {
        if (v->shape[k] != 1 && v->stride[k] != dense) return false;
        dense *= v->shape[k];
    }
    return v->type == real;
}

// Where the results are made: out itself, unless points are still read there.
static hd_status make_room(polynomial *p, bool by_tree)
{
    hd_status status = hd__frame_dense(&p->f, p->x, p->t->real, &p->points);
    if (status != HD_OK) return status;
    const bool again = p->points.data == p->out.data && p->terms > AT_ONCE && !by_tree;
    if (!is_dense(&p->out, p->t->real) || again)
        return hd__frame_row(&p->f, p->t->real, p->count, &p->result);
    p->result = p->out;
    p->result.ndim = 1, p->result.shape[0] = p->count, p->result.stride[0] = 1;
    return HD_OK;
}

static hd_status run(polynomial *p)
{
    const double zero = 0;
    p->count = hd_count(p->x), p->terms = hd_count(p->c);
    if (p->count == 0) return HD_OK;
    if (p->terms == 0) {
        hd_view zeros = hd_constant(zero, p->count);
        return hd__frame_copy(&p->f, zeros, p->out);
    }
    if (p->c.ndim == 0) p->c.ndim = 1, p->c.shape[0] = p->c.stride[0] = 1;
    if (p->o.highest_first) p->c = hd_slice(p->c, 0, p->terms - 1, p->terms, -1);
    const bool narrow = p->x.type == HD_F32 && p->out.type == HD_F32;
    p->t =
        hd__polynomial_kernels_of(p->f.ctx, narrow && p->o.accumulate == HD_NONE ? HD_F32 : HD_F64);
    const bool by_tree = takes_tree(p);
    hd_status status = make_room(p, by_tree);
    if (status == HD_OK) status = by_tree ? tree(p) : horner(p);
    if (status != HD_OK || p->result.data == p->out.data) return status;
    return hd__frame_copy(&p->f, p->result, p->out);
}

hd_status hd_polynomial(hd_context *ctx, hd_view coefficients, hd_view x, hd_view out,
                        const hd_polynomial_options *options)
{
    polynomial p;
    memset(&p, 0, sizeof p);
    hd_status status = hd__frame_open(&p.f, ctx, "hd_polynomial", out);
    p.c = coefficients, p.x = x, p.out = out;
    if (status == HD_OK) status = hd__frame_options(&p.f, options, sizeof p.o, &p.o);
    if (status == HD_OK) status = check_options(&p);
    if (status == HD_OK) status = check_views(&p);
    if (status == HD_OK) status = run(&p);
    return hd__frame_close(&p.f, status);
}
