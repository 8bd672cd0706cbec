// SPDX-License-Identifier: Apache-2.0
// Segments too long for one thread's group: set aside, then their elements become nodes in all
// threads at once, each reading from several places (long_segments.c).
#ifndef HEDDLE_CPU_REDUCE_SEGMENTS_H
#define HEDDLE_CPU_REDUCE_SEGMENTS_H

#include "cpu/runtime/cpu.h"
#include "cpu/runtime/micro.h"

typedef struct hd__cpu_long_segment {
    int64_t segment, begin, n;
    int64_t before; // units of the list before this one
} hd__cpu_long_segment;

typedef struct hd__cpu_long_segments {
    const hd__cpu_micro *micro; // with upsweep_streams and finish
    size_t size;                // of an element, a node and a result
    const char *in;
    char *out;
    char *nodes;                // n / HD__STREAM_NODE + 1 of them
    hd__cpu_long_segment *list; // with room for one more
    int64_t count, units;
} hd__cpu_long_segments;

// By all threads of a parallel region, each calling it; micro, size, in, out, nodes and list are
// set. The list is taken as it is after the last barrier, with `count` segments.
void hd__cpu_reduce_long_segments(hd__cpu_long_segments *l, int64_t count);

#endif
