// SPDX-License-Identifier: Apache-2.0
// Products of matrices by patterns alone: rank updates by hd_map, or a reduction along k.
#include "product.h"

#include <inttypes.h>
#include <math.h>

#include "product_tiles.h"

HD_FUNCTION(chain1_f32, float, HD_NO_SOURCE, (float, c, float, a, float, b),
            { return fmaf(a, b, c); })
HD_FUNCTION(chain1_f64, double, HD_NO_SOURCE, (double, c, double, a, double, b),
            { return fma(a, b, c); })
HD_FUNCTION(chain3_f32, float, HD_NO_SOURCE,
            (float, c, float, a, float, b, float, p, float, q, float, x, float, y),
            { return fmaf(x, y, fmaf(p, q, fmaf(a, b, c))); })
HD_FUNCTION(chain3_f64, double, HD_NO_SOURCE,
            (double, c, double, a, double, b, double, p, double, q, double, x, double, y),
            { return fma(x, y, fma(p, q, fma(a, b, c))); })
HD_FUNCTION(less1_f32, float, HD_NO_SOURCE, (float, c, float, a, float, b),
            { return fmaf(-a, b, c); })
HD_FUNCTION(less1_f64, double, HD_NO_SOURCE, (double, c, double, a, double, b),
            { return fma(-a, b, c); })
HD_FUNCTION(less3_f32, float, HD_NO_SOURCE,
            (float, c, float, a, float, b, float, p, float, q, float, x, float, y),
            { return fmaf(-x, y, fmaf(-p, q, fmaf(-a, b, c))); })
HD_FUNCTION(less3_f64, double, HD_NO_SOURCE,
            (double, c, double, a, double, b, double, p, double, q, double, x, double, y),
            { return fma(-x, y, fma(-p, q, fma(-a, b, c))); })
HD_FUNCTION(size_f32, float, HD_NO_SOURCE, (float, x), { return x < 0 ? -x : x; })
HD_FUNCTION(size_f64, double, HD_NO_SOURCE, (double, x), { return x < 0 ? -x : x; })
hd_view hd__block(hd_view v, int64_t r, int64_t m, int64_t q, int64_t n)
{
    v = hd_slice(v, v.ndim - 2, r, m, 1);
    return hd_slice(v, v.ndim - 1, q, n, 1);
}

// Column k of a, repeated along the columns of out, or row k of b along its rows.
static hd_view spread(hd_view v, int64_t k, bool column, hd_view out)
{
    const int axis = v.ndim - (column ? 1 : 2), other = v.ndim - (column ? 2 : 1);
    v = hd_slice(v, axis, k, 1, 1);
    v.shape[axis] = out.shape[axis], v.stride[axis] = 0;
    v.shape[other] = out.shape[other];
    return v;
}

// out = out +- a b, three columns of a at a time.
static hd_status update(hd__frame *f, hd_view a, hd_view b, hd_view out, bool less)
{
    const int64_t depth = a.shape[a.ndim - 1];
    const bool wide = out.type == HD_F64;
    const hd_function *one = less ? (wide ? less1_f64 : less1_f32) : wide ? chain1_f64 : chain1_f32;
    const hd_function *three = less   ? (wide ? less3_f64 : less3_f32)
                               : wide ? chain3_f64
                                      : chain3_f32;
    hd_status status = HD_OK;
    for (int64_t k = 0; k < depth && !status;) {
        const int64_t taken = depth - k >= 3 ? 3 : 1;
        hd_view with[6];
        for (int64_t j = 0; j < taken; j++) {
            with[2 * j] = spread(a, k + j, true, out);
            with[2 * j + 1] = spread(b, k + j, false, out);
        }
        status = hd_map(f->ctx, out, taken == 3 ? three : one, out,
                        &(hd_map_options){.with = {with, 2 * taken}});
        k += taken;
    }
    return status;
}

hd_status hd__fill(hd__frame *f, hd_view out, double value)
{
    hd_view one;
    if (hd_count(out) == 0) return HD_OK;
    hd_status status = hd__frame_row(f, out.type, 1, &one);
    if (!status) status = hd_map(f->ctx, hd_constant(value, 1), NULL, one, NULL);
    hd_view everywhere = out; // the element again and again
    if (!status) everywhere.data = one.data;
    for (int k = 0; k < out.ndim; k++) everywhere.stride[k] = 0;
    if (!status) status = hd_map(f->ctx, everywhere, NULL, out, NULL);
    return status ? status : hd__frame_drop(f, &one);
}

hd_status hd__product(hd__frame *f, hd_view a, hd_view b, hd_view out, hd__product_how how)
{
    const bool less = how == HD__PRODUCT_SUBTRACT || how == HD__PRODUCT_NEGATIVE;
    hd_status status = HD_OK;
    if (hd_count(out) == 0) return HD_OK;
    if (how == HD__PRODUCT_SET || how == HD__PRODUCT_NEGATIVE) status = hd__fill(f, out, 0);
    if (status || a.shape[a.ndim - 1] == 0) return status;
    bool done = false;
    status = hd__product_tiles(f, a, b, out, less, &done);
    return status || done ? status : update(f, a, b, out, less);
}

