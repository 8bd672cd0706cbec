// SPDX-License-Identifier: Apache-2.0
//
// The model machine as a device: everything happens at once, with every check on. What a launch is
// found to do wrong makes the call fail.
#include "model_device.h"
#include "gpu/runtime/precompiled.h"
#include "model/model.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct hd__gpu_device {
    hd_model *model;
    hd__gpu_properties properties;
    hd__gpu_model_watcher *watcher; // or NULL
    void *user;
};

struct hd__gpu_kernel {
    hd_model_module *module;
    char name[64];
};

static hd_status fail(hd_context *ctx, const hd__gpu_device *d, hd_status status)
{
    return hd__fail(ctx, status, "model: %s", hd_model_error(d->model));
}

// ---- Whether it is here: it needs a compiler of CUDA C ------------------------------------------

static bool compiler_present;
static char reason[200];

static void find_out(void)
{
    static const char text[] = "extern \"C\" __global__ void nothing(void) {}\n";
    hd_model *model = NULL;
    hd_model_module *module;
    compiler_present = hd_model_open(&model, NULL) == HD_OK &&
                       hd_model_load_text(model, text, sizeof text - 1, NULL, &module) == HD_OK;
    const char *error = model != NULL ? hd_model_error(model) : "no memory";
    if (!compiler_present) strncpy(reason, error, sizeof reason - 1);
    hd_model_close(model);
}

static bool compiles(const hd__gpu_device *d, const char **why)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)d;
    pthread_once(&once, find_out);
    *why = compiler_present ? "" : reason;
    return compiler_present;
}

static bool here(const char **why)
{
    const char *unused;
    return compiles(NULL, why != NULL ? why : &unused) ||
           hd__gpu_precompiled_kernels()->head->ptx > 0;
}

// ---- Device and memory --------------------------------------------------------------------------

static hd_status open_device(hd_context *ctx, int32_t number, void *stream, hd__gpu_device **device)
{
    (void)stream; // what is begun is done: it is in the order of every stream
    if (number != 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "model: device %d; there is 1", (int)number);
    hd__gpu_device *d = calloc(1, sizeof *d);
    if (d == NULL) return hd__fail(ctx, HD_ERROR_MEMORY, "no memory for a device");
    // Everything that can be wrong is looked for; what a chip would make of it, only for a watcher.
    const hd_model_options options = {.threads = ctx->threads,
                                      .checks = HD_MODEL_ALL & ~HD_MODEL_CACHES};
    const hd_status status = hd_model_open(&d->model, &options);
    if (status != HD_OK) {
        hd__fail(ctx, status, "model: %s",
                 d->model != NULL ? hd_model_error(d->model) : "no memory");
        hd_model_close(d->model);
        free(d);
        return status;
    }
    hd__model_own_texts(d->model);
    strcpy(d->properties.name, "the model machine");
    d->properties.arch = 90;
    d->properties.multiprocessors = 1; // small, so that small inputs take the ways of large ones
    d->properties.tile_bytes = HD__GPU_TILE_BYTES;
    d->properties.shared_bytes = 227 << 10;
    d->properties.l2_bytes = (int64_t)50 << 20;
    d->properties.memory_bytes = (int64_t)1 << 40;
    *device = d;
    return HD_OK;
}

static void close_device(hd_context *ctx, hd__gpu_device *d)
{
    (void)ctx;
    hd_model_close(d->model);
    free(d);
}

static hd_status set_stream(hd_context *ctx, hd__gpu_device *d, void *stream)
{
    (void)ctx, (void)d, (void)stream;
    return HD_OK;
}

static void *stream_of(const hd__gpu_device *d)
{
    (void)d;
    return NULL;
}

static const hd__gpu_properties *properties(const hd__gpu_device *d)
{
    return &d->properties;
}

// The machine's kernels see its own memory alone.
static bool enter(const hd__gpu_device *d)
{
    (void)d;
    return true;
}

static void leave(const hd__gpu_device *d)
{
    (void)d;
}

