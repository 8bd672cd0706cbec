// SPDX-License-Identifier: Apache-2.0
// What histograms of everything and those of rows and segments share on a GPU.
#ifndef HEDDLE_GPU_HISTOGRAM_HISTOGRAM_H
#define HEDDLE_GPU_HISTOGRAM_HISTOGRAM_H

#include "gpu/gpu.h"
#include "patterns/histogram/histogram.h"

// The bin of each element into memory of the device, as u32; those outside have the number of bins.
// Rows come one after another.
hd_status hd__gpu_histogram_bins(hd_context *ctx, const hd__histogram_job *job, hd__gpu_address at);

// Exact sums of weights, of views on the device: `bin` has the bin of each of job->n elements.
hd_status hd__gpu_histogram_exact(hd_context *ctx, hd__gpu *gpu, const hd__histogram_job *job,
                                  hd__gpu_address bin);

hd_status hd__gpu_histogram_slices(hd_context *ctx, const hd__histogram_job *job, const char **why);

#endif
