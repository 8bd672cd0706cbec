// SPDX-License-Identifier: Apache-2.0
// Calls of contexts with a progress function, on cores: block after block, and between them it is
// told. The bits are those of the whole. Other calls go to the dispatcher as they are.
#ifndef HEDDLE_PATTERNS_IN_BLOCKS_H
#define HEDDLE_PATTERNS_IN_BLOCKS_H

#include "patterns/move/gather.h"
#include "patterns/move/map.h"
#include "patterns/reduce/reduce.h"
#include "patterns/scan/scan.h"

hd_status hd__run_map(hd_context *ctx, const hd__map_job *job, const hd__subject *subject);
hd_status hd__run_gather(hd_context *ctx, const hd__gather_job *job, const hd__subject *subject);
hd_status hd__run_reduce(hd_context *ctx, const hd__reduce_job *job, const hd__subject *subject);
hd_status hd__run_scan(hd_context *ctx, const hd__scan_job *job, const hd__subject *subject);

#endif