static hd_status allocate(hd_context *ctx, hd__gpu_device *d, size_t bytes, hd__gpu_address *at)
{
    const hd_status status = hd_model_alloc(d->model, (int64_t)bytes, at);
    return status == HD_OK ? HD_OK : fail(ctx, d, status);
}

static void release(hd__gpu_device *d, hd__gpu_address at)
{
    hd_model_free(d->model, at);
}

static void trim(hd_context *ctx, hd__gpu_device *d, size_t keep)
{
    (void)ctx, (void)d, (void)keep;
}

static hd_status clear(hd_context *ctx, hd__gpu_device *d, hd__gpu_address at, size_t bytes)
{
    const hd_status status = hd_model_fill(d->model, at, 0, (int64_t)bytes);
    return status == HD_OK ? HD_OK : fail(ctx, d, status);
}

static hd_status upload(hd_context *ctx, hd__gpu_device *d, hd__gpu_address to, const void *from,
                        size_t bytes)
{
    const hd_status status = hd_model_write(d->model, to, from, (int64_t)bytes);
    return status == HD_OK ? HD_OK : fail(ctx, d, status);
}

static hd_status copy(hd_context *ctx, hd__gpu_device *d, hd__gpu_address to, hd__gpu_address from,
                      size_t bytes)
{
    unsigned char some[256];
    for (size_t at = 0; at < bytes; at += sizeof some) {
        const int64_t m = (int64_t)(bytes - at < sizeof some ? bytes - at : sizeof some);
        hd_status status = hd_model_read(d->model, from + at, some, m);
        if (status == HD_OK) status = hd_model_write(d->model, to + at, some, m);
        if (status != HD_OK) return fail(ctx, d, status);
    }
    return HD_OK;
}

static hd_status download(hd_context *ctx, hd__gpu_device *d, void *to, hd__gpu_address from,
                          size_t bytes)
{
    const hd_status status = hd_model_read(d->model, from, to, (int64_t)bytes);
    return status == HD_OK ? HD_OK : fail(ctx, d, status);
}

// ---- Streams: what is copied is there at once ---------------------------------------------------

static void *pin(hd__gpu_device *d, size_t bytes)
{
    (void)d, (void)bytes;
    return NULL;
}

static void unpin(hd__gpu_device *d, void *memory)
{
    (void)d, (void)memory;
}

static hd_status copy_in(hd_context *ctx, hd__gpu_device *d, hd__gpu_stream stream,
                         hd__gpu_address to, const void *from, size_t bytes)
{
    (void)stream;
    return upload(ctx, d, to, from, bytes);
}

static hd_status copy_out(hd_context *ctx, hd__gpu_device *d, hd__gpu_stream stream, void *to,
                          hd__gpu_address from, size_t bytes)
{
    (void)stream;
    return download(ctx, d, to, from, bytes);
}

static hd_status signal_event(hd_context *ctx, hd__gpu_device *d, hd__gpu_stream stream,
                              int32_t event)
{
    (void)ctx, (void)d, (void)stream, (void)event;
    return HD_OK;
}

static hd_status await(hd_context *ctx, hd__gpu_device *d, int32_t event)
{
    (void)ctx, (void)d, (void)event;
    return HD_OK;
}

// ---- Kernels ------------------------------------------------------------------------------------

static const char *compiler(const hd__gpu_device *d)
{
    (void)d;
    return "";
}

// The image is the text: loading compiles it, unless it is precompiled PTX.
static hd_status compile(hd_context *ctx, hd__gpu_device *d, const char *text, void **image,
                         size_t *bytes)
{
    (void)d;
    *bytes = strlen(text) + 1;
    *image = malloc(*bytes);
    if (*image == NULL) return hd__fail(ctx, HD_ERROR_MEMORY, "no memory for a kernel");
    memcpy(*image, text, *bytes);
    return HD_OK;
}

