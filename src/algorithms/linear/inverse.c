// SPDX-License-Identifier: Apache-2.0
// hd_inverse: blocked Gauss-Jordan elimination with partial pivoting (Quintana-Orti and others
// 2001); the other method is in csanky.c.
#include <heddle_algorithms.h>

#include <inttypes.h>
#include <math.h>

#include "core/system/float_state.h"
#include "csanky.h"
#include "panel_cores.h"

HD_FUNCTION(size_f32, float, HD_NO_SOURCE, (float, x), { return x < 0 ? -x : x; })
HD_FUNCTION(size_f64, double, HD_NO_SOURCE, (double, x), { return x < 0 ? -x : x; })
HD_FUNCTION(factor_f32, float, HD_NO_SOURCE, (float, x, float, pivot), { return -(x / pivot); })
HD_FUNCTION(factor_f64, double, HD_NO_SOURCE, (double, x, double, pivot), { return -(x / pivot); })
HD_FUNCTION(scaled_f32, float, HD_NO_SOURCE, (float, x, float, pivot), { return x / pivot; })
HD_FUNCTION(scaled_f64, double, HD_NO_SOURCE, (double, x, double, pivot), { return x / pivot; })
HD_FUNCTION(eliminated_f32, float, HD_NO_SOURCE, (float, x, float, factor, float, row),
            { return fmaf(factor, row, x); })
HD_FUNCTION(eliminated_f64, double, HD_NO_SOURCE, (double, x, double, factor, double, row),
            { return fma(factor, row, x); })
HD_FUNCTION(inverse_f32, float, HD_NO_SOURCE, (float, x), { return 1 / x; })
HD_FUNCTION(inverse_f64, double, HD_NO_SOURCE, (double, x), { return 1 / x; })

enum { PANEL = 64 };

typedef struct elimination {
    hd_view w; // n x n, in place
    int64_t n;
    hd_view order;      // i64: which row of the matrix each row of w was
    hd_view spot;       // one i64
    hd_view line, row;  // a row of w; its part in the panel
    hd_view factor;     // a column
    hd_view left, swap; // a panel; rows of it
    hd__panels panels;  // where the context computes on cores
    bool wide;
} elimination;

#define OF(e, name) ((e)->wide ? name##_f64 : name##_f32)

static hd_status open_elimination(hd__frame *f, elimination *e, hd_view in)
{
    e->n = in.shape[0], e->wide = in.type == HD_F64;
    hd_status status = hd__matrix(f, in.type, e->n, e->n, &e->w);
    if (!status) status = hd_map(f->ctx, in, NULL, e->w, NULL);
    if (!status) status = hd__frame_row(f, HD_I64, e->n, &e->order);
    if (!status) status = hd_map(f->ctx, hd_iota(e->n), NULL, e->order, NULL);
    if (!status) status = hd__frame_row(f, HD_I64, 1, &e->spot);
    if (!status) status = hd__frame_row(f, in.type, e->n, &e->line);
    if (!status) status = hd__frame_row(f, in.type, PANEL, &e->row);
    if (!status) status = hd__frame_row(f, in.type, e->n, &e->factor);
    if (!status) status = hd__frame_row(f, in.type, e->n * PANEL, &e->left);
    if (!status) status = hd__frame_row(f, in.type, e->n * PANEL, &e->swap);
    return status ? status : hd__panels_open(f, in.type, e->n, PANEL, &e->panels);
}

static hd_view shaped(hd_view row, int64_t rows, int64_t columns)
{
    const int64_t shape[2] = {rows, columns};
    hd_view v = hd_view_nd(row.type, row.data, 2, shape, NULL);
    v.space = row.space, v.device = row.device;
    return v;
}

// Row i or column j of a matrix, as a row.
static hd_view row_of(hd_view m, int64_t i)
{
    m = hd_slice(m, 0, i, 1, 1);
    m.ndim = 1, m.shape[0] = m.shape[1], m.stride[0] = m.stride[1];
    return m;
}

static hd_view column_of(hd_view m, int64_t j)
{
    m = hd_slice(m, 1, j, 1, 1);
    m.ndim = 1;
    return m;
}

static hd_status exchange(hd__frame *f, hd_view a, hd_view b, hd_view scratch)
{
    hd_status status = hd_map(f->ctx, a, NULL, scratch, NULL);
    if (!status) status = hd_map(f->ctx, b, NULL, a, NULL);
    return status ? status : hd_map(f->ctx, scratch, NULL, b, NULL);
}

