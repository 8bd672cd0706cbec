// SPDX-License-Identifier: Apache-2.0
//
// How much memory one array of a file may take. A few kilobytes of a PNG or .npz file can say, and
// hold, gigabytes: such an array is refused before there is memory for it.
//
// Unless a bound is set, an array may take 1 GiB, or 64 times the bytes of its file where that is
// more. Formats that are not compressed never get there: elements of .npy, raw, PGM, PPM and PFM
// files take the bytes they have in the file, numbers of texts at most 8 times theirs (a separator
// is a missing number, of 8 bytes). Data that are worth their disk do not compress to a 64th, and a
// bomb (1032 times for deflate, 32 times that for a palette) must be a file of 16 MiB to take more
// than 1 GiB. A bound that is set holds for every array in memory, larger or smaller.
#ifndef HEDDLE_IO_SUPPORT_LIMIT_H
#define HEDDLE_IO_SUPPORT_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

#define IO_LIMIT_BYTES    (INT64_C(1) << 30)
#define IO_LIMIT_PER_BYTE 64

// Sets the bound for all that is read from now on; 0: the one above.
void io_limit_set(int64_t bytes);

// The bound for an array of a file of so many bytes. Of a pipe they are those that have come.
int64_t io_limit_of(int64_t file_bytes);

// Refuses (IO_LIMIT) what would take more: "NAME: WHAT would take 2000 bytes, ...". A count that
// does not fit is INT64_MAX.
io_status io_limit_check(const char *name, const char *what, int64_t bytes, int64_t file_bytes,
                         io_error *error);

// The same for memory that grows, where nobody knows how far: `needed` bytes must fit, `wanted` are
// convenient; *bytes is what to take.
io_status io_limit_grow(const char *name, const char *what, int64_t needed, int64_t wanted,
                        int64_t file_bytes, int64_t *bytes, io_error *error);

// Reads a size: a whole number from 1 on, then K, M, G or T for 1024 and its powers, perhaps "iB".
bool io_limit_parse(const char *text, int64_t *bytes);

// Bytes as a size that io_limit_parse reads, not less: "14G".
#define IO_LIMIT_ROOM 24
const char *io_limit_text(int64_t bytes, char text[IO_LIMIT_ROOM]);

#endif
