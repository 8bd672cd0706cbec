// SPDX-License-Identifier: Apache-2.0
// What a context hands out: error texts, trace, scratch memory and owned arrays.
#include "backend.h"
#include "core/system/pipe_signal.h"
#include "view.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ALIGNMENT 64

hd_status hd__fail(hd_context *ctx, hd_status status, const char *format, ...)
{
    if (ctx->error[0] == 0) {
        va_list list;
        va_start(list, format);
        vsnprintf(ctx->error, sizeof ctx->error, format, list);
        va_end(list);
    }
    return status;
}

hd_status hd_fail(hd_context *ctx, hd_status status, const char *text)
{
    __attribute__((cleanup(hd__end))) hd_context *running = NULL;
    if (hd__begin(ctx, false, &running) != HD_OK) return status;
    return text != NULL ? hd__fail(ctx, status, "%s", text) : status;
}

// A line that cannot be written is not worth a call's failure, let alone the process: where nobody
// reads any more, there are no more lines.
static void write_line(hd_context *ctx, const char *line, size_t length)
{
    hd__pipe_signal signal;
    hd__hold_sigpipe(&signal);
    const bool written = write(ctx->trace_file, line, length) >= 0;
    hd__release_sigpipe(&signal);
    if (written) return;
    close(ctx->trace_file);
    ctx->trace_file = -1;
}

void hd__trace_line(hd_context *ctx, const char *format, ...)
{
    char line[400];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(line, sizeof line - 1, format, list);
    va_end(list);
    if (ctx->trace != NULL) {
        ctx->trace(ctx->trace_user, line);
    } else if (ctx->trace_file >= 0 && length > 0) {
        if (length > (int)sizeof line - 2) length = (int)sizeof line - 2;
        line[length] = '\n';
        write_line(ctx, line, (size_t)length + 1);
    }
}

hd_status hd__report_progress(hd_context *ctx, int64_t done, int64_t all)
{
    ctx->done = done;
    ctx->all = all;
    if (ctx->progress(ctx->progress_user, done, all) || done == all) return HD_OK;
    return hd__fail(ctx, HD_ERROR_CANCELLED, "cancelled by the progress function at %lld of %lld",
                    (long long)done, (long long)all);
}

void *hd__allocate(hd_context *ctx, size_t bytes)
{
    void *memory = ctx->allocator.allocate(ctx->allocator.user, bytes, ALIGNMENT);
    if (memory == NULL) hd__fail(ctx, HD_ERROR_MEMORY, "could not allocate %zu bytes", bytes);
    return memory;
}

void hd__release(hd_context *ctx, void *memory, size_t bytes)
{
    if (memory != NULL) ctx->allocator.release(ctx->allocator.user, memory, bytes);
}

void *hd__scratch(hd_context *ctx, size_t bytes)
{
    if (bytes <= ctx->scratch_bytes && ctx->scratch != NULL) return ctx->scratch;
    hd__release(ctx, ctx->scratch, ctx->scratch_bytes);
    ctx->scratch_bytes = 0;
    const size_t rounded = (bytes + 4095) / 4096 * 4096;
    ctx->scratch = hd__allocate(ctx, rounded);
    if (ctx->scratch != NULL) ctx->scratch_bytes = rounded;
    return ctx->scratch;
}

void hd__trim(hd_context *ctx, size_t keep)
{
    if (ctx->scratch_bytes > keep) {
        hd__release(ctx, ctx->scratch, ctx->scratch_bytes);
        ctx->scratch = NULL;
        ctx->scratch_bytes = 0;
    }
    hd__trim_rows(ctx, keep - ctx->scratch_bytes);
    const size_t left = keep - ctx->scratch_bytes - ctx->scratch_rows.kept;
    if (ctx->device_scratch > left) ctx->device_backend->trim(ctx, left, false);
}

