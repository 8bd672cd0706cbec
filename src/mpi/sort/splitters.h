// SPDX-License-Identifier: Apache-2.0
// Where sorted ranks are cut, so that the pieces make up the whole in order: keys with ordinals.
#ifndef HEDDLE_MPI_SORT_SPLITTERS_H
#define HEDDLE_MPI_SORT_SPLITTERS_H

#include "mpi/ranks.h"

// keys: a row that is sorted in the order of hd_sort. target[j], rising and the same on all ranks,
// are global positions in the sorted whole of all ranks' keys; cut[j] becomes how many of this
// rank's keys stand before it, where equal keys stand in the order of the ranks. Collective.
hd_status hd__mpi_split(hd_mpi *m, hd_view keys, bool descending, int64_t targets,
                        const int64_t *target, int64_t *cut);

#endif
