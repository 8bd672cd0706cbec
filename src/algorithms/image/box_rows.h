// SPDX-License-Identifier: Apache-2.0
// Boxes of images of integers in host memory, by the cores.
#ifndef HEDDLE_ALGORITHMS_IMAGE_BOX_ROWS_H
#define HEDDLE_ALGORITHMS_IMAGE_BOX_ROWS_H

#include "box_sums.h"

// An image and what its boxes give: NULL where that is not wanted. Rows have no gaps, and are steps
// of elements apart.
typedef struct hd__box_rows {
    hd_type type; // of in: u8, u16, i64
    const void *in;
    int64_t in_step, h, w, height, width;
    const int64_t *columns; // of a box around each column
    int64_t *sums;
    double *means;
    float *means_f32;
    int64_t sums_step, means_step;
    uint8_t *set; // threshold: value where in * count > sum * factor, and 0; or the other way
    int64_t set_step;
    double factor;
    bool inverted;
    uint8_t value;
} hd__box_rows;

// Whether an image, or an output, can be read and written so; two axes.
bool hd__box_rows_fit(hd_view v);
// in, as it is or as i64; the boxes of b.
hd_status hd__box_rows_open(hd__boxes *b, hd_view in, hd__box_rows *r);
hd_status hd__box_rows_run(hd__boxes *b, const hd__box_rows *r);

#endif
