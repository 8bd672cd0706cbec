// SPDX-License-Identifier: Apache-2.0
// Runs by a user's comparison: head flags, and the number of each element's run, which takes the
// place of keys that are compared by value.
#ifndef HEDDLE_GPU_SELECT_COMPARISON_RUNS_H
#define HEDDLE_GPU_SELECT_COMPARISON_RUNS_H

#include "gpu/gpu.h"
#include "patterns/select/flags.h"

typedef struct hd__gpu_runs {
    hd__gpu *gpu;
    hd_view flags;   // bool: whether one of an element and the one before it comes first
    hd_view numbers; // i64: how many are set up to an element
    hd__gpu_block block[4];
    int32_t blocks;
} hd__gpu_runs;

// Of n > 0 elements in row-major order, of any memory. Dropped in any case.
hd_status hd__gpu_find_runs(hd_context *ctx, const hd_view *in, const hd_comparison *comparison,
                            hd__gpu_runs *runs, const char **why);
void hd__gpu_drop_runs(hd__gpu_runs *runs);

// The flags as a selection has them.
hd__flags hd__gpu_run_flags(const hd__gpu_runs *runs);

#endif
