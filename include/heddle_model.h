// SPDX-License-Identifier: Apache-2.0
//
// The model machine: runs CUDA C kernels with no GPU, counts what they do and finds what is wrong
// with them. It is a library of its own: link with -lheddle_model -lheddle.
//
//     #include <heddle_model.h>
//
//     hd_model *model;
//     hd_model_module *module;
//     hd_model_open(&model, NULL);
//     hd_model_load(model, "reduce.cu", NULL, &module);          // or hd_model_load_text
//     uint64_t x, total;
//     hd_model_alloc(model, 4096, &x);
//     hd_model_alloc(model, 4, &total);
//     hd_model_write(model, x, data, 4096);
//     int n = 1024;
//     const void *arguments[] = {&x, &total, &n};
//     const hd_model_report *report;
//     hd_model_launch(model, module, "reduce", (hd_model_shape){{4}, {256}, 0}, arguments, 3,
//                     &report);
//     printf("%lld sectors for %lld requests, %d findings\n", ...);
//     hd_model_close(model);
//
// Kernels come as CUDA C, compiled by NVRTC or clang as found, or as PTX. They execute on the
// host's cores, a warp of 32 lanes in lockstep, with every access checked; model-semantics.md says
// what is modelled and what is not. The rules of heddle.h hold here too: statuses, texts, no
// printing, one thread at a time.
#ifndef HEDDLE_MODEL_H
#define HEDDLE_MODEL_H

#include "heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- A machine ----------------------------------------------------------------------------------

typedef struct hd_model hd_model;
typedef struct hd_model_report hd_model_report;

// What is looked for besides counting; all of them cost time.
enum {
    HD_MODEL_MEMORY = 1,   // bounds, alignment, memory that was freed, leaks
    HD_MODEL_INITIAL = 2,  // reads of what nobody wrote
    HD_MODEL_RACES = 4,    // within a block and between blocks
    HD_MODEL_BARRIERS = 8, // divergent, mismatched
    HD_MODEL_CACHES = 16,  // L1, L2, read-only, constant: hits and bytes of DRAM
    HD_MODEL_PRAM = 32,    // work, time and the access rule; not in HD_MODEL_ALL
    HD_MODEL_SAMPLES = 64, // the worst request of each instruction; not in HD_MODEL_ALL
    HD_MODEL_ALL = 31,
    HD_MODEL_NONE = 1 << 30 // counts only
};

typedef struct hd_model_options {
    size_t size;          // sizeof(hd_model_options), or 0: its size in version 0.1
    int32_t arch;         // 90 for sm_90; 0: 90. Sets limits and cache sizes
    int32_t threads;      // of the host; 0: HEDDLE_THREADS, else all
    int32_t resident;     // blocks that run in turns on each; 0: 8
    uint64_t seed;        // not 0: shuffles the order of warps and blocks
    uint64_t max_steps;   // warp instructions of a launch; 0: HEDDLE_MODEL_STEPS, else no limit
    uint32_t checks;      // 0: HD_MODEL_ALL
    int32_t sector_bytes; // 0: 32    of a request to global memory
    int32_t line_bytes;   // 0: 128
    int32_t banks;        // 0: 32    of shared memory
    int32_t bank_bytes;   // 0: 4
    int32_t warp_lanes;   // lanes that a request is counted over, 1 to 32; 0: 32
    const char *compiler; // "nvrtc" or "clang"; NULL: HEDDLE_MODEL_COMPILER, else as found
    void (*print)(void *user, const char *text); // what kernels print; NULL: dropped
    void *print_user;
    int64_t max_events; // accesses of threads to keep, in order, on one host thread; 0: none
    int32_t rule;       // with HD_MODEL_PRAM, what must hold: 1 more than report.rule; 0: any
    int32_t reserved_number;
} hd_model_options;

// On HD_ERROR_MEMORY *model is NULL; on other failures it is good for hd_model_error and close.
HD_API HD__CHECKED hd_status hd_model_open(hd_model **model, const hd_model_options *options);
HD_API void hd_model_close(hd_model *model); // NULL is allowed; frees modules and memory
HD_API const char *hd_model_error(const hd_model *model);

// ---- Device memory ------------------------------------------------------------------------------

// Addresses are the machine's own: 512-byte aligned, never 0. Contents begin as "not written".
HD_API HD__CHECKED hd_status hd_model_alloc(hd_model *model, int64_t bytes, uint64_t *address);
HD_API hd_status hd_model_free(hd_model *model, uint64_t address);
HD_API HD__CHECKED hd_status hd_model_write(hd_model *model, uint64_t address, const void *data,
                                            int64_t bytes);
HD_API HD__CHECKED hd_status hd_model_read(hd_model *model, uint64_t address, void *data,
                                           int64_t bytes);
HD_API HD__CHECKED hd_status hd_model_fill(hd_model *model, uint64_t address, int value,
                                           int64_t bytes);

// What findings call the allocation that begins there. The text is not copied: it must outlive the
// machine.
HD_API HD__CHECKED hd_status hd_model_name(hd_model *model, uint64_t address, const char *name);

