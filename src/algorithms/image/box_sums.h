// SPDX-License-Identifier: Apache-2.0
// Sums over the box around each element of an image, from its summed-area table, and the number of
// elements in each box.
#ifndef HEDDLE_ALGORITHMS_IMAGE_BOX_SUMS_H
#define HEDDLE_ALGORITHMS_IMAGE_BOX_SUMS_H

#include <heddle_algorithms.h>

#include "../support/frame.h"

typedef struct hd__boxes {
    hd__frame *f;
    int64_t h, w;          // of the image
    int64_t height, width; // of the box
    hd_view image;         // i64 or f64, h x w
    hd_view table;         // scratch, (h + 1) x (w + 1)
    hd_view rows, columns; // i64, h x w: how many of them each box has, stride 0 along the other
} hd__boxes;

// Checks the image and counts. A height or width of 0 is an error.
hd_status hd__boxes_open(hd__boxes *b, hd__frame *f, hd_view in, int64_t height, int64_t width);
// Brings the image to i64 or f64; room for its table.
hd_status hd__boxes_image(hd__boxes *b, hd_view in);
// out, h x w of the image's type now, = the sum of the image's elements, or of their squares.
hd_status hd__boxes_sum(hd__boxes *b, bool squares, hd_view out);
// Scratch of h x w.
hd_status hd__boxes_scratch(hd__boxes *b, hd_type type, hd_view *out);

#endif
