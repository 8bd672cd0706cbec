// SPDX-License-Identifier: Apache-2.0
// hd_difference: each element less the one before it.
#ifndef HEDDLE_DIFFERENCE_H
#define HEDDLE_DIFFERENCE_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_difference_options {
    int32_t axis; // HD_AXIS(k): along axis k; default: everything, row-major
    int32_t reserved_int;
    const hd_function *map; // instead of the difference: out[i] = map(in[i], in[i - 1])
    const void *before;     // one element of in's type, taken as in[-1]
    uint64_t reserved[8];
} hd_difference_options;

// out[i] = in[i] - in[i - 1], and out[0] = in[0], or in[0] - *before: what hd_scan with HD_SUM turns
// back into in. With .axis each row along that axis begins anew.
//
// With .map any function of an element and the one before it; out has the function's type, and where
// that is not in's type, .before is needed for the first element.
//
//   Aliasing    out may be in itself (same address, type and strides); any other overlap is an error.
//   Exactness   integers wrap, so that the sum turns back exactly; floats are subtracted and rounded
//               once (f16 and bf16 in f32, then once more).
//   Cost        reads and writes each element once.
//   Returns     HD_ERROR_TYPE where out has not in's type (or the function's), or for bool and structures
//               without a .map; HD_ERROR_ARGUMENT where .before is needed; and the usual ones.
HD_API hd_status hd_difference(hd_context *ctx, hd_view in, hd_view out,
                               const hd_difference_options *options);

#ifdef __cplusplus
}
#endif

#endif
