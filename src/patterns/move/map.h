// SPDX-License-Identifier: Apache-2.0
// The job of hd_map.
#ifndef HEDDLE_PATTERNS_MOVE_MAP_H
#define HEDDLE_PATTERNS_MOVE_MAP_H

#include "core/reader.h"

typedef struct hd__map_job {
    hd__reader in; // no fold; without a function its elements are converted to out's type
    hd_view out;
    bool in_place; // out is one of the inputs
} hd__map_job;

// Checks the arguments of a map and fills its job.
hd_status hd__make_map_job(hd_context *ctx, const char *call, const hd_view *in,
                           const hd_function *function, const hd_views *with, const hd_view *out,
                           hd__map_job *job);

#endif
