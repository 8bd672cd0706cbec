// SPDX-License-Identifier: Apache-2.0
// What the two methods of list ranking share: links in, numbers out, by ranges of nodes.
#ifndef HEDDLE_CPU_LIST_LIST_H
#define HEDDLE_CPU_LIST_LIST_H

#include "patterns/list/list.h"
#include "cpu/runtime/cpu.h"

// Words of 64 bits hold a node and 30 bits besides: more nodes go to the serial backend.
#define HD__CPU_LIST_MAX ((int64_t)1 << 30)

#define HD__CPU_LIST_BLOCK 1024 // links read, or numbers written, at a time

// Elements begin .. end - 1 are thread t's.
static inline int64_t hd__cpu_range_begin(int64_t n, int t, int threads)
{
    return n / threads * t + n % threads * t / threads;
}

// Numbers into a view of any integer type and layout.
void hd__cpu_write_numbers(const hd_view *out, int64_t start, int64_t m, const int64_t *numbers);

// Wyllie's method.
hd_status hd__cpu_pointer_jumping(hd_context *ctx, const hd__list_job *job, int threads);

#endif
