// SPDX-License-Identifier: Apache-2.0
// The inverse of a triangular matrix by halves, all blocks of a size at once (Heller 1978).
#include <heddle_algorithms.h>

#include <inttypes.h>

#include "../simd/dense_kernels.h"
#include "../support/team.h"
#include "triangle.h"

HD_FUNCTION(negative_f32, float, HD_NO_SOURCE, (float, x), { return -x; })
HD_FUNCTION(negative_f64, double, HD_NO_SOURCE, (double, x), { return -x; })
HD_FUNCTION(inverse_f32, float, HD_NO_SOURCE, (float, x), { return 1 / x; })
HD_FUNCTION(inverse_f64, double, HD_NO_SOURCE, (double, x), { return 1 / x; })
HD_FUNCTION_STATE(lower_f32, float, HD_NO_SOURCE, (float, x, int64_t, i), int64_t,
                  { return i % *state <= i / *state ? x : 0; })
HD_FUNCTION_STATE(lower_f64, double, HD_NO_SOURCE, (double, x, int64_t, i), int64_t,
                  { return i % *state <= i / *state ? x : 0; })

// x is lower triangular, its inverse comes to stand in its place.
typedef struct halves {
    hd_view x, half, whole; // scratch for products
    bool by_trees;
    int64_t steps;
} halves;

static int64_t steps_of(const halves *h, int64_t depth)
{
    int64_t steps = 1;
    for (int64_t k = 1; h->by_trees && k < depth; k *= 2) steps++;
    return h->by_trees ? steps : depth;
}

// out = a b, by trees or by a chain.
static hd_status product(hd__frame *f, halves *h, hd_view a, hd_view b, hd_view out)
{
    h->steps += steps_of(h, a.shape[a.ndim - 1]);
    return h->by_trees ? hd__product_tree(f, a, b, out)
                       : hd__product(f, a, b, out, HD__PRODUCT_SET);
}

// Scratch in the shape of a view.
static hd_view like(hd_view row, hd_view v)
{
    hd_view made = hd_view_nd(row.type, row.data, v.ndim, v.shape, NULL);
    made.space = row.space, made.device = row.device;
    return made;
}

// c = -(b c a): the inverses of the blocks on the diagonal, to its right and above it.
static hd_status join(hd__frame *f, halves *h, hd_view b, hd_view c, hd_view a)
{
    const hd_view half = like(h->half, c), whole = like(h->whole, c);
    hd_status status = product(f, h, b, c, half);
    if (!status) status = product(f, h, half, a, whole);
    h->steps++;
    if (status) return status;
    return hd_map(f->ctx, whole, c.type == HD_F64 ? negative_f64 : negative_f32, c, NULL);
}

// `count` blocks of s rows, (row, column) of each first one given, one pair after another.
static hd_view pairs_of(const halves *h, int64_t row, int64_t column, int64_t s, int64_t count)
{
    const int64_t n = h->x.shape[1];
    const int64_t shape[3] = {count, s, s}, stride[3] = {2 * s * (n + 1), n, 1};
    const hd_view from = hd__block(h->x, row, 1, column, 1);
    hd_view v = hd_view_nd(h->x.type, from.data, 3, shape, stride);
    v.space = from.space, v.device = from.device;
    return v;
}

// Blocks of s rows become blocks of 2 s: all pairs at the same time, and with them the last block
// where the one below it has fewer rows. That is no deeper than a pair.
static hd_status join_blocks(hd__frame *f, halves *h, int64_t s)
{
    const int64_t n = h->x.shape[0], pairs = n / (2 * s), rest = n % (2 * s), at = n - rest;
    const int64_t before = h->steps;
    hd_status status = HD_OK;
    if (pairs > 0)
        status = join(f, h, pairs_of(h, s, s, s, pairs), pairs_of(h, s, 0, s, pairs),
                      pairs_of(h, 0, 0, s, pairs));
    const int64_t of_pairs = h->steps, low = at + s, rows = rest - s;
    if (status || rows <= 0) return status;
    h->steps = before;
    status = join(f, h, hd__block(h->x, low, rows, low, rows), hd__block(h->x, low, rows, at, s),
                  hd__block(h->x, at, s, at, s));
    if (h->steps < of_pairs) h->steps = of_pairs;
    return status;
}

// ---- Small blocks on the cores ------------------------------------------------------------------

typedef struct small_blocks {
    const hd__dense_kernels *kernels;
    hd_view x;
} small_blocks;

static void invert_small(void *user, int64_t block)
{
    const small_blocks *b = user;
    const int64_t at = block * HD__TRIANGLE_BLOCK, n = b->x.shape[0], left = n - at;
    char *const first = (char *)b->x.data + at * (n + 1) * (int64_t)hd_type_size(b->x.type);
    b->kernels->invert_triangle(first, n,
                                left < HD__TRIANGLE_BLOCK ? left : (int64_t)HD__TRIANGLE_BLOCK);
}

