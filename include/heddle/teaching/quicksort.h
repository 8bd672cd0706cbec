// SPDX-License-Identifier: Apache-2.0
// hd_quicksort and hd_split_sort: quicksort by segmented scans and LSD radix sort by splits, step
// by step (Blelloch 1990); hd_broadcast and hd_sort_histogram likewise. Part of heddle_teaching.h.
#ifndef HEDDLE_QUICKSORT_H
#define HEDDLE_QUICKSORT_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_steps_options {
    size_t size;          // sizeof(hd_steps_options), or 0: its size in version 0.1
    const hd_view *steps; // one i64, receives the number of steps
    const hd_view *scans; // one i64, receives the number of scans and reductions in them
} hd_steps_options;

// out = keys, sorted. hd_quicksort is the quicksort of segmented scans: every segment names a
// pivot; one scan hands it to each of its elements; three more count, for each element, those of
// its segment that stand before it and are less than, equal to, greater than the pivot; that says
// where it goes, and the three parts are segments of the next step. All segments are split in the
// same step, so it takes about 2 log2 n of them where a recursive quicksort takes n.
// hd_split_sort is the LSD radix sort by scans: for each bit, from the lowest, a scan counts the
// elements before each one that have it not; those go first, the others behind them, in the order
// they had (a "split"). As many steps as bits.
//
// They show what scan is good for; hd_sort is the fast one. Keys are i32, u32, i64, u64, f32 or
// f64, out the same; any layout, taken in row-major order.
//
//   Order       as hd_sort, ascending; both are stable.
//   Aliasing    out and keys may overlap as they like.
//   Exactness   keys are moved as they are; the one right answer.
//   Cost        a step of quicksort is four segmented scans and two segmented reductions, a step
//               of split sort one scan; 64 bytes of memory a key, quicksort 104.
//   Returns     HD_ERROR_TYPE for other types, HD_ERROR_SHAPE if the counts differ, and the usual
//               ones.
HD_API HD__CHECKED hd_status hd_quicksort(hd_context *ctx, hd_view keys, hd_view out,
                                          const hd_steps_options *options);
HD_API HD__CHECKED hd_status hd_split_sort(hd_context *ctx, hd_view keys, hd_view out,
                                           const hd_steps_options *options);

// out[i] = value, one element, for all n elements of a row: the first element is copied, then the
// first two, then the first four, ..., so what is there doubles in each step, and no element is
// read by two processors at once (EREW). Memory that all may read at once takes one step: hd_map
// with a constant.
//
//   Steps       1 + ceil(log2 n), no scans; work n.
//   Aliasing    out may not overlap value.
//   Exactness   elements are copied as they are, structures too.
//   Cost        reads n elements and writes n.
//   Returns     HD_ERROR_TYPE if the types differ, HD_ERROR_SHAPE if value is not one element or
//               out not one row, and the usual ones.
HD_API HD__CHECKED hd_status hd_broadcast(hd_context *ctx, hd_view value, hd_view out,
                                          const hd_steps_options *options);

// bins[b] = how often b comes in keys, u32 in 0 .. B - 1; keys that are not are left out, as
// hd_histogram, the fast one, does. No two processors ever add to the same bin: keys are sorted by
// splits, one for each bit of B (what is left out has the key B); then ones are reduced by key,
// which is a segmented scan, and each run's sum goes to its bin.
//
//   Steps       the bits of B, a reduction and a scan each, and one that reduces ones by key.
//   Aliasing    bins, i64 in one row without gaps, may not overlap keys.
//   Exactness   exact.
//   Cost        a reduction, a scan, a map and a scatter a step; 40 bytes of memory a key.
//   Returns     HD_ERROR_TYPE, HD_ERROR_SHAPE for no bins or more than HD_MAX_BINS, and the usual
//               ones.
HD_API HD__CHECKED hd_status hd_sort_histogram(hd_context *ctx, hd_view keys, hd_view bins,
                                               const hd_steps_options *options);

#ifdef __cplusplus
}
#endif

#endif
