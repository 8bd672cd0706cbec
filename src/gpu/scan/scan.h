// SPDX-License-Identifier: Apache-2.0
// The ways of a scan on a GPU, over views on the device.
#ifndef HEDDLE_GPU_SCAN_SCAN_H
#define HEDDLE_GPU_SCAN_SCAN_H

#include "gpu/codegen/emit_kernel.h"
#include "patterns/scan/scan.h"

// Everything, segments or runs of keys: one launch. carried: the prefix before the first element, a
// node, or NULL. n > 0.
hd_status hd__gpu_scan_tiles(hd_context *ctx, hd__gpu *gpu, const hd__scan_job *job,
                             const void *carried);

// Along an axis: one launch, or, for few long rows, one each. n > 0.
hd_status hd__gpu_scan_rows(hd_context *ctx, hd__gpu *gpu, const hd__scan_job *job);

// The same where columns are neighbours, as those of an image are: whether they are, and a launch.
bool hd__gpu_scans_columns(const hd__scan_job *job);
hd_status hd__gpu_scan_columns(hd_context *ctx, hd__gpu *gpu, const hd__scan_job *job);

// How many rows of lanes a warp keeps, and the outputs of a configuration.
int32_t hd__gpu_scan_depth(const hd__gpu *gpu, const hd__gpu_kernel_config *config,
                           const hd__fold *f);
void hd__gpu_scan_outputs(hd__gpu_kernel_config *config, const hd__scan_job *job);

// hk_scan_out of scan_lanes.cuh.
typedef struct hd__gpu_scan_out {
    hd__gpu_kernel_view out, values;
} hd__gpu_scan_out;

// hk_scan_how and hk_scan_state of scan_lookback.cuh: n elements in tiles of so many, and nodes of
// so many bytes between them.
enum { HD__GPU_SCAN_LEVELS = 12 };

typedef struct hd__gpu_scan_how {
    int64_t n, tiles, index;
    int32_t top, in_place;
    int64_t level[HD__GPU_SCAN_LEVELS];
} hd__gpu_scan_how;

typedef struct hd__gpu_scan_state {
    hd__gpu_address word, control;
} hd__gpu_scan_state;

hd_status hd__gpu_scan_look_back(hd_context *ctx, hd__gpu *gpu, int64_t n, int64_t tile,
                                 size_t node, hd__gpu_scan_how *how, hd__gpu_scan_state *state);

#endif