static hd_status load(hd_context *ctx, hd__gpu_device *d, const void *image, size_t bytes,
                      const char *name, hd__gpu_kernel **kernel)
{
    const hd_model_load_options options = {.name = name, .ptx = strncmp(image, ".version", 8) == 0};
    hd__gpu_kernel *k = calloc(1, sizeof *k);
    if (k == NULL) return hd__fail(ctx, HD_ERROR_MEMORY, "no memory for a kernel");
    strncpy(k->name, name, sizeof k->name - 1);
    const hd_status status =
        hd_model_load_text(d->model, image, (int64_t)bytes - 1, &options, &k->module);
    if (status != HD_OK) {
        free(k);
        return fail(ctx, d, status);
    }
    *kernel = k;
    return HD_OK;
}

static void unload(hd__gpu_device *d, hd__gpu_kernel *kernel)
{
    (void)d; // the module is the machine's
    free(kernel);
}

static hd_status variable(hd_context *ctx, hd__gpu_device *d, const hd__gpu_kernel *kernel,
                          const char *name, hd__gpu_address *at)
{
    int64_t bytes;
    const hd_status status = hd_model_variable(d->model, kernel->module, name, at, &bytes);
    return status == HD_OK ? HD_OK : fail(ctx, d, status);
}

static hd_status launch_kernel(hd_context *ctx, hd__gpu_device *d, const hd__gpu_kernel *kernel,
                               const hd__gpu_launch *how)
{
    const hd_model_report *report = NULL;
    if (how->blocks > INT32_MAX)
        return hd__fail(ctx, HD_ERROR_DEVICE, "model: %lld blocks are too many",
                        (long long)how->blocks);
    const hd_model_shape shape = {{(int32_t)how->blocks, how->blocks_yz[0], how->blocks_yz[1]},
                                  {how->threads, how->threads_yz[0], how->threads_yz[1]},
                                  how->shared_bytes};
    const hd_status status = hd_model_launch(d->model, kernel->module, kernel->name, shape,
                                             how->arguments, how->argument_count, &report);
    if (status != HD_OK) return fail(ctx, d, status);
    if (d->watcher != NULL && report != NULL) d->watcher(d->user, report);
    if (report == NULL || report->finding_count == 0) return HD_OK;
    return hd__fail(ctx, HD_ERROR_DEVICE, "model: %s: %s", kernel->name, report->findings[0].text);
}

void hd__gpu_model_watch(hd__gpu_device *d, hd__gpu_model_watcher *watcher, void *user)
{
    d->watcher = watcher;
    if (watcher != NULL) d->model->options.checks = HD_MODEL_ALL;
    d->user = user;
}

void hd__gpu_model_pretend(hd__gpu_device *d, int32_t multiprocessors)
{
    d->properties.multiprocessors = multiprocessors;
}

// ---- Time stands still: nothing runs behind the caller's back -----------------------------------

static hd_status wait(hd_context *ctx, hd__gpu_device *d)
{
    (void)ctx, (void)d;
    return HD_OK;
}

static hd_status timer(hd_context *ctx, hd__gpu_device *d, int32_t which)
{
    (void)ctx, (void)d, (void)which;
    return HD_OK;
}

static hd_status elapsed(hd_context *ctx, hd__gpu_device *d, double *milliseconds)
{
    (void)ctx, (void)d;
    *milliseconds = 0;
    return HD_OK;
}

static bool recording(const hd__gpu_device *d)
{
    (void)d; // it has no graphs
    return false;
}

static const hd__gpu_driver driver = {
    HD__GPU_BUILD, here,         open_device,   close_device, set_stream, stream_of, properties,
    enter,         leave,        false,         allocate,     release,    trim,      clear,
    upload,        copy,         download,      pin,          unpin,      copy_in,   copy_out,
    signal_event,  signal_event, await,         compiler,     compiles,   compile,   load,
    unload,        variable,     launch_kernel, wait,         timer,      elapsed,   recording,
};

const hd__gpu_driver *hd__gpu_driver_model(void)
{
    return &driver;
}
