// SPDX-License-Identifier: Apache-2.0
// Memory that is counted, and runs out at an allocation of choice.
#ifndef HEDDLE_TESTS_MPI_COUNTED_MEMORY_H
#define HEDDLE_TESTS_MPI_COUNTED_MEMORY_H

#include "mpi_test.h"

typedef struct counted_memory {
    long long calls, fail_at, alive;
    long long bytes, most; // that are allocated, and were at most
} counted_memory;

// A context of one thread whose memory is counted, and its ranks.
void open_counted(counted_memory *counts, hd_context **ctx, hd_mpi **mpi);
// Everything was given back.
void close_counted(const counted_memory *counts, hd_context *ctx, hd_mpi *mpi);

#endif
