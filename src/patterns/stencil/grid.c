// SPDX-License-Identifier: Apache-2.0
// Grids: making one of two views, its border, and its rows on their way in and out.
#include "grid.h"
#include "core/arguments.h"
#include "core/convert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 256 // elements in flight between strides and conversion

// ---- Making ----------------------------------------------------------------------------------

static hd_status check_views(hd_context *ctx, const char *call, const hd_view *in,
                             const hd_view *out)
{
    HD_TRY(hd__check_input_as(ctx, in, "%s: in", call));
    if (in->space != HD_HOST && in->space != HD_DEVICE)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: in: an implicit view has no neighbours", call);
    HD_TRY(hd__check_output_as(ctx, out, "%s: out", call));
    HD_TRY(hd__check_shape_of(ctx, call, "out", out, "in", in));
    return hd__check_apart_of(ctx, call, "out", out, "in", in);
}

hd_status hd__check_host_input(hd_context *ctx, const char *what, const hd_view *v)
{
    const bool takes_device = ctx->takes_device;
    ctx->takes_device = false;
    const hd_status status = hd__check_input(ctx, what, v);
    ctx->takes_device = takes_device;
    return status;
}

static hd_status check_channels(hd_context *ctx, const char *call, hd_channels how, int32_t ndim,
                                int32_t axes)
{
    if ((int)how < 0 || how > HD_CHANNELS_LAST)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: channels are %d; expected one of hd_channels",
                        call, (int)how);
    if (how == HD_CHANNELS_UNSAID && ndim > axes)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: in has %d axes, the neighbourhood %d; expected .channels to say "
                        "HD_CHANNELS_LAST or HD_CHANNELS_NONE",
                        call, (int)ndim, (int)axes);
    return HD_OK;
}

hd_status hd__grid_make(hd_context *ctx, const char *call, const hd_view *in, const hd_view *out,
                        int32_t axes, hd_channels how, hd__grid *g)
{
    const bool channels = how == HD_CHANNELS_LAST;
    HD_TRY(check_views(ctx, call, in, out));
    HD_TRY(check_channels(ctx, call, how, in->ndim, axes));
    if (in->ndim < axes + channels)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: in has %d axes; expected %d or more%s", call,
                        (int)in->ndim, (int)axes + channels,
                        channels ? ", the last one being channels" : "");
    g->in = *in;
    g->out = *out;
    g->batch_axes = in->ndim - axes - channels;
    g->batches = 1;
    for (int k = 0; k < g->batch_axes; k++) g->batches *= in->shape[k];
    for (int k = 0; k < HD__GRID_AXES; k++) {
        const bool there = k == HD__CHANNEL ? channels : k >= HD__CHANNEL - axes;
        const int at = k == HD__CHANNEL ? in->ndim - 1 : in->ndim - channels - HD__CHANNEL + k;
        g->axis[k] = there ? at : -1;
        g->shape[k] = there ? in->shape[at] : 1;
        g->in_stride[k] = there ? in->stride[at] : 0;
        g->out_stride[k] = there ? out->stride[at] : 0;
    }
    return HD_OK;
}

static void dense_strides(const hd__grid *g, int64_t stride[HD__GRID_AXES])
{
    int64_t step = 1;
    for (int k = HD__GRID_AXES - 1; k >= 0; k--) {
        stride[k] = step;
        step *= g->shape[k];
    }
}

void hd__grid_set_in(hd__grid *g, hd_type type, const void *data)
{
    g->in = hd_view_of(type, data, hd__grid_points(g));
    g->batch_axes = 0;
    g->batches = 1;
    dense_strides(g, g->in_stride);
}

void hd__grid_set_out(hd__grid *g, hd_type type, void *data)
{
    g->out = hd_view_of(type, data, hd__grid_points(g));
    g->batch_axes = 0;
    g->batches = 1;
    dense_strides(g, g->out_stride);
}

hd_status hd__check_border(hd_context *ctx, const char *call, hd_border requested,
                           hd_border standard, bool keep, hd_border *border)
{
    *border = requested == HD_BORDER_DEFAULT ? standard : requested;
    if ((int)requested < 0 || requested >= HD_BORDER_COUNT)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: border %d is none; expected one of hd_border",
                        call, (int)requested);
    if (requested == HD_BORDER_KEEP && !keep)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: border keep is for hd_stencil alone", call);
    return HD_OK;
}

static bool is_whole(hd_type type)
{
    return hd__is_integer(type) || type == HD_BOOL;
}

