// SPDX-License-Identifier: Apache-2.0
//
// A CUDA driver for tests: the driver's functions that src/gpu/cuda/ calls, over the model machine,
// so that the backend cuda runs where there is no GPU, and its troubles can be had on demand.
// FAKE_CUDA="TROUBLE=NUMBER ..." asks for some: devices (how many there are), init (what cuInit
// returns), memory (bytes of the device), largest (of an allocation), pinned (bytes of the host
// that can be pinned), load, wait (what loading a module, or waiting, returns), version (of the
// driver: 12040 for 12.4), arch (of the device: 90 for sm_90), shared (bytes that a block may ask
// for), code (what loading machine code returns; with 0 its launches do nothing). Its device is
// newer than any compiler knows, so that NVRTC makes PTX for it. With OLD defined it lacks what
// CUDA 11.2 brought.
//
// Streams are as late as they may be: what is begun runs when something waits for it, and only
// that, so that who does not wait sees the bytes of before. Only copies from and to memory that is
// not pinned are done at once, after their stream.
#include <heddle_model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "streams.h"

#define FAKE __attribute__((visibility("default")))

// The number that FAKE_CUDA gives a trouble; else `usual`.
static long long asked(const char *trouble, long long usual)
{
    const char *text = getenv("FAKE_CUDA");
    const size_t n = strlen(trouble);
    for (; text != NULL && *text != 0; text += strcspn(text, " ")) {
        text += strspn(text, " ");
        if (strncmp(text, trouble, n) == 0 && text[n] == '=') return atoll(text + n + 1);
    }
    return usual;
}

FAKE int cuInit(unsigned flags)
{
    (void)flags;
    if (model == NULL && hd_model_open(&model, &(hd_model_options){.threads = 1}) != HD_OK)
        return NO_MEMORY;
    return (int)asked("init", 0);
}

FAKE int cuDriverGetVersion(int *version)
{
    *version = (int)asked("version", 12040);
    return 0;
}

FAKE int cuGetErrorName(int error, const char **name)
{
    *name = error == NO_MEMORY   ? "CUDA_ERROR_OUT_OF_MEMORY"
            : error == BAD_VALUE ? "CUDA_ERROR_INVALID_VALUE"
            : error == FAULT     ? "CUDA_ERROR_LAUNCH_FAILED"
            : error == BAD_PTX   ? "CUDA_ERROR_INVALID_PTX"
            : error == CAPTURED  ? "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"
                                 : NULL;
    return *name != NULL ? 0 : 1;
}

FAKE int cuGetErrorString(int error, const char **text)
{
    *text = error == NO_MEMORY  ? "out of memory"
            : error == 803      ? "system has unsupported display driver / cuda driver combination"
            : error == FAULT    ? (fault[0] != 0 ? fault : "unspecified launch failure")
            : error == BAD_PTX  ? "a PTX JIT compilation failed"
            : error == CAPTURED ? "operation not permitted when stream is capturing"
                                : NULL;
    return *text != NULL ? 0 : 1;
}

FAKE int cuDeviceGetCount(int *count)
{
    *count = (int)asked("devices", 1);
    return 0;
}

FAKE int cuDeviceGet(int *device, int number)
{
    *device = number;
    return 0;
}

FAKE int cuDeviceGetName(char *name, int room, int device)
{
    (void)device;
    snprintf(name, (size_t)room, "a fake device");
    return 0;
}

FAKE int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    const int arch = (int)asked("arch", 990);
    *value = attribute == 16   ? 1
             : attribute == 38 ? 50 << 20
             : attribute == 75 ? arch / 10
             : attribute == 76 ? arch % 10
             : attribute == 97 ? (int)asked("shared", 227 << 10)
                               : 0;
    return 0;
}

FAKE int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    *bytes = (size_t)asked("memory", (long long)1 << 33);
    return 0;
}

// ---- Contexts -----------------------------------------------------------------------------------

static int some;
static char *managed; // the block of managed memory that was asked for last
static size_t managed_bytes;

FAKE int cuDevicePrimaryCtxRetain(void **context, int device)
{
    (void)device;
    *context = &some;
    return 0;
}

FAKE int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    return 0;
}

FAKE int cuCtxPushCurrent_v2(void *context)
{
    (void)context;
    depth++;
    return 0;
}

