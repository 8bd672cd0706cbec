// SPDX-License-Identifier: Apache-2.0
// Where sorted sequences are cut, so that the pieces make up the whole in order: keys of any order.
#ifndef HEDDLE_MPI_SORT_SELECTION_H
#define HEDDLE_MPI_SORT_SELECTION_H

#include "order.h"

enum { HD__MPI_SEQUENCES = 2 }; // at most

// This rank's parts of one or two distributed sequences; each part is sorted. The whole is theirs
// together, in which equal keys stand in the order of the sequences, then of the ranks. target[j],
// rising and the same on all ranks, are positions in it; cut[s * targets + j] becomes how many keys
// of part s stand before one, and rises with j even where parts are not sorted. Collective; an
// error of a rank comes in by status.
hd_status hd__mpi_select(hd_mpi *m, hd_status status, const hd__mpi_order *order, int sequences,
                         const hd_view *keys, int64_t targets, const int64_t *target, int64_t *cut);

#endif
