// SPDX-License-Identifier: Apache-2.0
//
// Bytes of a file by MPI-IO: this rank's part of it.
#ifndef HEDDLE_CLI_MPI_PART_FILE_H
#define HEDDLE_CLI_MPI_PART_FILE_H

#include "ranks.h"

// Neither is collective. Rank 0 draws its progress.
int part_file_read(const job *r, const char *file, int64_t offset, void *bytes, int64_t n);

// Writes and flushes. name: what the user calls the file.
int part_file_write(const job *r, const char *path, const char *name, int64_t offset,
                    const void *bytes, int64_t n);

#endif
