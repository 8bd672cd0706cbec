// SPDX-License-Identifier: Apache-2.0
// Calls of contexts with a progress function, on cores: block after block, and between them it is
// told. The bits are those of the whole. Other calls go to the dispatcher as they are. The jobs are
// defined by their patterns, which include this file.
#ifndef HEDDLE_PATTERNS_IN_BLOCKS_H
#define HEDDLE_PATTERNS_IN_BLOCKS_H

#include "core/backend.h"

struct hd__map_job;
struct hd__gather_job;
struct hd__reduce_job;
struct hd__scan_job;
struct hd__histogram_job;
struct hd__search_job;

hd_status hd__run_map(hd_context *ctx, const struct hd__map_job *job, const hd__subject *subject);
hd_status hd__run_gather(hd_context *ctx, const struct hd__gather_job *job,
                         const hd__subject *subject);
hd_status hd__run_reduce(hd_context *ctx, const struct hd__reduce_job *job,
                         const hd__subject *subject);
hd_status hd__run_scan(hd_context *ctx, const struct hd__scan_job *job, const hd__subject *subject);
hd_status hd__run_histogram(hd_context *ctx, const struct hd__histogram_job *job,
                            const hd__subject *subject);
hd_status hd__run_search(hd_context *ctx, const struct hd__search_job *job,
                         const hd__subject *subject);

#endif
