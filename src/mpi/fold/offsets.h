// SPDX-License-Identifier: Apache-2.0
// Offsets of segments, which lie on the ranks in any layout, on their way to the ranks that have
// the elements.
#ifndef HEDDLE_MPI_FOLD_OFFSETS_H
#define HEDDLE_MPI_FOLD_OFFSETS_H

#include "mpi/ranks.h"

typedef struct hd__mpi_offsets {
    hd_view own;        // this rank's, a row of i64
    int64_t first, all; // the number of its first one, and how many all ranks have
    hd_view here;       // those that fall among this rank's elements, in scratch
    int64_t before;     // the greatest of those of lower ranks' elements, or -1
    int64_t last;       // the greatest of all, or -1
} hd__mpi_offsets;

// Numbers own, and checks that offsets rise within the elements of all ranks. Collective, and
// agrees on status.
hd_status hd__mpi_check_offsets(hd_mpi *m, hd_status status, const char *call, const int64_t *begin,
                                hd__mpi_offsets *o);

// Fills here, before and last. Elements b .. e - 1 get the offsets from b to e - 1, where segments
// begin; with ends those from b + 1 to e, where segments end (the first rank those of 0, too).
// Collective, and agrees on status.
hd_status hd__mpi_send_offsets(hd_mpi *m, hd_status status, const int64_t *begin, bool ends,
                               hd__mpi_offsets *o);

// Fills before and last from here. Collective.
hd_status hd__mpi_find_greatest(hd_mpi *m, hd__mpi_offsets *o);

// How many of n rising numbers are below v; with or_equal, not above it.
int64_t hd__mpi_count_below(const int64_t *x, int64_t n, int64_t v, bool or_equal);

#endif
