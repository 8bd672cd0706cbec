// SPDX-License-Identifier: Apache-2.0
// Means of boxes of narrow integers on a device: the table is of 32 bits, in which the difference
// of four corners is exact modulo 2^32, and has the image's shape, so that all but the borders is
// one map of four rows that begin at different places. It leaves nonsense in columns where a box
// passes the left or the right border; these and the first and the last rows follow.
#include "box_means.h"

HD_SOURCE(
    narrow_boxes, typedef struct { double count; } whole_box;
    static inline double narrow_sum(int32_t far, int32_t above, int32_t left, int32_t near) {
        return (double)(int32_t)((uint32_t)far - (uint32_t)above - (uint32_t)left + (uint32_t)near);
    })
HD_FUNCTION_STATE(whole_mean, double, narrow_boxes,
                  (int32_t, far, int32_t, above, int32_t, left, int32_t, near), whole_box,
                  { return narrow_sum(far, above, left, near) / state->count; })
HD_FUNCTION_STATE(whole_mean_to_f32, float, narrow_boxes,
                  (int32_t, far, int32_t, above, int32_t, left, int32_t, near), whole_box,
                  { return (float)(narrow_sum(far, above, left, near) / state->count); })
HD_FUNCTION(clipped_mean, double, narrow_boxes,
            (int32_t, far, int32_t, above, int32_t, left, int32_t, near, int64_t, rows, int64_t,
             columns),
            { return narrow_sum(far, above, left, near) / (double)(rows * columns); })
HD_FUNCTION(clipped_mean_to_f32, float, narrow_boxes,
            (int32_t, far, int32_t, above, int32_t, left, int32_t, near, int64_t, rows, int64_t,
             columns),
            { return (float)(narrow_sum(far, above, left, near) / (double)(rows * columns)); })

static bool is_row(hd_view v)
{
    return v.stride[1] == 1 && v.stride[0] == v.shape[1];
}

bool hd__box_means_fit(const hd__boxes *b, hd_view in, hd_view out)
{
    const int64_t most = (int64_t)1 << (8 * hd_type_size(in.type));
    return in.type != HD_F32 && in.type != HD_F64 && hd_type_size(in.type) <= 2 &&
           b->height < INT32_MAX / most / b->width && 4 * b->height < b->h && 4 * b->width < b->w &&
           is_row(out);
}

// Middles from begin to before end; low and high: the table's last row (or column) before a box,
// and in it, for the first of them. below: none is before a box; steps of 0: it stays.
typedef struct span {
    int64_t begin, end, low, high;
    int64_t high_step;
    bool below;
} span;

static void cut(int64_t n, int64_t size, span out[3])
{
    const int64_t before = size / 2, behind = size - before, middle = n - behind + 1;
    out[0] = (span){0, before + 1, 0, behind - 1, 1, true};
    out[1] = (span){before + 1, middle, 0, before + behind, 1, false};
    out[2] = (span){middle, n, middle - before - 1, n - 1, 0, false};
}

static hd_view corner(hd_view table, const span *y, const span *x, bool low_y, bool low_x)
{
    static const int32_t zero = 0;
    const int64_t h = y->end - y->begin, w = x->end - x->begin;
    if ((low_y && y->below) || (low_x && x->below)) return hd_constant(zero, h * w);
    const int64_t pitch = table.stride[0];
    hd_view v = hd_slice(table, 0, low_y ? y->low : y->high, 1, 1);
    v = hd_slice(v, 1, low_x ? x->low : x->high, 1, 1);
    v.shape[0] = h, v.shape[1] = w;
    v.stride[0] = low_y || y->high_step ? pitch : 0;
    v.stride[1] = low_x || x->high_step ? 1 : 0;
    return v;
}

static hd_view piece_of(hd_view v, const span *y, const span *x)
{
    return hd_slice(hd_slice(v, 0, y->begin, y->end - y->begin, 1), 1, x->begin, x->end - x->begin,
                    1);
}

static hd_status clipped(hd__boxes *b, hd_view table, const span *y, const span *x, hd_view out)
{
    const hd_view rows = piece_of(b->rows, y, x), columns = piece_of(b->columns, y, x);
    return hd_map(
        b->f->ctx, corner(table, y, x, false, false),
        out.type == HD_F32 ? clipped_mean_to_f32 : clipped_mean, piece_of(out, y, x),
        &(hd_map_options){.with = HD_VIEWS(corner(table, y, x, true, false),
                                           corner(table, y, x, false, true),
                                           corner(table, y, x, true, true), rows, columns)});
}

// From the first middle whose box is whole to the last one, in row-major order.
static hd_status whole(hd__boxes *b, hd_view table, const span *y, const span *x, hd_view out)
{
    const whole_box all = {(double)(b->height * b->width)};
    const int64_t begin = y->begin * b->w + x->begin, n = (y->end - 1) * b->w + x->end - begin;
    const int64_t low_y = y->low * b->w, high_y = y->high * b->w;
    hd_view row = table, to = out;
    row.ndim = to.ndim = 1;
    row.shape[0] = to.shape[0] = b->h * b->w, row.stride[0] = to.stride[0] = 1;
    return hd_map(b->f->ctx, hd__frame_part(row, high_y + x->high, n),
                  out.type == HD_F32 ? HD_WITH_STATE(whole_mean_to_f32, &all)
                                     : HD_WITH_STATE(whole_mean, &all),
                  hd__frame_part(to, begin, n),
                  &(hd_map_options){.with = HD_VIEWS(hd__frame_part(row, low_y + x->high, n),
                                                     hd__frame_part(row, high_y + x->low, n),
                                                     hd__frame_part(row, low_y + x->low, n))});
}

hd_status hd__box_means_run(hd__boxes *b, hd_view in, hd_view out)
{
    span y[3], x[3];
    hd_view row;
    hd_status status = hd__frame_row(b->f, HD_I32, b->h * b->w, &row);
    if (status != HD_OK) return status;
    hd_view table = hd_view_nd(HD_I32, row.data, 2, (int64_t[]){b->h, b->w}, NULL);
    table.space = row.space;
    cut(b->h, b->height, y), cut(b->w, b->width, x);
    status = hd_integral(b->f->ctx, in, table, NULL);
    if (status == HD_OK) status = whole(b, table, &y[1], &x[1], out);
    for (int k = 0; k < 9 && status == HD_OK; k++)
        if (k != 4 && y[k / 3].begin < y[k / 3].end && x[k % 3].begin < x[k % 3].end)
            status = clipped(b, table, &y[k / 3], &x[k % 3], out);
    return status;
}
