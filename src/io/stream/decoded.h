// SPDX-License-Identifier: Apache-2.0
//
// What a format gives that cannot be read element by element: the whole array, row-major, in this
// machine's byte order, in memory that free() gives back.
#ifndef HEDDLE_IO_STREAM_DECODED_H
#define HEDDLE_IO_STREAM_DECODED_H

#include "bytes.h"
#include "array_header.h"

typedef struct io_decoded {
    io_array_header header;
    void *data;
} io_decoded;

// Makes room for the elements of out->form, if a file of that name and size may have so many.
io_status io_decoded_room(io_decoded *out, const char *name, size_t file_bytes, io_error *error);

// An image of w columns, h rows and c channels: (h, w), or (h, w, c) if c > 1.
io_array_header io_image_form(hd_type type, int64_t h, int64_t w, int64_t c);

#endif
