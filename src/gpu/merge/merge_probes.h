// SPDX-License-Identifier: Apache-2.0
// How many lanes search for a split between tiles.
#ifndef HEDDLE_GPU_MERGE_PROBES_H
#define HEDDLE_GPU_MERGE_PROBES_H

#include "gpu/gpu.h"

// 2^bits lanes for each of so many: 2 at least, and up to a warp where all together stay few.
static inline int32_t hd__gpu_probe_bits(const hd__gpu *gpu, int64_t splits)
{
    int32_t bits = 1;
    while (bits < 5 && splits << (bits + 1) <= gpu->tuning.merge_probe_lanes) bits++;
    return bits;
}

#endif
