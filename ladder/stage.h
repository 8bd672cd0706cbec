// SPDX-License-Identifier: Apache-2.0
//
// What kernels of a ladder are launched on: the model machine, or a card. A stage that has failed
// ignores everything that follows, so that a play needs no checks; stage_error tells what came
// first.
#ifndef HEDDLE_LADDER_STAGE_H
#define HEDDLE_LADDER_STAGE_H

#include <stdarg.h>

#include "heddle_model.h"

typedef struct stage stage;
typedef uint64_t stage_address;

typedef struct stage_options {
    bool cuda;       // on a card; what follows is the model's, but for define
    int32_t threads; // of the host; 0: all
    uint64_t seed;
    uint32_t checks; // of hd_model_options
    uint64_t max_steps;
    const char *compiler;
    int32_t arch;
    const char *const *define; // NULL at the end
    void (*print)(void *user, const char *text);
    void *print_user;
} stage_options;

#define STAGE_FINDINGS 16
#define STAGE_WARNINGS 8
#define STAGE_PLAYS    6 // on a card: the first warms up, the fastest of the others counts

typedef struct stage_finding {
    hd_model_hazard hazard;
    char text[480];
    int32_t line;
    int64_t times;
} stage_finding;

// What is no hazard, but worth a word: a variable that nobody set, lanes that left before a
// barrier.
typedef struct stage_warning {
    char text[480];
    int32_t line;
} stage_warning;

// Everything that was launched, together.
typedef struct stage_totals {
    int32_t launches;
    hd_model_counts counts;
    int64_t work;    // instructions of all threads
    double span;     // those of a warp, on the average, one launch after the other
    double parts[7]; // seconds that each part of the chip alone would take: see stage_parts
    int64_t dram_bytes, l2_hits, l2_misses;
    int32_t registers, resident_warps; // of the first launch
    double occupancy;
    const char *occupancy_limit, *bound;
    double predicted_seconds, host_seconds;
    double device_seconds; // on a card: all launches together
    int64_t threads;       // that were launched on the model
    // With HD_MODEL_SAMPLES: the worst request to global and to shared memory; bytes 0: none.
    hd_model_sample global_sample, shared_sample;
    int32_t finding_count;
    stage_finding findings[STAGE_FINDINGS];
    int32_t warning_count;
    stage_warning warnings[STAGE_WARNINGS]; // each text once
} stage_totals;

enum { STAGE_LATENCY = 4 };

// The names of the parts, "memory" and so on.
extern const char *const stage_parts[7];

// What a launch on the model did, added to the others.
void stage_add(stage_totals *t, const hd_model_report *report);

// Compiles a text. *s is NULL only without memory.
void stage_open(stage **s, const char *text, const char *name, const stage_options *options);
void stage_close(stage *s);
bool stage_failed(const stage *s);
const char *stage_error(const stage *s); // "" if nothing failed
hd_status stage_status(const stage *s);
const stage_totals *stage_sum(const stage *s);
void stage_begin(stage *s); // the sums from 0 again
// On the model: what ran was a chain, each step of which waited for the last, of so many cycles.
// Its time is theirs, and not what a machine full of warps would hide.
void stage_chain(stage *s, double cycles);

// Memory of the device: 0 where the stage has failed.
stage_address stage_room(stage *s, int64_t bytes); // not written yet
stage_address stage_zeros(stage *s, int64_t bytes);
stage_address stage_data(stage *s, const void *data, int64_t bytes);
void stage_free(stage *s, stage_address at);
void stage_read(stage *s, stage_address from, void *to, int64_t bytes);
void stage_write(stage *s, stage_address to, const void *data, int64_t bytes);
// A __constant__ or __device__ variable.
void stage_set(stage *s, const char *variable, const void *data, int64_t bytes);

typedef struct stage_shape {
    int32_t grid[3], block[3];
    int64_t shared;
} stage_shape;

// format names the arguments after it: p stage_address, i int32_t, l int64_t, f double as float.
void stage_launch(stage *s, const char *kernel, stage_shape shape, const char *format, ...);

#endif
