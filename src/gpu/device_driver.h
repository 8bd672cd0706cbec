// SPDX-License-Identifier: Apache-2.0
//
// The device driver table: the contract between the passes of the GPU backend and a GPU. Two tables
// fulfil it: the CUDA driver (cuda/) and the model machine (model_device.c). Everything a pass may
// ask for is here. Work goes on one stream, in the order of calls; only what says "waits" waits for
// it. Every function that can fail leaves its text in the context.
#ifndef HEDDLE_GPU_DEVICE_DRIVER_H
#define HEDDLE_GPU_DEVICE_DRIVER_H

#include "core/context.h"

typedef struct hd__gpu_device hd__gpu_device; // each driver's own
typedef struct hd__gpu_kernel hd__gpu_kernel; // likewise
typedef uint64_t hd__gpu_address;             // in device memory; 0: none

typedef struct hd__gpu_properties {
    char name[96];
    int32_t arch; // 90 for sm_90
    int32_t runs; // the same, where it runs machine code of that; 0: only texts and PTX
    int32_t multiprocessors;
    int32_t tile_bytes;     // of a block's shared memory that one tile may take
    int32_t shared_bytes;   // of all of it
    int32_t driver_version; // 13000 for CUDA 13.0; 0: the device has no driver
    int64_t l2_bytes, memory_bytes;
} hd__gpu_properties;

// A tile of the usual size, and one for devices where that and what a kernel has beside it are too
// much (sm_75).
enum {
    HD__GPU_TILE_BYTES = 64 << 10,
    HD__GPU_SMALL_TILE_BYTES = 32 << 10,
    HD__GPU_BESIDE_TILE_BYTES = 8 << 10
};

typedef struct hd__gpu_launch {
    int64_t blocks;
    int32_t threads;
    int32_t blocks_yz[2], threads_yz[2]; // of the other dimensions; 0 counts as 1
    int32_t shared_bytes;                // dynamic
    int32_t argument_count;
    const void *const *arguments; // argument k is at arguments[k]
} hd__gpu_launch;

enum { HD__GPU_TIMERS = 2 };

// The stream that works, and two beside it that copy meanwhile. Each is in its own order; events
// join them.
typedef enum hd__gpu_stream {
    HD__GPU_STREAM_WORK,
    HD__GPU_STREAM_IN,
    HD__GPU_STREAM_OUT,
    HD__GPU_STREAMS
} hd__gpu_stream;
enum { HD__GPU_EVENTS = 16 };

