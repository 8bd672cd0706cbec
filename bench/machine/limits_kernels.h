// SPDX-License-Identifier: Apache-2.0
//
// The table of ways that machine_limits.c lets compete. Private to the limits.
#ifndef HEDDLE_BENCH_MACHINE_LIMITS_KERNELS_H
#define HEDDLE_BENCH_MACHINE_LIMITS_KERNELS_H

#include "machine_limits.h"

typedef struct limit_variant {
    limit_kind kind;
    const char *how;
    const char *isa; // "": every machine; else a name that limit_isa_runs knows
    limit_kernel *kernel;
} limit_variant;

extern const limit_variant limit_variants[];
extern const int limit_variant_count;

// Whether this machine runs an instruction set of the table.
int limit_isa_runs(const char *isa);

#endif