FAKE int cuCtxPopCurrent_v2(void **context)
{
    *context = &some;
    return depth-- > 0 ? 0 : NO_CONTEXT;
}

FAKE int cuCtxSetCurrent(void *context)
{
    depth = context != NULL;
    return 0;
}

// What tests ask: bytes of the device and pinned ones that are not given back; copies from and to
// pinned memory and other; kernels launched to begin early.
FAKE long long fake_count(int which)
{
    return which < 2 ? used[which] : which < 4 ? copies[which - 2] : early;
}

// ---- Streams and events -------------------------------------------------------------------------

FAKE int cuStreamCreate(void **made, unsigned flags)
{
    stream *s = calloc(1, sizeof *s);
    *made = s;
    if (s == NULL || depth == 0) return NO_CONTEXT;
    s->blocking = flags == 0;
    s->next = streams;
    streams = s;
    return 0;
}

FAKE int cuStreamDestroy_v2(void *s)
{
    const int result = run_until(s, NULL, 0);
    stream **at = &streams;
    while (*at != NULL && *at != s) at = &(*at)->next;
    if (*at != NULL) *at = (*at)->next;
    free(s);
    return result;
}

FAKE int cuStreamSynchronize(void *handle)
{
    stream *s = stream_of(handle);
    if (depth == 0) return NO_CONTEXT;
    if (s->recorded != NULL) return CAPTURED;
    wait_for_default(s);
    const int result = run_until(s, NULL, 0);
    return result != 0 ? result : (int)asked("wait", 0);
}

FAKE int cuStreamWaitEvent(void *s, void *any, unsigned flags)
{
    event *e = any;
    (void)flags;
    if (stream_of(s)->recorded != NULL && e->where != NULL && e->where->recorded == NULL)
        return CAPTURED; // it is of no use to a graph
    return begin(s, (task){.what = FOLLOW, .event = e, .where = e->where, .number = e->asked});
}

FAKE int cuEventCreate(void **made, unsigned flags)
{
    (void)flags;
    *made = calloc(1, sizeof(event));
    return 0;
}

FAKE int cuEventDestroy_v2(void *e)
{
    free(e);
    return 0;
}

FAKE int cuEventRecord(void *any, void *s)
{
    event *e = any;
    e->where = stream_of(s);
    return begin(s, (task){.what = RECORD, .event = e, .number = ++e->asked});
}

FAKE int cuEventSynchronize(void *any)
{
    const event *e = any;
    const int result = e->where != NULL ? run_until(e->where, e, e->asked) : 0;
    return result != 0 ? result : (int)asked("wait", 0);
}

FAKE int cuEventElapsedTime(float *milliseconds, void *from, void *to)
{
    (void)from, (void)to;
    *milliseconds = 1;
    return 0;
}

// ---- Graphs: what a stream was asked for while it was recorded ----------------------------------

FAKE int cuStreamBeginCapture_v2(void *s, int mode)
{
    (void)mode;
    ((stream *)s)->recorded = calloc(1, sizeof(list));
    return 0;
}

FAKE int cuStreamIsCapturing(void *s, int *how)
{
    *how = stream_of(s)->recorded != NULL;
    return 0;
}

FAKE int cuStreamEndCapture(void *s, void **graph)
{
    *graph = ((stream *)s)->recorded;
    ((stream *)s)->recorded = NULL;
    return 0;
}

FAKE int cuGraphInstantiateWithFlags(void **playable, void *graph, unsigned long long flags)
{
    (void)flags;
    *playable = graph;
    return 0;
}

static size_t argument_bytes(const image *i);

FAKE int cuGraphLaunch(void *playable, void *s)
{
    for (const task *t = ((const list *)playable)->first; t != NULL; t = t->next) {
        task own = *t;
        if (t->what == RELEASE) continue;
        if (t->arguments != NULL) {
            own.arguments = malloc(argument_bytes(t->image));
            memcpy(own.arguments, t->arguments, argument_bytes(t->image));
        }
        const int result = begin(s, own);
        if (result != 0) return result;
    }
    return 0;
}

FAKE int cuGraphExecDestroy(void *playable)
{
    (void)playable; // it is the graph
    return 0;
}

FAKE int cuGraphDestroy(void *graph)
{
    for (task *t = ((list *)graph)->first; t != NULL;) {
        task *next = t->next;
        if (t->what == RELEASE) run_task(t);
        free(t->arguments);
        free(t);
        t = next;
    }
    free(graph);
    return 0;
}

