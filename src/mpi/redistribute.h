// SPDX-License-Identifier: Apache-2.0
// Elements on their way to another layout.
#ifndef HEDDLE_MPI_REDISTRIBUTE_H
#define HEDDLE_MPI_REDISTRIBUTE_H

#include "ranks.h"

// out = the elements of the whole sequence that belong to it, for rows that are checked;
// collective. An error of a rank comes in by status.
hd_status hd__mpi_move(hd_mpi *m, hd_status status, hd_view in, hd_view out);

#endif
