// SPDX-License-Identifier: Apache-2.0
//
// Calls by which `auto` is measured: one for each class of work that it tells apart, whose times
// `heddle doctor --tune-auto` keeps, and some more, which `heddle bench auto` races with them.
#ifndef HEDDLE_BENCH_CHOICE_SAMPLE_CALLS_H
#define HEDDLE_BENCH_CHOICE_SAMPLE_CALLS_H

#include <heddle.h>

typedef enum sample_array {
    SAMPLE_KEYS,    // u32, random
    SAMPLE_FLOATS,  // f32 in 0 .. 1
    SAMPLE_INDEX,   // i32, a permutation
    SAMPLE_BINS,    // i32 in 0 .. 255
    SAMPLE_FLAGS,   // u8, half of them set
    SAMPLE_NEXT,    // i32, one list
    SAMPLE_SORTED,  // i32, the first half and the second each in order
    SAMPLE_OUT,     // i32, for results
    SAMPLE_NUMBERS, // 256 i64, for results
    SAMPLE_ARRAYS
} sample_array;

typedef struct sample_arrays {
    int64_t n;
    hd_view array[SAMPLE_ARRAYS];
} sample_arrays;

typedef struct sample_call {
    const char *name, *type;
    const char *work_class; // as rates name it; NULL: the call is not one of those
    double units;           // of work an element,
    bool by_logarithm;      // or times the logarithm of their number
    hd_status (*run)(hd_context *ctx, const sample_arrays *a);
} sample_call;

extern const sample_call sample_calls[];
enum { SAMPLE_CALLS = 19 };

// Units of work of a call on n elements.
double sample_units(const sample_call *call, int64_t n);

// Arrays of n elements in host memory, or false: there is none. And their end.
bool sample_arrays_make(sample_arrays *a, int64_t n);
void sample_arrays_drop(sample_arrays *a);

// A copy of them in the memory of a context's device. And its end.
hd_status sample_arrays_send(hd_context *ctx, const sample_arrays *host, sample_arrays *device);
void sample_arrays_free(hd_context *ctx, sample_arrays *device);

// Nanoseconds of a call, with hd_sync: the least of several, of which the first does not count;
// *first: nanoseconds of that.
hd_status sample_time(hd_context *ctx, const sample_call *call, const sample_arrays *a, double *ns,
                      double *first);

#endif
