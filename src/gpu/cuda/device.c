// SPDX-License-Identifier: Apache-2.0
//
// A CUDA device behind device_driver.h: the primary context, so that memory and streams of other
// libraries of the process fit; one stream, the caller's or its own; memory in the stream's order
// from a pool that keeps what is given back.
#include "gpu/runtime/precompiled.h"
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hd__gpu_device {
    const hd__gpu_cuda_driver *cu;
    cu_device number;
    cu_context context;
    cu_stream stream; // that works
    cu_stream own;    // or NULL: not made
    cu_event before;  // what the old stream had begun when another took over; made by its first use
    cu_pool pool;
    cu_event timers[HD__GPU_TIMERS];
    cu_stream streams
        [HD__GPU_STREAMS]; // those beside the stream, and events, are made by their first use
    cu_event events[HD__GPU_EVENTS];
    pid_t process; // a fork of it cannot use the driver
    hd__gpu_properties properties;
    char compiler[160];
};

struct hd__gpu_kernel {
    cu_module module;
    cu_function function;
    bool begins_early; // it awaits the work before itself (base.cuh)
};

static bool here(const char **why)
{
    const char *unused;
    if (why == NULL) why = &unused;
    return hd__gpu_cuda_driver_of(why) != NULL &&
           (hd__gpu_nvrtc_of(why) != NULL || hd__gpu_precompiled_kernels()->head->ptx > 0);
}

static hd_status fail(hd_context *ctx, const hd__gpu_cuda_driver *cu, cu_result result,
                      const char *what)
{
    const char *name = NULL, *text = NULL;
    if (cu->error_name(result, &name) != 0 || name == NULL) name = "an unknown error";
    if (cu->error_text(result, &text) != 0 || text == NULL) text = "";
    return hd__fail(ctx, result == CU_OUT_OF_MEMORY ? HD_ERROR_MEMORY : HD_ERROR_DEVICE,
                    "cuda: %s: %s (%s)", what, text, name);
}

// Every call is made with the device's context current, and leaves what was current before.
static hd_status enter(hd_context *ctx, const hd__gpu_device *d)
{
    if (d->process != getpid())
        return hd__fail(ctx, HD_ERROR_DEVICE,
                        "cuda: the context was used before a fork(), after which the CUDA driver "
                        "serves the old process alone");
    const cu_result result = d->cu->context_push(d->context);
    return result == 0 ? HD_OK : fail(ctx, d->cu, result, "entering the device's context");
}

static hd_status leave(hd_context *ctx, const hd__gpu_device *d, cu_result result, const char *what)
{
    cu_context popped;
    d->cu->context_pop(&popped);
    return result == 0 ? HD_OK : fail(ctx, d->cu, result, what);
}

// ---- Opening ------------------------------------------------------------------------------------

static void read_properties(hd__gpu_device *d)
{
    const hd__gpu_cuda_driver *cu = d->cu;
    hd__gpu_properties *p = &d->properties;
    int major = 0, minor = 0, count = 0, l2 = 0, shared = 0;
    size_t memory = 0;
    cu->device_name(p->name, sizeof p->name, d->number);
    cu->device_attribute(&major, CU_MAJOR, d->number);
    cu->device_attribute(&minor, CU_MINOR, d->number);
    cu->device_attribute(&count, CU_MULTIPROCESSORS, d->number);
    cu->device_attribute(&l2, CU_L2_BYTES, d->number);
    cu->device_attribute(&shared, CU_SHARED_OF_BLOCK, d->number);
    cu->device_memory(&memory, d->number);
    int version = 0;
    if (cu->version != NULL && cu->version(&version) == 0) p->driver_version = version;
    p->arch = p->runs = 10 * major + minor;
    p->multiprocessors = count;
    p->tile_bytes = shared >= HD__GPU_TILE_BYTES + HD__GPU_BESIDE_TILE_BYTES
                        ? HD__GPU_TILE_BYTES
                        : HD__GPU_SMALL_TILE_BYTES;
    p->shared_bytes = shared;
    p->l2_bytes = l2;
    p->memory_bytes = (int64_t)memory;
}

