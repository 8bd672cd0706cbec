// SPDX-License-Identifier: Apache-2.0
// Neighbourhoods over arrays whose rows are cut over the ranks: each rank gets copies of the rows
// around its own, its halo, and calls the pattern of one machine.
#ifndef HEDDLE_MPI_STENCIL_HALO_H
#define HEDDLE_MPI_STENCIL_HALO_H

#include "mpi/ranks.h"

typedef struct hd__mpi_neighbours {
    hd_view in, out;      // this rank's rows, checked by hd__mpi_check_array
    int64_t above, below; // how many rows before and after its own the result of a row depends on
    int32_t border;       // hd_border along the first axis, not the default
    int64_t steps;        // 1 or more: so many times, each over the last one's result
    // The call for rows of any number
    hd_status (*call)(hd_context *ctx, const void *user, int64_t steps, hd_view in, hd_view out);
    const void *user;
} hd__mpi_neighbours;

// Whether a neighbourhood of so many axes reaches over the first axis of in: the others are
// batches.
bool hd__mpi_reaches_over(const hd_view *in, int32_t axes, int32_t channels);

// The checks of the call itself, over no rows.
hd_status hd__mpi_check_neighbours(hd_mpi *m, const char *name, const hd__mpi_neighbours *n);

// out = the call over all ranks' rows. name is of the public call. Collective, and agrees on
// status.
hd_status hd__mpi_run_neighbours(hd_mpi *m, hd_status status, const char *name,
                                 const hd__mpi_neighbours *n);

#endif
