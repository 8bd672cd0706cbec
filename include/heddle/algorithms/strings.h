// SPDX-License-Identifier: Apache-2.0
// hd_strings_compare, hd_strings_find, hd_strings_sort: arrays of strings.
//
// An array of n strings is a row of bytes (u8) and a row of n + 1 offsets of any integer type. They
// may not fall and lie within the bytes: string i has the bytes offsets[i] .. offsets[i + 1] - 1.
// The bytes may be any, 0 among them. The order of strings is that of their bytes as numbers; a
// string comes before another that begins with it. No offsets at all are no strings.
#ifndef HEDDLE_ALGORITHMS_STRINGS_H
#define HEDDLE_ALGORITHMS_STRINGS_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_strings_compare_options {
    size_t size; // sizeof(hd_strings_compare_options), or 0: its size in version 0.1
} hd_strings_compare_options;

// out[i] = -1, 0 or 1 where string i of a comes before, is equal to, or comes after string i of b.
// Both have as many strings; out has one number of a signed type for each.
//
//   Method      words of 8 bytes. All pairs compare their first ones; those that are equal so far
//               are kept, and as many of their next words as fit in scratch are compared at once,
//               the first that differs found by a segmented reduction. Work: the words up to the
//               first difference, rounded up to what is compared at once; steps log n for each
//               32 MiB of equal bytes. The cores compare pair by pair.
//   Aliasing    out may not overlap an input.
//   Exactness   exact.
//   Cost        both arrays of bytes are copied once; scratch of their size, and about 80 bytes a
//               pair. On the cores nothing is copied, and scratch is a byte a pair.
//   Returns     HD_ERROR_VALUE for offsets that fall or leave the bytes, HD_ERROR_SHAPE where the
//               numbers of strings differ, and the usual ones.
HD_API HD__CHECKED hd_status hd_strings_compare(hd_context *ctx, hd_view a_offsets, hd_view a,
                                                hd_view b_offsets, hd_view b, hd_view out,
                                                const hd_strings_compare_options *options);

typedef struct hd_strings_find_options {
    size_t size;            // sizeof(hd_strings_find_options), or 0: its size in version 0.1
    const hd_view *offsets; // text is an array of strings: only what lies within one is found
    const hd_view *counts;  // with offsets: receives how often each string has the pattern, i64
} hd_strings_find_options;

// positions = all i, rising, where text[i], text[i + 1], ... are the bytes of pattern; count, one
// i64, receives how many. Occurrences may overlap. Text and pattern are rows of u8, the pattern of
// one byte at least; positions, of i64, may be empty (HD_EMPTY).
//
//   Method      places with the pattern's first 8 bytes are compacted; they compare the rest of the
//               pattern by words as hd_strings_compare does. Work O(n), and for each such place the
//               words up to the first that differs; steps log n. The cores look at four bytes of
//               the pattern at many places at once, and at the rest of it where they are.
//   Aliasing    outputs may overlap neither inputs nor each other.
//   Exactness   exact.
//   Cost        reads the text once; longer patterns copy it. Scratch of 8 bytes a place, and 80
//               bytes while the rest is compared; on the cores 2 MiB a thread.
//   Returns     HD_ERROR_SHAPE where positions has too little room (count says how many there are,
//               and the first that fit have been written); HD_ERROR_VALUE for an empty pattern and
//               as hd_strings_compare for offsets; and the usual ones.
HD_API HD__CHECKED hd_status hd_strings_find(hd_context *ctx, hd_view text, hd_view pattern,
                                             hd_view positions, hd_view count,
                                             const hd_strings_find_options *options);

typedef struct hd_strings_sort_options {
    size_t size;            // sizeof(hd_strings_sort_options), or 0: its size in version 0.1
    const hd_view *indices; // receives where each string stood, of any integer type that holds n
} hd_strings_sort_options;

// offsets_out and bytes_out are the strings in order; equal ones keep theirs. Both may be empty
// (HD_EMPTY) where only .indices matter; else bytes_out has room for all bytes of strings.
//
//   Method      MSD radix sort by words: the first 7 bytes and how many more there are make a key
//               of 64 bits, which hd_sort sorts; runs of equal keys whose strings go on are
//               segments that the next 7 bytes sort, until there are none. Where such rounds have
//               cost as much as reading what is left, the bytes that all strings of a segment have
//               in common are found by a segmented reduction, and passed over. Work about the
//               sorting of n keys for each 7 bytes of distinguishing prefixes.
//   Aliasing    outputs may overlap neither inputs nor each other.
//   Exactness   there is one right answer, and every backend gives it.
//   Cost        the bytes are copied once; scratch of their size and about 100 bytes a string.
//   Returns     as hd_strings_compare; HD_ERROR_SHAPE where an output has too little room.
HD_API HD__CHECKED hd_status hd_strings_sort(hd_context *ctx, hd_view offsets, hd_view bytes,
                                             hd_view offsets_out, hd_view bytes_out,
                                             const hd_strings_sort_options *options);

#ifdef __cplusplus
}
#endif

#endif
