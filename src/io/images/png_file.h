// SPDX-License-Identifier: Apache-2.0
//
// PNG images by way of libpng. Built without it, both functions say which package brings it.
#ifndef HEDDLE_IO_IMAGES_PNG_FILE_H
#define HEDDLE_IO_IMAGES_PNG_FILE_H

#include "io/stream/decoded.h"

// The version of libpng that is built in, or NULL.
const char *io_png_version(void);

// Reads an image: grey (h, w), grey and alpha (h, w, 2), colour (h, w, 3), colour and alpha
// (h, w, 4), of u8, or of u16 where the file has 16 bits. Palettes become colours, 1, 2 and 4 bits
// are spread over 0 .. 255, a transparent colour becomes alpha. Values are as the file has them:
// no gamma, no colour profile.
io_status io_png_decode(const io_bytes *file, io_decoded *out, io_error *error);

// Where encoded bytes go.
typedef struct io_sink {
    io_status (*put)(void *user, const void *bytes, size_t n, io_error *error);
    void *user;
} io_sink;

// Writes an image of u8 or u16 in this machine's byte order; channels is 1 to 4.
io_status io_png_encode(const char *name, hd_type type, int64_t h, int64_t w, int64_t channels,
                        const void *pixels, const io_sink *sink, io_error *error);

#endif
