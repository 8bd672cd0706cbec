// SPDX-License-Identifier: Apache-2.0
// The contract of the kernels that merge integers a vector at a time.
#ifndef HEDDLE_CPU_SORT_MERGE_KERNELS_H
#define HEDDLE_CPU_SORT_MERGE_KERNELS_H

#include "core/types.h"

// What is left of a and of b, and where the merge of both goes on.
typedef struct hd__cpu_merge_stream {
    const char *a, *b;
    int64_t na, nb;
    char *out;
} hd__cpu_merge_stream;

// Two merges side by side, each as far as whole vectors of both of its inputs go and are seen to be
// sorted; what is out is a permutation of what is taken in any case. Elements are in the order of
// x ^ flip as unsigned numbers.
typedef void hd__cpu_merge_integers(hd__cpu_merge_stream s[2], uint64_t flip);

// Of elements of 4 and of 8 bytes; NULL where vectors of this instruction set are no faster.
typedef struct hd__cpu_merge_kernels {
    hd__cpu_merge_integers *merge_4, *merge_8;
} hd__cpu_merge_kernels;

#endif
