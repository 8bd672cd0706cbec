// SPDX-License-Identifier: Apache-2.0
// hd_difference: each element less the one before it.
#ifndef HEDDLE_DIFFERENCE_H
#define HEDDLE_DIFFERENCE_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_difference_options {
    size_t size;  // sizeof(hd_difference_options), or 0: its size in version 0.1
    int32_t axis; // HD_AXIS(k): along axis k; default: everything, row-major
    int32_t reserved_int;
    const hd_function *function; // instead of the difference: out[i] = function(in[i], in[i - 1])
    const void *before;          // one element of in's type, taken as in[-1]
} hd_difference_options;

// out[i] = in[i] - in[i - 1], and out[0] = in[0], or in[0] - *before. hd_scan with HD_SUM (and
// .before as its init) turns integers back into in, exactly; floats only nearly, see Exactness.
// With .axis each row along that axis begins anew.
//
// With .function any function of an element and the one before it; out has the function's type, and
// where that is not in's type, .before is needed for the first element.
//
//   Aliasing    out may be in itself (same address, type and strides); any other overlap is an
//               error.
//   Exactness   integers wrap, so that the sum turns back exactly. Floats are subtracted and
//               rounded once (f16 and bf16 in f32, then once more), and sums of what was rounded
//               are not what they were made from: element i comes back to within about (d(i + 1) +
//               1) u times the sum of |out[0 .. i]|, with d and u of numerics.md, which is more
//               than an error in in[i]'s last bit wherever in goes up and down; exactly, where
//               every difference and every sum of them is a float, such as whole numbers from 0
//               to 2^24 in f32. What follows an infinity comes back as NaN.
//   Cost        reads and writes each element once.
//   Returns     HD_ERROR_TYPE where out has not in's type (or the function's), or for bool and
//               structures without a .function; HD_ERROR_ARGUMENT where .before is needed; the usual
//               ones.
HD_API HD__CHECKED hd_status hd_difference(hd_context *ctx, hd_view in, hd_view out,
                                           const hd_difference_options *options);

#ifdef __cplusplus
}
#endif

#endif
