// SPDX-License-Identifier: Apache-2.0
// The first position where something is found: threads take blocks in order and stop at the first
// block that begins behind a match.
#ifndef HEDDLE_CPU_SELECT_FIRST_MATCH_H
#define HEDDLE_CPU_SELECT_FIRST_MATCH_H

#include "core/context.h"

// The lowest position of start .. start + n - 1 that is looked for, or -1. scratch is one thread's.
typedef int64_t hd__cpu_look(const void *job, int64_t start, int64_t n, void *scratch);

typedef struct hd__cpu_first_match {
    const void *job;
    hd__cpu_look *look;
    int64_t n, block; // positions 0 .. n - 1, so many at a time
    int threads;
    size_t scratch_bytes; // a thread's
} hd__cpu_first_match;

// *position = the lowest one of all, or -1.
hd_status hd__cpu_find_first(hd_context *ctx, const hd__cpu_first_match *search, int64_t *position);

#endif
