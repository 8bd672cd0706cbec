// SPDX-License-Identifier: Apache-2.0
// Blur by three boxes.
#ifndef HEDDLE_CPU_STENCIL_BOX_FILTER_H
#define HEDDLE_CPU_STENCIL_BOX_FILTER_H

#include "patterns/stencil/blur.h"

hd_status hd__cpu_box_filter(hd_context *ctx, const hd__blur_job *job);

#endif