static hd_status check_number(hd_context *ctx, const char *call, const char *name, hd_type type)
{
    if (hd__is_number(type) && !(is_whole(type) && hd__size_of(type) == 8)) return HD_OK;
    return hd__fail(ctx, HD_ERROR_TYPE,
                    "%s: %s is %s; expected a float, bool or an integer of up to 32 bits", call,
                    name, hd_type_name(type));
}

hd_status hd__select_sum(hd_context *ctx, const char *call, hd__grid *g, hd_type weights)
{
    const hd_type in = g->in.type, out = g->out.type;
    HD_TRY(check_number(ctx, call, "in", in));
    HD_TRY(check_number(ctx, call, "out", out));
    if (is_whole(in) && is_whole(out) && is_whole(weights))
        g->sum = HD_I64;
    else
        g->sum = in == HD_F64 || out == HD_F64 || (is_whole(in) && hd__size_of(in) == 4) ||
                         (is_whole(out) && hd__size_of(out) == 4)
                     ? HD_F64
                     : HD_F32;
    return HD_OK;
}

hd_status hd__set_beyond(hd_context *ctx, const char *call, hd__grid *g, double constant)
{
    memset(g->beyond, 0, sizeof g->beyond);
    if (g->border != HD_BORDER_CONSTANT && constant != 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: constant is %g; it is for HD_BORDER_CONSTANT",
                        call, constant);
    if (g->border != HD_BORDER_CONSTANT) return HD_OK;
    if (is_whole(g->sum) && !(fabs(constant) < 0x1p62))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: constant %g is no integer", call, constant);
    if (!hd__is_number(g->sum))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: a constant border needs numbers, in is %s", call,
                        hd_type_name(g->sum));
    hd__finalize_sums(g->sum, g->beyond, HD_F64, &constant, 1);
    return HD_OK;
}

// ---- Rows -----------------------------------------------------------------------------------

static int64_t batch_offset(const hd_view *v, int32_t axes, int64_t batch)
{
    int64_t offset = 0;
    for (int k = axes - 1; k >= 0; k--) {
        offset += batch % v->shape[k] * v->stride[k];
        batch /= v->shape[k];
    }
    return offset;
}

int64_t hd__grid_in_offset(const hd__grid *g, int64_t batch)
{
    return batch_offset(&g->in, g->batch_axes, batch);
}

int64_t hd__grid_out_offset(const hd__grid *g, int64_t batch)
{
    return batch_offset(&g->out, g->batch_axes, batch);
}

static void fill_beyond(const hd__grid *g, int64_t n, void *to)
{
    const size_t size = hd__size_of(g->sum);
    if (size > sizeof g->beyond) // structures have zeros only
        memset(to, 0, (size_t)n * size);
    else
        for (int64_t i = 0; i < n; i++) memcpy((char *)to + (size_t)i * size, g->beyond, size);
}

static void convert(const hd__grid *g, void *to, const void *from, int64_t n)
{
    if (g->sum == g->in.type && g->sum != HD_BOOL)
        memcpy(to, from, (size_t)n * hd__size_of(g->sum));
    else
        hd__convert(g->sum, to, g->in.type, from, n);
}

// n pixels that lie inside, from offset on.
static void read_inside(const hd__grid *g, int64_t offset, int64_t n, void *to)
{
    const int64_t channels = g->shape[HD__CHANNEL], step = g->in_stride[HD__X];
    const size_t size = hd__size_of(g->in.type), sum_size = hd__size_of(g->sum);
    if ((channels == 1 || g->in_stride[HD__CHANNEL] == 1) && step == channels) {
        convert(g, to, hd__at(&g->in, offset), n * channels);
        return;
    }
    _Alignas(HD__ALIGNMENT) unsigned char block[BLOCK * 8];
    const int64_t room = (int64_t)(sizeof block / size), all = n * channels;
    for (int64_t at = 0; at < all;) {
        int64_t m = 0;
        for (; m < room && at + m < all; m++) {
            const int64_t x = (at + m) / channels, c = (at + m) % channels;
            memcpy(block + (size_t)m * size,
                   hd__at(&g->in, offset + x * step + c * g->in_stride[HD__CHANNEL]), size);
        }
        convert(g, (char *)to + (size_t)at * sum_size, block, m);
        at += m;
    }
}

static void read_outside(const hd__grid *g, int64_t offset, int64_t x, int64_t n, char *to)
{
    const int64_t channels = g->shape[HD__CHANNEL];
    const size_t pixel = (size_t)channels * hd__size_of(g->sum);
    for (int64_t i = 0; i < n; i++, to += pixel) {
        const int64_t at = hd__border_index(g->border, x + i, g->shape[HD__X]);
        if (at < 0)
            fill_beyond(g, channels, to);
        else
            read_inside(g, offset + at * g->in_stride[HD__X], 1, to);
    }
}

