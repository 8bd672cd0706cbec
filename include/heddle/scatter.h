// SPDX-License-Identifier: Apache-2.0
// hd_scatter: elements sent to where an index says, written or combined.
#ifndef HEDDLE_SCATTER_H
#define HEDDLE_SCATTER_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_scatter_options {
    size_t size;                // sizeof(hd_scatter_options), or 0: its size in version 0.1
    const hd_operator *combine; // NULL: the element is written over what was there
    int32_t order;              // HD_ANY_ORDER: combine in any order and grouping
    bool unique;  // a promise that no index comes twice; where it is broken, one of the
                  // elements is written (or some are combined), it is not said which
    bool checked; // an index out of range is an error that names the first one
    bool reserved_flags[2];
    hd_type accumulate; // with combine: as in hd_reduce_options
    uint32_t reserved_32;
    const hd_view *bad;     // one i64, receives the position of the first index out of range, -1 if
                            // there is none; by itself it makes no error
    const hd_function *map; // each element is map(in[i], with[0][i], ...)
    hd_views with;
} hd_scatter_options;

// out[index[i]] = in[i] for all i: where an index comes more than once, the element with the
// greatest i stays, whatever the number of threads. The index has in's shape; i counts in row-major
// order, and so does the destination in out, whatever its dimensions. Other elements of out stay.
//
// With .combine: out[d] = out[d] op (in[i0] op in[i1] op ...), where i0 < i1 < ... are all i with
// index[i] = d: exactly hd_reduce of those elements with the old out[d] as its init. The
// types are those hd_reduce takes with an init (not ARGMIN, ARGMAX, MEAN, VARIANCE). So a histogram
// is hd_scatter of hd_constant(1, n) with HD_SUM.
//
// An index out of range (negative, or not less than the number of elements of out) never writes
// outside out: its element is left out. With .checked the call also returns HD_ERROR_VALUE, and the
// text says which index was the first and what it was; out is the same.
//
//   Aliasing    out may not overlap in, index or a view of with.
//   Exactness   written: as above. Combined: the one tree of numerics.md over the elements
//               of each destination in their order, then the old value on its left; the same bits
//               everywhere, unless .order is HD_ANY_ORDER and the operator rounds.
//   Cost        reads each element and index once or twice; memory of up to about 16 bytes and an
//               element for each index, where duplicates have to be told apart by more than one
//               thread. With .unique, or a rising index, none.
//   Returns     HD_ERROR_TYPE where the index is not of an integer type, or operator and types do
//               not fit, HD_ERROR_VALUE as above, and the usual ones.
HD_API HD__CHECKED hd_status hd_scatter(hd_context *ctx, hd_view in, hd_view index, hd_view out,
                                        const hd_scatter_options *options);

#ifdef __cplusplus
}
#endif

#endif