// With the context current. The legacy default stream and this one wait for each other: a caller
// that names no stream may have filled its arrays there.
static cu_result make_own_stream(hd__gpu_device *d)
{
    return d->own != NULL ? 0 : d->cu->stream_create(&d->own, 0);
}

// With the context current.
static cu_result make_parts(hd__gpu_device *d, void *stream, uint64_t keep)
{
    const hd__gpu_cuda_driver *cu = d->cu;
    const cu_pool_properties wish = {.allocation = 1, .location = 1, .id = d->number};
    cu_result result = cu->pool_create(&d->pool, &wish);
    if (result == 0) result = cu->pool_set(d->pool, CU_POOL_RELEASE_THRESHOLD, &keep);
    if (result == 0 && stream == NULL) result = make_own_stream(d);
    d->stream = stream != NULL ? stream : d->own;
    for (int k = 0; result == 0 && k < HD__GPU_TIMERS; k++)
        result = cu->event_create(&d->timers[k], 0);
    d->streams[HD__GPU_STREAM_WORK] = d->stream;
    return result;
}

static void close_device(hd_context *ctx, hd__gpu_device *d)
{
    if (d->context != NULL && enter(ctx, d) == HD_OK) {
        if (d->stream != NULL) d->cu->stream_wait(d->stream);
        for (int k = 0; k < HD__GPU_TIMERS; k++)
            if (d->timers[k] != NULL) d->cu->event_destroy(d->timers[k]);
        for (int k = 0; k < HD__GPU_EVENTS; k++)
            if (d->events[k] != NULL) d->cu->event_destroy(d->events[k]);
        for (int k = HD__GPU_STREAM_WORK + 1; k < HD__GPU_STREAMS; k++)
            if (d->streams[k] != NULL) d->cu->stream_destroy(d->streams[k]);
        if (d->before != NULL) d->cu->event_destroy(d->before);
        if (d->own != NULL) d->cu->stream_destroy(d->own);
        if (d->pool != NULL) d->cu->pool_destroy(d->pool);
        leave(ctx, d, 0, "");
        d->cu->context_release(d->number);
    }
    free(d);
}

static hd_status open_device(hd_context *ctx, int32_t number, void *stream, hd__gpu_device **device)
{
    const char *why;
    int count = 0;
    const hd__gpu_cuda_driver *cu = hd__gpu_cuda_driver_of(&why);
    if (cu == NULL) return hd__fail(ctx, HD_ERROR_BACKEND, "cuda: %s", why);
    cu->device_count(&count);
    if (number < 0 || number >= count)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "cuda: device %d; there are %d", (int)number,
                        count);
    hd__gpu_device *d = calloc(1, sizeof *d);
    if (d == NULL) return hd__fail(ctx, HD_ERROR_MEMORY, "no memory for a device");
    d->cu = cu;
    d->process = getpid();
    cu_result result = cu->device_get(&d->number, number);
    if (result == 0) result = cu->context_retain(&d->context, d->number);
    if (result == 0) {
        read_properties(d);
        hd__gpu_nvrtc_name(d->properties.arch, d->compiler, sizeof d->compiler);
        result = cu->context_push(d->context);
    }
    hd_status status =
        result == 0 ? leave(ctx, d, make_parts(d, stream, ctx->scratch_limit), "opening the device")
                    : fail(ctx, cu, result, "opening the device");
    if (status == HD_OK) {
        *device = d;
        return HD_OK;
    }
    close_device(ctx, d);
    return status;
}

static const hd__gpu_properties *properties(const hd__gpu_device *d)
{
    return &d->properties;
}

// ---- The stream that works ----------------------------------------------------------------------

// Nobody else knows a stream of our own.
static bool records(const hd__gpu_device *d, cu_stream stream)
{
    int how = 0;
    return stream != d->own && (d->cu->stream_recording(stream, &how) != 0 || how != 0);
}

// With the context current: the next stream goes on after the one that works. A stream that records
// a graph takes no event from outside of it and gives none.
static cu_result hand_over(hd__gpu_device *d, cu_stream next)
{
    cu_result result = 0;
    if (records(d, d->stream)) return 0;
    if (records(d, next)) return d->cu->stream_wait(d->stream);
    if (d->before == NULL) result = d->cu->event_create(&d->before, CU_EVENT_NO_TIMING);
    if (result == 0) result = d->cu->event_record(d->before, d->stream);
    return result == 0 ? d->cu->stream_follow(next, d->before, 0) : result;
}

