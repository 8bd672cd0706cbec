// SPDX-License-Identifier: Apache-2.0
// The bin of each element, by the rules of hd_histogram.
#ifndef HEDDLE_MPI_HISTOGRAM_BINS_H
#define HEDDLE_MPI_HISTOGRAM_BINS_H

#include "mpi/ranks.h"

// The rule of one axis of bins; elements are a row without gaps.
typedef struct hd__mpi_bins {
    hd_view in;
    int64_t bins;
    const hd_function *map, *bin; // of in, and with
    hd_views with;
    const hd_view *edges;
    double lower, upper;
    int64_t first;
    int32_t letters;
    bool even, clamp;
} hd__mpi_bins;

// bin (i64, in scratch) = that of each element, or -1 for one outside. The options have been
// checked.
hd_status hd__mpi_find_bins(hd_mpi *m, const hd__mpi_bins *b, hd_view *bin);

#endif
