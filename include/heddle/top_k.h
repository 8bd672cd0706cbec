// SPDX-License-Identifier: Apache-2.0
// hd_top_k, the greatest few in order; hd_nth and hd_quantiles: what a sorted array would have at
// some ranks.
#ifndef HEDDLE_TOP_K_H
#define HEDDLE_TOP_K_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_top_k_options {
    size_t size;                     // sizeof(hd_top_k_options), or 0: its size in version 0.1
    const hd_comparison *comparison; // the order of the keys; NULL: numbers in their own order
    // Receives where each of the k stands in keys_in (with an axis: in its row), in row-major
    // order: i32, u32, i64 or u64, the shape of keys_out
    const hd_view *indices;
    // m + 1 offsets (any integer type), never falling, within 0 .. n: the k greatest of each
    // segment
    const hd_view *segments;
    int32_t axis;   // HD_AXIS(j): the k greatest of each row along axis j; default: of everything
    bool ascending; // the k smallest, the smallest first: what comes first in the order
    bool reserved_flags[3];
} hd_top_k_options;

// keys_out = the k greatest keys, the greatest first, and each output of values what its input has
// for them: the first k of hd_sort with .descending (with .ascending: without it).
//
//     hd_top_k(ctx, scores, 3, HD_EMPTY, HD_VALUES(names, HD_VIEW(podium, 3)), NULL);
//
// 0 <= k <= n. keys_out and the outputs of values have k elements; with an axis the shape of
// keys_in, but k along it; with segments, of keys of one dimension, the shape (m, k), where k may
// be any number: of a shorter segment all elements come, in their order, and what is behind them
// in the row stays as it was. The inputs of values have the shape of keys_in. keys_out may be left
// empty where only values or indices matter.
//
//   Order       as hd_sort: among equals the lowest index first; +0 is greater than -0; NaN comes
//               last, so none is among the k unless fewer than k elements are numbers. Of a
//               comparison the greatest is what comes last.
//   Aliasing    the outputs may not overlap an input or each other.
//   Exactness   elements are moved as they are. There is one right answer, and every backend gives
//               it.
//   Cost        reads each element once, and writes little where k is small: what cannot be among
//               the k is skipped at the speed of memory. Scratch: up to 64 * k bytes for numbers,
//               and a block of elements per thread; where k is a large part of n, that of a sort.
//   Returns     HD_ERROR_ARGUMENT if k is not in 0 .. n, HD_ERROR_SHAPE if an output has not k
//               elements, HD_ERROR_VALUE for offsets that fall or are out of range, and the usual
//               ones.
HD_API HD__CHECKED hd_status hd_top_k(hd_context *ctx, hd_view keys_in, int64_t k, hd_view keys_out,
                                      hd_views values, const hd_top_k_options *options);

// ---- Elements of given ranks ----------------------------------------------------------------

typedef struct hd_nth_options {
    size_t size;                     // sizeof(hd_nth_options), or 0: its size in version 0.1
    const hd_comparison *comparison; // the order of in; NULL: numbers in their own order
    // Receives where each element of out stands in in (with an axis: in its row): i32, u32, i64 or
    // u64, the shape of out
    const hd_view *indices;
    const hd_view *segments; // as in hd_sort_options: the ranks of each segment
    int32_t axis;    // HD_AXIS(k): the ranks of each row along axis k; default: of everything
    bool descending; // rank 0 is the greatest
    bool reserved_flags[3];
} hd_nth_options;

