// SPDX-License-Identifier: Apache-2.0
// hd_unique, hd_run_lengths and the inverse, hd_expand: runs of equal neighbours.
//
// A run is a longest stretch of equal neighbours, in row-major order. Numbers compare by value: -0
// equals +0, and a NaN differs from everything, so it is a run of its own. Structures compare byte
// by byte. With .comparison, as in hd_sort, two neighbours are equal where neither comes before the
// other. A run's value is its first element, bit for bit.
#ifndef HEDDLE_RUNS_H
#define HEDDLE_RUNS_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_unique_options {
    size_t size;                     // sizeof(hd_unique_options), or 0: its size in version 0.1
    const hd_view *indices;          // receives the index in in of each element of out
    const hd_comparison *comparison; // of in's type: what is equal; NULL: as above
} hd_unique_options;

// out = the first element of each run of in; count, as in hd_compact, receives how many runs there
// are. Of a sorted array these are its different values. out may be empty (HD_EMPTY).
//
//   Aliasing    out may be in itself; any other overlap of views is an error.
//   Exactness   elements keep their order, and their bits.
//   Cost        reads each element once, writes each kept one once.
//   Returns     HD_ERROR_SHAPE if out or indices have fewer elements than there are runs: the text
//               says how many there are, count too, and the first that fit have been written;
//               HD_ERROR_TYPE if the type of indices cannot hold n, and for a comparison of another
//               type; HD_ERROR_ARGUMENT if count is empty, and the usual ones.
HD_API HD__CHECKED hd_status hd_unique(hd_context *ctx, hd_view in, hd_view out, hd_view count,
                                       const hd_unique_options *options);

typedef struct hd_run_lengths_options {
    size_t size;            // sizeof(hd_run_lengths_options), or 0: its size in version 0.1
    const hd_view *indices; // receives the index in in at which each run begins
    const hd_comparison *comparison; // as in hd_unique_options
} hd_run_lengths_options;

// values[j] = the first element of run j of in, lengths[j] = how many elements it has; runs, as
// count in hd_compact, receives how many there are. values may be empty. lengths is of any integer
// type that holds n.
//
//   Aliasing    values may be in itself; any other overlap of views is an error.
//   Exactness   as hd_unique.
//   Cost        reads each element once, writes one value and one length for each run.
//   Returns     as hd_unique.
HD_API HD__CHECKED hd_status hd_run_lengths(hd_context *ctx, hd_view in, hd_view values,
                                            hd_view lengths, hd_view runs,
                                            const hd_run_lengths_options *options);

typedef struct hd_expand_options {
    size_t size; // sizeof(hd_expand_options), or 0: its size in version 0.1
} hd_expand_options;

// out = values[0] lengths[0] times, then values[1] lengths[1] times, ...; count, as in hd_compact,
// receives the sum of the lengths. A call that waits for nothing writes what fits; what follows in
// out means nothing, and a negative length comes out at hd_sync. It is the inverse of
// hd_run_lengths; with values = hd_iota(m) it tells for each element of the output which run it is
// of. lengths has the shape of values and any integer type; a length may be 0.
//
//   Aliasing    out may not overlap values or lengths.
//   Exactness   elements keep their bits.
//   Cost        reads lengths twice and values once, writes each element once; threads share the
//               output evenly, however uneven the lengths are.
//   Returns     HD_ERROR_VALUE for a negative length (the text names it) or a sum beyond 2^62;
//               HD_ERROR_SHAPE if out has fewer elements than the sum (the text and count say it;
//               nothing else is written); HD_ERROR_ARGUMENT if count is empty, and the usual ones.
HD_API HD__CHECKED hd_status hd_expand(hd_context *ctx, hd_view values, hd_view lengths,
                                       hd_view out, hd_view count,
                                       const hd_expand_options *options);

#ifdef __cplusplus
}
#endif

#endif
