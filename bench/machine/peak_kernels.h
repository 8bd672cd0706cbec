// SPDX-License-Identifier: Apache-2.0
//
// The table of ways that peak_bandwidth.c lets compete. Private to peak_bandwidth.c.
#ifndef HEDDLE_BENCH_MACHINE_PEAK_KERNELS_H
#define HEDDLE_BENCH_MACHINE_PEAK_KERNELS_H

#include "peak_bandwidth.h"

typedef struct peak_variant {
    peak_kind kind;
    const char *how;
    const char *isa; // "": every machine; else a name that peak_isa_runs knows
    peak_kernel *kernel;
} peak_variant;

extern const peak_variant peak_variants[];
extern const int peak_variant_count;

// Whether this machine runs an instruction set of the table.
int peak_isa_runs(const char *isa);

#endif
