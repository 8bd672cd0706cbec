// SPDX-License-Identifier: Apache-2.0
//
// The data all contestants share: one input and one output buffer for the whole run, and fills
// that make every result checkable exactly in any order of summation.
#ifndef HEDDLE_BENCH_HARNESS_DATA_H
#define HEDDLE_BENCH_HARNESS_DATA_H

#include "bench/support/mix.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum data_fill {
    FILL_NONE,
    FILL_WHOLE,    // 1 in one place of 16, else 0: sums of 2^28 of them are exact in f32
    FILL_POSITIVE, // positive; the greatest of every prefix of at least 2 is unique
    FILL_BITS      // integers: all values of the type
} data_fill;

typedef struct data {
    void *in, *out;
    int64_t capacity; // bytes of each
    data_fill fill;   // what `in` holds now, so that rows of one type share a fill
    int32_t type;     // a PEER_ type
    int64_t filled;   // elements
} data;

// Buffers of so many bytes each, page-aligned, as malloc's pages are (no huge pages are asked
// for). false: not enough memory.
bool data_open(data *d, int64_t bytes);
void data_close(data *d);

// Makes the first n elements of d->in what the fill says; element i does not depend on n.
void data_fill_in(data *d, data_fill fill, int32_t type, int64_t n);

// The size of an element of a PEER_ type; its name as the table shows it.
size_t data_type_size(int32_t type);
const char *data_type_name(int32_t type);

// If index i is 2/3 of a power of two 2^k, k; else 0. The greatest elements stand there.
int data_peak(int64_t i);

#endif
