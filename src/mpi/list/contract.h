// SPDX-License-Identifier: Apache-2.0
// Ranks of the nodes of lists that lie on several ranks of MPI, by contraction.
#ifndef HEDDLE_MPI_LIST_CONTRACT_H
#define HEDDLE_MPI_LIST_CONTRACT_H

#include "links.h"

// rank (i64, scratch) = the number of links from each node to the last of its list; -1 for nodes of
// a circle. last (NULL: not wanted; i64, scratch) = that last node. `next` and `before` of the list
// are used up. Collective, and agrees on status.
hd_status hd__mpi_rank_list(hd__mpi_list *l, hd_status status, hd_view *rank, hd_view *last);

// The error of the lowest node of this rank's that is on a circle.
hd_status hd__mpi_check_circles(const hd__mpi_list *l, const char *call, hd_view rank);

#endif
