// SPDX-License-Identifier: Apache-2.0
// Exchanges straight out of and into the memory of a device, where the MPI takes its addresses
// (CUDA-aware MPI): views stay where they are, and scratch is made in the memory of what it is for.
#ifndef HEDDLE_MPI_DIRECT_H
#define HEDDLE_MPI_DIRECT_H

#include "ranks.h"

// Whether the MPI takes addresses of this rank's device: HEDDLE_MPI_DEVICE, or what MPI says.
void hd__mpi_find_awareness(hd_mpi *m);

// Views of the device stay where they are in this call, if the MPI is aware. After hd__mpi_begin.
void hd__mpi_take_device(hd_mpi *m);

// Whether the call's work may be done on v as it lies: host memory, or a device's that it takes.
bool hd__mpi_is_reachable(const hd_mpi *m, const hd_view *v);

// hd__mpi_row in the memory of `like`.
hd_status hd__mpi_row_near(hd_mpi *m, const hd_view *like, hd_type type, int64_t n, hd_view *row);

// A row without gaps as an array of this shape.
hd_view hd__mpi_shaped(hd_view row, int32_t ndim, const int64_t *shape);

// Copies n bytes of rows without gaps, from byte `at` on, wherever they are. They do not overlap.
hd_status hd__mpi_copy_bytes(hd_mpi *m, hd_view to, int64_t to_at, hd_view from, int64_t at,
                             int64_t n);

// Waits until the device has done what was begun, if v is there: MPI reads and writes at once.
hd_status hd__mpi_settle(hd_mpi *m, const hd_view *v);

#endif
