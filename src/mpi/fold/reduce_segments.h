// SPDX-License-Identifier: Apache-2.0
// hd_mpi_reduce over segments and by key, which cross ranks.
#ifndef HEDDLE_MPI_FOLD_REDUCE_SEGMENTS_H
#define HEDDLE_MPI_FOLD_REDUCE_SEGMENTS_H

#include "mpi/ranks.h"

// The call where options have segments or keys; the caller ends it. Collective.
hd_status hd__mpi_reduce_slices(hd_mpi *m, hd_view in, const hd_operator *op, hd_view out,
                                const hd_reduce_options *o);

#endif
