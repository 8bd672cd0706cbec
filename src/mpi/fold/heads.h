// SPDX-License-Identifier: Apache-2.0
// Runs of equal keys that cross ranks.
#ifndef HEDDLE_MPI_FOLD_HEADS_H
#define HEDDLE_MPI_FOLD_HEADS_H

#include "mpi/ranks.h"

// The positions on this rank at which a run of equal keys begins, in scratch with room for one
// more than there are keys; of the first one only if the last key of lower ranks differs. keys: a
// row without gaps, of the same type on all ranks; begin: their layout. Collective, and agrees on
// status.
hd_status hd__mpi_find_heads(hd_mpi *m, hd_status status, const int64_t *begin, hd_view keys,
                             const hd_comparison *comparison, hd_view *heads);

#endif
