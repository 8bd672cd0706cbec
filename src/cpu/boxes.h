// SPDX-License-Identifier: Apache-2.0
// Blur by three boxes.
#ifndef HD__BOXES_H
#define HD__BOXES_H

#include "core/blur.h"

hd_status hd__cpu_blur_boxes(hd_context *ctx, const hd__blur_job *job);

#endif