// After the last launch: a report whose findings are allocations that nobody freed, and what
// hd_model_read took that nobody had written. It is the model's, as that of a launch.
HD_API HD__CHECKED hd_status hd_model_check_leaks(hd_model *model, const hd_model_report **report);

// ---- Modules ------------------------------------------------------------------------------------

typedef struct hd_model_module hd_model_module;

typedef struct hd_model_load_options {
    size_t size;                // sizeof(hd_model_load_options), or 0: its size in version 0.1
    const char *name;           // of a text, for messages; NULL: "kernel.cu"
    const char *const *define;  // "N=4", ..., NULL at the end
    const char *const *include; // folders, NULL at the end
    bool ptx;                   // of a text: it is PTX already
    bool no_optimisation;       // -O0
    bool fmad;                  // let the compiler contract a * b + c; default: it may not
    bool reserved_flags[5];
    // Kernels that are templates, "reduce<float, 256>", NULL at the end; those that host code in
    // the file launches by such a name are made without asking.
    const char *const *instantiate;
} hd_model_load_options;

// From a file (.cu, .cuh, .ptx; host code in it is passed over) or a text. HD_ERROR_COMPILE carries
// the compiler's log in hd_model_error. A file includes those of its own folder (that of its name,
// for a text) and of `include`, with all under them; others are an error. untrusted-kernels.md of
// the documentation says what else holds for kernels of other people.
HD_API HD__CHECKED hd_status hd_model_load(hd_model *model, const char *file,
                                           const hd_model_load_options *options,
                                           hd_model_module **module);
HD_API HD__CHECKED hd_status hd_model_load_text(hd_model *model, const char *text, int64_t length,
                                                const hd_model_load_options *options,
                                                hd_model_module **module);

// Kernels by number: the name as written (NULL after the last), the number of parameters, and the
// bytes of parameter p (-1: no such).
HD_API const char *hd_model_kernel(const hd_model_module *module, int32_t k);
HD_API int32_t hd_model_parameters(const hd_model_module *module, const char *kernel);
HD_API int64_t hd_model_parameter_bytes(const hd_model_module *module, const char *kernel,
                                        int32_t p);

// Where a __device__ or __constant__ variable lives: hd_model_write and hd_model_read there stand
// for cudaMemcpyToSymbol and cudaMemcpyFromSymbol.
HD_API HD__CHECKED hd_status hd_model_variable(hd_model *model, const hd_model_module *module,
                                               const char *name, uint64_t *address, int64_t *bytes);

// Their names by number, as written; NULL after the last.
HD_API const char *hd_model_variable_name(const hd_model_module *module, int32_t k);

// The PTX that runs.
HD_API const char *hd_model_ptx(const hd_model_module *module);

// ---- Launching ----------------------------------------------------------------------------------

typedef struct hd_model_shape {
    int32_t grid[3], block[3]; // 0 counts as 1
    int64_t shared;            // bytes of dynamic shared memory
} hd_model_shape;

// Runs a kernel; arguments[p] points to parameter p. The report (report may be NULL) belongs to the
// model and holds until its next launch. Hazards that were found are no failure of the call: they
// are in the report. HD_ERROR_DEVICE: the kernel trapped, failed an assertion or can never end.
HD_API HD__CHECKED hd_status hd_model_launch(hd_model *model, const hd_model_module *module,
                                             const char *kernel, hd_model_shape shape,
                                             const void *const *arguments, int32_t argument_count,
                                             const hd_model_report **report);

// Blocks of a cluster along each axis at the launches that follow, as the launch attribute of CUDA
// sets them; 0: as the kernel says (__cluster_dims__), else 1. At most 16 blocks, and the grid must
// be a multiple.
HD_API HD__CHECKED hd_status hd_model_cluster(hd_model *model, int32_t x, int32_t y, int32_t z);

// ---- Reports ------------------------------------------------------------------------------------

// What one line of the source did, or all of them together.
typedef struct hd_model_counts {
    int64_t warp_instructions, thread_instructions;
    int64_t branches, divergent_branches;
    int64_t barriers;
    int64_t global_loads, global_stores, global_atomics; // requests of warps
    int64_t sectors, ideal_sectors, lines;               // of global memory
    int64_t shared_loads, shared_stores, shared_atomics;
    // Of shared memory; conflicts: wavefronts beyond those that the bytes need
    int64_t wavefronts, conflicts;
    int64_t local_requests, constant_requests;
    int64_t atomic_steps;              // the longest chain on one address, added up over requests
    int64_t bytes_read, bytes_written; // asked for by threads, global memory
    int64_t polls;                     // reads of a value that had not changed: waiting
    int64_t reserved[12];
} hd_model_counts;

typedef struct hd_model_site {
    const char *file; // or NULL
    int32_t line, ptx_line;
    const char *text; // of the source line, or NULL
    hd_model_counts counts;
} hd_model_site;

