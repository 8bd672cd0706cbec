// SPDX-License-Identifier: Apache-2.0
//
// Archives of NumPy arrays (.npz): zip files whose members are .npy files, stored or deflated by
// way of zlib. Built without it, reading and writing say which package brings it.
#ifndef HEDDLE_IO_NPY_NPZ_H
#define HEDDLE_IO_NPY_NPZ_H

#include "io/stream/bytes.h"

// The version of zlib that is built in, or NULL.
const char *io_zlib_version(void);

// The bytes of one member, an .npy file, in memory that free() gives back. A NULL name means the
// only one; ".npy" at a name's end may be left out. Checksums and sizes are checked; sizes that no
// such archive can have are refused before there is memory for them.
io_status io_npz_member(const io_bytes *file, const char *member, void **memory, size_t *size,
                        io_error *error);

// Walks over the members: called with each one's name (without .npy), until it returns false.
io_status io_npz_list(const io_bytes *file,
                      bool (*each)(const char *name, size_t length, void *user), void *user,
                      io_error *error);

#endif
