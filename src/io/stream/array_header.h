// SPDX-License-Identifier: Apache-2.0
//
// The header of an array in a file: what the header of an .npy file, or the caller of a raw one,
// says about the bytes that follow.
#ifndef HEDDLE_IO_STREAM_ARRAY_HEADER_H
#define HEDDLE_IO_STREAM_ARRAY_HEADER_H

#include "heddle.h"
#include "dtype.h"
#include "io/support/error.h"

typedef struct io_array_header {
    io_dtype dtype;
    bool fortran; // the first index runs fastest
    int32_t ndim;
    int64_t shape[HD_MAX_DIMS];
} io_array_header;

// The number of elements, or -1 if there are more bytes than an int64_t counts.
int64_t io_array_header_count(const io_array_header *header);

// Whether the elements lie in row-major order: not Fortran's, or with at most one long axis.
bool io_array_header_is_row_major(const io_array_header *header);

// The strides, in elements, of the array as it lies in the file.
void io_array_header_strides(const io_array_header *header, int64_t stride[HD_MAX_DIMS]);

// "(480, 640, 3)", for people.
#define IO_SHAPE_ROOM 192
const char *io_shape_text(int32_t ndim, const int64_t *shape, char text[IO_SHAPE_ROOM]);

#endif
