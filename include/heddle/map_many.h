// SPDX-License-Identifier: Apache-2.0
// hd_map_many: several functions of the same elements in one pass.
#ifndef HEDDLE_MAP_MANY_H
#define HEDDLE_MAP_MANY_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_map_many_options {
    size_t size;   // sizeof(hd_map_many_options), or 0: its size in version 0.1
    hd_views with; // the functions' other inputs: as in hd_map_options
} hd_map_many_options;

// Output k of `out` receives function k of `functions`, which are as many, of every element: both
// coordinates of points that are given by angle and radius by
//
//     HD_FUNCTION(x_of, float, HD_NO_SOURCE, (float, r, float, a), { return r * hd_cosf(a); })
//     HD_FUNCTION(y_of, float, HD_NO_SOURCE, (float, r, float, a), { return r * hd_sinf(a); })
//     hd_map_many(ctx, HD_VIEW(r, n), HD_FUNCTIONS(x_of, y_of),
//                 HD_VIEWS(HD_VIEW(x, n), HD_VIEW(y, n)),
//                 &(hd_map_many_options){.with = HD_VIEWS(HD_VIEW(a, n))});
//
// At most HD_MAX_RESULTS of them. Each function takes in alone, or views of with too, the first
// ones, as many as it has inputs; one that is NULL copies in, converted to its output's type. Every
// view of with is taken by one of them.
//
//   Aliasing    an output may be in itself or a view of with (same address, type and strides): all
//               functions see what was there before the call. Outputs may not overlap each other,
//               nor an input in any other way.
//   Exactness   each output has the bits of hd_map with its function.
//   Cost        on the cores reads each input from memory once: all functions see a block of it
//               while it is in the cache. On a GPU once for each eight functions, or, of structures
//               and where functions have a state or sources that differ, once a function.
//   Returns     HD_ERROR_ARGUMENT for more results than HD_MAX_RESULTS or not as many functions as
//               outputs, and what hd_map returns; the text names the output.
HD_API HD__CHECKED hd_status hd_map_many(hd_context *ctx, hd_view in, hd_functions functions,
                                         hd_views out, const hd_map_many_options *options);

#ifdef __cplusplus
}
#endif

#endif
