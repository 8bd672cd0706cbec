// SPDX-License-Identifier: Apache-2.0
// A segmented scan of this rank's elements by the tree over the index of the whole, in chunks that
// lie as its nodes do.
#ifndef HEDDLE_MPI_FOLD_ALIGNED_CHUNKS_H
#define HEDDLE_MPI_FOLD_ALIGNED_CHUNKS_H

#include "part.h"

typedef struct hd__mpi_segmented {
    hd__mpi_fold f;
    hd_view out, values; // values: empty unless asked for
    const void *init;
    bool exclusive;
    int64_t begin;       // the index of this rank's first element
    const int64_t *head; // the indices at which segments begin here, rising
    int64_t heads;
} hd__mpi_segmented;

// before: of the elements of the segment that is open where the rank begins, all of them; it is
// used up.
hd_status hd__mpi_scan_segmented(const hd__mpi_segmented *s, hd_carry *before);

#endif
