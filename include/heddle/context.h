// SPDX-License-Identifier: Apache-2.0
// Contexts: what calls run on, their memory, errors and trace. A chapter of heddle.h, which
// includes it after views.
#include "../heddle.h"

#ifndef HEDDLE_CONTEXT_H
#define HEDDLE_CONTEXT_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hd_backend {
    HD_AUTO = 0, // by where the views are and by predicted time; the trace says which and why
    HD_SERIAL,   // the definition: plain loops
    HD_CPU,      // all cores
    HD_CUDA,     // an NVIDIA GPU, through the driver and the run-time compiler found on the machine
    HD_MODEL,    // the same kernels on the model machine (heddle_model.h), with every check on
    HD_BACKEND_COUNT
} hd_backend;

// Memory for scratch and for hd_alloc. allocate returns NULL when it cannot; alignment is a
// power of two of at least 64. All three members are set, or none.
typedef struct hd_allocator {
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    void (*release)(void *user, void *memory, size_t bytes);
    void *user;
} hd_allocator;

// The same of device memory, for libraries that have a pool of their own (PyTorch's, RMM's). Memory
// is in the order of the stream: what allocate returns may be used by work begun on it from then
// on, and what release is given by work begun before. Both are called in a call's thread, with the
// device's primary context current, and may not call the library; allocate returns NULL when it
// cannot. alignment is 256. bytes, device and memory of a release are those of its allocation; the
// stream is another one where hd_set_stream chose it in between.
typedef struct hd_device_allocator {
    void *(*allocate)(void *user, size_t bytes, size_t alignment, int32_t device, void *stream);
    void (*release)(void *user, void *memory, size_t bytes, int32_t device, void *stream);
    void *user;
} hd_device_allocator;

typedef struct hd_context_options {
    size_t size;     // sizeof(hd_context_options), or 0: its size in version 0.1
    int32_t backend; // hd_backend; 0: HEDDLE_BACKEND, else auto. Named: a decline is an error
    int32_t threads; // 0: HEDDLE_THREADS, else OpenMP's default. At most 1024
    hd_allocator allocator;                      // zero: the C library's
    void (*trace)(void *user, const char *line); // told which path ran and why, one line a call
    void *trace_user;
    const char *isa; // NULL: HEDDLE_ISA, else the best this machine runs; see hd_isa
    void *stream;   // cuda: the CUstream (cudaStream_t) to work on, see hd_set_stream; NULL: one of
                    // its own
    int32_t device; // cuda: the number of the GPU
    bool stream_given; // stream is a handle as another library has it: NULL, too, is the legacy
                       // default stream
    bool reserved_flags[3];
    // Told, now and then and by the thread that called, how many of a call's elements are done;
    // false: the call ends with HD_ERROR_CANCELLED. See below
    bool (*progress)(void *user, int64_t done, int64_t all);
    void *progress_user;
    hd_device_allocator device_allocator; // cuda: of scratch and hd_alloc_device; zero: a pool of
                                          // the context's own
    size_t scratch_limit; // bytes of scratch that are kept between calls; 0: no limit. See hd_trim
} hd_context_options;

typedef struct hd_context hd_context;

// Makes a context. The environment variables HEDDLE_BACKEND, HEDDLE_THREADS, HEDDLE_ISA and
// HEDDLE_TRACE ("1": lines to standard error; else a file to append to) fill what the options
// leave zero. On HD_ERROR_MEMORY *ctx is NULL; on any other failure it is a context that is good
// for hd_error and hd_close only. Cost: no threads are started until a call needs them.
HD_API HD__CHECKED hd_status hd_open(hd_context **ctx, const hd_context_options *options);

// Ends a context and frees what it holds; NULL is allowed. Arrays of hd_alloc outlive nothing:
// free them first.
HD_API void hd_close(hd_context *ctx);

// What went wrong in the last call: what, where, expected, got. "" after success. The text
// belongs to the context and holds until its next call.
HD_API const char *hd_error(const hd_context *ctx);

// For what is built on Heddle: leaves a text in the context as the library's own calls do, and
// returns the status. NULL leaves none; a context that hd_open could not make keeps its own.
HD_API hd_status hd_fail(hd_context *ctx, hd_status status, const char *text);

// What the context runs on: its threads, its instruction set ("neon", "avx2", ...), and the
// backend that ran the last call.
HD_API int32_t hd_threads(const hd_context *ctx);
HD_API const char *hd_isa(const hd_context *ctx);
HD_API hd_backend hd_last_backend(const hd_context *ctx);

// The instruction sets built into the library, best first: name k, or NULL after the last, and
// whether this machine runs it. Backends by number: the name ("serial"), the number of a name
// (-1 if none has it), and whether it is here: if not, *why (may be NULL) says why.
HD_API const char *hd_isa_name(int32_t k);
HD_API bool hd_isa_runs(int32_t k);
HD_API const char *hd_backend_name(hd_backend backend);
HD_API int32_t hd_backend_named(const char *name);
HD_API bool hd_backend_available(hd_backend backend, const char **why);

// Waits for everything the context has begun, and delivers faults found on a device.
HD_API HD__CHECKED hd_status hd_sync(hd_context *ctx);

