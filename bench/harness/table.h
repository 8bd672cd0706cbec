// SPDX-License-Identifier: Apache-2.0
//
// The benchmark's output for people: the machine's measured peak bandwidths, then a line a row.
#ifndef HEDDLE_BENCH_HARNESS_TABLE_H
#define HEDDLE_BENCH_HARNESS_TABLE_H

#include "rows.h"

// Measured peak bandwidths over arrays of several sizes, as printed and as written to JSON.
#define TABLE_PEAKS_MAX 64
typedef struct table_peaks {
    int count;
    struct {
        peak peak;
        int threads; // asked for
        int64_t bytes;
    } row[TABLE_PEAKS_MAX];
    double fork_join_ns;
} table_peaks;

// Measures read, fill, copy, update and triad at one thread and all, in cache and out of it, and
// prints them as they come.
void table_peaks_measure(table_peaks *peaks, int threads, bool quick, FILE *out);

void table_head(FILE *out, const bench_pattern *pattern, bool peers);
// each: a line for every contestant too.
void table_row(FILE *out, const bench_result *result, bool peers, bool each);

// "12.3 us", "2^24" (or the number), into text of at least 24 characters.
void table_time(char *text, double ns);
void table_size(char *text, int64_t n);

#endif
