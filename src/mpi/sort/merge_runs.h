// SPDX-License-Identifier: Apache-2.0
// Sorted runs that came from several ranks, to one.
#ifndef HEDDLE_MPI_SORT_MERGE_RUNS_H
#define HEDDLE_MPI_SORT_MERGE_RUNS_H

#include "mpi/ranks.h"

// out = the runs of all ranks, run[r] keys each, which lie in `from` one behind the other; `from`
// is overwritten. Local: may fail on this rank alone.
hd_status hd__mpi_merge_runs(hd_mpi *m, const int64_t *run, hd_view from, hd_view out,
                             bool descending);

// out = own and other, which are sorted; own may be a part of out. Of equal keys own's come first,
// or other's. Local.
hd_status hd__mpi_merge_into(hd_mpi *m, hd_view own, hd_view other, bool own_first, hd_view out,
                             bool descending);

#endif
