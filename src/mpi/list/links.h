// SPDX-License-Identifier: Apache-2.0
// Lists whose nodes lie on several ranks: links read and checked, in both directions.
#ifndef HEDDLE_MPI_LIST_LINKS_H
#define HEDDLE_MPI_LIST_LINKS_H

#include "mpi/ranks.h"

typedef struct hd__mpi_list {
    hd_mpi *m;
    const int64_t *begin; // nodes of all ranks
    int64_t n;            // of this one
    hd_view next;         // the node after each, itself for the last of a list
    hd_view before;       // the node before each, -1 for the first
    int64_t lists;        // of all ranks
} hd__mpi_list;

// Fills `next` and `before`, i64 in scratch, from links of any integer type, and refuses what is no
// list but a circle. begin and n are set; number: the links as i64. Collective, and agrees on
// status.
hd_status hd__mpi_read_links(hd__mpi_list *l, hd_status status, const char *call, hd_type type,
                             hd_view number);

// The lists the other way round.
hd_status hd__mpi_turn_links(hd__mpi_list *l);

#endif
