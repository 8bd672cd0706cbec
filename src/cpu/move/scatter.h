// SPDX-License-Identifier: Apache-2.0
// Scatter from inside: what its files share.
#ifndef HEDDLE_CPU_MOVE_SCATTER_H
#define HEDDLE_CPU_MOVE_SCATTER_H

#include "patterns/move/scatter.h"

// What combines: scatter_combine.c.
hd_status hd__cpu_scatter_combine(hd_context *ctx, const hd__scatter_job *job);

// How many threads a scatter is worth.
int hd__cpu_scatter_threads(const hd_context *ctx, const hd__scatter_job *job);

#endif
