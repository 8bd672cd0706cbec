// SPDX-License-Identifier: Apache-2.0
// Box sums. Where no box is clipped the four corners are four views of the table, each shifted;
// near a border a corner stays in the table's first or last row (or column): a stride of 0. So the
// image is at most nine pieces, a call of a pattern for each.
#include "box_sums.h"

#include <inttypes.h>

HD_FUNCTION(corners_i64, int64_t, HD_NO_SOURCE,
            (int64_t, far, int64_t, above, int64_t, left, int64_t, near), {
                return (int64_t)((uint64_t)far - (uint64_t)above - (uint64_t)left + (uint64_t)near);
            })
HD_FUNCTION(corners_f64, double, HD_NO_SOURCE,
            (double, far, double, above, double, left, double, near),
            { return (far - above) - (left - near); })
HD_FUNCTION(square_i64, int64_t, HD_NO_SOURCE, (int64_t, x), { return x * x; })
HD_FUNCTION(square_f64, double, HD_NO_SOURCE, (double, x), { return x * x; })

HD_SOURCE(
    box_sides, typedef struct { int64_t before, size, n; } box_side;)
HD_FUNCTION_STATE(length_at, int64_t, box_sides, (int64_t, i), box_side, {
    const int64_t low = i - state->before, high = low + state->size;
    return (high < state->n ? high : state->n) - (low > 0 ? low : 0);
})

// A view of h x w, or of part of it, over a row.
static hd_view shaped(hd_view row, int64_t h, int64_t w, int64_t down, int64_t right)
{
    row.ndim = 2;
    row.shape[0] = h, row.shape[1] = w;
    row.stride[0] = down, row.stride[1] = right;
    return row;
}

hd_status hd__boxes_scratch(hd__boxes *b, hd_type type, hd_view *out)
{
    const hd_status status = hd__frame_row(b->f, type, b->h * b->w, out);
    *out = shaped(*out, b->h, b->w, b->w, 1);
    return status;
}

// How many rows (or columns) of the image the boxes have, by their middle.
static hd_status count(hd__boxes *b, int64_t n, int64_t size, hd_view *out)
{
    const box_side side = {size / 2, size, n};
    const hd_status status = hd__frame_row(b->f, HD_I64, n, out);
    if (status != HD_OK) return status;
    return hd_map(b->f->ctx, hd_iota(n), HD_WITH_STATE(length_at, &side), *out, NULL);
}

static hd_status check_image(hd__boxes *b, hd_view in)
{
    hd__frame *f = b->f;
    const bool is_integer = (in.type >= HD_I8 && in.type <= HD_U32) || in.type == HD_BOOL;
    hd_status status = hd__frame_check(f, "in", in);
    if (status != HD_OK) return status;
    if (!is_integer && in.type != HD_F32 && in.type != HD_F64)
        return hd__frame_fail(f, HD_ERROR_TYPE,
                              "in: expected bool, integers but u64, f32 or f64, got %s",
                              hd_type_name(in.type));
    if (in.ndim != 2)
        return hd__frame_fail(f, HD_ERROR_SHAPE, "in: expected two axes, got %d", (int)in.ndim);
    if (b->height < 1 || b->width < 1)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT,
                              "a box of %" PRId64 " x %" PRId64 "; expected 1 x 1 or larger",
                              b->height, b->width);
    return HD_OK;
}

// A box larger than twice the image has all of it, wherever its middle is.
static int64_t at_most(int64_t size, int64_t n)
{
    return size / 2 > n ? 2 * n + 1 : size;
}

hd_status hd__boxes_open(hd__boxes *b, hd__frame *f, hd_view in, int64_t height, int64_t width)
{
    *b = (hd__boxes){.f = f, .height = height, .width = width};
    hd_status status = check_image(b, in);
    if (status != HD_OK) return status;
    b->h = in.shape[0], b->w = in.shape[1];
    b->height = at_most(height, b->h), b->width = at_most(width, b->w);
    status = count(b, b->h, b->height, &b->rows);
    if (status == HD_OK) status = count(b, b->w, b->width, &b->columns);
    b->rows = shaped(b->rows, b->h, b->w, 1, 0);
    b->columns = shaped(b->columns, b->h, b->w, 0, 1);
    return status;
}