// All levels of blocks of less than HD__TRIANGLE_BLOCK rows, where chains are summed on cores; *s
// is the first level that is left. A level of s rows is two products and a sign deep.
static hd_status join_small(hd__frame *f, halves *h, int64_t *s)
{
    const int64_t n = h->x.shape[0];
    hd_backend ran = HD_AUTO;
    *s = 1;
    if (h->by_trees || f->on_device) return HD_OK;
    const hd_status status = hd__frame_backend(f, &ran);
    if (status || ran != HD_CPU) return status;
    small_blocks b = {hd__dense_kernels_of(f->ctx, h->x.type), h->x};
    hd__team_run(hd__team_size(f->ctx), (n + HD__TRIANGLE_BLOCK - 1) / HD__TRIANGLE_BLOCK,
                 invert_small, &b);
    for (; *s < n && *s < HD__TRIANGLE_BLOCK; *s *= 2) {
        const int64_t below = n >= 2 * *s ? *s : n - *s; // rows of the deepest product
        h->steps += steps_of(h, below) + steps_of(h, *s) + 1;
    }
    return HD_OK;
}

static hd_status invert(hd__frame *f, halves *h)
{
    const int64_t n = h->x.shape[0];
    const hd_view diagonal = hd__diagonal(h->x);
    int64_t s = 1;
    hd_status status =
        hd_map(f->ctx, diagonal, h->x.type == HD_F64 ? inverse_f64 : inverse_f32, diagonal, NULL);
    h->steps++;
    if (!status) status = join_small(f, h, &s);
    for (; s < n && !status; s *= 2) status = join_blocks(f, h, s);
    return status;
}

// A copy of the lower triangle, zeros above it.
static hd_status take_lower(hd__frame *f, hd_view in, bool unit, hd_view *x)
{
    const int64_t n = in.shape[0];
    hd_status status = hd__matrix(f, in.type, n, n, x);
    if (status || n == 0) return status;
    const hd_function lower =
        in.type == HD_F64 ? *HD_WITH_STATE(lower_f64, &n) : *HD_WITH_STATE(lower_f32, &n);
    status = hd_map(f->ctx, in, &lower, *x, &(hd_map_options){.with = HD_VIEWS(hd_iota(n * n))});
    return status || !unit ? status : hd__fill(f, hd__diagonal(*x), 1);
}

static hd_status check_diagonal(hd__frame *f, hd_view x)
{
    const double zero = 0;
    const float narrow = 0;
    int64_t at = -1;
    const hd_status status =
        hd_find(f->ctx, hd__diagonal(x), HD_VIEW(&at, 1),
                &(hd_find_options){.value = x.type == HD_F64 ? (const void *)&zero : &narrow});
    if (status || at < 0) return status;
    return hd__frame_fail(f, HD_ERROR_VALUE,
                          "element %" PRId64 " of the diagonal is 0: the matrix is singular", at);
}

hd_status hd__triangle_invert(hd__frame *f, hd_view in, bool unit, bool by_trees, hd_view *inverse,
                              int64_t *steps)
{
    const int64_t n = in.shape[0];
    halves h = {.by_trees = by_trees};
    hd_status status = take_lower(f, in, unit, &h.x);
    if (!status && n > 0) status = check_diagonal(f, h.x);
    if (!status) status = hd__frame_row(f, in.type, n * n / 2 + 1, &h.half);
    if (!status) status = hd__frame_row(f, in.type, n * n / 2 + 1, &h.whole);
    if (!status && n > 0) status = invert(f, &h);
    *inverse = h.x, *steps += h.steps;
    if (!status) status = hd__frame_drop(f, &h.whole);
    return status ? status : hd__frame_drop(f, &h.half);
}

// ---- The call -----------------------------------------------------------------------------------

static hd_view turned(hd_view v)
{
    const int64_t stride = v.stride[0];
    v.stride[0] = v.stride[1], v.stride[1] = stride;
    return v;
}

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

static hd_status check(hd__frame *f, hd_view in, hd_view out,
                       const hd_triangular_inverse_options *o)
{
    if (o->method != HD_INVERSE_BLOCKED && o->method != HD_INVERSE_LOG)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "there is no method %d", o->method);
    if (o->reserved_flags[0] || o->reserved_flags[1])
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "reserved_flags are set; expected zeros");
    hd_status status = hd__square_check(f, in, out);
    const bool same =
        in.data == out.data && in.stride[0] == out.stride[0] && in.stride[1] == out.stride[1];
    if (status || same) return status;
    return hd__frame_check_apart(f, "out", out, "in", in);
}

static hd_status solve(hd__frame *f, hd_view in, hd_view out,
                       const hd_triangular_inverse_options *o)
{
    hd_view x, kept = HD_EMPTY;
    int64_t steps = 0;
    if (o->upper_triangle) in = turned(in), out = turned(out);
    hd_status status = hd__triangle_invert(f, in, o->unit, o->method == HD_INVERSE_LOG, &x, &steps);
    if (!status && is_given(o->residual)) status = take_lower(f, in, o->unit, &kept);
    if (!status && is_given(o->residual)) status = hd__residual(f, kept, x, o->residual);
    if (!status) status = hd_map(f->ctx, x, NULL, out, NULL);
    if (status || !is_given(o->steps)) return status;
    return hd_map(f->ctx, hd_constant(steps, 1), NULL, *o->steps, NULL);
}

hd_status hd_triangular_inverse(hd_context *ctx, hd_view in, hd_view out,
                                const hd_triangular_inverse_options *options)
{
    hd__frame f;
    hd_triangular_inverse_options o = {0};
    hd_status status = hd__frame_open(&f, ctx, "hd_triangular_inverse", in);
    if (!status) status = hd__frame_options(&f, options, sizeof o, &o);
    if (!status) status = check(&f, in, out, &o);
    if (!status) status = solve(&f, in, out, &o);
    return hd__frame_close(&f, status);
}
