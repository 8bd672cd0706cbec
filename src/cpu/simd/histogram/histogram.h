// SPDX-License-Identifier: Apache-2.0
// The histogram kernels of one instruction set, which lie in three files: histogram.c finds bins,
// histogram_count.c counts them, histogram_bytes.c counts bytes.
#ifndef HEDDLE_CPU_SIMD_HISTOGRAM_HISTOGRAM_H
#define HEDDLE_CPU_SIMD_HISTOGRAM_HISTOGRAM_H

#include "cpu/histogram/histogram_kernels.h"
#include "cpu/simd/vec.h"

extern const hd__cpu_histogram_kernels HD__NAME(histogram_kernels);

void HD__NAME(count_small)(hd__cpu_counter_tables *t, const uint32_t *x, int64_t n);
void HD__NAME(count_many)(hd__cpu_counter_tables *t, const uint32_t *x, int64_t n);
void HD__NAME(count_words)(hd__cpu_counter_tables *t, const uint16_t *x, int64_t n);
void HD__NAME(count_bytes)(const uint8_t *x, int64_t n, uint32_t *counts, void *scratch);

#endif
