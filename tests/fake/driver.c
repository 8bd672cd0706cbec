// SPDX-License-Identifier: Apache-2.0
//
// A CUDA driver for tests: the driver's functions that src/gpu/cuda/ calls, over the model machine, so that
// the backend cuda runs where there is no GPU, and its troubles can be had on demand. FAKE_CUDA=TROUBLE=NUMBER
// asks for one: devices (how many there are), init (what cuInit returns), memory (bytes of the device), load,
// wait (what loading a module, or waiting, returns). Its device is newer than any compiler knows, so that NVRTC
// makes PTX for it. With OLD defined it lacks what CUDA 11.2 brought.
#include <heddle_model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAKE __attribute__((visibility("default")))

enum { NO_MEMORY = 2, NO_CONTEXT = 201, NO_IMAGE = 209, BAD_PTX = 218, NO_NAME = 500, FAULT = 719 };

typedef uint64_t address;
typedef struct image {
    hd_model_module *module;
    char name[64];
} image;

static hd_model *model;
static int depth; // of contexts that are current
static char fault[512];

// The number that FAKE_CUDA gives a trouble; else `usual`.
static long long asked(const char *trouble, long long usual)
{
    const char *text = getenv("FAKE_CUDA");
    const size_t n = strlen(trouble);
    return text != NULL && strncmp(text, trouble, n) == 0 && text[n] == '=' ? atoll(text + n + 1)
                                                                            : usual;
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
    *version = 12040;
    return 0;
}

FAKE int cuGetErrorName(int error, const char **name)
{
    *name = error == NO_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
            : error == FAULT   ? "CUDA_ERROR_LAUNCH_FAILED"
            : error == BAD_PTX ? "CUDA_ERROR_INVALID_PTX"
                               : NULL;
    return *name != NULL ? 0 : 1;
}

FAKE int cuGetErrorString(int error, const char **text)
{
    *text = error == NO_MEMORY ? "out of memory"
            : error == 803     ? "system has unsupported display driver / cuda driver combination"
            : error == FAULT   ? (fault[0] != 0 ? fault : "unspecified launch failure")
            : error == BAD_PTX ? "a PTX JIT compilation failed"
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
    *value = attribute == 16 ? 1 : attribute == 38 ? 50 << 20 : attribute == 75 ? 99 : 0;
    return 0;
}

FAKE int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    *bytes = (size_t)asked("memory", (long long)1 << 33);
    return 0;
}

// ---- Contexts, streams, events: there is one of each ----------------------------------------------

static int some;

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

FAKE int cuStreamCreate(void **stream, unsigned flags)
{
    (void)flags;
    *stream = &some;
    return depth > 0 ? 0 : NO_CONTEXT;
}

FAKE int cuStreamDestroy_v2(void *stream)
{
    (void)stream;
    return 0;
}

FAKE int cuStreamSynchronize(void *stream)
{
    (void)stream;
    return depth > 0 ? (int)asked("wait", 0) : NO_CONTEXT;
}

FAKE int cuEventCreate(void **event, unsigned flags)
{
    (void)flags;
    *event = &some;
    return 0;
}

FAKE int cuEventDestroy_v2(void *event)
{
    (void)event;
    return 0;
}

FAKE int cuEventRecord(void *event, void *stream)
{
    (void)event, (void)stream;
    return 0;
}

FAKE int cuEventSynchronize(void *event)
{
    (void)event;
    return 0;
}

FAKE int cuEventElapsedTime(float *milliseconds, void *from, void *to)
{
    (void)from, (void)to;
    *milliseconds = 1;
    return 0;
}

// ---- Memory ---------------------------------------------------------------------------------------

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

FAKE int cuMemAllocFromPoolAsync(address *at, size_t bytes, void *pool, void *stream)
{
    static int64_t used;
    (void)pool, (void)stream;
    if (depth == 0) return NO_CONTEXT;
    if (used + (int64_t)bytes > asked("memory", (long long)1 << 33)) return NO_MEMORY;
    used += (int64_t)bytes;
    return hd_model_alloc(model, (int64_t)bytes, at) == HD_OK ? 0 : NO_MEMORY;
}

FAKE int cuMemFreeAsync(address at, void *stream)
{
    (void)stream;
    return hd_model_free(model, at) == HD_OK ? 0 : 1;
}
#endif

FAKE int cuMemsetD8Async(address at, unsigned char value, size_t bytes, void *stream)
{
    (void)stream;
    return hd_model_fill(model, at, value, (int64_t)bytes) == HD_OK ? 0 : 1;
}

FAKE int cuMemcpyHtoDAsync_v2(address to, const void *from, size_t bytes, void *stream)
{
    (void)stream;
    return hd_model_write(model, to, from, (int64_t)bytes) == HD_OK ? 0 : 1;
}

FAKE int cuMemcpyDtoHAsync_v2(void *to, address from, size_t bytes, void *stream)
{
    (void)stream;
    return hd_model_read(model, from, to, (int64_t)bytes) == HD_OK ? 0 : 1;
}

// ---- Kernels --------------------------------------------------------------------------------------

FAKE int cuModuleLoadData(void **module, const void *data)
{
    const hd_model_load_options options = {.name = "image", .ptx = true};
    const int wrong = (int)asked("load", 0);
    image *i = calloc(1, sizeof *i);
    if (wrong != 0 || i == NULL || memcmp(data, "\177ELF", 4) == 0) {
        free(i);
        return wrong != 0 ? wrong : i == NULL ? NO_MEMORY : NO_IMAGE;
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
    return hd_model_parameters(i->module, name) >= 0 ? 0 : NO_NAME;
}

FAKE int cuModuleGetGlobal_v2(address *at, size_t *bytes, void *module, const char *name)
{
    int64_t there;
    if (hd_model_variable(model, ((image *)module)->module, name, at, &there) != HD_OK)
        return NO_NAME;
    *bytes = (size_t)there;
    return 0;
}

FAKE int cuFuncSetAttribute(void *function, int which, int value)
{
    (void)function, (void)which;
    return value <= 227 << 10 ? 0 : FAULT;
}

FAKE int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, void *stream, void **arguments,
                        void **extra)
{
    const image *i = function;
    const hd_model_report *report = NULL;
    const hd_model_shape shape = {
        {(int32_t)gx, (int32_t)gy, (int32_t)gz}, {(int32_t)bx, (int32_t)by, (int32_t)bz}, shared};
    (void)stream, (void)extra;
    if (depth == 0) return NO_CONTEXT;
    const hd_status status =
        hd_model_launch(model, i->module, i->name, shape, (const void *const *)arguments,
                        hd_model_parameters(i->module, i->name), &report);
    const bool found = status == HD_OK && report->finding_count > 0;
    if (status == HD_OK && !found) return 0;
    snprintf(fault, sizeof fault, "%s", found ? report->findings[0].text : hd_model_error(model));
    return FAULT;
}
