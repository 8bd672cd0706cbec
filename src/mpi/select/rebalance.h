// SPDX-License-Identifier: Apache-2.0
// Elements of a sequence that were kept, on their way into outputs: each on its rank, or
// distributed evenly over the ranks again.
#ifndef HEDDLE_MPI_SELECT_REBALANCE_H
#define HEDDLE_MPI_SELECT_REBALANCE_H

#include "mpi/ranks.h"

typedef struct hd__mpi_rebalance {
    hd_mpi *m;
    const char *call;
    bool even;
    int64_t kept; // on this rank
    int64_t mine; // how many of all ranks' this rank's outputs have
} hd__mpi_rebalance;

// Collective, and agrees on status.
hd_status hd__mpi_plan_rebalance(hd_mpi *m, hd_status status, const char *call, int64_t kept,
                                 bool even, hd__mpi_rebalance *s);

// A view that receives elements of the type here, or integers instead of i64: one dimension, host
// memory. Empty ones are fine.
hd_status hd__mpi_check_rebalanced(hd_mpi *m, const char *call, const char *name,
                                   const hd_view *out, hd_type type);

// out = this rank's of the elements kept, of which `here` has its own, a row without gaps. Where
// out is empty, on all ranks, nothing happens. Collective; an error of a rank comes in by status.
hd_status hd__mpi_rebalance_into(const hd__mpi_rebalance *s, hd_status status, const char *name,
                                 hd_view here, const hd_view *out);

#endif
