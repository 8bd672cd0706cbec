// SPDX-License-Identifier: Apache-2.0
// The CUDA driver and NVRTC, opened at run time: nothing of CUDA is needed to build, and where it
// is missing at run time a sentence says what. The few types are the ABI's.
#ifndef HEDDLE_GPU_CUDA_DRIVER_H
#define HEDDLE_GPU_CUDA_DRIVER_H

#include "gpu/device_driver.h"

typedef int cu_result; // 0: success
typedef int cu_device;
typedef void *cu_context, *cu_stream, *cu_module, *cu_function, *cu_event, *cu_pool;

enum { CU_OUT_OF_MEMORY = 2 };
enum { // of cuDeviceGetAttribute
    CU_MULTIPROCESSORS = 16,
    CU_L2_BYTES = 38,
    CU_MAJOR = 75,
    CU_MINOR = 76,
    CU_SHARED_OF_BLOCK = 97, // that may be asked for
    CU_POOLS = 115
};

typedef struct cu_pool_properties {
    int allocation, handles; // 1: pinned; 0: none
    int location, id;        // 1: device
    void *security;
    size_t most;
    unsigned short usage;
    unsigned char reserved[54];
} cu_pool_properties;

enum { CU_POOL_RELEASE_THRESHOLD = 4 };
enum { CU_STREAM_NON_BLOCKING = 1 };
enum { CU_EVENT_NO_TIMING = 2 };
enum { CU_MOST_SHARED = 8 }; // of cuFuncSetAttribute
enum {
    CU_PLAIN_SHARED = 32 << 10
}; // bytes that need no asking: 48 KiB, less what a kernel has of its own

typedef struct cu_launch_attribute {
    int what, unused;
    union {
        int yes;
        char bytes[64];
    } value;
} cu_launch_attribute;

typedef struct cu_launch {
    unsigned blocks[3], threads[3], shared_bytes;
    cu_stream stream;
    cu_launch_attribute *attributes;
    unsigned attribute_count;
} cu_launch;

enum { CU_LAUNCH_EARLY = 6 };        // a launch attribute: the kernel awaits the one before itself
enum { CU_EARLY_IN_GRAPHS = 12030 }; // since CUDA 12.3

// ROW(member, symbol, parameters)
#define CU_FUNCTIONS(ROW)                                                                          \
    ROW(init, "cuInit", (unsigned))                                                                \
    ROW(error_name, "cuGetErrorName", (cu_result, const char **))                                  \
    ROW(error_text, "cuGetErrorString", (cu_result, const char **))                                \
    ROW(device_count, "cuDeviceGetCount", (int *))                                                 \
    ROW(device_get, "cuDeviceGet", (cu_device *, int))                                             \
    ROW(device_name, "cuDeviceGetName", (char *, int, cu_device))                                  \
    ROW(device_attribute, "cuDeviceGetAttribute", (int *, int, cu_device))                         \
    ROW(device_memory, "cuDeviceTotalMem_v2", (size_t *, cu_device))                               \
    ROW(context_retain, "cuDevicePrimaryCtxRetain", (cu_context *, cu_device))                     \
    ROW(context_release, "cuDevicePrimaryCtxRelease_v2", (cu_device))                              \
    ROW(context_push, "cuCtxPushCurrent_v2", (cu_context))                                         \
    ROW(context_pop, "cuCtxPopCurrent_v2", (cu_context *))                                         \
    ROW(pool_create, "cuMemPoolCreate", (cu_pool *, const cu_pool_properties *))                   \
    ROW(pool_destroy, "cuMemPoolDestroy", (cu_pool))                                               \
    ROW(pool_set, "cuMemPoolSetAttribute", (cu_pool, int, void *))                                 \
    ROW(pool_trim, "cuMemPoolTrimTo", (cu_pool, size_t))                                           \
    ROW(allocate, "cuMemAllocFromPoolAsync", (hd__gpu_address *, size_t, cu_pool, cu_stream))      \
    ROW(release, "cuMemFreeAsync", (hd__gpu_address, cu_stream))                                   \
    ROW(clear, "cuMemsetD8Async", (hd__gpu_address, unsigned char, size_t, cu_stream))             \
    ROW(upload, "cuMemcpyHtoDAsync_v2", (hd__gpu_address, const void *, size_t, cu_stream))        \
    ROW(download, "cuMemcpyDtoHAsync_v2", (void *, hd__gpu_address, size_t, cu_stream))            \
    ROW(copy, "cuMemcpyDtoDAsync_v2", (hd__gpu_address, hd__gpu_address, size_t, cu_stream))       \
    ROW(pin, "cuMemHostAlloc", (void **, size_t, unsigned))                                        \
    ROW(unpin, "cuMemFreeHost", (void *))                                                          \
    ROW(memory_free, "cuMemGetInfo_v2", (size_t *, size_t *))                                      \
    ROW(stream_create, "cuStreamCreate", (cu_stream *, unsigned))                                  \
    ROW(stream_destroy, "cuStreamDestroy_v2", (cu_stream))                                         \
    ROW(stream_wait, "cuStreamSynchronize", (cu_stream))                                           \
    ROW(stream_recording, "cuStreamIsCapturing", (cu_stream, int *))                               \
    ROW(stream_follow, "cuStreamWaitEvent", (cu_stream, cu_event, unsigned))                       \
    ROW(module_load, "cuModuleLoadData", (cu_module *, const void *))                              \
    ROW(module_unload, "cuModuleUnload", (cu_module))                                              \
    ROW(module_function, "cuModuleGetFunction", (cu_function *, cu_module, const char *))          \
    ROW(module_variable, "cuModuleGetGlobal_v2",                                                   \
        (hd__gpu_address *, size_t *, cu_module, const char *))                                    \
    ROW(function_set, "cuFuncSetAttribute", (cu_function, int, int))                               \
    ROW(launch, "cuLaunchKernel",                                                                  \
        (cu_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,        \
         cu_stream, void **, void **))                                                             \
    ROW(event_create, "cuEventCreate", (cu_event *, unsigned))                                     \
    ROW(event_destroy, "cuEventDestroy_v2", (cu_event))                                            \
    ROW(event_record, "cuEventRecord", (cu_event, cu_stream))                                      \
    ROW(event_wait, "cuEventSynchronize", (cu_event))                                              \
    ROW(event_between, "cuEventElapsedTime", (float *, cu_event, cu_event))

