// SPDX-License-Identifier: Apache-2.0
// What an instruction set brings to histograms: bins of values, and loops that count.
#ifndef HD__HISTOGRAM_MICRO_H
#define HD__HISTOGRAM_MICRO_H

#include "core/histogram.h"

// to[i] = the bin of value i by a rule; its count for values that have none.
typedef void hd__bin_values(const hd__bins *bins, const void *values, int64_t n, uint32_t *to);

#define HD__BYTES_SCRATCH (65536 * sizeof(uint32_t))
#define HD__WORDS_SCRATCH 65536

typedef struct hd__histogram_micro {
    hd__bin_values *integers[HD_TYPE_KINDS]; // those where hd__integers_fit, below
    hd__bin_values *even_f32, *even_f64;
    hd__bin_values *edges_f64, *edges_i64;
    // tables[0][k[i]]++, spread over `copies` tables that lie `stride` counters apart, so that
    // equal neighbours do not wait for each other
    void (*count)(const uint32_t *k, int64_t n, uint32_t *tables, int64_t stride, int copies);
    // counts[x[i]]++ for bytes and for 16-bit values, n < 2^32, with so much scratch
    void (*count_bytes)(const uint8_t *x, int64_t n, uint32_t *counts, void *scratch);
    void (*count_words)(const uint16_t *x, int64_t n, uint32_t *counts, void *scratch);
} hd__histogram_micro;

// Whether bins first .. first + count - 1 are values of the type that the kernel works in, so that
// no value from outside wraps into them.
static inline bool hd__integers_fit(const hd__bins *b)
{
    const int64_t last = b->first + b->count - 1;
    switch (b->type) {
    case HD_U32: return b->first >= 0 && last <= UINT32_MAX;
    case HD_U64: return b->first >= 0;
    case HD_I64: return true;
    default: return b->first >= INT32_MIN && last <= INT32_MAX;
    }
}

#endif
