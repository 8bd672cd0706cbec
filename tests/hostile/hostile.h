// SPDX-License-Identifier: Apache-2.0
//
// Calls with hostile data: indices out of range, offsets that fall, links that are no list, counts
// below zero, comparisons that are no order. A case is drawn from bytes (a fuzzer's) or, past their
// end, from a generator, so that tests/hostile/test_hostile.c, tests/gpu/test_gpu_hostile.c and
// tests/fuzz/fuzz_hostile.c share all of it. Inputs and outputs lie against guard pages; every
// target must give what the serial backend gives and leave what is not its output alone.
#ifndef HEDDLE_TESTS_HOSTILE_HOSTILE_H
#define HEDDLE_TESTS_HOSTILE_HOSTILE_H

#include "tests/support/check.h"

typedef struct hostile {
    const uint8_t *bytes; // drawn from first
    size_t left;
    uint64_t state; // then this
    const check_target *targets;
    int target_count; // the first is serial
    int tried;        // how many of the others a case is run on
    int64_t largest;  // elements of an input
    bool gpu;         // only what the GPU backend runs
} hostile;

// ---- Draws ----------------------------------------------------------------------------------

uint64_t hostile_next(hostile *h);
int64_t hostile_below(hostile *h, int64_t n); // 0 .. n - 1, 0 where n < 1; one byte where n <= 256
bool hostile_once_in(hostile *h, int64_t n);
int64_t hostile_size(hostile *h); // 0 .. largest, often small
hd_type hostile_integer_type(hostile *h);
hd_type hostile_number_type(hostile *h);
check_layout hostile_layout(hostile *h); // mostly dense

// ---- Data -----------------------------------------------------------------------------------

// n integers that should be in 0 .. limit - 1; most of them are.
void hostile_indices(hostile *h, hd_type type, int64_t n, int64_t limit, void *to);
// count integers that should never fall and lie within 0 .. n.
void hostile_offsets(hostile *h, hd_type type, int64_t count, int64_t n, void *to);
// n integers that should be links of lists, or of trees (whose nodes may have several children).
void hostile_links(hostile *h, hd_type type, int64_t n, bool trees, void *to);
// n integers that should not be negative, with a sum of about sum.
void hostile_lengths(hostile *h, hd_type type, int64_t n, int64_t sum, void *to);

// ---- Calls ----------------------------------------------------------------------------------

enum { HOSTILE_VIEWS = 6, HOSTILE_NUMBERS = 3, HOSTILE_CHOICES = 8 };

typedef struct hostile_call {
    const char *name;
    check_array in[HOSTILE_VIEWS];
    void *elements[HOSTILE_VIEWS]; // of in[k], row-major
    check_array out[HOSTILE_VIEWS];
    void *before[HOSTILE_VIEWS]; // what out[k] holds before each call; NULL: filler
    int ins, outs;
    int64_t number[HOSTILE_NUMBERS]; // outputs that are one number
    int64_t choice[HOSTILE_CHOICES]; // what run makes its options of
    bool outputs_of_failure;         // the outputs are specified where the call fails, too
    bool only_safe;                  // the result is not: nothing is compared
    hd_status (*run)(hd_context *ctx, struct hostile_call *call);
} hostile_call;

// A new input of n elements: its elements are put by the caller into memory that is returned, and
// reach the array in hostile_run. In any layout; one after another; shaped as the first input. And
// a new output. They are the next ones of call->in and call->out.
void *hostile_input(hostile *h, hostile_call *call, hd_type type, int64_t n);
void *hostile_dense(hostile *h, hostile_call *call, hd_type type, int64_t n);
void *hostile_like(hostile *h, hostile_call *call, hd_type type);
void hostile_output(hostile *h, hostile_call *call, hd_type type, int64_t n);

// Runs the call on serial and on some of the other targets, checks, and frees the call's arrays.
void hostile_run(hostile *h, hostile_call *call);

// ---- Patterns -------------------------------------------------------------------------------

// Each draws one case and runs it.
void hostile_move(hostile *h);   // gather, scatter
void hostile_select(hostile *h); // compact, partition, unique, run lengths, expand
void hostile_reduce(hostile *h); // reduce and scan over segments and by key
void hostile_sort(hostile *h);   // sort, sort by comparison, merge, search, top-k
void hostile_count(hostile *h);  // histogram
void hostile_list(hostile *h);   // list ranking, list scan, roots

// Draws the pattern too.
void hostile_case(hostile *h);

#endif
