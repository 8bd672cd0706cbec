// SPDX-License-Identifier: Apache-2.0
// What a reduction or a scan reads, and parts of it: carries of this rank's elements.
#ifndef HEDDLE_MPI_FOLD_PART_H
#define HEDDLE_MPI_FOLD_PART_H

#include "mpi/ranks.h"

// Elements of one dimension, and what the tree over them is made of.
typedef struct hd__mpi_fold {
    hd_mpi *m;
    hd_view in;
    const hd_operator *op;
    hd_type type; // of the results
    const hd_function *map;
    hd_views with;
    int32_t ddof;
    hd_type accumulate;
} hd__mpi_fold;

// Elements of the input, with what goes along with them.
typedef struct hd__mpi_part {
    hd_view in;
    hd_views with;
    hd_view view[HD_MAX_INPUTS];
} hd__mpi_part;
void hd__mpi_take_part(const hd__mpi_fold *f, int64_t at, int64_t n, hd__mpi_part *part);

// A carry from element `first` of the sequence on, which has seen n elements of this rank's from
// its position `at` on.
hd_status hd__mpi_open_carry(const hd__mpi_fold *f, int64_t first, int64_t at, int64_t n,
                             hd_carry **carry);

// The options of a reduction of a part.
hd_reduce_options hd__mpi_part_options(const hd__mpi_fold *f, const hd__mpi_part *part,
                                       hd_carry *carry);

#endif
