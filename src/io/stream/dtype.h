// SPDX-License-Identifier: Apache-2.0
//
// NumPy's names of element types ("<f4", "|b1") and Heddle's types.
#ifndef HEDDLE_IO_STREAM_DTYPE_H
#define HEDDLE_IO_STREAM_DTYPE_H

#include "heddle.h"

typedef struct io_dtype {
    hd_type type;
    bool swap; // the file's byte order is not this machine's
    bool raw2; // "V2": two bytes of no stated kind, which is how NumPy writes bf16
} io_dtype;

// Reads a descr of the given length; false if it names none of our types.
bool io_dtype_parse(const char *descr, size_t length, io_dtype *dtype);

// The descr of a type in this machine's byte order, or NULL: "<f4"; bf16 is "<V2".
const char *io_dtype_name(hd_type type);

// Reverses the bytes of each of n elements, in place.
void io_dtype_swap(void *data, size_t element, int64_t n);

#endif
