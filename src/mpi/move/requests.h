// SPDX-License-Identifier: Apache-2.0
// Elements of a distributed sequence that ranks ask for by global index: each different index of a
// rank is asked for once and answered once.
#ifndef HEDDLE_MPI_MOVE_REQUESTS_H
#define HEDDLE_MPI_MOVE_REQUESTS_H

#include "mpi/ranks.h"

// All in scratch.
typedef struct hd__mpi_requests {
    hd_view keys;   // the different indices of this rank, rising
    hd_view wanted; // those of them in range, which it asks for
    hd_view slot;   // for each index where it stands in wanted; out of range: of one out of range
    hd_view asked;  // which elements of this rank's part others ask for: those of rank 0, of 1, ...
    int64_t *take, *give; // how many come from each rank, and go to it
} hd__mpi_requests;

// Tells the owners what this rank asks for. index: a row of i64 in scratch or not, any values;
// begin: the layout of the sequence. Collective, and agrees on status.
hd_status hd__mpi_request(hd_mpi *m, hd_status status, const int64_t *begin, hd_view index,
                          hd__mpi_requests *r);

// fetched (scratch) = the elements wanted, or, of an array of several dimensions, its rows. in is
// this rank's part, without gaps. May be repeated, also for other arrays of the same layout.
// Collective, and agrees on status.
hd_status hd__mpi_fetch(hd_mpi *m, hd_status status, const hd__mpi_requests *r, hd_view in,
                        hd_view *fetched);

// The different numbers of a row of i64, rising (keys, of which the first `different` are set), and
// where each of the row stands among them. On this rank alone; in scratch.
hd_status hd__mpi_different(hd_mpi *m, hd_view index, hd_view *keys, int64_t *different,
                            hd_view *slot);

void hd__mpi_drop_requests(hd_mpi *m, hd__mpi_requests *r);

#endif
