// SPDX-License-Identifier: Apache-2.0
#include "frame.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

hd_status hd__frame_open(hd__frame *f, hd_context *ctx, const char *name, hd_view like)
{
    memset(f, 0, sizeof *f);
    f->ctx = ctx, f->name = name, f->on_device = like.space == HD_DEVICE;
    if (ctx == NULL) return HD_ERROR_ARGUMENT;
    return hd_fail(ctx, HD_OK, NULL);
}

hd_status hd__frame_fail(hd__frame *f, hd_status status, const char *format, ...)
{
    char text[400];
    int used = snprintf(text, sizeof text, "%s: ", f->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    return hd_fail(f->ctx, status, text);
}

// Rows of the host stay with the context for the next call.
static hd_status release_last(hd__frame *f)
{
    hd_view *row = &f->row[--f->rows];
    return f->on_device ? hd_free(f->ctx, row) : hd_free_scratch(f->ctx, row);
}

hd_status hd__frame_close(hd__frame *f, hd_status status)
{
    char text[600] = "";
    if (f->ctx == NULL) return HD_ERROR_ARGUMENT;
    if (status != HD_OK) { // calls that free clear it
        const char *inner = hd_error(f->ctx);
        const size_t length = strlen(f->name);
        const bool named = strncmp(inner, f->name, length) == 0 && inner[length] == ':';
        snprintf(text, sizeof text, "%s%s%s", named ? "" : f->name, named ? "" : ": ", inner);
    }
    while (f->rows > 0)
        if (release_last(f) != HD_OK) continue; // an empty one is no error
    return status == HD_OK ? HD_OK : hd_fail(f->ctx, status, text);
}

// No version of any options will have more.
enum { MOST_BYTES = 4096 };

hd_status hd__frame_options(hd__frame *f, const void *options, size_t known, void *taken)
{
    memset(taken, 0, known);
    if (options == NULL) return HD_OK;
    size_t given;
    memcpy(&given, options, sizeof given);
    if (given == 0) given = known;
    if (given < known || given > MOST_BYTES)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "options.size is %zu; expected 0, or %zu",
                              given, known);
    for (size_t k = known; k < given; k++)
        if (((const unsigned char *)options)[k] != 0)
            return hd__frame_fail(f, HD_ERROR_ARGUMENT,
                                  "options of a newer version: byte %zu is set; this one has %zu",
                                  k, known);
    memcpy(taken, options, known);
    memcpy(taken, &known, sizeof known);
    return HD_OK;
}

// Says which view it was that a pattern found wrong.
static hd_status named(hd__frame *f, const char *what, hd_status status)
{
    char text[400];
    if (status == HD_OK) return HD_OK;
    snprintf(text, sizeof text, "%s", hd_error(f->ctx));
    return hd__frame_fail(f, status, "%s: %s", what, text);
}

// No indices: a call that moves nothing, but looks at what it is given.
static hd_view nowhere(const hd__frame *f)
{
    hd_view v = hd_view_of(HD_I64, NULL, 0);
    if (f->on_device) v.space = HD_DEVICE;
    return v;
}

hd_status hd__frame_check(hd__frame *f, const char *what, hd_view v)
{
    hd_view none = hd_view_of(v.type, NULL, 0);
    if (f->on_device) none.space = HD_DEVICE;
    return named(f, what, hd_gather(f->ctx, v, nowhere(f), none, NULL));
}

hd_status hd__frame_check_out(hd__frame *f, const char *what, hd_view v)
{
    hd_view none = hd_view_of(v.type, NULL, 0);
    if (f->on_device) none.space = HD_DEVICE;
    return named(f, what, hd_scatter(f->ctx, none, nowhere(f), v, NULL));
}

// The bytes that a view reaches, from *low to before *high; false: none.
static bool reach_of(const hd_view *v, uintptr_t *low, uintptr_t *high)
{
    const uintptr_t size = hd_type_size(v->type);
    if (v->space > HD_DEVICE || hd_count(*v) <= 0) return false;
    *low = *high = (uintptr_t)v->data;
    for (int axis = 0; axis < v->ndim; axis++) {
        const int64_t reach = (v->shape[axis] - 1) * v->stride[axis];
        *(reach < 0 ? low : high) += (uintptr_t)reach * size;
    }
    *high += size;
    return true;
}

hd_status hd__frame_check_apart(hd__frame *f, const char *what, hd_view v, const char *other,
                                hd_view w)
{
    uintptr_t low, high, from, to;
    if (!reach_of(&v, &low, &high) || !reach_of(&w, &from, &to) || high <= from || to <= low)
        return HD_OK;
    return hd__frame_fail(f, HD_ERROR_ALIAS, "%s overlaps %s; expected them apart", what, other);
}

