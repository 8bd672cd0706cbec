// SPDX-License-Identifier: Apache-2.0
// Ranks of few nodes of lists, on one rank of MPI.
#ifndef HEDDLE_MPI_LIST_FEW_H
#define HEDDLE_MPI_LIST_FEW_H

#include "links.h"

// rank[i] for the active nodes i, rising positions in this rank's part: the sum of the weights from
// it to the last node of its list, or -1 on a circle; last[i], unless it is empty, what the node at
// the end has there. All active nodes of all ranks link to each other alone. Collective, and agrees
// on status.
hd_status hd__mpi_rank_few(const hd__mpi_list *l, hd_status status, hd_view active, hd_view weight,
                           hd_view rank, hd_view last);

#endif
