// SPDX-License-Identifier: Apache-2.0
// A stage on a card: every launch is timed.
#include "stage_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

#define MAX_KERNELS 8

typedef struct own {
    hd_context *ctx;
    hd__gpu_device *device;
    void *image;
    size_t image_bytes;
    int32_t count;
    hd__gpu_kernel *kernels[MAX_KERNELS];
    char names[MAX_KERNELS][64];
    // What stage_set was given: every kernel is a module of its own, with variables of its own.
    const char *variable;
    const void *data;
    int64_t bytes;
} own;

static const hd__gpu_driver *const driver = &hd__gpu_driver_cuda;

static bool went(stage *s, hd_status status)
{
    const own *o = s->own;
    if (status != HD_OK) stage_fail(s, status, hd_error(o->ctx));
    return status == HD_OK;
}

// The text with its definitions before it, by the caller freed; lines are still counted from 1.
static char *with_definitions(const char *text, const char *const *define)
{
    size_t bytes = strlen(text) + 16, at = 0;
    for (int k = 0; define != NULL && define[k] != NULL; k++) bytes += strlen(define[k]) + 16;
    char *all = malloc(bytes);
    for (int k = 0; all != NULL && define != NULL && define[k] != NULL; k++) {
        const char *value = strchr(define[k], '=');
        const int length = value != NULL ? (int)(value - define[k]) : (int)strlen(define[k]);
        at += (size_t)snprintf(all + at, bytes - at, "#define %.*s %s\n", length, define[k],
                               value != NULL ? value + 1 : "1");
    }
    if (all != NULL) snprintf(all + at, bytes - at, "#line 1\n%s", text);
    return all;
}

static void open_cuda(stage *s, const char *text, const char *name, const stage_options *options)
{
    own *o = s->own = calloc(1, sizeof *o);
    char *all = with_definitions(text, options->define);
    (void)name;
    if (o == NULL || all == NULL || hd_open(&o->ctx, NULL) == HD_ERROR_MEMORY) {
        stage_fail(s, HD_ERROR_MEMORY, "no memory");
    } else {
        hd_status status = driver->open(o->ctx, 0, NULL, &o->device);
        if (status == HD_OK)
            status = driver->compile(o->ctx, o->device, all, &o->image, &o->image_bytes);
        went(s, status);
    }
    free(all);
}

static void close_cuda(stage *s)
{
    own *o = s->own;
    if (o == NULL) return;
    for (int32_t k = 0; k < o->count; k++) driver->unload(o->device, o->kernels[k]);
    if (o->device != NULL) driver->close(o->ctx, o->device);
    free(o->image);
    hd_close(o->ctx);
    free(o);
}

static stage_address room(stage *s, int64_t bytes)
{
    const own *o = s->own;
    hd__gpu_address at = 0;
    went(s, driver->allocate(o->ctx, o->device, bytes > 0 ? (size_t)bytes : 1, &at));
    return at;
}

static void clear(stage *s, stage_address at, int64_t bytes)
{
    const own *o = s->own;
    went(s, driver->clear(o->ctx, o->device, at, (size_t)bytes));
}

static void release(stage *s, stage_address at)
{
    const own *o = s->own;
    driver->release(o->device, at);
}

static void write_data(stage *s, stage_address to, const void *data, int64_t bytes)
{
    const own *o = s->own;
    if (went(s, driver->upload(o->ctx, o->device, to, data, (size_t)bytes)))
        went(s, driver->wait(o->ctx, o->device));
}

static void read_data(stage *s, stage_address from, void *to, int64_t bytes)
{
    const own *o = s->own;
    went(s, driver->download(o->ctx, o->device, to, from, (size_t)bytes));
}

static void set(stage *s, const char *variable, const void *data, int64_t bytes)
{
    own *o = s->own;
    o->variable = variable;
    o->data = data;
    o->bytes = bytes;
}

static hd__gpu_kernel *kernel_named(stage *s, const char *name)
{
    own *o = s->own;
    for (int32_t k = 0; k < o->count; k++)
        if (strcmp(o->names[k], name) == 0) return o->kernels[k];
    if (o->count == MAX_KERNELS || strlen(name) >= sizeof o->names[0]) {
        stage_fail(s, HD_ERROR_ARGUMENT, "too many kernels in one step");
        return NULL;
    }
    if (!went(s, driver->load(o->ctx, o->device, o->image, o->image_bytes, name,
                              &o->kernels[o->count])))
        return NULL;
    strcpy(o->names[o->count], name);
    return o->kernels[o->count++];
}

static bool set_variable(stage *s, hd__gpu_kernel *kernel)
{
    const own *o = s->own;
    hd__gpu_address at;
    if (o->variable == NULL) return true;
    if (!went(s, driver->variable(o->ctx, o->device, kernel, o->variable, &at))) return false;
    write_data(s, at, o->data, o->bytes);
    return s->status == HD_OK;
}

static void launch(stage *s, const char *name, const stage_shape *shape, const char *format,
                   const void *const *arguments, int32_t count)
{
    (void)format;
    const own *o = s->own;
    const hd__gpu_launch how = {.blocks = shape->grid[0],
                                .blocks_yz = {shape->grid[1], shape->grid[2]},
                                .threads = shape->block[0],
                                .threads_yz = {shape->block[1], shape->block[2]},
                                .shared_bytes = (int32_t)shape->shared,
                                .argument_count = count,
                                .arguments = arguments};
    double milliseconds = 0;
    hd__gpu_kernel *kernel = kernel_named(s, name);
    if (kernel == NULL || !set_variable(s, kernel)) return;
    if (went(s, driver->timer(o->ctx, o->device, 0)) &&
        went(s, driver->launch(o->ctx, o->device, kernel, &how)) &&
        went(s, driver->timer(o->ctx, o->device, 1)) &&
        went(s, driver->elapsed(o->ctx, o->device, &milliseconds)))
        s->sum.device_seconds += milliseconds / 1e3;
}

const stage_driver stage_cuda = {open_cuda,  close_cuda, room, clear, release,
                                 write_data, read_data,  set,  launch};
