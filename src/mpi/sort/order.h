// SPDX-License-Identifier: Apache-2.0
// The order of keys: that of hd_sort for numbers, or a comparison's.
#ifndef HEDDLE_MPI_SORT_ORDER_H
#define HEDDLE_MPI_SORT_ORDER_H

#include "mpi/ranks.h"

typedef struct hd__mpi_order {
    hd_type type;
    bool descending;
    const hd_comparison *comparison; // NULL: numbers, in their own order
} hd__mpi_order;

// Whether keys of the type have ordinals, unsigned numbers in the order of hd_sort: all numbers do.
bool hd__mpi_has_ordinals(hd_type type);
uint64_t hd__mpi_ordinal(const hd__mpi_order *o, const void *key);
int hd__mpi_ordinal_bits(hd_type type);
// A key before which all keys of lower ordinals stand, and no others.
void hd__mpi_key_at(const hd__mpi_order *o, uint64_t ordinal, void *key);

// Whether the key at a comes before the one at b.
bool hd__mpi_before(const hd__mpi_order *o, const void *a, const void *b);

#endif
