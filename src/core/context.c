// SPDX-License-Identifier: Apache-2.0
// Making and ending contexts: options, environment variables, backends.
#include "context.h"
#include "arguments.h"
#include "backend.h"
#include "core/choice/selector.h"
#include "core/system/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <omp.h>

#define MAX_THREADS 1024

// Large arrays on large pages, where the system gives them on request: random access to 2^22 nodes
// of a list is a third faster, and fresh pages come 512 at a time.
#define LARGE_PAGE  ((size_t)2 << 20)
#define LARGE_ARRAY (4 * LARGE_PAGE)

static void *plain_allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    void *memory = NULL;
    const bool large = bytes >= LARGE_ARRAY;
    if (posix_memalign(&memory, large ? LARGE_PAGE : alignment, bytes) != 0) return NULL;
#if defined(MADV_HUGEPAGE)
    if (large) madvise(memory, bytes, MADV_HUGEPAGE); // a hint: if refused, pages stay small
#endif
    return memory;
}

static void plain_release(void *user, void *memory, size_t bytes)
{
    (void)user, (void)bytes;
    free(memory);
}

static hd_status choose_allocator(hd_context *ctx, hd_allocator requested)
{
    const int given = (requested.allocate != NULL) + (requested.release != NULL);
    ctx->allocator = given == 2 ? requested : (hd_allocator){plain_allocate, plain_release, NULL};
    if (given == 1)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "hd_open: the allocator needs both allocate and release, got one");
    return HD_OK;
}

static hd_status choose_device_allocator(hd_context *ctx, hd_device_allocator requested)
{
    if ((requested.allocate != NULL) != (requested.release != NULL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "hd_open: the device allocator needs both allocate and release, got one");
    ctx->device_allocator = requested;
    return HD_OK;
}

static hd_status choose_backend(hd_context *ctx, hd_backend requested)
{
    if ((int)requested < 0 || requested >= HD_BACKEND_COUNT)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "hd_open: backend %d does not exist",
                        (int)requested);
    const char *name = getenv("HEDDLE_BACKEND");
    if (requested == HD_AUTO && name != NULL && name[0] != 0) {
        const int32_t named = hd_backend_named(name);
        if (named < 0)
            return hd__fail(ctx, HD_ERROR_BACKEND,
                            "hd_open: HEDDLE_BACKEND is '%.40s'; expected auto, serial, cpu, "
                            "cuda or model",
                            name);
        requested = (hd_backend)named;
    }
    hd__set_backend(ctx, requested);
    const char *why;
    if (!hd_backend_available(requested, &why))
        return hd__fail(ctx, HD_ERROR_BACKEND, "hd_open: backend %s: %s",
                        hd_backend_name(requested), why);
    return HD_OK;
}

static hd_status choose_threads(hd_context *ctx, int32_t requested)
{
    const char *text = getenv("HEDDLE_THREADS");
    long threads = requested;
    if (requested == 0 && text != NULL && text[0] != 0) {
        char *end;
        threads = strtol(text, &end, 10);
        if (*end != 0 || threads < 1 || threads > MAX_THREADS)
            return hd__fail(ctx, HD_ERROR_ARGUMENT,
                            "hd_open: HEDDLE_THREADS is '%.40s'; expected a number from 1 to %d",
                            text, MAX_THREADS);
    } else if (requested == 0) {
        threads = omp_get_max_threads();
    }
    if (threads < 1 || threads > MAX_THREADS)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "hd_open: threads is %ld; expected 0 to %d",
                        threads, MAX_THREADS);
    ctx->threads = (int32_t)threads;
    return HD_OK;
}

static hd_status open_trace(hd_context *ctx, const hd_context_options *options)
{
    ctx->trace = options->trace;
    ctx->trace_user = options->trace_user;
    ctx->progress = options->progress;
    ctx->progress_user = options->progress_user;
    const char *file = hd__trusted_env("HEDDLE_TRACE");
    if (options->trace != NULL || file == NULL || file[0] == 0 || strcmp(file, "0") == 0)
        return HD_OK;
    ctx->trace_file = strcmp(file, "1") == 0
                          ? dup(STDERR_FILENO)
                          : open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (ctx->trace_file < 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "hd_open: HEDDLE_TRACE: cannot open '%.200s': %s",
                        file, strerror(errno));
    return HD_OK;
}

