// SPDX-License-Identifier: Apache-2.0
// A device made ready for views of the host, and the rates of its link: the entries ready and
// measure of the backend.
#ifndef HEDDLE_GPU_RUNTIME_LINK_RATES_H
#define HEDDLE_GPU_RUNTIME_LINK_RATES_H

#include "gpu/gpu.h"

hd_status hd__gpu_ready(hd_context *ctx, char *name, size_t room);
hd_status hd__gpu_measure_link(hd_context *ctx, struct hd__rates *rates, size_t large);

#endif
