// SPDX-License-Identifier: Apache-2.0
// Sorting segments of arrays of the device that have no gaps; rows are segments of one length.
#ifndef HEDDLE_GPU_SEGMENT_SORT_SORT_SEGMENTS_H
#define HEDDLE_GPU_SEGMENT_SORT_SORT_SEGMENTS_H

#include "gpu/gpu.h"

typedef struct hd__gpu_sort_segments {
    hd_type type; // of keys, not bool
    bool descending;
    int64_t n;       // 1 to 2^32 - 1
    int64_t longest; // that a segment can be; at most n
    hd__gpu_address keys;
    hd__gpu_address keys_out; // 0: only the order is wanted
    hd__gpu_address order;    // u32: which key comes out; 0: is not wanted
    hd_view offsets;          // of the device or implicit; checked there
} hd__gpu_sort_segments;

// Stable, in the order of hd_sort; elements outside of all segments stay where they are. keys_out
// may be keys.
hd_status hd__gpu_sort_segments_run(hd_context *ctx, hd__gpu *gpu, const hd__gpu_sort_segments *a);

#endif
