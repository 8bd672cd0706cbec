// SPDX-License-Identifier: Apache-2.0
// The histogram kernels of one instruction set, which lie in two files: histogram.c finds bins,
// histogram_count.c counts them.
#ifndef HD__MICRO_HISTOGRAM_H
#define HD__MICRO_HISTOGRAM_H

#include "cpu/histogram_micro.h"
#include "vec.h"

extern const hd__histogram_micro HD__NAME(histogram_kernels);

void HD__NAME(count_bins)(const uint32_t *k, int64_t n, uint32_t *tables, int64_t stride,
                          int copies);
void HD__NAME(count_bytes)(const uint8_t *x, int64_t n, uint32_t *counts, void *scratch);
void HD__NAME(count_words)(const uint16_t *x, int64_t n, uint32_t *counts, void *scratch);

#endif
