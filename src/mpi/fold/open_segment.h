// SPDX-License-Identifier: Apache-2.0
// The segment that is open where a rank's elements begin: a carry of its elements on lower ranks,
// in ceil(log2 ranks) messages, each of twice as many ranks as the one before.
#ifndef HEDDLE_MPI_FOLD_OPEN_SEGMENT_H
#define HEDDLE_MPI_FOLD_OPEN_SEGMENT_H

#include "mpi/ranks.h"

// A carry, and the element at which it is complete: where its segment begins.
typedef struct hd__mpi_open {
    hd_carry *carry;
    int64_t origin;
} hd__mpi_open;

// here: this rank's elements of the segment that is open behind its last one; it is used up.
// before: begins where the rank's elements do, and gets those of the segment that is open there, as
// far as its origin. Collective; an error of a rank comes in by status.
hd_status hd__mpi_join_open(hd_mpi *m, hd_status status, hd__mpi_open *here, hd__mpi_open *before);

#endif