// A stream as backends know it: NULL is the device's own.
static void *given_stream(void *stream)
{
    if (stream == HD_STREAM_OWN) return NULL;
    return stream != NULL ? stream : HD_STREAM_LEGACY;
}

static hd_status configure(hd_context *ctx, const hd_context_options *given)
{
    hd_context_options options[1];
    HD_TRY(HD__TAKE_OPTIONS(ctx, "hd_open", hd_context_options, given, options));
    HD_TRY(choose_allocator(ctx, options->allocator));
    HD_TRY(choose_device_allocator(ctx, options->device_allocator));
    HD_TRY(open_trace(ctx, options));
    HD_TRY(choose_backend(ctx, options->backend));
    HD_TRY(choose_threads(ctx, options->threads));
    HD_TRY(hd__tune_backends(ctx));
    if (options->stream_given || options->stream != NULL)
        ctx->stream = given_stream(options->stream);
    ctx->device = options->device;
    ctx->scratch_limit = options->scratch_limit > 0 ? options->scratch_limit : SIZE_MAX;
    for (const hd__backend *const *b = hd__backends; *b != NULL; b++) {
        if ((*b)->owner != NULL) ctx->owner = (*b)->owner();
        if ((*b)->open != NULL) HD_TRY((*b)->open(ctx, options));
    }
    ctx->usable = true;
    return HD_OK;
}

hd_status hd_open(hd_context **out, const hd_context_options *options)
{
    if (out == NULL) return HD_ERROR_ARGUMENT;
    struct {
        hd_context context;
        hd__fold recent;
    } *made = calloc(1, sizeof *made);
    hd_context *ctx = *out = made != NULL ? &made->context : NULL;
    if (ctx == NULL) return HD_ERROR_MEMORY;
    ctx->recent = &made->recent;
    ctx->trace_file = -1;
    return configure(ctx, options);
}

void hd_close(hd_context *ctx)
{
    if (ctx == NULL) return;
    for (const hd__backend *const *b = hd__backends; *b != NULL; b++)
        if ((*b)->close != NULL && ctx->state[(*b)->id] != NULL) (*b)->close(ctx);
    hd__selector_close(ctx);
    hd__trim_rows(ctx, 0);
    hd__release(ctx, ctx->scratch, ctx->scratch_bytes);
    if (ctx->trace_file >= 0) close(ctx->trace_file);
    free(ctx);
}

const char *hd_error(const hd_context *ctx)
{
    return ctx != NULL ? ctx->error : "no context: it is NULL";
}

int32_t hd_threads(const hd_context *ctx)
{
    return ctx != NULL ? ctx->threads : 0;
}

const char *hd_isa(const hd_context *ctx)
{
    return ctx != NULL && ctx->isa != NULL ? ctx->isa : "none";
}

hd_backend hd_last_backend(const hd_context *ctx)
{
    return ctx != NULL ? ctx->last : HD_AUTO;
}

static hd_status need_device(hd_context *ctx, const char *call)
{
    if (ctx->device_backend != NULL) return HD_OK;
    return hd__fail(ctx, HD_ERROR_BACKEND, "%s: backend %s has no device", call,
                    hd_backend_name(ctx->backend));
}

hd_status hd_set_stream(hd_context *ctx, void *stream)
{
    HD__BEGIN(ctx);
    HD_TRY(need_device(ctx, "hd_set_stream"));
    void *chosen = given_stream(stream);
    if (ctx->state[ctx->device_backend->id] != NULL)
        HD_TRY(ctx->device_backend->set_stream(ctx, chosen));
    ctx->stream = chosen; // a device that is not open yet is opened with it
    return HD_OK;
}

hd_status hd_stream(hd_context *ctx, void **stream)
{
    HD__BEGIN(ctx);
    if (stream == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "hd_stream: stream is NULL");
    *stream = NULL;
    HD_TRY(need_device(ctx, "hd_stream"));
    return ctx->device_backend->stream(ctx, stream);
}

hd_status hd_sync(hd_context *ctx)
{
    HD__BEGIN(ctx);
    for (const hd__backend *const *b = hd__backends; *b != NULL; b++)
        if ((*b)->sync != NULL && ctx->state[(*b)->id] != NULL) HD_TRY((*b)->sync(ctx));
    return HD_OK;
}
