// SPDX-License-Identifier: Apache-2.0
// Map for other patterns of this backend that are maps over shifted views.
#ifndef HEDDLE_CPU_MOVE_MAP_H
#define HEDDLE_CPU_MOVE_MAP_H

#include "patterns/move/map.h"

// Elements begin .. end - 1 in one thread; scratch of hd__cpu_map_bytes.
size_t hd__cpu_map_bytes(const hd__map_job *job);
void hd__cpu_map_range(const hd__map_job *job, int64_t begin, int64_t end, void *scratch);

// All of them, in as many threads as pay.
hd_status hd__cpu_map_all(hd_context *ctx, const hd__map_job *job);

#endif
