// SPDX-License-Identifier: Apache-2.0
// Summed-area tables of integers in host memory, by the cores.
#ifndef HEDDLE_ALGORITHMS_IMAGE_INTEGRAL_ROWS_H
#define HEDDLE_ALGORITHMS_IMAGE_INTEGRAL_ROWS_H

#include <heddle_algorithms.h>

#include "../simd/integral_kernels.h"
#include "../support/frame.h"

typedef struct hd__integral_rows {
    const void *in;
    void *out;
    int64_t in_step, out_step, h, w; // steps of elements from row to row
    hd__integral_row *row;           // of u8 and sums of 32 bits
} hd__integral_rows;

// Whether an image of two axes becomes a table so: both without gaps in a row, and not the same.
bool hd__integral_rows_fit(hd_view in, hd_view out);
hd_status hd__integral_rows_run(hd__frame *f, hd_view in, hd_view out);

#endif
