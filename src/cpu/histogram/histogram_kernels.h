// SPDX-License-Identifier: Apache-2.0
// What an instruction set brings to histograms: bins of values, and loops that count.
#ifndef HEDDLE_CPU_HISTOGRAM_HISTOGRAM_KERNELS_H
#define HEDDLE_CPU_HISTOGRAM_HISTOGRAM_KERNELS_H

#include "patterns/histogram/histogram.h"

// to[i] = the bin of value i by a rule; its count for values that have none.
typedef void hd__cpu_bin_kernel(const hd__bins *bins, const void *values, int64_t n, uint32_t *to);

// Tables an element need not wait for: where neighbours fall into one bin they go to tables in
// turn, since a counter that was just stored is loaded again only after about five cycles.
#define HD__CPU_COUNTER_TABLES 4

// Counters of one thread. A few bins have HD__CPU_COUNTER_TABLES tables of 32 bits. Many have
// tables of bytes, which stay in L1 four times longer, and one of 32 bits for bytes that are full;
// only the first table of bytes is used until values repeat. Values above the most are not counted,
// those up to it have counters.
typedef struct hd__cpu_counter_tables {
    uint32_t most;    // the highest value there is a counter for
    size_t step;      // counters from table to table; 0: there is only one
    uint32_t *wide;   // few bins: all tables
    uint8_t *many;    // tables of bytes, or NULL
    bool spread;      // values repeat: all tables of bytes are in use
    bool spread_once; // they are, or were before; else only the first is clear
    int64_t look_in;  // values until this is looked at again
} hd__cpu_counter_tables;

#define HD__CPU_BYTES_SCRATCH (5 * 65536 * sizeof(uint32_t))

typedef struct hd__cpu_histogram_kernels {
    hd__cpu_bin_kernel *integers[HD_TYPE_KINDS]; // those where hd__cpu_integers_fit, below
    hd__cpu_bin_kernel *even_f32, *even_f64;
    hd__cpu_bin_kernel *edges_f64, *edges_i64;
    // the bins of even_f32 counted at once, where they are few
    void (*count_even_f32)(hd__cpu_counter_tables *t, const hd__bins *bins, const float *v,
                           int64_t n);
    void (*count_small)(hd__cpu_counter_tables *t, const uint32_t *x, int64_t n);
    void (*count_many)(hd__cpu_counter_tables *t, const uint32_t *x, int64_t n);
    void (*count_words)(hd__cpu_counter_tables *t, const uint16_t *x, int64_t n); // into many
    // counts[x[i]] += 1 for bytes, n < 2^32
    void (*count_bytes)(const uint8_t *x, int64_t n, uint32_t *counts, void *scratch);
} hd__cpu_histogram_kernels;

// Whether bins first .. first + count - 1 are values of the type that the kernel works in, so that
// no value from outside wraps into them.
static inline bool hd__cpu_integers_fit(const hd__bins *b)
{
    const int64_t last = b->first + (b->count - 1); // the sum before it may not be an i64
    switch (b->type) {
    case HD_U32: return b->first >= 0 && last <= UINT32_MAX;
    case HD_U64: return b->first >= 0;
    case HD_I64: return true;
    default: return b->first >= INT32_MIN && last <= INT32_MAX;
    }
}

#endif