// out[j] = the element that hd_sort would put at index ranks[j], 0 first. ranks are m integers of
// any type, in any order, each in 0 .. n - 1; out has their shape. With an axis or segments ranks
// have one dimension; out has the shape of in, but m along the axis, or the shape (segments, m).
//
//     int64_t middle = n / 2;
//     hd_nth(ctx, x, HD_VIEW(&middle, 1), HD_VIEW(&median, 1), NULL);
//
//   Order       that of hd_sort, so every NaN is last in both directions, and among equals the
//               lowest index first.
//   Aliasing    out and indices may not overlap an input or each other.
//   Exactness   elements are moved as they are (a bool comes out as 0 or 1). There is one right
//               answer, and every backend gives it.
//   Cost        Numbers: a radix select. Ranks near each other, of a long row, take one pass over
//               it, others three, and a part of the elements is read once or twice more; indices,
//               and ranks of NaN, take two more. Scratch for a part of the elements. More than 512
//               ranks (16 with indices), and ranks by a comparison: a sort. Threads share a long
//               row, or many short ones.
//   Returns     HD_ERROR_VALUE for a rank that is not in 0 .. n - 1 (of a row, of every segment)
//               and for offsets that fall or leave 0 .. n; HD_ERROR_SHAPE if out does not fit;
//               HD_ERROR_TYPE if it is not in's type; and the usual ones.
HD_API HD__CHECKED hd_status hd_nth(hd_context *ctx, hd_view in, hd_view ranks, hd_view out,
                                    const hd_nth_options *options);

// ---- Quantiles ------------------------------------------------------------------------------

// What a quantile between two elements is.
typedef enum hd_quantile_method {
    HD_LINEAR,   // on the line between them
    HD_LOWER,    // the lesser
    HD_HIGHER,   // the greater
    HD_NEAREST,  // the nearer by rank; of two equally near the one of even rank
    HD_MIDPOINT, // halfway
} hd_quantile_method;

typedef struct hd_quantiles_options {
    size_t size;             // sizeof(hd_quantiles_options), or 0: its size in version 0.1
    const hd_view *segments; // as in hd_nth_options
    int32_t axis;            // as in hd_nth_options
    int32_t method;          // an hd_quantile_method; default: HD_LINEAR, NumPy's default too
    bool omit_nan;           // quantiles of the numbers that are not NaN; default: see below
    bool reserved_flags[7];
} hd_quantiles_options;

// out[j] = the quantile of in for probabilities[j], m numbers of f32 or f64 in 0 .. 1: 0.5 is the
// median. Shapes as in hd_nth, probabilities in the place of ranks.
//
// Of the n elements in order, x[0] .. x[n - 1], and h = p * (n - 1), a product of f64, with
// i = floor(h), t = h - i, j = i + 1 where t > 0 and else i:
//
//     HD_LINEAR      a = x[i], b = x[j]: a where t is 0 or a equals b; else
//                    a + (b - a) * t where t < 0.5, and b - (b - a) * (1 - t) elsewhere
//     HD_LOWER       x[i]
//     HD_HIGHER      x[j]
//     HD_NEAREST     x[i] where t < 0.5, or t is 0.5 and i is even; else x[j]
//     HD_MIDPOINT    as HD_LINEAR with 0.5 in the place of every t but 0
//
//   NaN         Where an element of the row is NaN, so is each of its quantiles, as in NumPy; with
//               .omit_nan they are those of the other elements. Rows and segments without
//               elements have quantiles of NaN, too.
//   Aliasing    out may not overlap an input.
//   Exactness   a and b are converted to f64, every operation is rounded to f64 on its own, and the
//               result to out's type: the same bits on every backend. They are NumPy's for f64; of
//               two infinities of opposite signs the line between has the value NaN.
//   Cost        as hd_nth with two ranks a quantile, and another read of a float for NaN.
//   Returns     HD_ERROR_VALUE for a probability that is not in 0 .. 1; HD_ERROR_TYPE if in is no
//               number, or out no float (HD_LOWER, HD_HIGHER, HD_NEAREST: nor of in's type);
//               HD_ERROR_VALUE if out is of integers and a row has no elements; and as hd_nth.
HD_API HD__CHECKED hd_status hd_quantiles(hd_context *ctx, hd_view in, hd_view probabilities,
                                          hd_view out, const hd_quantiles_options *options);

#ifdef __cplusplus
}
#endif

#endif
