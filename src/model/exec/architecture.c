// SPDX-License-Identifier: Apache-2.0
//
// The table of architectures.
#include "architecture.h"

static const architecture all[] = {
#define CHIP(...) {__VA_ARGS__},
#include "architectures.def"
#undef CHIP
};

const architecture *hd__model_architecture(int32_t arch)
{
    const int count = (int)(sizeof all / sizeof *all);
    int found = 0;
    for (int k = 0; k < count; k++)
        if (all[k].arch <= arch) found = k;
    return &all[found];
}

#define GROUPS 8 // of multiprocessors, on the larger chips

// An H200 has 132 multiprocessors: groups of 16, and two of 18. That blocks 128 apart share an L1
// is seen in the L2's counters of matrix products.
int32_t hd__model_multiprocessor_of(const architecture *a, int64_t block)
{
    const int32_t pairs = a->multiprocessors / 2;
    if (pairs < GROUPS) return (int32_t)(block % a->multiprocessors);
    const int32_t group = (int32_t)(block % GROUPS), each = pairs / GROUPS;
    const int32_t larger = pairs % GROUPS; // groups that have a pair more: the last ones
    const int32_t before = group - (GROUPS - larger) > 0 ? group - (GROUPS - larger) : 0;
    const int32_t size = 2 * (each + (group >= GROUPS - larger));
    return 2 * (group * each + before) + (int32_t)(block / GROUPS % size);
}
