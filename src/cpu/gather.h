// SPDX-License-Identifier: Apache-2.0
// Gather from inside: what its two files share.
#ifndef HD__CPU_GATHER_H
#define HD__CPU_GATHER_H

#include "core/gather.h"

// Elements of 4 or 8 bytes out of much memory in no order: fetched bucket by bucket (see
// gather_buckets.c). False in *done: it would not pay; nothing was written then.
hd_status hd__gather_buckets(hd_context *ctx, const hd__gather_job *job, int threads, bool *done);

#endif