hd_status hd__frame_row(hd__frame *f, hd_type type, int64_t n, hd_view *row)
{
    if (f->rows == HD__FRAME_ROWS)
        return hd__frame_fail(f, HD_ERROR_MEMORY, "more than %d rows of scratch", HD__FRAME_ROWS);
    hd_view *const own = &f->row[f->rows];
    const hd_status status = f->on_device ? hd_alloc_device(f->ctx, type, 1, &n, own)
                                          : hd_alloc_scratch(f->ctx, type, n, own);
    if (status != HD_OK) return status;
    f->rows++;
    *row = *own;
    return HD_OK;
}

hd_status hd__frame_drop(hd__frame *f, hd_view *row)
{
    for (int k = 0; k < f->rows; k++)
        if (f->row[k].data == row->data && row->data != NULL) {
            const hd_view dropped = f->row[k];
            f->row[k] = f->row[f->rows - 1], f->row[f->rows - 1] = dropped;
            *row = HD_EMPTY;
            return release_last(f);
        }
    return HD_OK;
}

static bool is_row(const hd_view *v)
{
    int64_t next = 1;
    for (int axis = v->ndim - 1; axis >= 0; axis--) {
        if (v->shape[axis] != 1 && v->stride[axis] != next) return false;
        next *= v->shape[axis];
    }
    return v->space <= HD_DEVICE;
}

hd_view hd__frame_part(hd_view row, int64_t begin, int64_t n)
{
    // A row without elements may have no address.
    if (begin != 0) row.data = (char *)row.data + begin * (int64_t)hd_type_size(row.type);
    row.shape[0] = n;
    return row;
}

// The same elements as one row; of a view that is one.
static hd_view flat(hd_view v)
{
    v.shape[0] = hd_count(v);
    v.stride[0] = 1;
    v.ndim = 1;
    return v;
}

// Plain loops may read it: at a multiple of what its type is aligned to, 8 bytes at most.
static bool is_aligned(const hd_view *v)
{
    const uintptr_t size = hd_type_size(v->type) | 8;
    return (uintptr_t)v->data % (size & (~size + 1)) == 0;
}

hd_status hd__frame_dense(hd__frame *f, hd_view v, hd_type type, hd_view *row)
{
    if (v.type == type && is_row(&v) && (v.space == HD_DEVICE) == f->on_device && is_aligned(&v)) {
        *row = flat(v);
        return HD_OK;
    }
    hd_view own;
    hd_status status = hd__frame_row(f, type, hd_count(v), &own);
    if (status == HD_OK) status = hd__frame_copy(f, v, own);
    if (status == HD_OK) *row = own;
    return status;
}

hd_status hd__frame_copy(hd__frame *f, hd_view in, hd_view out)
{
    if (in.ndim != out.ndim || memcmp(in.shape, out.shape, sizeof *in.shape * (size_t)in.ndim)) {
        if (in.space != HD_IMPLICIT && is_row(&in)) { // takes the other one's shape
            hd_view shaped = hd_view_nd(in.type, in.data, out.ndim, out.shape, NULL);
            shaped.space = in.space, shaped.device = in.device, shaped.read_only = in.read_only;
            in = shaped;
        } else if (is_row(&out)) {
            hd_view shaped = hd_view_nd(out.type, out.data, in.ndim, in.shape, NULL);
            shaped.space = out.space, shaped.device = out.device, shaped.read_only = out.read_only;
            out = shaped;
        }
    }
    return hd_map(f->ctx, in, NULL, out, NULL);
}

hd_status hd__frame_read(hd__frame *f, hd_view row, int64_t i, void *value)
{
    const size_t size = hd_type_size(row.type);
    if (row.space == HD_HOST) {
        memcpy(value, (const char *)row.data + i * row.stride[0] * (int64_t)size, size);
        return HD_OK;
    }
    const hd_view one = hd_slice(row, 0, i, 1, 1);
    const hd_status status = hd_map(f->ctx, one, NULL, hd_view_of(row.type, value, 1), NULL);
    return status != HD_OK ? status : hd_sync(f->ctx);
}

hd_status hd__frame_backend(hd__frame *f, hd_backend *ran)
{
    int64_t nothing = 0;
    const hd_status status =
        hd_map(f->ctx, hd_constant(nothing, 1), NULL, HD_VIEW(&nothing, 1), NULL);
    *ran = hd_last_backend(f->ctx);
    return status;
}
