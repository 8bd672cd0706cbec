// SPDX-License-Identifier: Apache-2.0
// What the two ways to scatter share.
#ifndef HD__GPU_SCATTER_H
#define HD__GPU_SCATTER_H

#include "core/scatter.h"
#include "gpu/preamble.h"

// Writing elements of a view of the device.
typedef struct hd__scatter_writes {
    int64_t n, limit;
    hd_view in, index, out;
    bool unique;     // no index comes twice
    hd__address bad; // receives ~i of the first bad index; 0: nobody asks
} hd__scatter_writes;

// Combining; views are of the device.
hd_status hd__gpu_scatter_combine(hd_context *ctx, hd__gpu *gpu, const hd__scatter_job *job,
                                  hd__address bad);

#endif
