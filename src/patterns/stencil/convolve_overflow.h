// SPDX-License-Identifier: Apache-2.0
// What becomes of a separable convolution whose two passes overflow.
#ifndef HEDDLE_PATTERNS_STENCIL_CONVOLVE_OVERFLOW_H
#define HEDDLE_PATTERNS_STENCIL_CONVOLVE_OVERFLOW_H

#include "convolve.h"

// Whether the two passes over some data of this type may overflow. Where they cannot, infinities
// and NaN of the data come out as by the direct sum.
bool hd__may_overflow(const hd__convolve_job *job);

// Replaces each sum that is not finite by the direct sum, where that is finite. The two passes are
// in out. `axes` and `channels` are what the grid was made with.
hd_status hd__convolve_overflowed(hd_context *ctx, const hd__convolve_job *job, int32_t axes,
                                  hd_channels channels);

#endif
