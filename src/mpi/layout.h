// SPDX-License-Identifier: Apache-2.0
// How a sequence lies on the ranks, what all of them must have in common, and indices into it.
#ifndef HEDDLE_MPI_LAYOUT_H
#define HEDDLE_MPI_LAYOUT_H

#include "ranks.h"

// Where each rank's part begins, of which this one has n elements, and the end: ranks + 1 of them,
// in scratch. Collective, and agrees.
hd_status hd__mpi_begins(hd_mpi *m, hd_status status, int64_t n, const int64_t **begin);

// A number that all ranks must pass alike, and what it is.
typedef struct hd__mpi_number {
    const char *what;
    int64_t value;
} hd__mpi_number;

enum { HD__MPI_NUMBERS = 8 };

// hd__mpi_same of several numbers, at most HD__MPI_NUMBERS: one collective call. Agrees.
hd_status hd__mpi_same_numbers(hd_mpi *m, hd_status status, const char *call,
                               const hd__mpi_number *number, int count);

// The first of all ranks' indices, rows of i64, that is not in 0 .. limit - 1: its position among
// them, or -1; *here where it stands on this rank, or -1 if another one has it. Collective, and
// agrees.
hd_status hd__mpi_first_bad(hd_mpi *m, hd_status status, hd_view index, int64_t limit, int64_t *bad,
                            int64_t *here);

// The error of an index out of range on the rank that has it, in the words of hd_gather: "CALL:
// WHAT 17 is 99; expected 0 to 9". was: the index as the caller has it.
hd_status hd__mpi_fail_bad(hd_mpi *m, const char *call, const char *what, const hd_view *was,
                           int64_t bad, int64_t here, int64_t limit);

// i - begin of each element of a row of i64, in place: global indices to those of a part.
hd_status hd__mpi_make_local(hd_mpi *m, hd_view index, int64_t begin);

#endif