typedef struct hd__gpu_driver {
    // HD_VERSION of the library that has it, and the size of this structure: that of the model
    // machine is in a library of its own.
    int32_t version, bytes;
    // Whether there is a device, and a compiler for it or precompiled kernels; if not, *why
    // says what is missing.
    bool (*here)(const char **why);

    // Opens a device, to work on a stream of the caller's (NULL: its own).
    hd_status (*open)(hd_context *ctx, int32_t number, void *stream, hd__gpu_device **device);
    void (*close)(hd_context *ctx, hd__gpu_device *device); // waits
    // Another stream, NULL: its own, for all that is begun from now on, which comes after what was
    // begun before; and which one it is.
    hd_status (*set_stream)(hd_context *ctx, hd__gpu_device *device, void *stream);
    void *(*stream)(const hd__gpu_device *device);
    const hd__gpu_properties *(*properties)(const hd__gpu_device *device);

    // What code of the caller's that uses the device is called between; enter is false where the
    // device cannot be used. Whether its kernels run on memory that such code makes.
    bool (*enter)(const hd__gpu_device *device);
    void (*leave)(const hd__gpu_device *device);
    bool takes_memory;

    // Memory, 256-byte aligned. What is released may still be in use by work begun before.
    hd_status (*allocate)(hd_context *ctx, hd__gpu_device *device, size_t bytes,
                          hd__gpu_address *at);
    void (*release)(hd__gpu_device *device, hd__gpu_address at);
    // Gives memory back that was released and is kept for allocations to come, but so many bytes.
    void (*trim)(hd_context *ctx, hd__gpu_device *device, size_t keep);
    hd_status (*clear)(hd_context *ctx, hd__gpu_device *device, hd__gpu_address at, size_t bytes);
    hd_status (*upload)(hd_context *ctx, hd__gpu_device *device, hd__gpu_address to,
                        const void *from,
                        size_t bytes); // `from` must stay until the next wait
    hd_status (*copy)(hd_context *ctx, hd__gpu_device *device, hd__gpu_address to,
                      hd__gpu_address from,
                      size_t bytes); // within the device
    hd_status (*download)(hd_context *ctx, hd__gpu_device *device, void *to, hd__gpu_address from,
                          size_t bytes); // waits

    // Host memory that streams copy from and to at full speed, or NULL: there is none to be had.
    void *(*pin)(hd__gpu_device *device, size_t bytes);
    void (*unpin)(hd__gpu_device *device, void *memory);
    // Copies of a stream. Host memory stays as it is until an event behind the copy was awaited;
    // where it is not pinned, a copy may wait for its stream.
    hd_status (*copy_in)(hd_context *ctx, hd__gpu_device *device, hd__gpu_stream stream,
                         hd__gpu_address to, const void *from, size_t bytes);
    hd_status (*copy_out)(hd_context *ctx, hd__gpu_device *device, hd__gpu_stream stream, void *to,
                          hd__gpu_address from, size_t bytes);
    // An event is raised when the stream comes to it; `follow` makes a stream wait there for one
    // that was signalled before, `await` the host.
    hd_status (*signal)(hd_context *ctx, hd__gpu_device *device, hd__gpu_stream stream,
                        int32_t event);
    hd_status (*follow)(hd_context *ctx, hd__gpu_device *device, hd__gpu_stream stream,
                        int32_t event);
    hd_status (*await)(hd_context *ctx, hd__gpu_device *device, int32_t event);

    // A text into an image, free()d by the caller, and an image into its one kernel. `compiler`
    // names what compiles and for which machine; images of the same text by the same compiler may
    // be kept. "" if keeping them is not worth while.
    const char *(*compiler)(const hd__gpu_device *device);
    // Whether there is a compiler; if not, *why says so, and only precompiled kernels (PTX)
    // run.
    bool (*compiles)(const hd__gpu_device *device, const char **why);
    hd_status (*compile)(hd_context *ctx, hd__gpu_device *device, const char *text, void **image,
                         size_t *bytes);
    hd_status (*load)(hd_context *ctx, hd__gpu_device *device, const void *image, size_t bytes,
                      const char *name, hd__gpu_kernel **kernel);
    void (*unload)(hd__gpu_device *device, hd__gpu_kernel *kernel);
    // Where a variable of the kernel's image lies.
    hd_status (*variable)(hd_context *ctx, hd__gpu_device *device, const hd__gpu_kernel *kernel,
                          const char *name, hd__gpu_address *at);
    hd_status (*launch)(hd_context *ctx, hd__gpu_device *device, const hd__gpu_kernel *kernel,
                        const hd__gpu_launch *how);

    // Faults of everything begun before come out here: waits.
    hd_status (*wait)(hd_context *ctx, hd__gpu_device *device);

    // Timers on the stream, 0 .. HD__GPU_TIMERS - 1, and the milliseconds from timer 0 to timer 1:
    // waits.
    hd_status (*timer)(hd_context *ctx, hd__gpu_device *device, int32_t which);
    hd_status (*elapsed)(hd_context *ctx, hd__gpu_device *device, double *milliseconds);

    // Whether the stream records a graph of the caller's: its launches may be played at any time
    // from then on.
    bool (*recording)(const hd__gpu_device *device);
} hd__gpu_driver;

// How the table of a driver begins.
#define HD__GPU_BUILD HD_VERSION, (int32_t)sizeof(hd__gpu_driver)

extern const hd__gpu_driver hd__gpu_driver_cuda;

// That of the model machine, which is in libheddle_model, or NULL and why there is none
// (model_driver.c).
const hd__gpu_driver *hd__gpu_find_model(const char **why);

// Whether an address is memory of a CUDA device that the host cannot read, and of which: where the
// process has loaded the driver, which this does not do; else NULL. cuda/owner.c.
typedef bool hd__gpu_owner(const void *address, int32_t *device);
hd__gpu_owner *hd__gpu_cuda_owner(void);

#endif