static hd_status set_stream(hd_context *ctx, hd__gpu_device *d, void *stream)
{
    HD_TRY(enter(ctx, d));
    cu_result result = stream == NULL ? make_own_stream(d) : 0;
    const cu_stream next = stream != NULL ? stream : d->own;
    if (result == 0 && next != d->stream) result = hand_over(d, next);
    if (result == 0) d->stream = d->streams[HD__GPU_STREAM_WORK] = next;
    return leave(ctx, d, result, "changing the stream");
}

static void *stream_handle(const hd__gpu_device *d)
{
    return d->stream;
}

// ---- Code of the caller's -----------------------------------------------------------------------

static bool enter_caller(const hd__gpu_device *d)
{
    return d->process == getpid() && d->cu->context_push(d->context) == 0;
}

static void leave_caller(const hd__gpu_device *d)
{
    cu_context popped;
    d->cu->context_pop(&popped);
}

// ---- Memory -------------------------------------------------------------------------------------

// With the context current. What the pool keeps in pieces is given back before it is refused.
static cu_result allocate_from_pool(hd__gpu_device *d, size_t bytes, hd__gpu_address *at)
{
    const cu_result result = d->cu->allocate(at, bytes, d->pool, d->stream);
    if (result != CU_OUT_OF_MEMORY || d->cu->stream_wait(d->stream) != 0 ||
        d->cu->pool_trim(d->pool, 0) != 0)
        return result;
    return d->cu->allocate(at, bytes, d->pool, d->stream);
}

static hd_status allocate(hd_context *ctx, hd__gpu_device *d, size_t bytes, hd__gpu_address *at)
{
    char what[128];
    size_t left = 0, all = 0;
    HD_TRY(enter(ctx, d));
    const cu_result result = allocate_from_pool(d, bytes, at);
    if (result == CU_OUT_OF_MEMORY && d->cu->memory_free(&left, &all) == 0)
        snprintf(what, sizeof what, "allocating %zu bytes; %zu of %zu are free", bytes, left, all);
    else
        snprintf(what, sizeof what, "allocating %zu bytes", bytes);
    return leave(ctx, d, result, what);
}

static void release(hd__gpu_device *d, hd__gpu_address at)
{
    cu_context popped;
    if (d->process != getpid() || d->cu->context_push(d->context) != 0) return;
    d->cu->release(at, d->stream);
    d->cu->context_pop(&popped);
}

static void trim(hd_context *ctx, hd__gpu_device *d, size_t keep)
{
    (void)ctx; // a pool that gives nothing back is no error
    if (!enter_caller(d)) return;
    d->cu->pool_trim(d->pool, keep);
    leave_caller(d);
}

static hd_status clear(hd_context *ctx, hd__gpu_device *d, hd__gpu_address at, size_t bytes)
{
    HD_TRY(enter(ctx, d));
    return leave(ctx, d, d->cu->clear(at, 0, bytes, d->stream), "clearing memory");
}

static hd_status upload(hd_context *ctx, hd__gpu_device *d, hd__gpu_address to, const void *from,
                        size_t bytes)
{
    HD_TRY(enter(ctx, d));
    return leave(ctx, d, d->cu->upload(to, from, bytes, d->stream), "copying to the device");
}

static hd_status copy(hd_context *ctx, hd__gpu_device *d, hd__gpu_address to, hd__gpu_address from,
                      size_t bytes)
{
    HD_TRY(enter(ctx, d));
    return leave(ctx, d, d->cu->copy(to, from, bytes, d->stream), "copying on the device");
}

static hd_status download(hd_context *ctx, hd__gpu_device *d, void *to, hd__gpu_address from,
                          size_t bytes)
{
    HD_TRY(enter(ctx, d));
    cu_result result = d->cu->download(to, from, bytes, d->stream);
    if (result == 0) result = d->cu->stream_wait(d->stream);
    return leave(ctx, d, result, "copying from the device");
}

// ---- Lanes --------------------------------------------------------------------------------------

