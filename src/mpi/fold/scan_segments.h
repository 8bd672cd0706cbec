// SPDX-License-Identifier: Apache-2.0
// hd_mpi_scan over segments and by key, which cross ranks.
#ifndef HEDDLE_MPI_FOLD_SCAN_SEGMENTS_H
#define HEDDLE_MPI_FOLD_SCAN_SEGMENTS_H

#include "mpi/ranks.h"

// The call where options have segments or keys, over views that are checked; the caller ends it.
// Collective.
hd_status hd__mpi_scan_slices(hd_mpi *m, hd_status status, hd_view in, const hd_operator *op,
                              hd_view out, const hd_scan_options *o);

#endif
