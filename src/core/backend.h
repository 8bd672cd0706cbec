// SPDX-License-Identifier: Apache-2.0
// The contract between the core and a backend: the core checks arguments and fills a job, a
// backend runs it or declines. Everything a backend must supply is in hd__backend.
#ifndef HEDDLE_CORE_BACKEND_H
#define HEDDLE_CORE_BACKEND_H

#include "reader.h"
#include "tree.h"

// What a backend answers where it has no way to run a job; why says so in a few words. The core
// then asks the next, or fails if the user named this one.
#define HD__DECLINED ((hd_status)-1)

// Which pattern a job is for; its structure is hd__NAME_job.
typedef enum hd__pattern {
#define PATTERN(name, NAME) HD__##NAME##_PATTERN,
#include "patterns.def"
#undef PATTERN
    HD__PATTERN_COUNT
} hd__pattern;

// Runs a job, an hd__NAME_job, or declines.
typedef hd_status hd__run(hd_context *ctx, const void *job, const char **why);

// What a static program does not need is left out of it. The tables of the backends refer to their
// patterns weakly: that alone does not take anything out of an archive. The file of a public call
// refers to what the backends have for it: HD__BRINGS(scan) on the cores, HD__BRINGS_PASS(scan) on
// a GPU. A pattern that no call brings has NULL in the tables.
#define HD__WEAK __attribute__((weak))
#define HD__BRING(run)                                                                             \
    extern hd__run run;                                                                            \
    static hd__run *const run##__here __attribute__((used)) = run;
#define HD__BRINGS(name)      HD__BRING(hd__cpu_##name) HD__BRING(hd__serial_##name)
#define HD__BRINGS_PASS(name) HD__BRING(hd__gpu_##name)

struct hd__rates; // core/choice/rates.h

typedef struct hd__backend {
    const char *name;
    hd_backend id;
    bool automatic;                  // HD_AUTO may choose it
    bool has_threads;                // jobs run on a team of threads
    hd__run *run[HD__PATTERN_COUNT]; // NULL: the backend does not have the pattern

    // Whether this machine has it; if not, *why says what is missing. NULL: every machine has it.
    bool (*available)(const char **why);

    // hd_open, hd_close and hd_sync. ctx->state[id] is the backend's own; close and sync are called
    // only where it is set. sync waits for the work that calls have left and reports its faults.
    // Each may be NULL.
    hd_status (*open)(hd_context *ctx, const hd_context_options *options);
    void (*close)(hd_context *ctx);
    hd_status (*sync)(hd_context *ctx);

    // Device memory. All NULL: the backend reaches host memory only.
    hd_status (*allocate)(hd_context *ctx, size_t bytes, void **memory);
    void (*release)(hd_context *ctx, void *memory, size_t bytes);
    hd_status (*copy_to_host)(hd_context *ctx, void *to, const void *from, size_t bytes); // waits

    // What says whether an address is memory of a device, and of which, where the process has
    // loaded the driver; else NULL. May be NULL itself.
    bool (*(*owner)(void))(const void *address, int32_t *device);

    // Of a device that HD_AUTO may choose for views of the host; both NULL: it is not chosen so.
    // ready opens it and what such views go through, and names it and its driver's version. measure
    // times copies of a few bytes, of some KiB and of `large` bytes, a few of each.
    hd_status (*ready)(hd_context *ctx, char *name, size_t room);
    hd_status (*measure)(hd_context *ctx, struct hd__rates *rates, size_t large);

    // Gives back all scratch but so many bytes and counts ctx->device_scratch anew. `pool`: also
    // memory that nothing uses and that is kept for allocations to come; the device has no work.
    void (*trim)(hd_context *ctx, size_t keep, bool pool);

    // Changes the stream that calls are begun on, NULL: the device's own, once the device is open;
    // and says which one it is.
    hd_status (*set_stream)(hd_context *ctx, void *stream);
    hd_status (*stream)(hd_context *ctx, void **stream);

    // The fast path for calls whose work is less than their checks: a row of elements, n >= 1, no
    // options. False: the job takes the usual path. May be NULL.
    bool (*reduce_row)(hd_context *ctx, const hd__fold *fold, const void *in, int64_t n, void *out);
    bool (*scan_row)(hd_context *ctx, const hd__fold *fold, const void *in, int64_t n, void *out);
    bool (*sort_row)(hd_context *ctx, hd_type type, const void *in, int64_t n, void *out);
    // Elements of `size` bytes whose flag is not zero; *count: how many.
    bool (*compact_row)(size_t size, const void *in, const unsigned char *flags, int64_t n,
                        void *out, int64_t *count);
    // All elements, those whose flag is not zero first; counts, which may be NULL: of both.
    bool (*partition_row)(size_t size, const void *in, const unsigned char *flags, int64_t n,
                          void *out, int64_t *counts);
    // out[index[i]] = in[i], where that is below room.
    bool (*scatter_row)(size_t size, const void *in, hd_type index_type, const void *index,
                        int64_t n, void *out, int64_t room);
    // out[i] = in[index[i]], zero where that is not below room.
    bool (*gather_row)(size_t size, const void *in, int64_t room, hd_type index_type,
                       const void *index, int64_t n, void *out);
    // Whole numbers counted by their values, 0 .. bins - 1, in words of `size` bytes.
    bool (*histogram_row)(hd_type type, const void *in, int64_t n, size_t size, void *out,
                          int64_t bins);
    const struct hd__tuning_table *tuning; // what HEDDLE_TUNE may set; NULL: nothing
    void (*tune)(void); // reads it, when a context is opened; NULL: the backend reads it by itself
} hd__backend;

// All backends, the preferred ones first; NULL ends the list. src/backends.c defines it.
extern const hd__backend *const hd__backends[];

// Has the backends read HEDDLE_TUNE; fails where it sets what none of them has.
hd_status hd__tune_backends(hd_context *ctx);

// The backend of a constant; NULL for HD_AUTO and for numbers that are no backend.
const hd__backend *hd__backend_of(hd_backend id);

// Makes a backend, or HD_AUTO, the context's.
void hd__set_backend(hd_context *ctx, hd_backend id);

// What the trace says of a job: "scan sum of 1000 f32: cpu".
typedef struct hd__subject {
    const char *what; // operator, variant, or ""
    int64_t n;
    hd_type type;
} hd__subject;

// Asks the backends in order.
hd_status hd__dispatch(hd_context *ctx, hd__pattern pattern, const void *job,
                       const hd__subject *subject);

#endif
