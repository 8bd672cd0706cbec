// SPDX-License-Identifier: Apache-2.0
// The contract between the core and a backend: the core checks arguments and fills a job, a
// backend runs it or declines. Everything a backend must supply is in hd__backend.
#ifndef HEDDLE_CORE_BACKEND_H
#define HEDDLE_CORE_BACKEND_H

#include "reader.h"
#include "tree.h"

typedef enum hd__slices {
    HD__EVERYTHING, // one row: in row-major order
    HD__ROWS,       // along an axis
    HD__SEGMENTS,   // between offsets
    HD__RUNS        // of equal keys
} hd__slices;

typedef struct hd__reduce_job {
    hd__fold fold;
    hd__reader in; // its views are collapsed unless slices is HD__ROWS
    hd__slices slices;
    int32_t axis;
    hd_view out;
    hd_view values; // unset unless asked for
    hd_view segments, keys, keys_out;
    int64_t *runs;
    hd__tree *tree; // of a carry, or NULL
} hd__reduce_job;

typedef struct hd__scan_job {
    hd__fold fold;
    hd__reader in;
    hd__slices slices;
    int32_t axis;
    bool exclusive;
    hd_view out, values;
    hd_view segments, keys; // already reversed where the scan runs backward, as all views are
    bool backward;          // only segment offsets still need to know
    hd__tree *tree;
    // Of a monotone scan: the scan of maxima over out, which the core runs next unless the backend has
    // done it too and says so. Else NULL
    const struct hd__scan_job *maxima;
    bool *maxima_done;
} hd__scan_job;

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

typedef struct hd__backend {
    const char *name;
    hd_backend id;
    hd__run *run[HD__PATTERN_COUNT]; // NULL: the pattern is not there
    bool (*here)(const char **why);  // whether this machine has it; NULL: every one has
    // The short way, for calls whose work is less than their checks: a row of elements, n >= 1, no
    // options. False: the job must go the long way. May be NULL.
    bool (*reduce_row)(hd_context *ctx, const hd__fold *fold, const void *in, int64_t n, void *out);
    bool (*scan_row)(hd_context *ctx, const hd__fold *fold, const void *in, int64_t n, void *out);
    const struct hd__tuning_table *tuning; // what HEDDLE_TUNE may set; NULL: nothing
    void (*tune)(void); // reads it, when a context is opened; NULL: the backend reads it by itself
} hd__backend;

// The backend a context asks first.
const hd__backend *hd__first_backend(hd_backend wish);

// Has the backends read HEDDLE_TUNE; fails where it sets what none of them has.
hd_status hd__tune_backends(hd_context *ctx);

extern const hd__backend hd__serial_backend;
extern const hd__backend hd__cpu_backend;
extern const hd__backend hd__cuda_backend;
extern const hd__backend hd__model_backend;

// what the trace says of a job: "scan sum of 1000 f32: cpu".
typedef struct hd__subject {
    const char *what; // operator, variant, or ""
    int64_t n;
    hd_type type;
} hd__subject;

// Asks the backends in order.
hd_status hd__dispatch(hd_context *ctx, hd__pattern pattern, const void *job,
                       const hd__subject *subject);

#endif
