// SPDX-License-Identifier: Apache-2.0
//
// A run's results as one JSON document in google-benchmark's schema: a context and a list of
// benchmarks, one for each contestant of each row, with the raw samples as an extra array. The
// context has the commit of the build, if it is known (cmake/commit.cmake).
#ifndef HEDDLE_BENCH_HARNESS_RESULTS_JSON_H
#define HEDDLE_BENCH_HARNESS_RESULTS_JSON_H

#include "table.h"

// device: the name of the GPU that was measured; NULL: the cores were.
void results_write_json(FILE *out, const bench_run *run, const table_peaks *peaks,
                        const char *program, const char *device);

#endif
