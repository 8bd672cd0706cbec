// SPDX-License-Identifier: Apache-2.0
// hd_find: the first element that is wanted.
#ifndef HEDDLE_FIND_H
#define HEDDLE_FIND_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_find_options {
    size_t size;       // sizeof(hd_find_options), or 0: its size in version 0.1
    const void *value; // one element: look for one that is equal to it; NULL: for one that is not
                       // zero
    bool last;         // the last such element instead of the first
    bool reserved_flags[7];
    const hd_function *map; // the elements looked at are map(in[i], with[0][i], ...): a predicate,
    hd_views with;          // or anything else
} hd_find_options;

// position, a view of one i64, of the host or of the device, receives the lowest i (row-major) with
// in[i] != 0, or -1 if there is none. With .value: with in[i] == *value, a value of the elements'
// type. With .map: the lowest i where the function gives what is not zero (or is equal to .value):
//
//     HD_FUNCTION(is_hot, bool, HD_NO_SOURCE, (float, t), { return t > 90; })
//     hd_find(ctx, HD_VIEW(t, n), HD_VIEW(&position, 1), &(hd_find_options){.map = is_hot});
//
// NaN is not zero and equal to nothing; -0 is zero. Structures are compared byte by byte, and need
// a .value or a .map.
//
//   Aliasing    nothing is written but position, which may overlap no input.
//   Exactness   exact.
//   Cost        reads up to the position, and per thread at most about 256 KiB more; on a GPU what
//               its blocks have under way. A call whose position is on the device does not wait.
//   Returns     the usual statuses; finding nothing is no error.
HD_API HD__CHECKED hd_status hd_find(hd_context *ctx, hd_view in, hd_view position,
                                     const hd_find_options *options);

#ifdef __cplusplus
}
#endif

#endif
