// SPDX-License-Identifier: Apache-2.0
//
// What the rows of algorithms share: arrays of a row's own, random numbers for them, the result of
// a serial definition, and how far others may be from it.
#ifndef HEDDLE_BENCH_ALGORITHMS_ALGORITHM_ROW_H
#define HEDDLE_BENCH_ALGORITHMS_ALGORITHM_ROW_H

#include "bench/harness/pattern.h"
#include "bench/peer/peer_algorithm.h"

#define ROW_ARRAYS 16

// What a row's state begins with.
typedef struct algorithm_row {
    peer_algorithm peer; // what peers get
    void *owned[ROW_ARRAYS];
    int owned_count;
    bool no_memory;
    // The right result: job.out_type, so many elements. Floats may be further from it by so many
    // times the greatest |element| of it.
    void *want;
    int64_t want_n;
    double tolerance;
} algorithm_row;

// Makes a state of so many bytes for the row, whose arrays are those of the data and its own.
// NULL: no memory.
void *algorithm_begin(bench_row *row, data *d, const char *work, size_t state_bytes);

// An array of the row's own, page-aligned; without memory NULL, and no_memory is set.
void *algorithm_array(algorithm_row *a, int64_t n, size_t size);

// Input k of peers.
void algorithm_input(algorithm_row *a, int k, const void *data, int32_t type, int64_t n);

// Names the output of all, out_n elements of the case's output type at d->out, and makes room for
// what is right. bytes: what GB/s counts; peak_bytes: of each array of the peak.
void algorithm_output(bench_row *row, data *d, int64_t out_n);
void algorithm_peak(bench_row *row, peak_kind peak, int64_t bytes, int64_t peak_bytes);

// The row can race on a device, where view k (in the row's state) is a copy of peers' input k. Its
// peak there is a read or a copy of d->in, that counts as many times as bytes say.
void algorithm_on_device(bench_row *row, int k, hd_view *view);
// A view of the shape that the row has, of d->in or d->out wherever they are by now.
hd_view algorithm_at(hd_view shape, hd_view at);

// The check and the end of a row.
bool algorithm_check(const bench_row *row);
void algorithm_finish(bench_row *row);

// Random numbers: number i of a sequence, between 0 and 1, and from -1 to 1.
static inline double algorithm_unit(int64_t i)
{
    return (double)(data_mix((uint64_t)i) >> 11) * 0x1p-53;
}
static inline double algorithm_signed(int64_t i)
{
    return 2 * algorithm_unit(i) - 1;
}
// Stores number i of an array of f32 or f64; fills one with numbers from -1 to 1 of a sequence.
void algorithm_store(void *x, int32_t type, int64_t i, double value);
double algorithm_load(const void *x, int32_t type, int64_t i);
void algorithm_fill(void *x, int32_t type, int64_t n, int64_t sequence);

#endif
