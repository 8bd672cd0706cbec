// SPDX-License-Identifier: Apache-2.0
// The serial backend: one function a pattern, plain loops, the definition of every result.
#ifndef HD__SERIAL_H
#define HD__SERIAL_H

#include "core/backend.h"

hd_status hd__serial_reduce(hd_context *ctx, const hd__reduce_job *job, const char **why);
hd_status hd__serial_scan(hd_context *ctx, const hd__scan_job *job, const char **why);

#endif