// ---- Memory -------------------------------------------------------------------------------------

static long long memory_of_all(void)
{
    return asked("memory", (long long)1 << 33);
}

static int allocate(address *at, size_t bytes)
{
    if (depth == 0) return NO_CONTEXT;
    if ((long long)bytes > asked("largest", (long long)1 << 33) ||
        used[0] + (long long)bytes > memory_of_all())
        return NO_MEMORY;
    if (hd_model_alloc(model, (int64_t)bytes, at) != HD_OK) return NO_MEMORY;
    return keep(*at, NULL, bytes);
}

#ifndef OLD
FAKE int cuMemPoolCreate(void **pool, const void *properties)
{
    (void)properties;
    *pool = &some;
    return 0;
}

FAKE int cuMemPoolDestroy(void *pool)
{
    (void)pool;
    return 0;
}

FAKE int cuMemPoolSetAttribute(void *pool, int attribute, void *value)
{
    (void)pool, (void)attribute, (void)value;
    return 0;
}

FAKE int cuMemPoolTrimTo(void *pool, size_t bytes)
{
    (void)pool, (void)bytes;
    return 0;
}

FAKE int cuMemAllocFromPoolAsync(address *at, size_t bytes, void *pool, void *s)
{
    (void)pool;
    (void)s; // memory that is recorded is the graph's, until that ends
    return allocate(at, bytes);
}

FAKE int cuMemFreeAsync(address at, void *s)
{
    return begin(s, (task){.what = RELEASE, .at = at});
}
#endif

FAKE int cuMemAlloc_v2(address *at, size_t bytes)
{
    return allocate(at, bytes);
}

FAKE int cuMemFree_v2(address at)
{
    forget(at, NULL);
    return hd_model_free(model, at) == HD_OK ? 0 : FAULT;
}

// Memory of both: the host's, which only copies reach here.
FAKE int cuMemAllocManaged(address *at, size_t bytes, unsigned flags)
{
    (void)flags;
    managed = calloc(1, bytes);
    managed_bytes = bytes;
    *at = (uintptr_t)managed;
    return managed != NULL ? 0 : NO_MEMORY;
}

// Attributes 2, 8 and 9: the kind of memory, whether it is managed, the device.
FAKE int cuPointerGetAttributes(unsigned count, const int *which, void **values, address at)
{
    const bool both = managed != NULL && at - (uintptr_t)managed < managed_bytes;
    bool device = both;
    for (const fake_block *b = blocks; b != NULL; b = b->next)
        device = device || (b->at != 0 && at - b->at < b->bytes);
    for (unsigned k = 0; k < count; k++)
        if (which[k] == 8)
            *(char *)values[k] = both;
        else
            *(int *)values[k] = which[k] == 2 && device ? 2 : 0;
    return 0;
}

FAKE int cuMemGetInfo_v2(size_t *left, size_t *all)
{
    *all = (size_t)memory_of_all();
    *left = *all - (size_t)used[0];
    return 0;
}

FAKE int cuMemHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    if (used[1] + (long long)bytes > asked("pinned", (long long)1 << 33)) return NO_MEMORY;
    *memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    return *memory == NULL ? NO_MEMORY : keep(0, *memory, bytes);
}

FAKE int cuMemFreeHost(void *memory)
{
    forget(0, memory);
    free(memory);
    return 0;
}

FAKE int cuMemsetD8Async(address at, unsigned char value, size_t bytes, void *s)
{
    return begin(s, (task){.what = CLEAR, .at = at, .value = value, .bytes = bytes});
}

static int copy(void *handle, task t)
{
    stream *s = stream_of(handle);
    const bool pinned = is_pinned(t.host, t.bytes);
    copies[pinned ? 0 : 1]++;
    if (s->recorded != NULL && !pinned) return CAPTURED;
    const int result = begin(s, t);
    return result != 0 || pinned ? result : run_until(s, NULL, 0);
}

FAKE int cuMemcpyHtoDAsync_v2(address to, const void *from, size_t bytes, void *s)
{
    return copy(s,
                (task){.what = COPY_IN, .at = to, .host = (void *)(uintptr_t)from, .bytes = bytes});
}

FAKE int cuMemcpyDtoDAsync_v2(address to, address from, size_t bytes, void *s)
{
    return begin(s, (task){.what = COPY, .at = to, .from = from, .bytes = bytes});
}

