// SPDX-License-Identifier: Apache-2.0
//
// The header of an .npy file (NumPy's format, versions 1, 2 and 3), parsed and written.
#ifndef HEDDLE_IO_NPY_NPY_HEADER_H
#define HEDDLE_IO_NPY_NPY_HEADER_H

#include "io/stream/array_header.h"
#include "io/stream/source.h"

#define IO_NPY_MAGIC      "\x93NUMPY"
#define IO_NPY_MAGIC_SIZE 6
// A header that says it is longer is refused before anything is allocated for it. NumPy's own
// are 64 to 128 bytes for plain types.
#define IO_NPY_MAX_HEADER (1 << 20)
// Room for any header that io_npy_write_header makes: 8 dimensions of 19 digits.
#define IO_NPY_HEADER_ROOM 384

// Whether these first bytes of a file are those of an .npy file.
bool io_npy_is(const unsigned char *bytes, size_t count);

// Reads a header from the source, which is left at the first byte of the data.
io_status io_npy_read_header(io_source *source, io_array_header *header, io_error *error);

// Writes the header of a row-major array in this machine's byte order; returns its length, a
// multiple of 64. The buffer has room for IO_NPY_HEADER_ROOM bytes.
size_t io_npy_write_header(unsigned char *buffer, hd_type type, int32_t ndim, const int64_t *shape);

#endif
