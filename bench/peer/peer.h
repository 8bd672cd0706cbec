// SPDX-License-Identifier: Apache-2.0
//
// The C interface between the benchmark and its peers: a peer is a library `heddle-peer-NAME.so`
// that exports a function, heddle_peer, and does the jobs it knows with another library's best
// means. A job says what is to be computed; the same description drives Heddle's own side.
#ifndef HEDDLE_BENCH_PEER_PEER_H
#define HEDDLE_BENCH_PEER_PEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PEER_ABI 2

// Beside PEER_ABI in `abi`: the peer works on a device, and takes only jobs whose arrays are there
// (see peer_device.h; it has run_timed); its times are a peak, its results nothing.
#define PEER_ON_DEVICE 0x100
#define PEER_IS_PEAK   0x200
// With PEER_ON_DEVICE: the peer is in another process, with arrays of its own there. Jobs have
// those of the host, which it takes at `begin`; its function does the job once and leaves the
// result on the host, to be checked.
#define PEER_APART 0x400

// What a peer does not know it declines, so new values may be added at the end.
enum {
    PEER_REDUCE,
    PEER_SCAN,
    PEER_SEGMENTED,
    PEER_MAP,
    PEER_GATHER,
    PEER_SCATTER,
    PEER_FIND,
    PEER_DIFFERENCE,
    PEER_SHUFFLE,
    PEER_TRANSPOSE,
    PEER_STENCIL,
    PEER_CONVOLVE,
    PEER_BLUR,
    PEER_COMPACT,
    PEER_PARTITION,
    PEER_UNIQUE,
    PEER_RUN_LENGTHS,
    PEER_EXPAND,
    PEER_HISTOGRAM,
    PEER_SORT,
    PEER_MERGE,
    PEER_SEARCH,
    PEER_LIST,
    PEER_SORT_BY,
    PEER_TOP_K,
    PEER_REDUCE_BY_KEY,
    PEER_SCAN_BY_KEY,
    PEER_ALGORITHM // what, and of which arrays: peer_algorithm.h
};
enum { PEER_SUM, PEER_MIN, PEER_MAX, PEER_ARGMAX, PEER_OTHER_OP };
enum {
    PEER_I16,
    PEER_I32,
    PEER_I64,
    PEER_U8,
    PEER_U64,
    PEER_F32,
    PEER_F64,
    PEER_U16,
    PEER_U32,
    PEER_OTHER_TYPE
};

// REDUCE     out[0] = in[0] op ... op in[n - 1]; ARGMAX: the index of the greatest (it is unique)
// SCAN       out[i] = in[0] op ... op in[i]; exclusive: over those before i; out may be in
// SEGMENTED  out[j] = in[offsets[j]] op ... op in[offsets[j + 1] - 1], j < segments; none is empty
// REDUCE_BY_KEY, SCAN_BY_KEY  the same of runs of equal keys, on a device alone (peer_device.h)
// What the other patterns need beyond this is in peer_NAME.h, with their definition; `more` points
// to it.
// No number is negative. Floats of sums are whole numbers whose sums are exact in any order.
typedef struct peer_job {
    int32_t pattern, op, type, out_type;
    int32_t exclusive;
    int32_t threads;
    const void *in;
    void *out;
    int64_t n;
    const int64_t *offsets;
    int64_t segments;
    const void *more;
} peer_job;

typedef void peer_run(const peer_job *job);

typedef struct peer {
    int32_t abi; // PEER_ABI, and flags
    const char *name;
    // Prepares for so many threads; false: cannot work here. Called once.
    int32_t (*open)(int32_t threads);
    // The function that does the job, or NULL if the peer has none.
    peer_run *(*find)(const peer_job *job);
    // Only for peers in another process: runs the job so many times and returns the nanoseconds
    // that took there, or -1. NULL: the benchmark's own clock is used.
    int64_t (*run_timed)(const peer_job *job, int64_t calls);
    // Called before and after a job's calls; may be NULL. begin may refuse with 0.
    int32_t (*begin)(const peer_job *job);
    void (*end)(const peer_job *job);
    void (*close)(void); // may be NULL
} peer;

// What a plug-in exports. heddle_peer_why may be missing: why `open` said 0.
const peer *heddle_peer(void);
const char *heddle_peer_why(void);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#define PEER_EXPORT __attribute__((visibility("default")))
#else
#define PEER_EXPORT
#endif

#endif
