// SPDX-License-Identifier: Apache-2.0
// Items on their way to the ranks that own the elements of a global index each. They come in the
// order of their ranks, and of each rank in its order: in that of the whole sequence of items.
#ifndef HEDDLE_MPI_MOVE_ROUTE_H
#define HEDDLE_MPI_MOVE_ROUTE_H

#include "mpi/ranks.h"

// All in scratch.
typedef struct hd__mpi_route {
    hd_view all;          // the items of this rank by the rank that they go to
    hd_view order;        // those of them that go anywhere
    int64_t *give, *take; // how many go to each rank, and come from it
    int64_t items;        // that come here
} hd__mpi_route;

// Where items go whose indices, a row of i64, are into a sequence of this layout; those out of
// range go nowhere. Collective, and agrees on status.
hd_status hd__mpi_find_route(hd_mpi *m, hd_status status, const int64_t *begin, hd_view index,
                             hd__mpi_route *route);

// came (scratch) = the items that come here, of rows of one item each without gaps. Once for each
// row of items. Collective, and agrees on status.
hd_status hd__mpi_deliver(hd_mpi *m, hd_status status, const hd__mpi_route *route, hd_view items,
                          hd_view *came);

// The indices themselves, as positions in the part of this rank.
hd_status hd__mpi_deliver_indices(hd_mpi *m, hd_status status, const hd__mpi_route *route,
                                  const int64_t *begin, hd_view index, hd_view *came);

void hd__mpi_drop_route(hd_mpi *m, hd__mpi_route *route);

#endif