static void *pin(hd__gpu_device *d, size_t bytes)
{
    cu_context popped;
    void *memory = NULL;
    if (d->process != getpid() || d->cu->context_push(d->context) != 0) return NULL;
    if (d->cu->pin(&memory, bytes, 0) != 0) memory = NULL;
    d->cu->context_pop(&popped);
    return memory;
}

static void unpin(hd__gpu_device *d, void *memory)
{
    cu_context popped;
    if (d->process != getpid() || d->cu->context_push(d->context) != 0) return;
    d->cu->unpin(memory);
    d->cu->context_pop(&popped);
}

// With the context current.
static cu_result stream_of(hd__gpu_device *d, hd__gpu_stream stream)
{
    if (stream == HD__GPU_STREAM_WORK || d->streams[stream] != NULL) return 0;
    return d->cu->stream_create(&d->streams[stream], CU_STREAM_NON_BLOCKING);
}

static hd_status copy_in(hd_context *ctx, hd__gpu_device *d, hd__gpu_stream stream,
                         hd__gpu_address to, const void *from, size_t bytes)
{
    HD_TRY(enter(ctx, d));
    cu_result result = stream_of(d, stream);
    if (result == 0) result = d->cu->upload(to, from, bytes, d->streams[stream]);
    return leave(ctx, d, result, "copying to the device");
}

static hd_status copy_out(hd_context *ctx, hd__gpu_device *d, hd__gpu_stream stream, void *to,
                          hd__gpu_address from, size_t bytes)
{
    HD_TRY(enter(ctx, d));
    cu_result result = stream_of(d, stream);
    if (result == 0) result = d->cu->download(to, from, bytes, d->streams[stream]);
    return leave(ctx, d, result, "copying from the device");
}

static hd_status signal_event(hd_context *ctx, hd__gpu_device *d, hd__gpu_stream stream,
                              int32_t event)
{
    HD_TRY(enter(ctx, d));
    cu_result result = stream_of(d, stream);
    if (result == 0 && d->events[event] == NULL)
        result = d->cu->event_create(&d->events[event], CU_EVENT_NO_TIMING);
    if (result == 0) result = d->cu->event_record(d->events[event], d->streams[stream]);
    return leave(ctx, d, result, "signalling between streams");
}

static hd_status follow(hd_context *ctx, hd__gpu_device *d, hd__gpu_stream stream, int32_t event)
{
    HD_TRY(enter(ctx, d));
    cu_result result = stream_of(d, stream);
    if (result == 0) result = d->cu->stream_follow(d->streams[stream], d->events[event], 0);
    return leave(ctx, d, result, "waiting between streams");
}

static hd_status await(hd_context *ctx, hd__gpu_device *d, int32_t event)
{
    HD_TRY(enter(ctx, d));
    return leave(ctx, d, d->cu->event_wait(d->events[event]), "waiting for the device");
}

// ---- Kernels ------------------------------------------------------------------------------------

static const char *compiler(const hd__gpu_device *d)
{
    return d->compiler;
}

static bool compiles(const hd__gpu_device *d, const char **why)
{
    (void)d;
    return hd__gpu_nvrtc_of(why) != NULL;
}

static hd_status compile(hd_context *ctx, hd__gpu_device *d, const char *text, void **image,
                         size_t *bytes)
{
    return hd__gpu_nvrtc_compile(ctx, d->properties.arch, text, image, bytes);
}

static hd_status load(hd_context *ctx, hd__gpu_device *d, const void *image, size_t bytes,
                      const char *name, hd__gpu_kernel **kernel)
{
    (void)bytes; // an image knows its end
    hd__gpu_kernel *k = calloc(1, sizeof *k);
    if (k == NULL) return hd__fail(ctx, HD_ERROR_MEMORY, "no memory for a kernel");
    hd_status status = enter(ctx, d);
    if (status == HD_OK) {
        cu_result result = d->cu->module_load(&k->module, image);
        if (result == 0) {
            result = d->cu->module_function(&k->function, k->module, name);
            if (result != 0) d->cu->module_unload(k->module);
        }
        hd__gpu_address at;
        size_t size;
        k->begins_early = result == 0 && d->cu->begins_early &&
                          d->cu->module_variable(&at, &size, k->module, "hk_begins_early") == 0;
        status = leave(ctx, d, result, "loading a kernel");
    }
    if (status == HD_OK)
        *kernel = k;
    else
        free(k);
    return status;
}

