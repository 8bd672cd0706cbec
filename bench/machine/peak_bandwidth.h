// SPDX-License-Identifier: Apache-2.0
//
// The machine's measured peak bandwidths: the fastest plain read, fill, copy, update in place and
// triad of given arrays on 1 to all threads, and the time of an OpenMP fork and join. Each peak is
// the best of several hand-tuned ways (number of streams, instruction set, non-temporal stores,
// threads), so that it is an honest maximum for its size: in cache or out of it.
#ifndef HEDDLE_BENCH_MACHINE_PEAK_BANDWIDTH_H
#define HEDDLE_BENCH_MACHINE_PEAK_BANDWIDTH_H

#include <stddef.h>
#include <stdint.h>

typedef enum peak_kind {
    PEAK_READ,   // loads every byte of in             bytes
    PEAK_FILL,   // stores every byte of out           bytes
    PEAK_COPY,   // out[i] = in[i]                     2 * bytes
    PEAK_UPDATE, // out[i] = out[i] + 0, in place      2 * bytes
    PEAK_TRIAD,  // out[i] = in[i] + 3 * other[i]      3 * bytes
    PEAK_KINDS
} peak_kind;

// The arrays a peak works on, 64-byte aligned; what a kind does not use may be NULL.
typedef struct peak_arrays {
    void *out;
    const void *in, *other;
} peak_arrays;

typedef void peak_kernel(char *out, const char *in, const char *other, size_t bytes);

// One way to do it.
typedef struct peak_way {
    peak_kind kind;
    const char *how; // "4 streams, neon"
    peak_kernel *kernel;
    int threads;
    double ns; // the least time of a pass that peak_find saw
} peak_way;

typedef struct peak {
    peak_way way;
    double ns;               // median time of one pass
    double bytes_per_second; // by the formula of its kind
} peak;

const char *peak_name(peak_kind kind);

// Bytes read and written by one pass over arrays of so many bytes each.
int64_t peak_traffic(peak_kind kind, int64_t bytes);

// The fastest way on at most `threads` threads, by a short tournament on these arrays.
peak_way peak_find(peak_kind kind, peak_arrays arrays, int64_t bytes, int threads);

// One pass.
void peak_run(const peak_way *way, peak_arrays arrays, int64_t bytes);

// Finds the best way on arrays of its own and times it for about `seconds`. Without memory for
// them, bytes_per_second is 0.
peak peak_measure(peak_kind kind, int64_t bytes, int threads, double seconds);

// Nanoseconds of an empty OpenMP parallel region on so many threads: the least of several medians.
double peak_fork_join(int threads);

#endif
