// SPDX-License-Identifier: Apache-2.0
// The context from inside: error text, memory, trace. Every call begins with HD__BEGIN.
#ifndef HEDDLE_CORE_CONTEXT_H
#define HEDDLE_CORE_CONTEXT_H

#include "scratch_rows.h"
#include "system/exported.h"
#include "types.h"

#include <stdatomic.h>
#if !defined(__x86_64__) && !defined(__aarch64__)
#include <pthread.h>
#endif

struct hd__backend; // core/backend.h
struct hd__fold;    // core/operators/fold.h

enum { HD__MAX_OPTION_VIEWS = 8 }; // of one structure
enum { HD__SEEN_PAGES = 64 };

struct hd_context {
    char error[4096]; // a compiler's log may be long
    bool usable;      // false: hd_open failed, good for hd_error and hd_close only
    hd_backend backend, last;
    int32_t threads;
    const char *isa; // the name of the instruction set in use
    hd_allocator allocator;
    hd_device_allocator device_allocator; // empty: the driver's
    void (*trace)(void *user, const char *line);
    void *trace_user;
    bool (*progress)(void *user, int64_t done, int64_t all);
    void *progress_user;
    int64_t done, all; // what was reported last
    bool in_blocks;    // the call that runs is a part of one that reports progress itself
    int trace_file;    // a file of HEDDLE_TRACE, or -1
    const struct hd__backend *first;          // the backend that is asked first
    const struct hd__backend *device_backend; // of device memory; NULL: the context reaches none
    void *state[HD_BACKEND_COUNT];            // each backend's own, by its constant
    hd_view
        option_views[HD__MAX_OPTION_VIEWS]; // what options point to, made at least one-dimensional
    struct hd__fold *recent; // the last built-in fold, to be found again in a few compares
    void *scratch; // kept between calls: fresh pages cost more than the work on small inputs
    size_t scratch_bytes;
    hd__scratch_rows scratch_rows;
    size_t device_scratch; // bytes that the device's backend keeps likewise
    size_t scratch_limit;  // of all three, between calls; SIZE_MAX: none
    void *stream;          // of the caller's; NULL: the device's own
    int32_t device;
    bool takes_device;    // the call that runs takes views of the device
    bool on_device;       // and was given one
    bool takes_indexed;   // the argument that is checked may be an indexed view
    bool has_indexed;     // the call that runs was given one
    atomic_int bad_index; // and met an index out of range
    // Whether an address is memory of a device, and of which; NULL: there is nobody to ask.
    bool (*owner)(const void *address, int32_t *device);
    uintptr_t seen[HD__SEEN_PAGES]; // pages that were found to be the host's (view.h)
    _Atomic(uintptr_t) caller;      // the thread whose call runs; 0: none
};

// Leaves the text of an error (the first one wins) and returns its status.
HD__EXPORTED hd_status hd__fail(hd_context *ctx, hd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A number of the calling thread's own, not 0.
static inline uintptr_t hd__this_thread(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
    return (uintptr_t)__builtin_thread_pointer();
#else
    return (uintptr_t)pthread_self();
#endif
}

// Clears the error text. A call on no context, on one that hd_open could not make, or on one that
// another thread is in a call of, ends here. Two calls that begin at the same moment are not told
// apart: that would cost a locked instruction a call. *running: what hd__end is to end, set by the
// outermost call.
static inline hd_status hd__begin(hd_context *ctx, bool takes_device, hd_context **running)
{
    if (ctx == NULL || !ctx->usable) return HD_ERROR_ARGUMENT;
    const uintptr_t me = hd__this_thread();
    const uintptr_t caller = atomic_load_explicit(&ctx->caller, memory_order_relaxed);
    if (caller != 0 && caller != me) return HD_ERROR_BUSY;
    if (caller == 0) {
        atomic_store_explicit(&ctx->caller, me, memory_order_relaxed);
        *running = ctx;
    }
    ctx->error[0] = 0;
    ctx->takes_device = takes_device;
    ctx->on_device = false;
    ctx->has_indexed = false;
    return HD_OK;
}

// Gives back scratch beyond so many bytes, in the order of the stream.
void hd__trim(hd_context *ctx, size_t keep);

static inline void hd__end(hd_context **running)
{
    hd_context *ctx = *running;
    if (ctx == NULL) return;
    if (ctx->scratch_bytes + ctx->scratch_rows.kept + ctx->device_scratch > ctx->scratch_limit)
        hd__trim(ctx, ctx->scratch_limit);
    atomic_store_explicit(&ctx->caller, 0, memory_order_release);
}

// Every call begins with one of these, the second if it takes views of the device as well.
#define HD__BEGIN(ctx)          HD__BEGIN_CALL(ctx, false)
#define HD__BEGIN_ANYWHERE(ctx) HD__BEGIN_CALL(ctx, true)
#define HD__BEGIN_CALL(ctx, takes_device)                                                          \
    __attribute__((cleanup(hd__end))) hd_context *hd__running = NULL;                              \
    HD_TRY(hd__begin(ctx, takes_device, &hd__running))

#define HD_TRY(expr)                                                                               \
    do {                                                                                           \
        const hd_status hd__status = (expr);                                                       \
        if (hd__status != HD_OK) return hd__status;                                                \
    } while (0)

// Tells the caller how far a call is; HD_ERROR_CANCELLED where it wants no more.
hd_status hd__report_progress(hd_context *ctx, int64_t done, int64_t all);
static inline hd_status hd__poll(hd_context *ctx, int64_t done, int64_t all)
{
    return ctx->progress == NULL ? HD_OK : hd__report_progress(ctx, done, all);
}

// Memory of the context's allocator, 64-byte aligned, or NULL with the error text set.
void *hd__allocate(hd_context *ctx, size_t bytes);
void hd__release(hd_context *ctx, void *memory, size_t bytes);

// Bytes rounded up so that what follows in a block of memory is aligned.
static inline size_t hd__padded(size_t bytes)
{
    return (bytes + HD__ALIGNMENT - 1) / HD__ALIGNMENT * HD__ALIGNMENT;
}

// The context's one scratch block, at least this large; what it held is lost. NULL as above.
void *hd__scratch(hd_context *ctx, size_t bytes);

// One line of the trace; nothing is formatted when no one listens.
static inline bool hd__is_traced(const hd_context *ctx)
{
    return ctx->trace != NULL || ctx->trace_file >= 0;
}
void hd__trace_line(hd_context *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