hd_status hd_trim(hd_context *ctx, size_t keep_bytes)
{
    HD__BEGIN(ctx);
    hd__trim(ctx, keep_bytes);
    if (ctx->device_backend == NULL || ctx->state[ctx->device_backend->id] == NULL) return HD_OK;
    HD_TRY(ctx->device_backend->sync(ctx));
    ctx->device_backend->trim(ctx, keep_bytes - ctx->scratch_bytes - ctx->scratch_rows.kept, true);
    return HD_OK;
}

size_t hd_scratch_bytes(const hd_context *ctx)
{
    return ctx != NULL ? ctx->scratch_bytes + ctx->scratch_rows.kept + ctx->device_scratch : 0;
}

// The view that is asked for, without its memory, and the bytes it needs.
static hd_status describe(hd_context *ctx, const char *call, hd_type type, int32_t ndim,
                          const int64_t *shape, hd_view *view, size_t *bytes)
{
    if (view == NULL || (shape == NULL && ndim != 0))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s is NULL", call,
                        view == NULL ? "view" : "shape");
    memset(view, 0, sizeof *view);
    const hd_view made = hd_view_nd(type, NULL, ndim, shape, NULL);
    const int64_t count = hd_count(made);
    if (hd__size_of(type) == 0)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: the type is %s", call, hd_type_name(type));
    if (count < 0 || count > INT64_MAX / (int64_t)hd__size_of(type))
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: not a shape: expected 0 to %d dimensions, none negative", call,
                        HD_MAX_DIMS);
    *bytes = (size_t)count * hd__size_of(type);
    *view = made;
    return HD_OK;
}

hd_status hd_alloc(hd_context *ctx, hd_type type, int32_t ndim, const int64_t *shape, hd_view *view)
{
    size_t bytes;
    HD__BEGIN(ctx);
    HD_TRY(describe(ctx, "hd_alloc", type, ndim, shape, view, &bytes));
    if (bytes > 0) view->data = hd__allocate(ctx, bytes);
    if (bytes == 0 || view->data != NULL) return HD_OK;
    memset(view, 0, sizeof *view);
    return HD_ERROR_MEMORY;
}

hd_status hd_alloc_device(hd_context *ctx, hd_type type, int32_t ndim, const int64_t *shape,
                          hd_view *view)
{
    size_t bytes;
    HD__BEGIN(ctx);
    HD_TRY(describe(ctx, "hd_alloc_device", type, ndim, shape, view, &bytes));
    hd_status status = HD_OK;
    if (ctx->device_backend == NULL)
        status = hd__fail(ctx, HD_ERROR_BACKEND, "hd_alloc_device: backend %s has no device",
                          hd_backend_name(ctx->backend));
    else
        status = ctx->device_backend->allocate(ctx, bytes, &view->data);
    *view = hd_on_device(*view, ctx->device);
    if (status != HD_OK) memset(view, 0, sizeof *view);
    return status;
}

hd_status hd_free(hd_context *ctx, hd_view *view)
{
    HD__BEGIN(ctx);
    if (view == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "hd_free: view is NULL");
    const int64_t count = hd_count(*view);
    const size_t bytes = count > 0 ? (size_t)count * hd__size_of(view->type) : 0;
    if (view->data != NULL && view->space == HD_DEVICE) {
        if (ctx->device_backend == NULL)
            return hd__fail(ctx, HD_ERROR_BACKEND,
                            "hd_free: the elements are on a device, which backend %s cannot reach",
                            hd_backend_name(ctx->backend));
        ctx->device_backend->release(ctx, view->data, bytes);
    } else if (view->data != NULL) {
        hd__release(ctx, view->data, bytes);
    }
    memset(view, 0, sizeof *view);
    return HD_OK;
}

hd_status hd__fetch(hd_context *ctx, const hd_view *v, int64_t i, void *to)
{
    int64_t at = 0;
    for (int d = v->ndim - 1; d >= 0; d--) {
        at += i % v->shape[d] * v->stride[d];
        i /= v->shape[d];
    }
    return ctx->device_backend->copy_to_host(ctx, to, hd__at(v, at), hd__size_of(v->type));
}
