// SPDX-License-Identifier: Apache-2.0
// hd_mpi_histogram with sums of float weights, which have an order.
#ifndef HEDDLE_MPI_HISTOGRAM_WEIGHTS_H
#define HEDDLE_MPI_HISTOGRAM_WEIGHTS_H

#include "mpi/ranks.h"

// The call for an out of floats, one bin behind the other, and weights; the caller ends it. outside
// receives the number of all ranks' elements that are. Collective.
hd_status hd__mpi_histogram_weights(hd_mpi *m, hd_view in, hd_view out,
                                    const hd_histogram_options *o, int64_t *outside);

#endif
