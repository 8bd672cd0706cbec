// SPDX-License-Identifier: Apache-2.0
//
// The machine's limits, measured: the fastest plain read, fill, copy, update in place and triad
// of given arrays on 1 to all threads, and the time of an OpenMP fork and join. Each limit is the
// best of several hand-tuned ways (number of streams, instruction set, non-temporal stores,
// threads), so that it is an honest maximum for its size: in cache or out of it.
#ifndef HEDDLE_BENCH_MACHINE_MACHINE_LIMITS_H
#define HEDDLE_BENCH_MACHINE_MACHINE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

typedef enum limit_kind {
    LIMIT_READ,   // loads every byte of in             bytes
    LIMIT_FILL,   // stores every byte of out           bytes
    LIMIT_COPY,   // out[i] = in[i]                     2 * bytes
    LIMIT_UPDATE, // out[i] = out[i] + 0, in place      2 * bytes
    LIMIT_TRIAD,  // out[i] = in[i] + 3 * other[i]      3 * bytes
    LIMIT_KINDS
} limit_kind;

// The arrays a limit works on, 64-byte aligned; what a kind does not use may be NULL.
typedef struct limit_arrays {
    void *out;
    const void *in, *other;
} limit_arrays;

typedef void limit_kernel(char *out, const char *in, const char *other, size_t bytes);

// One way to do it.
typedef struct limit_way {
    limit_kind kind;
    const char *how; // "4 streams, neon"
    limit_kernel *kernel;
    int threads;
    double ns; // the least time of a pass that limit_find saw
} limit_way;

typedef struct limit {
    limit_way way;
    double ns;               // median time of one pass
    double bytes_per_second; // by the formula of its kind
} limit;

const char *limit_name(limit_kind kind);

// Bytes read and written by one pass over arrays of so many bytes each.
int64_t limit_traffic(limit_kind kind, int64_t bytes);

// The fastest way on at most `threads` threads, by a short tournament on these arrays.
limit_way limit_find(limit_kind kind, limit_arrays arrays, int64_t bytes, int threads);

// One pass.
void limit_run(const limit_way *way, limit_arrays arrays, int64_t bytes);

// Finds the best way on arrays of its own and times it for about `seconds`. Without memory for
// them, bytes_per_second is 0.
limit limit_measure(limit_kind kind, int64_t bytes, int threads, double seconds);

// Nanoseconds of an empty OpenMP parallel region on so many threads: the least of several medians.
double limit_fork_join(int threads);

#endif
