// SPDX-License-Identifier: Apache-2.0
//
// What a pattern gives the benchmark: a table of cases and how to make a row of one. A new pattern
// is a file like reduce.c and a line in patterns.c.
#ifndef HEDDLE_BENCH_HARNESS_PATTERN_H
#define HEDDLE_BENCH_HARNESS_PATTERN_H

#include "data.h"
#include "bench/machine/peak_bandwidth.h"
#include "bench/peer/peer.h"

#include <heddle.h>

// One line of a pattern's table.
typedef struct bench_case {
    const char *op;      // as the table shows it and --ops names it
    const char *type;    // "f32"; --types
    const char *variant; // "in place", or ""
    int32_t peer_op, peer_type, peer_out_type;
    const hd_operator *operator; // NULL: the built-in of that name
    const void *detail;          // what else the pattern's file needs of a case
} bench_case;

// A contestant that is part of the program (a hand-written loop), not a plug-in.
typedef struct bench_rival {
    const char *name;
    void (*run)(const peer_job *job);
} bench_rival;

#define RIVALS_MAX 4

// Views of a row that are copied to a device besides in, out, with and other.
#define ROW_VIEWS_MAX 6

// One race: a case at one size. Arrays belong to the run's data.
typedef struct bench_row {
    const char *pattern;
    const bench_case *what;
    peer_job job;
    int64_t bytes;          // that GB/s counts, by the pattern's formula
    peak_kind peak;         // the machine's peak bandwidth for it, over arrays of
    int64_t peak_bytes;     // so many bytes; 0: none
    double peak_flops;      // instead: the peak is that of so many fused operations, and bytes
                            // counts operations
    const void *peak_other; // the second input of a triad
    double
        peak_scale; // on a device: the bytes counted over those of the peak; 0: they are the same
    const void *source; // in place: the data, copied to job.out before each check; it is then
    bool in_place;      // timed on zeros, which stay zeros

    // Heddle's side: one call. It keeps the first error in status.
    void (*heddle)(struct bench_row *row);
    hd_context *ctx;
    hd_view in, out;
    hd_view *with;  // the second input of a map, offsets, keys, flags or indices, or NULL
    hd_view *other; // the second output, or NULL
    bool host_only; // not raced on a device
    // What else is copied there: input k of its peers (peer_device.h), or NULL.
    hd_view *view[ROW_VIEWS_MAX];
    const hd_operator *op;
    const hd_operator *built_in; // one that costs as much, raced as a peer; or NULL
    hd_view extra[2];            // what options of reduce or scan point to
    hd_reduce_options reduce;
    hd_scan_options scan;
    bool with_options;
    hd_status status;
    void *state; // the pattern's own, made by its prepare and freed by its finish

    bool (*check)(const struct bench_row *row); // whether job.out is right
    bench_rival rival[RIVALS_MAX];
    int rivals;
} bench_row;

typedef struct bench_pattern {
    const char *name;
    const char *formula; // of the bytes, for the table's head
    const bench_case *cases;
    int case_count;
    const int64_t *sizes; // the sizes it is run at unless the user names some, 0 at the end; NULL:
                          // the common ones
    size_t most_bytes;    // of an element, in or out: for the buffers
    bool wide_outputs;    // of 8 bytes, whatever a case says
    bool alone;           // run where it is named, not with all others
    bool against_itself;  // its rivals are the library's own ways, shown with or without --peers
    // Fills the data and the row (all zero but pattern, what, ctx, job.n, job.threads).
    bool (*prepare)(data *d, bench_row *row);
    void (*finish)(bench_row *row); // frees what prepare made; may be NULL
} bench_pattern;

// NULL at the end
extern const bench_pattern *const bench_patterns[], *const bench_algorithms[];

// Whether a number is what is expected: exactly, but for sums of more than 2^28 elements, which f32
// cannot hold.
static inline bool close_enough(double got, double expected, int64_t n)
{
    const double apart = got > expected ? got - expected : expected - got;
    return apart <= (n > (int64_t)1 << 28 ? 1e-3 * expected : 0);
}

// What the patterns share: Heddle's view of an array of a PEER_ type, and the calls.
hd_view row_view(int32_t type, const void *data, int64_t n);
void row_call_reduce(bench_row *row);
void row_call_scan(bench_row *row);
// Sets operator, type and arrays of the job and of Heddle's side for the row's case.
void row_set(bench_row *row, int32_t pattern, const void *in, void *out, int64_t out_n);

#endif