static double widened(float x)
{
    HD__FLOAT_STATE; // in which a subnormal number stays one
    return (double)x;
}

// The pivot of column j is of this size: whether it may be one.
static hd_status check_pivot(hd__frame *f, int64_t j, double size)
{
    HD__FLOAT_STATE;
    if (size == 0)
        return hd__frame_fail(f, HD_ERROR_VALUE,
                              "column %" PRId64 " has no pivot but 0: the matrix is singular", j);
    if (!isfinite(size))
        return hd__frame_fail(f, HD_ERROR_VALUE,
                              "column %" PRId64 " has an element that is not finite, or an "
                              "elimination overflows",
                              j);
    return HD_OK;
}

// The greatest element of column j from the diagonal on comes to stand there.
static hd_status pivot(hd__frame *f, elimination *e, int64_t j)
{
    int64_t at = 0;
    double size = 0;
    float narrow = 0;
    const hd_view value = e->wide ? HD_VIEW(&size, 1) : HD_VIEW(&narrow, 1);
    const hd_view column = hd_slice(column_of(e->w, j), 0, j, e->n - j, 1);
    hd_status status = hd_reduce(f->ctx, column, HD_ARGMAX, HD_VIEW(&at, 1),
                                 &(hd_reduce_options){.map = OF(e, size), .values = &value});
    if (!status) status = check_pivot(f, j, e->wide ? size : widened(narrow));
    if (status || at == 0) return status;
    status =
        exchange(f, hd__frame_part(e->order, j, 1), hd__frame_part(e->order, j + at, 1), e->spot);
    if (status) return status;
    return exchange(f, row_of(e->w, j), row_of(e->w, j + at), e->line);
}

// Column j, the c-th of a panel, is eliminated within the panel; it receives the column of the
// transformation that does it.
static hd_status eliminate(hd__frame *f, elimination *e, hd_view panel, int64_t j, int64_t c)
{
    const int64_t width = panel.shape[1];
    const hd_view row = hd__frame_part(e->row, 0, width), one = hd_slice(row, 0, c, 1, 1);
    const hd_view own = row_of(panel, j), column = column_of(panel, c);
    hd_view down = shaped(e->factor, e->n, width), across = shaped(e->row, e->n, width);
    down.stride[0] = 1, down.stride[1] = 0, across.stride[0] = 0;
    hd_status status = hd_map(f->ctx, own, NULL, row, NULL);
    if (!status)
        status = hd_map(f->ctx, column, OF(e, factor), e->factor,
                        &(hd_map_options){.with = HD_VIEWS(one)});
    if (!status)
        status = hd_map(f->ctx, panel, OF(e, eliminated), panel,
                        &(hd_map_options){.with = HD_VIEWS(down, across)});
    if (!status) status = hd_map(f->ctx, e->factor, NULL, column, NULL);
    if (!status)
        status = hd_map(f->ctx, row, OF(e, scaled), own, &(hd_map_options){.with = HD_VIEWS(one)});
    return status ? status : hd_map(f->ctx, one, OF(e, inverse), hd_slice(own, 0, c, 1, 1), NULL);
}

// The transformation of a panel at p, applied to columns q .. q + n - 1.
static hd_status apply(hd__frame *f, elimination *e, int64_t p, int64_t width, int64_t q, int64_t n)
{
    const hd_view left = shaped(e->left, e->n, width), copy = shaped(e->swap, width, n);
    if (n == 0) return HD_OK;
    const hd_view rows = hd__block(e->w, p, width, q, n);
    hd_status status = hd_map(f->ctx, rows, NULL, copy, NULL);
    if (!status) status = hd__fill(f, rows, 0);
    if (status) return status;
    return hd__product(f, left, copy, hd__block(e->w, 0, e->n, q, n), HD__PRODUCT_ADD);
}

// The panel at p becomes the transformation that eliminates it, and e->left a copy of it: by the
// cores in the copy,
static hd_status eliminate_panel(hd__frame *f, elimination *e, hd_view panel, int64_t p)
{
    const hd_view left = shaped(e->left, e->n, panel.shape[1]);
    int64_t failed = -1;
    double size = 0;
    hd_status status = hd_map(f->ctx, panel, NULL, left, NULL);
    if (!status)
        status = hd__panel_eliminate(f, &e->panels, left, p, e->w, e->order, &failed, &size);
    if (!status && failed >= 0) status = check_pivot(f, failed, size);
    return status ? status : hd_map(f->ctx, left, NULL, panel, NULL);
}

