// SPDX-License-Identifier: Apache-2.0
//
// Two files of results, row by row: which rows got faster or slower by more than their spread.
#ifndef HEDDLE_BENCH_HARNESS_COMPARE_H
#define HEDDLE_BENCH_HARNESS_COMPARE_H

#include "json_read.h"
#include "bench/support/statistics.h"

// The times of one benchmark, in nanoseconds.
typedef struct timed_row {
    char *name;
    double *samples;
    int64_t count;
    statistics time;
} timed_row;

typedef struct timed_rows {
    timed_row *row;
    int64_t count;
} timed_rows;

// Collects the rows of a document in google-benchmark's schema, by name: the raw samples where
// there are some, else real_time of each repetition (aggregates and errors are passed over).
// false: the document has no list of benchmarks, or there is no memory; error says which.
bool timed_rows_read(timed_rows *rows, const json_value *document, char *error, size_t error_size);
void timed_rows_free(timed_rows *rows);

const timed_row *timed_rows_find(const timed_rows *rows, const char *name);

// Rows closer than this share are the same, whatever their spread.
#define COMPARE_MIN 0.02

#endif