static void unload(hd__gpu_device *d, hd__gpu_kernel *kernel)
{
    cu_context popped;
    if (d->process == getpid() && d->cu->context_push(d->context) == 0) {
        d->cu->module_unload(kernel->module);
        d->cu->context_pop(&popped);
    }
    free(kernel);
}

static hd_status variable(hd_context *ctx, hd__gpu_device *d, const hd__gpu_kernel *kernel,
                          const char *name, hd__gpu_address *at)
{
    size_t bytes;
    HD_TRY(enter(ctx, d));
    return leave(ctx, d, d->cu->module_variable(at, &bytes, kernel->module, name),
                 "finding a variable of a kernel");
}

static unsigned or_1(int32_t count)
{
    return count > 0 ? (unsigned)count : 1;
}

static hd_status launch(hd_context *ctx, hd__gpu_device *d, const hd__gpu_kernel *kernel,
                        const hd__gpu_launch *how)
{
    void *arguments[16];
    if (how->blocks > INT32_MAX || how->argument_count > 16)
        return hd__fail(ctx, HD_ERROR_DEVICE, "cuda: %lld blocks, %d arguments are too many",
                        (long long)how->blocks, (int)how->argument_count);
    for (int k = 0; k < how->argument_count; k++)
        arguments[k] = (void *)(uintptr_t)how->arguments[k];
    cu_launch_attribute early = {.what = CU_LAUNCH_EARLY, .value.yes = 1};
    const cu_launch as = {
        {(unsigned)how->blocks, or_1(how->blocks_yz[0]), or_1(how->blocks_yz[1])},
        {(unsigned)how->threads, or_1(how->threads_yz[0]), or_1(how->threads_yz[1])},
        (unsigned)how->shared_bytes,
        d->stream,
        &early,
        1};
    HD_TRY(enter(ctx, d));
    cu_result result = 0;
    if (how->shared_bytes > CU_PLAIN_SHARED)
        result = d->cu->function_set(kernel->function, CU_MOST_SHARED, how->shared_bytes);
    if (result == 0 && kernel->begins_early)
        result = d->cu->launch_more(&as, kernel->function, arguments, NULL);
    else if (result == 0)
        result = d->cu->launch(kernel->function, as.blocks[0], as.blocks[1], as.blocks[2],
                               as.threads[0], as.threads[1], as.threads[2], as.shared_bytes,
                               as.stream, arguments, NULL);
    return leave(ctx, d, result, "launching a kernel");
}

// ---- Waiting and time ---------------------------------------------------------------------------

static hd_status wait(hd_context *ctx, hd__gpu_device *d)
{
    HD_TRY(enter(ctx, d));
    return leave(ctx, d, d->cu->stream_wait(d->stream), "waiting for the device");
}

static hd_status timer(hd_context *ctx, hd__gpu_device *d, int32_t which)
{
    HD_TRY(enter(ctx, d));
    return leave(ctx, d, d->cu->event_record(d->timers[which], d->stream), "marking the stream");
}

static hd_status elapsed(hd_context *ctx, hd__gpu_device *d, double *milliseconds)
{
    float ms = 0;
    HD_TRY(enter(ctx, d));
    cu_result result = d->cu->event_wait(d->timers[1]);
    if (result == 0) result = d->cu->event_between(&ms, d->timers[0], d->timers[1]);
    *milliseconds = (double)ms;
    return leave(ctx, d, result, "timing");
}

static bool recording(const hd__gpu_device *d)
{
    return d->process == getpid() && records(d, d->stream);
}

const hd__gpu_driver hd__gpu_driver_cuda = {
    HD__GPU_BUILD, here,         open_device, close_device, set_stream, stream_handle, properties,
    enter_caller,  leave_caller, true,        allocate,     release,    trim,          clear,
    upload,        copy,         download,    pin,          unpin,      copy_in,       copy_out,
    signal_event,  follow,       await,       compiler,     compiles,   compile,       load,
    unload,        variable,     launch,      wait,         timer,      elapsed,       recording,
};