typedef enum hd_model_hazard {
    HD_HAZARD_OUTSIDE, // of every allocation
    HD_HAZARD_UNALIGNED,
    HD_HAZARD_UNINITIALISED,
    HD_HAZARD_RACE,    // two threads, at least one writes, nothing orders them
    HD_HAZARD_BARRIER, // divergent, or reached by some threads only
    HD_HAZARD_RULE,    // the PRAM's access rule was broken
    HD_HAZARD_LEAK
} hd_model_hazard;

typedef enum hd_model_access { HD_ACCESS_LOAD, HD_ACCESS_STORE, HD_ACCESS_ATOMIC } hd_model_access;

// One finding; the same one at the same lines is counted, not repeated. Causes come in the order in
// which they came up, each followed by what is known to follow from it.
typedef struct hd_model_finding {
    int32_t hazard;   // hd_model_hazard
    const char *text; // a sentence: what, where, by which thread of which block
    const char *file, *other_file;
    int32_t line, other_line; // other: the second access of a race
    int64_t times;
    const char *source, *other_source; // the text of those lines, or NULL
    int32_t follows;                   // from which of the findings before it; -1: from none
    const char *because;               // how it follows, or NULL
} hd_model_finding;

// What is no mistake by itself, but makes one likely, or the verdict worth less.
typedef enum hd_model_warning_kind {
    // A kernel reads a __constant__ or __device__ variable that has no initial value in the source
    // and that nobody set: no kernel stored to it, and hd_model_write (at the address that
    // hd_model_variable gives) did not. It is all zeros.
    HD_WARNING_UNSET,
    // Part of a warp had left the kernel when the rest came to a barrier of the block. Threads that
    // have ended are not waited for on sm_70 and later; CUDA's manual asks for all of the block.
    HD_WARNING_EARLY_EXIT
} hd_model_warning_kind;

// Once a variable, or a barrier.
typedef struct hd_model_warning {
    int32_t kind; // hd_model_warning_kind
    int32_t line, other_line;
    const char *text;              // a sentence
    const char *variable;          // HD_WARNING_UNSET: its name; else NULL
    const char *file, *other_file; // of the first read, or the barrier; other: where lanes left
    int64_t times;
    const char *source, *other_source; // the text of those lines, or NULL
} hd_model_warning;

// The request of an instruction that took the most sectors, or wavefronts, beyond what its bytes
// need (HD_MODEL_SAMPLES): which bytes each lane asked for.
typedef struct hd_model_sample {
    const char *file; // or NULL
    int32_t line, ptx_line;
    int32_t access;       // hd_model_access
    bool shared;          // else global memory
    int32_t bytes;        // of a lane
    uint32_t mask;        // lanes that asked
    uint64_t address[32]; // of those; in shared memory from 0
    int32_t block[3], warp;
    int64_t sectors, ideal_sectors, lines; // of this request
    int64_t wavefronts, conflicts;
} hd_model_sample;

// One access of one thread (options.max_events).
typedef struct hd_model_event {
    int32_t access; // hd_model_access
    bool shared;
    int32_t block[3], thread; // thread: its number within the block
    int32_t line, ptx_line, bytes;
    uint64_t address;
    uint64_t before, after; // at most the first 8 bytes
} hd_model_event;

struct hd_model_report {
    const char *kernel;
    hd_model_shape shape;
    double seconds; // on the host
    hd_model_counts total;
    int32_t site_count, finding_count;
    const hd_model_site *sites;       // in the order of files and lines
    const hd_model_finding *findings; // causes before what follows from them
    // Caches, if they were asked for
    int64_t l1_hits, l1_misses, l2_hits, l2_misses, constant_hits, constant_misses, dram_bytes;
    // PRAM counts, if they were asked for. rule: 0 EREW, 1 CREW, 2 common, 3 arbitrary,
    // 4 priority CRCW
    int64_t work, steps;
    int32_t rule;
    // Occupancy and the predicted time
    int32_t registers; // a thread; negative: an estimate
    int32_t resident_blocks, resident_warps;
    const char *occupancy_limit; // "registers", "shared memory", "threads", "blocks"
    double occupancy;            // 0 to 1
    double intensity;            // operations a byte of DRAM
    double predicted_seconds;
    const char *bound; // "memory", "L2", "L1", "issue", "latency", "atomics", "blocks"
    // If they were asked for: samples (the worst first) and the trace
    const hd_model_sample *samples;
    const hd_model_event *events;
    int32_t sample_count;
    bool events_lost; // there were more than options.max_events
    int64_t event_count;
    // With the caches: bytes of DRAM apart, bytes between L1 and L2, and the instructions of
    // threads that the hardware's code is thought to have
    int64_t dram_read, dram_written, l2_bytes, machine_instructions;
    // Seconds that each part of the chip alone would take
    double memory_seconds, l2_seconds, l1_seconds, issue_seconds, latency_seconds, atomic_seconds;
    double block_seconds;
    const hd_model_warning *warnings; // variables first, then by line
    int32_t warning_count;
};

// The name of a hazard: "race"; of a warning: "unset variable".
HD_API const char *hd_model_hazard_name(hd_model_hazard hazard);
HD_API const char *hd_model_warning_name(hd_model_warning_kind kind);

#ifdef __cplusplus
}
#endif

#endif
