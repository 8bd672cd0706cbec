// SPDX-License-Identifier: Apache-2.0
// hd_quicksort and hd_split_sort: sorting as a use of scans, step by step.
#ifndef HEDDLE_QUICKSORT_H
#define HEDDLE_QUICKSORT_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_steps_options {
    int64_t *steps; // receives the number of parallel steps (may be NULL)
    int64_t *scans; // receives the number of scans (may be NULL)
    uint64_t reserved[8];
} hd_steps_options;

// out is keys, sorted, by the quicksort of segmented scans: every segment takes its first element
// for a pivot, one scan over all of them at once hands it to each element, others count who goes
// before, with and behind it, and the three parts become segments of the next step. All segments
// are split in the same step, so it takes about log n steps where a recursive quicksort takes n.
// hd_split_sort is the radix sort of scans: for each bit, from the lowest, the elements without it
// go before those with it, where two counts say (a "split"); as many steps as bits.
//
// They are for showing what scan is good for; hd_sort is the fast one. Keys are i32, u32, i64,
// u64, f32 or f64, of one dimension without gaps.
//
//   Order       as hd_sort, ascending. (Quicksort too is stable: each part keeps its order.)
//   Aliasing    out may be keys.
//   Exactness   keys are moved as they are; the one right answer.
//   Cost        quicksort: eight scans a step, expected O(log n) steps; at worst (sorted input)
//               as many steps as there are keys. Split: two scans a bit.
//   Returns     the usual ones.
HD_API hd_status hd_quicksort(hd_context *ctx, hd_view keys, hd_view out,
                              const hd_steps_options *options);
HD_API hd_status hd_split_sort(hd_context *ctx, hd_view keys, hd_view out,
                               const hd_steps_options *options);

#ifdef __cplusplus
}
#endif

#endif
