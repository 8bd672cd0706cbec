// SPDX-License-Identifier: Apache-2.0
//
// The options of heddle bench, a part of which (--mpi) is heddle-mpi's.
#ifndef HEDDLE_CLI_BENCH_BENCH_OPTIONS_H
#define HEDDLE_CLI_BENCH_BENCH_OPTIONS_H

#include "cli/args/options.h"

typedef struct bench_args {
    context_options context;
    const char *sizes, *types, *ops, *rows, *peers, *json, *time, *shift;
    bool quick, latency, each, least, cpu_time, no_peaks, accuracy, mpi, predict;
} bench_args;

#endif