FAKE int cuMemcpyDtoHAsync_v2(void *to, address from, size_t bytes, void *s)
{
    return copy(s, (task){.what = COPY_OUT, .at = from, .host = to, .bytes = bytes});
}

// ---- Kernels ------------------------------------------------------------------------------------

FAKE int cuModuleLoadData(void **module, const void *data)
{
    const hd_model_load_options options = {.name = "image", .ptx = true};
    const int wrong = (int)asked("load", 0);
    image *i = calloc(1, sizeof *i);
    if (wrong != 0 || i == NULL) {
        free(i);
        return wrong != 0 ? wrong : NO_MEMORY;
    }
    if (memcmp(data, "\177ELF", 4) == 0) {
        const int code = (int)asked("code", NO_IMAGE);
        if (code != 0) free(i);
        if (code == 0) *module = i;
        return code;
    }
    if (hd_model_load_text(model, data, (int64_t)strlen(data), &options, &i->module) != HD_OK) {
        fprintf(stderr, "fake driver: %s\n", hd_model_error(model));
        free(i);
        return BAD_PTX;
    }
    *module = i;
    return 0;
}

FAKE int cuModuleUnload(void *module)
{
    free(module);
    return 0;
}

FAKE int cuModuleGetFunction(void **function, void *module, const char *name)
{
    image *i = module;
    snprintf(i->name, sizeof i->name, "%s", name);
    *function = i;
    return i->module == NULL || hd_model_parameters(i->module, name) >= 0 ? 0 : NO_NAME;
}

FAKE int cuModuleGetGlobal_v2(address *at, size_t *bytes, void *module, const char *name)
{
    int64_t there;
    if (((image *)module)->module == NULL) return NO_NAME; // machine code
    if (hd_model_variable(model, ((image *)module)->module, name, at, &there) != HD_OK)
        return NO_NAME;
    *bytes = (size_t)there;
    return 0;
}

FAKE int cuFuncSetAttribute(void *function, int which, int value)
{
    if (value + 256 > asked("shared", 227 << 10)) return BAD_VALUE; // a kernel has some of its own
    if (which == 8) ((image *)function)->shared = (unsigned)value;  // dynamic shared memory at most
    return 0;
}

static size_t argument_bytes(const image *i)
{
    size_t bytes = 0;
    const int32_t count = hd_model_parameters(i->module, i->name);
    for (int k = 0; k < count; k++)
        bytes += ((size_t)hd_model_parameter_bytes(i->module, i->name, k) + 15) / 16 * 16;
    return bytes;
}

// Arguments are taken now, as the driver's are.
FAKE int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, void *s, void **arguments,
                        void **extra)
{
    const image *i = function;
    const hd_model_shape shape = {
        {(int32_t)gx, (int32_t)gy, (int32_t)gz}, {(int32_t)bx, (int32_t)by, (int32_t)bz}, shared};
    (void)extra;
    // More than 48 KiB with what the kernel has of its own, here taken as 8, must have been asked
    // for.
    if (shared > 40 << 10 && shared > i->shared) return BAD_VALUE;
    if (i->module == NULL) return 0;
    unsigned char *own = malloc(argument_bytes(i));
    if (own == NULL) return NO_MEMORY;
    size_t at = 0;
    for (int k = 0; k < hd_model_parameters(i->module, i->name); k++) {
        const size_t bytes = (size_t)hd_model_parameter_bytes(i->module, i->name, k);
        memcpy(own + at, arguments[k], bytes);
        at += (bytes + 15) / 16 * 16;
    }
    return begin(s, (task){.what = LAUNCH, .image = i, .shape = shape, .arguments = own});
}

// The driver's CUlaunchConfig, with the one attribute that is used: kernels here never overlap.
typedef struct launch_config {
    unsigned blocks[3], threads[3], shared;
    void *stream;
    const struct {
        int what, unused, yes;
    } * attributes;
    unsigned attribute_count;
} launch_config;

FAKE int cuLaunchKernelEx(const launch_config *c, void *function, void **arguments, void **extra)
{
    if (c->attribute_count > 0 && c->attributes[0].what == 6 && c->attributes[0].yes) early++;
    return cuLaunchKernel(function, c->blocks[0], c->blocks[1], c->blocks[2], c->threads[0],
                          c->threads[1], c->threads[2], c->shared, c->stream, arguments, extra);
}