hd_status hd__boxes_image(hd__boxes *b, hd_view in)
{
    const bool is_float = in.type == HD_F32 || in.type == HD_F64;
    const hd_status status = hd__frame_dense(b->f, in, is_float ? HD_F64 : HD_I64, &b->image);
    b->image = shaped(b->image, b->h, b->w, b->w, 1);
    if (status != HD_OK) return status;
    return hd__frame_row(b->f, b->image.type, (b->h + 1) * (b->w + 1), &b->table);
}

// ---- Pieces -------------------------------------------------------------------------------------

// Middles from begin to before end whose boxes are clipped alike along one axis.
typedef struct piece {
    int64_t begin, end;
    int64_t low, high;           // the table's index of begin's two corners
    int64_t low_step, high_step; // 0: the corner stays
} piece;

static int cut(int64_t n, int64_t size, piece out[3])
{
    const int64_t before = size / 2, behind = size - before;
    const int64_t clipped_below = before < n ? before : n;
    const int64_t clipped_above = n - behind + 1 > 0 ? n - behind + 1 : 0;
    const bool crossed = clipped_above < clipped_below;
    const int64_t at[4] = {0, crossed ? clipped_above : clipped_below,
                           crossed ? clipped_below : clipped_above, n};
    int pieces = 0;
    for (int k = 0; k < 3; k++) {
        const int64_t begin = at[k];
        const bool low_stays = begin < clipped_below, high_stays = begin >= clipped_above;
        if (at[k + 1] <= begin) continue;
        out[pieces++] = (piece){begin,
                                at[k + 1],
                                low_stays ? 0 : begin - before,
                                high_stays ? n : begin + behind,
                                low_stays ? 0 : 1,
                                high_stays ? 0 : 1};
    }
    return pieces;
}

static hd_view corner(const hd__boxes *b, const piece *y, const piece *x, bool low_y, bool low_x)
{
    const int64_t pitch = b->w + 1;
    const int64_t at = (low_y ? y->low : y->high) * pitch + (low_x ? x->low : x->high);
    return shaped(hd__frame_part(b->table, at, 1), y->end - y->begin, x->end - x->begin,
                  (low_y ? y->low_step : y->high_step) * pitch, low_x ? x->low_step : x->high_step);
}

static hd_status sum_piece(hd__boxes *b, const piece *y, const piece *x, hd_view out)
{
    out = hd_slice(out, 0, y->begin, y->end - y->begin, 1);
    out = hd_slice(out, 1, x->begin, x->end - x->begin, 1);
    return hd_map(b->f->ctx, corner(b, y, x, false, false),
                  b->image.type == HD_I64 ? corners_i64 : corners_f64, out,
                  &(hd_map_options){.with = HD_VIEWS(corner(b, y, x, true, false),
                                                     corner(b, y, x, false, true),
                                                     corner(b, y, x, true, true))});
}

static hd_status make_table(hd__boxes *b, bool squares)
{
    const hd_view table = shaped(b->table, b->h + 1, b->w + 1, b->w + 1, 1);
    hd_view inner = hd_slice(hd_slice(table, 0, 1, b->h, 1), 1, 1, b->w, 1);
    hd_context *ctx = b->f->ctx;
    if (!squares)
        return hd_integral(ctx, b->image, table, &(hd_integral_options){.exclusive = true});
    const int64_t zero = 0;
    const hd_scan_options along_x = {.axis = HD_AXIS(1),
                                     .map = b->image.type == HD_I64 ? square_i64 : square_f64};
    hd_status status = HD_OK;
    for (int32_t axis = 0; axis < 2 && status == HD_OK; axis++) {
        const hd_view edge = hd_slice(table, axis, 0, 1, 1);
        status = hd_map(ctx, hd_constant(zero, hd_count(edge)), NULL, edge, NULL);
    }
    if (status == HD_OK) status = hd_scan(ctx, b->image, HD_SUM, inner, &along_x);
    if (status == HD_OK)
        status = hd_scan(ctx, inner, HD_SUM, inner, &(hd_scan_options){.axis = HD_AXIS(0)});
    return status;
}

hd_status hd__boxes_sum(hd__boxes *b, bool squares, hd_view out)
{
    piece y[3], x[3];
    const int down = cut(b->h, b->height, y), right = cut(b->w, b->width, x);
    hd_status status = make_table(b, squares);
    for (int k = 0; k < down * right && status == HD_OK; k++)
        status = sum_piece(b, &y[k / right], &x[k % right], out);
    return status;
}
