// SPDX-License-Identifier: Apache-2.0
// hd_polynomial: a polynomial at many points, or one of high degree at a few.
#ifndef HEDDLE_ALGORITHMS_POLYNOMIAL_H
#define HEDDLE_ALGORITHMS_POLYNOMIAL_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hd_polynomial_method {
    HD_POLYNOMIAL_AUTO = 0, // the tree for less than 64 points and 4096 coefficients or more
    HD_POLYNOMIAL_HORNER,   // a loop over the coefficients for each point
    HD_POLYNOMIAL_TREE      // a tree over the coefficients for each point
} hd_polynomial_method;

typedef struct hd_polynomial_options {
    size_t size;            // sizeof(hd_polynomial_options), or 0: its size in version 0.1
    int32_t method;         // hd_polynomial_method
    hd_type accumulate;     // HD_F64: computes in f64 where x and out are f32
    bool highest_first;     // the first coefficient is that of the highest power, as numpy.polyval
                            // has it
    bool reserved_flags[7]; // zero
} hd_polynomial_options;

// out[i] = c[0] + c[1] x[i] + c[2] x[i]^2 + ... + c[k - 1] x[i]^(k - 1), c being a row of k
// numbers, x of any shape and out of the same. Without coefficients out is 0.
//
//   Method      Horner's rule, from the highest coefficient down: r = c[k - 1]; r = r x + c[j],
//               each product and each sum rounded; points are a map, 16 side by side. Work O(m k)
//               for m points, steps O(k). Or, for one point after another, a reduction by the
//               monoid of (value, power), which joins two ranges of coefficients as
//               (v + p w, p q), from (c[j], x) on: work O(m k), steps O(m log k).
//   Aliasing    out may be x itself (same address, type and strides); any other overlap is an
//               error.
//   Exactness   f32 where x and out are f32 (coefficients are rounded to it), else f64. The same
//               bits on every backend; the two methods differ in their last bits. For both
//               |out - exact| <= 2 (k + 2) u / (1 - 2 (k + 2) u) sum |c[j]| |x|^j if nothing
//               overflows or underflows. The tree makes powers x^(2^l) up to x^k: where one
//               overflows, out may be infinite or NaN where Horner's rule, by coefficients that are
//               small, is not; coefficients that are 0 are left out of that.
//   Cost        Horner reads x and writes out once for every 120 coefficients; the tree reads the
//               coefficients once a point. Coefficients of a device are copied to the host for
//               Horner, which waits for them.
//   Returns     HD_ERROR_TYPE where x or out is not f32 or f64, or coefficients are no numbers;
//               HD_ERROR_SHAPE where coefficients are not a row or out has not x's shape; and the
//               usual ones.
HD_API HD__CHECKED hd_status hd_polynomial(hd_context *ctx, hd_view coefficients, hd_view x,
                                           hd_view out, const hd_polynomial_options *options);

#ifdef __cplusplus
}
#endif

#endif
