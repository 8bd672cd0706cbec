// SPDX-License-Identifier: Apache-2.0
// The weights of hd_stencil in the type of its sums.
#ifndef HEDDLE_PATTERNS_STENCIL_STENCIL_WEIGHTS_H
#define HEDDLE_PATTERNS_STENCIL_STENCIL_WEIGHTS_H

#include "core/types.h"

// Rounds all weights to type sum, at to. f64 weights whose sum is exactly zero keep that in f32. An
// error where a weight that is finite becomes infinite, or all of them become zero.
hd_status hd__stencil_weights(hd_context *ctx, const hd_view *weights, hd_type sum, void *to);

#endif