hd_status hd__product_tree(hd__frame *f, hd_view a, hd_view b, hd_view out)
{
    const int d = out.ndim;
    const int64_t depth = a.shape[d - 1];
    if (hd_count(out) == 0) return HD_OK;
    if (depth == 0) return hd__fill(f, out, 0);
    hd_view x = a, y = b; // (..., m, n, k)
    x.ndim = y.ndim = d + 1;
    x.shape[d - 1] = y.shape[d - 1] = out.shape[d - 1];
    x.shape[d] = y.shape[d] = depth;
    y.shape[d - 2] = out.shape[d - 2];
    x.stride[d] = a.stride[d - 1], x.stride[d - 1] = 0;
    y.stride[d] = b.stride[d - 2], y.stride[d - 2] = 0;
    return hd_reduce(f->ctx, x, HD_DOT, out,
                     &(hd_reduce_options){.axis = HD_AXIS(d), .with = HD_VIEWS(y)});
}

// ---- Checks -------------------------------------------------------------------------------------

static hd_status check_type(hd__frame *f, const char *what, hd_view v)
{
    if (v.type == HD_F32 || v.type == HD_F64) return hd__frame_check(f, what, v);
    return hd__frame_fail(f, HD_ERROR_TYPE, "%s is of %s; expected f32 or f64", what,
                          hd_type_name(v.type));
}

hd_status hd__product_check(hd__frame *f, hd_view a, hd_view b, hd_view out)
{
    const int d = out.ndim;
    hd_status status = check_type(f, "a", a);
    if (!status) status = check_type(f, "b", b);
    if (!status) status = hd__frame_check_out(f, "out", out);
    if (status) return status;
    if (a.type != b.type || a.type != out.type)
        return hd__frame_fail(f, HD_ERROR_TYPE, "a is of %s, b of %s, out of %s; expected one type",
                              hd_type_name(a.type), hd_type_name(b.type), hd_type_name(out.type));
    bool fits = d >= 2 && d < HD_MAX_DIMS && a.ndim == d && b.ndim == d;
    for (int k = 0; fits && k < d - 2; k++)
        fits = a.shape[k] == out.shape[k] && b.shape[k] == out.shape[k];
    if (!fits)
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "a has %d dimensions, b %d and out %d; expected 2 to %d, and as many "
                              "matrices in each",
                              a.ndim, b.ndim, d, HD_MAX_DIMS - 1);
    if (a.shape[d - 2] != out.shape[d - 2] || a.shape[d - 1] != b.shape[d - 2] ||
        b.shape[d - 1] != out.shape[d - 1])
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "%" PRId64 " x %" PRId64 " times %" PRId64 " x %" PRId64
                              " into %" PRId64 " x %" PRId64
                              "; expected m x k times k x n into m x n",
                              a.shape[d - 2], a.shape[d - 1], b.shape[d - 2], b.shape[d - 1],
                              out.shape[d - 2], out.shape[d - 1]);
    status = hd__frame_check_apart(f, "out", out, "a", a);
    return status ? status : hd__frame_check_apart(f, "out", out, "b", b);
}

hd_status hd__square_check(hd__frame *f, hd_view in, hd_view out)
{
    hd_status status = check_type(f, "in", in);
    if (!status) status = check_type(f, "out", out);
    if (!status) status = hd__frame_check_out(f, "out", out);
    if (status) return status;
    if (in.type != out.type)
        return hd__frame_fail(f, HD_ERROR_TYPE, "in is of %s, out of %s; expected one type",
                              hd_type_name(in.type), hd_type_name(out.type));
    if (in.ndim == 2 && out.ndim == 2 && in.shape[0] == in.shape[1] &&
        out.shape[0] == in.shape[0] && out.shape[1] == in.shape[0])
        return HD_OK;
    return hd__frame_fail(f, HD_ERROR_SHAPE,
                          "in has %" PRId64 " elements in %d dimensions and out %" PRId64
                          " in %d; expected two square matrices of one size",
                          hd_count(in), in.ndim, hd_count(out), out.ndim);
}

hd_status hd__matrix(hd__frame *f, hd_type type, int64_t rows, int64_t columns, hd_view *matrix)
{
    hd_view row;
    const int64_t shape[2] = {rows, columns};
    const hd_status status = hd__frame_row(f, type, rows * columns, &row);
    if (status) return status;
    *matrix = hd_view_nd(type, row.data, 2, shape, NULL);
    matrix->space = row.space, matrix->device = row.device;
    return HD_OK;
}

hd_view hd__diagonal(hd_view matrix)
{
    matrix.ndim = 1;
    matrix.stride[0] += matrix.stride[1];
    return matrix;
}

hd_status hd__residual(hd__frame *f, hd_view a, hd_view b, const hd_view *residual)
{
    const int64_t n = a.shape[0];
    const double none = 0;
    hd_view rest, most;
    if (residual == NULL || residual->type == HD_NONE) return HD_OK;
    if (n == 0) return hd_map(f->ctx, hd_constant(none, 1), NULL, *residual, NULL);
    hd_status status = hd__matrix(f, a.type, n, n, &rest);
    if (!status) status = hd__frame_row(f, a.type, 1, &most);
    if (!status) status = hd__fill(f, rest, 0);
    if (!status) status = hd__fill(f, hd__diagonal(rest), 1);
    if (!status) status = hd__product(f, a, b, rest, HD__PRODUCT_SUBTRACT);
    if (!status)
        status = hd_reduce(f->ctx, rest, HD_MAX, most,
                           &(hd_reduce_options){.map = a.type == HD_F64 ? size_f64 : size_f32});
    return status ? status : hd_map(f->ctx, most, NULL, *residual, NULL);
}