// What newer drivers have besides, or NULL.
#define CU_NEWER_FUNCTIONS(ROW)                                                                    \
    ROW(version, "cuDriverGetVersion", (int *))                                                    \
    ROW(launch_more, "cuLaunchKernelEx", (const cu_launch *, cu_function, void **, void **))

typedef void *nvrtc_program;

#define NVRTC_FUNCTIONS(ROW)                                                                       \
    ROW(version, "nvrtcVersion", (int *, int *))                                                   \
    ROW(create, "nvrtcCreateProgram",                                                              \
        (nvrtc_program *, const char *, const char *, int, const char *const *,                    \
         const char *const *))                                                                     \
    ROW(compile, "nvrtcCompileProgram", (nvrtc_program, int, const char *const *))                 \
    ROW(log_size, "nvrtcGetProgramLogSize", (nvrtc_program, size_t *))                             \
    ROW(log, "nvrtcGetProgramLog", (nvrtc_program, char *))                                        \
    ROW(cubin_size, "nvrtcGetCUBINSize", (nvrtc_program, size_t *))                                \
    ROW(cubin, "nvrtcGetCUBIN", (nvrtc_program, char *))                                           \
    ROW(ptx_size, "nvrtcGetPTXSize", (nvrtc_program, size_t *))                                    \
    ROW(ptx, "nvrtcGetPTX", (nvrtc_program, char *))                                               \
    ROW(destroy, "nvrtcDestroyProgram", (nvrtc_program *))                                         \
    ROW(arch_count, "nvrtcGetNumSupportedArchs", (int *))                                          \
    ROW(archs, "nvrtcGetSupportedArchs", (int *))

#define HD__GPU_CUDA_MEMBER(member, symbol, parameters) cu_result(*member) parameters;
typedef struct hd__gpu_cuda_driver {
    CU_FUNCTIONS(HD__GPU_CUDA_MEMBER)
    CU_NEWER_FUNCTIONS(HD__GPU_CUDA_MEMBER)
    bool begins_early; // kernels, while the one before still ends: also in graphs, which came later
} hd__gpu_cuda_driver;

typedef struct hd__gpu_nvrtc {
    NVRTC_FUNCTIONS(HD__GPU_CUDA_MEMBER)
    int major, minor;
} hd__gpu_nvrtc;
#undef HD__GPU_CUDA_MEMBER

// The libraries, or NULL and what is missing. The first call looks; the answer stays. A driver that
// is here has at least one device.
const hd__gpu_cuda_driver *hd__gpu_cuda_driver_of(const char **why);
const hd__gpu_nvrtc *hd__gpu_nvrtc_of(const char **why);

// CUDA C into a cubin for an architecture (or PTX, where NVRTC is older than the device); *image is
// free()d by the caller.
hd_status hd__gpu_nvrtc_compile(hd_context *ctx, int32_t arch, const char *text, void **image,
                                size_t *bytes);

// What it compiles such texts by: version, architecture and options, or "": there is none. True:
// into a cubin.
bool hd__gpu_nvrtc_name(int32_t arch, char *name, size_t room);

#endif
