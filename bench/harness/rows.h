// SPDX-License-Identifier: Apache-2.0
//
// A benchmark run: which rows, which contestants, and what came out. The library's context and
// the peers are shared by all rows; every row is checked, raced and handed to the table.
#ifndef HEDDLE_BENCH_HARNESS_ROWS_H
#define HEDDLE_BENCH_HARNESS_ROWS_H

#include "harness.h"
#include "bench/support/lists.h"
#include "pattern.h"
#include "bench/peer/peer_loader.h"

#define CONTESTANTS_MAX (3 + RIVALS_MAX + PEERS_MAX) // Heddle, the peak, a built-in operator
#define SIZES_MAX       64
#define SHIFT_MAX       64

typedef enum row_state { ROW_DONE, ROW_WRONG, ROW_FAILED, ROW_LEFT_OUT } row_state;

// What came out of a row. Contestant 0 is Heddle.
typedef struct bench_result {
    const char *pattern, *type, *op, *variant;
    int64_t n, bytes;
    bool least;    // times are the least, not the medians
    peak_way peak; // kernel NULL: no peak
    row_state state;
    char error[256]; // ROW_FAILED, ROW_LEFT_OUT
    contestant who[CONTESTANTS_MAX];
    int count;
} bench_result;

typedef struct bench_run {
    // What the caller sets.
    hd_context *ctx;
    const char *types, *ops; // comma-separated, NULL: all
    const char *rows;        // a part of "operator, variant", NULL: all
    int64_t sizes[SIZES_MAX];
    int size_count;   // 0: each pattern's own
    bool small_sizes; // only a few of the common sizes
    int64_t shift;    // arrays begin so many elements past an aligned address
    bool least;       // judge by the least time instead of the median
    bool on_device;   // the context's backend has one: arrays are there, and so are its peers
    race_settings settings;
    const peer_set *peers;
    FILE *log;                                                       // for what is left out and why
    void (*done)(struct bench_run *run, const bench_result *result); // after each row
    void *user;
    // What the run keeps.
    data data;
    bench_result *results;
    int64_t count, capacity;
} bench_run;

// Whether types, ops and rows leave a case of a pattern.
bool bench_has_rows(const bench_run *run, const bench_pattern *pattern);

// Runs the rows of a pattern. false: not enough memory for anything.
bool bench_run_pattern(bench_run *run, const bench_pattern *pattern);
void bench_run_close(bench_run *run);

// The pattern or algorithm of a name, or NULL.
const bench_pattern *pattern_named(const char *name);

// The time of a contestant that the row's figures are made of: median or least, in nanoseconds.
double result_time(const bench_result *r, const contestant *c);

// The best peer of a row (with samples), or NULL.
const contestant *result_best_peer(const bench_result *r);

// The peak among the contestants, or NULL.
const contestant *result_peak(const bench_result *r);

// One row: checks every contestant, races those that are right. Used by bench_run_pattern.
void bench_race_row(bench_run *run, bench_row *row, bench_result *result);
void bench_race_row_on_device(bench_run *run, bench_row *row, bench_result *result);

#endif
