// SPDX-License-Identifier: Apache-2.0
// What compaction, partition in two ways and run lengths have in common: one launch of
// compact_tiles, partition_tiles or run_tiles.
#ifndef HEDDLE_GPU_SELECT_SELECT_H
#define HEDDLE_GPU_SELECT_SELECT_H

#include "patterns/select/flags.h"
#include "gpu/codegen/emit_kernel.h"

// What reduce_segments wants to know of runs; hk_select_runs of run_tiles.cu.
typedef struct hd__gpu_select_runs {
    int64_t room;
    hd__gpu_address part, count, fault;
} hd__gpu_select_runs;

// Views are of the device, or unset; but for `in` and those of flags, which hd__gpu_select_in
// stages.
typedef struct hd__gpu_select {
    hd_view in;
    hd__flags flags;
    int64_t n;
    hd_view out, integer[HD__GPU_INTEGERS];
    bool both;                       // a partition: the others behind
    const hd__gpu_select_runs *runs; // or NULL
    int32_t items;                   // elements of a part of theirs
} hd__gpu_select;

hd_status hd__gpu_select_in(hd__gpu_stage *s, hd__gpu_select *job);
hd_status hd__gpu_select_out(hd__gpu_stage *s, hd__gpu_select *job);

// Elements beside the flags, as a reader: inputs of the kernel.
hd__reader hd__gpu_select_reader(const hd__gpu_select *job, bool with_elements);

// Begins the work; how many were selected is in HD__GPU_CONTROL_TOTAL then.
hd_status hd__gpu_select_launch(hd_context *ctx, hd__gpu *gpu, const hd__gpu_select *job,
                                hd__gpu_state *state);

#endif