// elsewhere column by column.
static hd_status eliminate_columns(hd__frame *f, elimination *e, hd_view panel, int64_t p)
{
    const int64_t width = panel.shape[1];
    hd_status status = HD_OK;
    for (int64_t c = 0; c < width && !status; c++) {
        status = pivot(f, e, p + c);
        if (!status) status = eliminate(f, e, panel, p + c, c);
    }
    return status ? status : hd_map(f->ctx, panel, NULL, shaped(e->left, e->n, width), NULL);
}

static hd_status sweep(hd__frame *f, elimination *e, int64_t p)
{
    const int64_t width = e->n - p < PANEL ? e->n - p : (int64_t)PANEL;
    const hd_view panel = hd__block(e->w, 0, e->n, p, width);
    hd_status status =
        e->panels.serves ? eliminate_panel(f, e, panel, p) : eliminate_columns(f, e, panel, p);
    if (!status) status = apply(f, e, p, width, 0, p);
    return status ? status : apply(f, e, p, width, p + width, e->n - p - width);
}

// w is the inverse of the matrix with its rows in another order: so are its columns.
static hd_status give(hd__frame *f, const elimination *e, hd_view out)
{
    hd_view from;
    hd_status status = hd__frame_row(f, HD_I64, e->n, &from);
    if (!status)
        status = hd_scatter(f->ctx, hd_iota(e->n), e->order, from,
                            &(hd_scatter_options){.unique = true});
    if (status) return status;
    return hd_gather(f->ctx, e->w, from, out, &(hd_gather_options){.axis = HD_AXIS(1)});
}

static hd_status gauss_jordan(hd__frame *f, hd_view in, hd_view out)
{
    elimination e;
    hd_status status = open_elimination(f, &e, in);
    for (int64_t p = 0; p < e.n && !status; p += PANEL) status = sweep(f, &e, p);
    return status || e.n == 0 ? status : give(f, &e, out);
}

// ---- The call -----------------------------------------------------------------------------------

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

static hd_status check(hd__frame *f, hd_view in, hd_view out, const hd_inverse_options *o)
{
    if (o->method != HD_INVERSE_BLOCKED && o->method != HD_INVERSE_LOG)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "there is no method %d", o->method);
    if (o->reserved_32 != 0)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "reserved_32 is set; expected 0");
    if (is_given(o->steps) && o->method != HD_INVERSE_LOG)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, ".steps: expected HD_INVERSE_LOG");
    const hd_status status = hd__square_check(f, in, out);
    if (status || o->method != HD_INVERSE_LOG || in.shape[0] <= HD_INVERSE_LOG_MAX) return status;
    return hd__frame_fail(f, HD_ERROR_SHAPE,
                          "%" PRId64 " rows; expected at most %d for HD_INVERSE_LOG", in.shape[0],
                          HD_INVERSE_LOG_MAX);
}

static hd_status invert(hd__frame *f, hd_view in, hd_view out, const hd_inverse_options *o)
{
    hd_view kept = in;
    int64_t steps = 0;
    hd_status status = HD_OK;
    if (is_given(o->residual)) { // out may overlap in
        status = hd__matrix(f, in.type, in.shape[0], in.shape[0], &kept);
        if (!status) status = hd_map(f->ctx, in, NULL, kept, NULL);
    }
    if (!status)
        status =
            o->method == HD_INVERSE_LOG ? hd__csanky(f, in, out, &steps) : gauss_jordan(f, in, out);
    if (!status) status = hd__residual(f, kept, out, o->residual);
    if (status || !is_given(o->steps)) return status;
    return hd_map(f->ctx, hd_constant(steps, 1), NULL, *o->steps, NULL);
}

hd_status hd_inverse(hd_context *ctx, hd_view in, hd_view out, const hd_inverse_options *options)
{
    hd__frame f;
    hd_inverse_options o = {0};
    hd_status status = hd__frame_open(&f, ctx, "hd_inverse", in);
    if (!status) status = hd__frame_options(&f, options, sizeof o, &o);
    if (!status) status = check(&f, in, out, &o);
    if (!status) status = invert(&f, in, out, &o);
    return hd__frame_close(&f, status);
}