// Progress. With the option .progress a call tells 0 of all its elements, at the end all, and in
// between, where it can stop: on a device before each kernel and after each chunk of arrays larger
// than it; on cores after 16 MiB of hd_map, hd_gather, hd_histogram that counts, queries of
// hd_search, hd_reduce and hd_scan of everything without a carry; after runs and buckets of
// hd_sort; and, of the backend cpu, about each thousandth of hd_scatter, hd_compact, hd_partition,
// hd_unique, hd_run_lengths, hd_stencil, hd_convolve, hd_transpose, hd_merge, hd_top_k, hd_nth,
// hd_quantiles and hd_list_rank, of histograms of rows or segments, and the steps of
// hd_forest_roots. It is the calling thread that tells, between chunks of its own.
// Where the function returns false the call returns HD_ERROR_CANCELLED: outputs are unspecified, a
// carry is as it was, the context takes the next call. A call that has done all is not cancelled.
// The function may not call the library; without one calls pay nothing for it.

// Scratch: memory that a context keeps between calls, on the host and on its device, since fresh
// memory costs more than the work on small inputs. It grows to what the largest call needed: after
// a sort of n numbers about three times their bytes. hd_scratch_bytes says how much it is.
//
// hd_trim gives it back, all but at most keep_bytes; the next call that needs more takes it anew.
// It waits for the device and reports its faults as hd_sync does, and gives back what the context's
// CUDA memory pool keeps beyond keep_bytes, which hd_scratch_bytes does not count. Scratch of the
// device that calls captured in a CUDA graph may use stays.
//
// With .scratch_limit that happens at the end of every call that leaves more than so many bytes,
// without waiting. It limits what is kept, not what a call takes: no call fails by it, and calls
// that need more pay for fresh memory each time.
HD_API HD__CHECKED hd_status hd_trim(hd_context *ctx, size_t keep_bytes);
HD_API size_t hd_scratch_bytes(const hd_context *ctx);

// For what is built on Heddle: a row of n elements of the host out of that scratch, not cleared. It
// is the caller's until it is given back, as the same view, before hd_close; then the context keeps
// it, so that a call that needs the same rows each time pays for fresh memory once. What is taken
// does not count as kept. Rows of the device: hd_alloc_device, whose memory is of a pool.
HD_API HD__CHECKED hd_status hd_alloc_scratch(hd_context *ctx, hd_type type, int64_t n,
                                              hd_view *row);
HD_API hd_status hd_free_scratch(hd_context *ctx, hd_view *row);

// The stream that a context of the backend cuda works on. Options left zero give it one of its own,
// created as cudaStreamCreate does: it and the legacy default stream wait for each other, so that
// nothing races with kernels on stream 0. Other streams are not waited for: give the context the
// one that makes its inputs and takes its outputs.
//
// A handle of another library may be 0, the legacy default stream, as that of PyTorch's current
// stream is unless one was chosen: options say .stream_given = true then, and hd_set_stream takes
// any handle as it is. Programs compiled with --default-stream per-thread give HD_STREAM_PER_THREAD
// in the place of 0; a context on that stream stays with one thread.
#define HD_STREAM_LEGACY     HD__STREAM(1)
#define HD_STREAM_PER_THREAD HD__STREAM(2)
#define HD_STREAM_OWN        HD__STREAM(UINTPTR_MAX) // of hd_set_stream: the context's own
#ifdef __cplusplus
#define HD__STREAM(k) (reinterpret_cast<void *>(static_cast<uintptr_t>(k)))
#else
#define HD__STREAM(k) ((void *)(uintptr_t)(k))
#endif

// Changes it between calls, and says which one it is. What calls have begun on the old stream comes
// before what they begin on the new one, which waits for an event, not the caller; while the new
// one is being captured, where it cannot, the caller waits. What an old one that is being captured
// has recorded is not waited for. On the model all streams are one.
// HD_ERROR_BACKEND in a context that has no device (backends serial, cpu).
HD_API HD__CHECKED hd_status hd_set_stream(hd_context *ctx, void *stream);
HD_API HD__CHECKED hd_status hd_stream(hd_context *ctx, void **stream);

// An array of its own for the caller, row-major, 64-byte aligned, not cleared; *view describes
// it. hd_free takes the view as hd_alloc made it and empties it; an empty view is allowed.
HD_API HD__CHECKED hd_status hd_alloc(hd_context *ctx, hd_type type, int32_t ndim,
                                      const int64_t *shape, hd_view *view);
HD_API hd_status hd_free(hd_context *ctx, hd_view *view);

// The same in the memory of the context's device (backends cuda and model; auto: cuda). Calls whose
// views are all on the device or implicit return once their work is on the stream; hd_sync waits
// for it. hd_map without a function copies between host and device. Views of the device are taken
// by all patterns that run there, which is all but a few of their options
// (docs/reference/gpu.md); others refuse them.
HD_API HD__CHECKED hd_status hd_alloc_device(hd_context *ctx, hd_type type, int32_t ndim,
                                             const int64_t *shape, hd_view *view);

#ifdef __cplusplus
}
#endif

#endif
