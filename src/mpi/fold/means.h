// SPDX-License-Identifier: Apache-2.0
// Means of the prefixes of segments, or of runs of equal keys, that cross ranks.
#ifndef HEDDLE_MPI_FOLD_MEANS_H
#define HEDDLE_MPI_FOLD_MEANS_H

#include "mpi/ranks.h"

// hd__mpi_scan_slices of HD_MEAN. Collective.
hd_status hd__mpi_scan_means(hd_mpi *m, hd_status status, hd_view in, hd_view out,
                             const hd_scan_options *o);

#endif
