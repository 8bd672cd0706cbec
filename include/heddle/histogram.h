// SPDX-License-Identifier: Apache-2.0
// hd_histogram: how many elements, or how much of their weight, fall into each bin.
//
//     uint64_t counts[256];
//     hd_histogram(ctx, HD_VIEW(bytes, n), HD_VIEW(counts, 256), NULL); // one bin a value
//
//     int64_t even[100], strays; // a hundred bins between 0 and 1, and how many fell outside
//     hd_histogram(ctx, HD_VIEW(x, n), HD_VIEW(even, 100),
//                  &(hd_histogram_options){
//                      .even = true, .upper = 1, .outside = HD_REF(HD_VIEW(&strays, 1))});
#ifndef HEDDLE_HISTOGRAM_H
#define HEDDLE_HISTOGRAM_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_MAX_BINS ((int64_t)1 << 24)

// The rule that says which bin a value v falls into is one of these; bins are 0 .. B - 1, and a
// value for which the rule names no bin is outside. NaN is outside under every rule.
//
//   integers   (the default) v - first; integers and bool only
//   even       .even, between .lower and .upper: the k with edge[k] <= v < edge[k + 1], where
//              edge[k] = k * ((upper - lower) / B) + lower, each step rounded once in f64, and
//              edge[B] = upper; the last bin has its upper edge too. These are the edges of
//              numpy.linspace(lower, upper, B + 1), and the bins those of numpy.histogram over
//              f64 values; numerics.md says what NumPy does with f32
//   edges      .edges: the k with edges[k] <= v < edges[k + 1]; the last bin has its upper edge too
//   letters    .letters: bytes of text; the number of the letter, a to z in either case, over
//              .letters. 4 makes seven bins: a-d, e-h, ..., y-z. Everything else is outside
//   function   .bin: what the function returns
//
// Values that are not f64 are converted to it (to nearest) where the rule is even bins, and for
// edges unless both are signed integers, u8 to u32 or bool, or both u64: those compare exactly.
typedef struct hd_histogram_options {
    size_t size;            // sizeof(hd_histogram_options), or 0: its size in version 0.1
    double lower, upper;    // with even: the range of the bins
    const hd_view *edges;   // B + 1 of them, each above the one before it; numbers of any type, in
                            // host memory
    const hd_function *bin; // the bin is bin(in[i], with[0][i], ...), any integer type
    const hd_function *map; // the value is map(in[i], with[0][i], ...); not with bin
    hd_views with;
    int64_t first;   // integers: the value of bin 0
    int32_t letters; // letters to a bin, 1 to 26
    int32_t order;   // HD_ANY_ORDER: sums of float weights in any order, not the same every time
    bool clamp;      // below the lowest counts in the first bin, above the highest in the last; NaN
                     // stays outside; not with letters
    bool add;        // to what out holds: out[b] = out[b] + result
    bool even;       // even bins between lower and upper
    bool second_even;
    hd_type accumulate;     // with weights: as in hd_reduce_options
    const hd_view *weights; // shaped as in: out[b] is the sum of the weights of its elements
    const hd_view *second; // shaped as in: with its own rule (second_*, integers if none is set) it
                           // names the column of out; in names the row
    double second_lower, second_upper;
    const hd_view *second_edges;
    int64_t second_first;
    const hd_view *outside; // one i64, receives the number of elements that fell outside; of the
                            // host or of the device. By rows or segments: one i64 for each
    const hd_operator *sum; // with weights: HD_SUM (NULL), HD_SUM_COMPENSATED, HD_SUM_EXACT
    // m + 1 offsets (any integer type), never falling, within 0 .. n: out[j] is the histogram of
    // in[offset[j]] .. in[offset[j + 1] - 1]
    const hd_view *segments;
    int32_t axis; // HD_AXIS(k): a histogram of each row along axis k
    uint32_t reserved_32;
} hd_histogram_options;

// out[b] = the number of i with bin(in[i]) == b, over all elements of in in any layout; or, with
// weights, the sum of weights[i] over those. B, from 1 to HD_MAX_BINS, is the number of elements
// of out, whose row-major order is the order of the bins; with .second, out has two dimensions
// (B, C) and out[b][c] counts the i with bin(in[i]) == b and bin(second[i]) == c, in either of
// which an element may be outside.
//
// With .axis or .segments out[j] is the histogram of row or segment j by itself, of an empty one
// too: out has the axes of in but that one, or one axis of m segments, and then one of B bins (two,
// B and C, with .second). All of them have the same rules. Of images, a row of pixels each:
//
//     hd_histogram(ctx, hd_view_nd(HD_U8, pixels, 2, (int64_t[]){images, size}, NULL),
//                  hd_view_nd(HD_U32, counts, 2, (int64_t[]){images, 256}, NULL),
//                  &(hd_histogram_options){.axis = HD_AXIS(1)});
//
//   Types       counts: i32, u32, i64 or u64; those of 32 bits wrap past 2^32. Weights: numbers of
//               any type into what hd_reduce's SUM (or .sum) accepts as its output.
//   Aliasing    out may not overlap in, nor any view of the options; nor may .outside.
//   Exactness   counts and integer sums are exact. A sum of float weights has the bits of
//               hd_reduce over the weights of the bin in the order of in (+0 for an empty bin; with
//               .add what was there combines on the left, last, and an empty bin keeps it),
//               everywhere and every time; unless .order is HD_ANY_ORDER, which needs no copy of
//               the weights.
//   Cost        reads each element once. Threads count into tables of their own (5 bytes a bin,
//               16 up to 2048 bins), which are then added up; above 2^22 bins elements are
//               distributed by ranges of bins first, through scratch of 2 bytes each. Float weights
//               in order are sorted by bin on the way, a chunk at a time; above 4096 bins all at
//               once, through scratch of their size and 4 bytes each. Threads share rows and
//               segments; one that is long enough is shared by all threads.
//   Returns     HD_ERROR_VALUE for edges that do not rise (the text says where), HD_ERROR_ARGUMENT
//               for ranges that are empty or not finite, rules that exclude each other, no bins or
//               too many, HD_ERROR_VALUE for offsets that fall or leave 0 .. n; HD_ERROR_TYPE,
//               HD_ERROR_SHAPE and HD_ERROR_ALIAS as everywhere.
HD_API HD__CHECKED hd_status hd_histogram(hd_context *ctx, hd_view in, hd_view out,
                                          const hd_histogram_options *options);

#ifdef __cplusplus
}
#endif

#endif
