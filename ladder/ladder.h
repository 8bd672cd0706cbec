// SPDX-License-Identifier: Apache-2.0
//
// A ladder is one pattern in several kernels, each better than the last: the lectures' way of
// teaching. A step is a file ladder/LADDER/STEP.cu and a row in ladder/LADDER/LADDER.c that says
// how it is launched; ladder/stage.h is what it is launched on.
#ifndef HEDDLE_LADDER_LADDER_H
#define HEDDLE_LADDER_LADDER_H

#include "stage.h"

typedef struct ladder ladder;

#define LADDER_ARRAYS 4

// What the data are like, where a ladder's are whole numbers: kernels that are right on random ones
// may not be on others.
typedef enum ladder_values {
    LADDER_RANDOM,
    LADDER_ALIKE,    // all -1, or where they must not be negative all 4
    LADDER_EXTREMES, // the least and the greatest int in turn
    LADDER_FALLING,  // n, n - 1, ... 1
} ladder_values;

// One problem of a ladder: its size, what goes in and what must come out.
typedef struct ladder_case {
    int64_t n;     // elements; in two dimensions of each side, where the ladder says so
    int32_t block; // threads
    uint64_t seed;
    ladder_values values;
    const char *text;        // given instead of random data, or NULL
    void *in[LADDER_ARRAYS]; // made by prepare
    int64_t in_bytes[LADDER_ARRAYS];
    void *expected, *got; // both of `bytes` bytes; got begins as noise
    int64_t bytes;
    hd_type type;     // of the elements of both
    double tolerance; // 0: bit for bit
    int64_t extra[4]; // what a ladder keeps besides: a width, bins
    int32_t way;      // the step's, for a play that several steps share
} ladder_case;

// Launches the step's kernels and reads the answer into c->got. Errors stay in the stage.
typedef void ladder_play(stage *s, ladder_case *c);

// Where a step is a call of the library: the inputs and the room for the answer, on its device.
typedef struct ladder_arrays {
    void *in[LADDER_ARRAYS], *out;
} ladder_arrays;

// n elements on the device, at a pointer of ladder_arrays.
hd_view ladder_view(hd_type type, void *at, int64_t n);

// The same in one to three axes of n elements each.
hd_view ladder_cube(hd_type type, void *at, int32_t axes, int64_t n);

// The call, which is timed; and what puts another answer into c->expected before it.
typedef hd_status ladder_call(hd_context *ctx, ladder_case *c, const ladder_arrays *a);
typedef void ladder_expect(ladder_case *c);

// What any method must do with memory at least.
typedef enum ladder_peak { LADDER_COPIES, LADDER_READS } ladder_peak;

enum {
    STEP_POWER_OF_TWO = 1, // the block must have a power of two threads, at least 64
    STEP_WRONG = 2,        // on purpose: `fault` says why
};

typedef struct ladder_step {
    const char *name;
    const char *source;  // the name of its file; NULL: `name`
    const char *title;   // what it does, in a few words
    const char *teaches; // one sentence
    ladder_play *play;
    int32_t way;       // what play finds in the case
    ladder_call *call; // in the place of play, for Heddle's own
    ladder_expect *expect;
    const char *code; // then: the call as C, and
    const char *file; // the kernel of src/gpu that it runs
    uint32_t flags;
    const char *fault;      // of a wrong one: what is wrong with it
    hd_model_hazard hazard; // of a wrong one: what the model must find
    double then_gb_s;       // what the lecture measured, or 0
} ladder_step;

struct ladder {
    const char *name, *title, *about;
    const ladder_step *steps;
    int32_t step_count;
    int64_t default_n, device_n; // on the model, on a card
    int64_t min_n, max_n;
    int32_t default_block;
    bool fixed_block; // the kernels are written for this one
    const char *of_n; // what n counts: "elements"
    int dimensions;   // elements are n to this power; 0: 1
    // Fills in, expected, bytes, type; false: no memory.
    bool (*prepare)(ladder_case *c);
    // Bytes that any method must move, for GB/s and the percentage of peak bandwidth.
    int64_t (*least_bytes)(const ladder_case *c);
    ladder_peak peak;
    bool takes_values; // the problem heeds ladder_case.values
    bool alike;        // the steps stand beside each other: none is meant to beat the last
    bool of_latency;   // what counts is the time of one of n steps
    // Definitions for the compiler ("BLOCK=256"), NULL at the end; may be NULL.
    void (*define)(const ladder_case *c, char (*into)[64], int32_t most);
};

// What every ladder's file ends with: its row, of the `steps`, `prepare` and `least_bytes` of that
// file; and what n counts, n on the model and on a card, its range, and the threads of a block.
#define LADDER_ROW(ladder_name, ladder_title, ladder_about)                                        \
    .name = #ladder_name, .title = ladder_title, .about = ladder_about, .steps = steps,            \
    .step_count = sizeof steps / sizeof *steps, .prepare = prepare, .least_bytes = least_bytes
#define LADDER_SIZES(what, model, device, min, max, block)                                         \
    .of_n = what, .default_n = model, .device_n = device, .min_n = min, .max_n = max,              \
    .default_block = block

// All ladders (NULL after the last), and one by its name (NULL: none).
const ladder *ladder_number(int32_t k);
const ladder *ladder_named(const char *name);
int32_t ladder_step_named(const ladder *l, const char *name); // by name or number; -1: none

// The kernel's text; of Heddle's own that of its file, whose call is `code`.
const char *ladder_source(const ladder *l, const ladder_step *r);

// What a step did.
typedef struct ladder_result {
    bool ran;   // else `error` says why not
    bool right; // the answer
    hd_status status;
    char error[600];
    char answer[96]; // where it is wrong: what came out, and what should have
    stage_totals totals;
} ladder_result;

void ladder_case_free(ladder_case *c);

// Plays one step; `text` is its source, or another kernel in its place.
void ladder_run(const ladder *l, const ladder_step *r, const char *text, const char *text_name,
                const ladder_case *problem, const stage_options *how, ladder_result *result);

// Plays a step that is a call of the library; own.c.
void ladder_run_own(const ladder_step *r, ladder_case *c, const stage_options *how,
                    ladder_result *result);

// Bytes a second that the memory of a card gives at best; 0: it could not be measured.
double ladder_peak_of(ladder_peak kind, int64_t bytes);

// Why a step is faster than another, from what was counted: a sentence. Without `starts` those of
// launches are no reason, as where there is so much to do that they take no time.
void ladder_why(const ladder_result *before, const ladder_result *after, bool starts, char *text,
                size_t room);

// ---- For the ladders' own files ----------------------------------------------------------------

void *ladder_array(ladder_case *c, int32_t k, int64_t bytes); // in[k]; NULL: no memory
bool ladder_answer(ladder_case *c, hd_type type, int64_t count);
uint64_t ladder_random(uint64_t *state);
int32_t ladder_value(const ladder_case *c, int64_t i, int32_t random); // in[i], by c->values
stage_shape ladder_shape(const ladder_case *c, int64_t threads);       // blocks for so many
// The definition BLOCK=threads, for a ladder's `define`.
void ladder_define_block(const ladder_case *c, char (*into)[64], int32_t most);

#endif