void hd__grid_read(const hd__grid *g, const hd__row *row, void *to)
{
    const int64_t channels = g->shape[HD__CHANNEL], width = g->shape[HD__X];
    const int64_t z = hd__border_index(g->border, row->z, g->shape[HD__Z]);
    const int64_t y = hd__border_index(g->border, row->y, g->shape[HD__Y]);
    if (z < 0 || y < 0) {
        fill_beyond(g, row->n * channels, to);
        return;
    }
    const int64_t offset =
        hd__grid_in_offset(g, row->batch) + z * g->in_stride[HD__Z] + y * g->in_stride[HD__Y];
    const int64_t end = row->x0 + row->n;
    const int64_t first = row->x0 < 0 ? (end < 0 ? end : 0) : row->x0; // of those inside
    const int64_t last = end > width ? (first > width ? first : width) : end;
    const size_t pixel = (size_t)channels * hd__size_of(g->sum);
    char *at = to;
    read_outside(g, offset, row->x0, first - row->x0, at);
    at += (size_t)(first - row->x0) * pixel;
    if (last > first) {
        read_inside(g, offset + first * g->in_stride[HD__X], last - first, at);
        at += (size_t)(last - first) * pixel;
    }
    const int64_t rest = last > first ? last : first;
    read_outside(g, offset, rest, end - rest, at);
}

// ---- Out -------------------------------------------------------------------------------------

static void range_of(hd_type type, int64_t *least, int64_t *greatest)
{
    const int bits = 8 * (int)hd__size_of(type);
    const bool is_signed = hd__kind_of(type) == HD__SIGNED;
    *greatest = type == HD_BOOL ? 1
                : bits == 64    ? INT64_MAX
                                : ((int64_t)1 << (bits - is_signed)) - 1;
    *least = is_signed ? -*greatest - 1 : 0;
}

static int64_t clamp(double x, int64_t least, int64_t greatest)
{
    if (!(x > (double)least)) return x != x ? (least > 0 ? least : 0) : least;
    return x >= (double)greatest ? greatest : (int64_t)rint(x);
}

// Sums as whole numbers within the range of a type.
static void round_sums(hd_type to_type, hd_type sum, const void *from, int64_t *whole, int64_t n)
{
    int64_t least, greatest;
    range_of(to_type, &least, &greatest);
    const int64_t *i64 = from;
    const double *f64 = from;
    const float *f32 = from;
    for (int64_t i = 0; i < n; i++) {
        if (sum == HD_F32)
            whole[i] = clamp((double)f32[i], least, greatest);
        else if (sum == HD_F64)
            whole[i] = clamp(f64[i], least, greatest);
        else
            whole[i] = i64[i] < least ? least : i64[i] > greatest ? greatest : i64[i];
    }
}

void hd__finalize_sums(hd_type to_type, void *to, hd_type sum, void *from, int64_t n)
{
    if (!is_whole(to_type) || to_type == sum) {
        hd__convert(to_type, to, sum, from, n);
        return;
    }
    int64_t whole[BLOCK];
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        round_sums(to_type, sum, (char *)from + (size_t)at * hd__size_of(sum), whole, m);
        hd__convert(to_type, (char *)to + (size_t)at * hd__size_of(to_type), HD_I64, whole, m);
    }
}

void hd__grid_write(const hd__grid *g, const hd__row *row, void *from)
{
    const int64_t channels = g->shape[HD__CHANNEL], step = g->out_stride[HD__X];
    const int64_t n = row->n * channels;
    const size_t size = hd__size_of(g->out.type), sum_size = hd__size_of(g->sum);
    const int64_t offset = hd__grid_out_offset(g, row->batch) + row->z * g->out_stride[HD__Z] +
                           row->y * g->out_stride[HD__Y] + row->x0 * step;
    char *to = (char *)(uintptr_t)hd__at(&g->out, offset);
    if ((channels == 1 || g->out_stride[HD__CHANNEL] == 1) && step == channels) {
        hd__finalize_sums(g->out.type, to, g->sum, from, n);
        return;
    }
    _Alignas(HD__ALIGNMENT) unsigned char block[BLOCK * 8];
    const int64_t room = (int64_t)(sizeof block / size);
    for (int64_t at = 0; at < n; at += room) {
        const int64_t m = n - at < room ? n - at : room;
        hd__finalize_sums(g->out.type, block, g->sum, (char *)from + (size_t)at * sum_size, m);
        for (int64_t i = 0; i < m; i++) {
            const int64_t x = (at + i) / channels, c = (at + i) % channels;
            memcpy(to + (x * step + c * g->out_stride[HD__CHANNEL]) * (int64_t)size,
                   block + (size_t)i * size, size);
        }
    }
}
