// SPDX-License-Identifier: Apache-2.0
// hd_bigint_add and its like: whole numbers of any length.
#ifndef HEDDLE_ALGORITHMS_BIGINT_H
#define HEDDLE_ALGORITHMS_BIGINT_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// The base of the limbs that decimal texts are made into: 18 digits each.
#define HD_BIGINT_DECIMAL UINT64_C(1000000000000000000)

typedef struct hd_bigint_options {
    size_t size;   // sizeof(hd_bigint_options), or 0: its size in version 0.1
    uint64_t base; // limbs are 0 .. base - 1, base from 2 to 2^63; 0: 2^64
    // One i64 for each number, receives what is carried (borrowed) out of the last limb, 0 or 1
    const hd_view *carry_out;
} hd_bigint_options;

// out = a + b, numbers of u64 limbs, the least limb first: the value of a is the sum of
// a[i] base^i. Numbers may differ in length: limbs that are not there are 0; out is at least as
// long as each, and what does not fit is the carry. With more than one dimension every row along
// the last axis is a number: a, b and out agree in the others.
//
//   Method      carry look-ahead as a scan (Blelloch 1990): a block of 16 limbs generates a carry,
//               propagates one or stops it, "b, unless b propagates: then a" is associative, and
//               its exclusive scan is the carry into every block. A map that looks at blocks, a
//               scan of a byte for each, a map that adds. Work O(n), steps O(log n). The cores add
//               one number by a loop with a carry for each thread; carries between threads' limbs
//               are put in behind. The serial backend takes chunks of 2^16 limbs.
//   Aliasing    out may be a or b (same address, type and strides); any other overlap is an error.
//   Exactness   exact.
//   Cost        reads a and b twice and writes out once; of one number on the cores reads them
//               once. Strided limbs, and rows that are no multiple of 16, take a byte a limb more.
//               Numbers shorter than out are copied first.
//   Returns     HD_ERROR_VALUE for a limb that is not below the base; HD_ERROR_TYPE where limbs are
//               not u64; HD_ERROR_SHAPE where out is shorter than a or b, or rows differ in number;
//               HD_ERROR_ARGUMENT for a base that is 1 or above 2^63; and the usual ones.
HD_API HD__CHECKED hd_status hd_bigint_add(hd_context *ctx, hd_view a, hd_view b, hd_view out,
                                           const hd_bigint_options *options);

// out = a - b modulo base^n, n being out's length: a borrow of 1 says that b is greater. Everything
// else as hd_bigint_add.
//
//   Method, aliasing, exactness, cost, returns: those of hd_bigint_add.
HD_API HD__CHECKED hd_status hd_bigint_subtract(hd_context *ctx, hd_view a, hd_view b, hd_view out,
                                                const hd_bigint_options *options);

typedef struct hd_bigint_compare_options {
    size_t size; // sizeof(hd_bigint_compare_options), or 0: its size in version 0.1
} hd_bigint_compare_options;

// order, one i64 for each number, receives -1 where a is less than b, 0 where they are equal, 1
// where a is greater. Numbers are those of hd_bigint_add; their base does not matter.
//
//   Method      a reduction of the limbs' comparisons: the last one that is not 0. Work O(n), steps
//               O(log n).
//   Aliasing    order may overlap neither.
//   Exactness   exact.
//   Cost        reads a and b once; one number on the cores only as far down as it has to.
//   Returns     as hd_bigint_add.
HD_API HD__CHECKED hd_status hd_bigint_compare(hd_context *ctx, hd_view a, hd_view b, hd_view order,
                                               const hd_bigint_compare_options *options);

typedef struct hd_bigint_text_options {
    size_t size;            // sizeof(hd_bigint_text_options), or 0: its size in version 0.1
    bool hexadecimal;       // 16 digits of either case a limb, base 2^64; else 18 decimal digits
    bool reserved_flags[7]; // zero
} hd_bigint_text_options;

// limbs = the number whose digits are the bytes of text (u8), the highest first: limbs of base
// HD_BIGINT_DECIMAL, or, hexadecimal, of 2^64, the least first. There are at least as many limbs as
// the digits need (ceil(digits / 18) or ceil(digits / 16)); those beyond are 0. No sign, no blanks;
// no digits at all are 0.
//
//   Method      a search for what is no digit, then a map over groups of digits. Work O(n), steps
//               O(log n) and O(1).
//   Aliasing    limbs may not overlap text.
//   Exactness   exact.
//   Cost        reads the text twice (once to check it), writes and reads a copy of it.
//   Returns     HD_ERROR_VALUE for a byte that is no digit: the text says where the first one is.
HD_API HD__CHECKED hd_status hd_bigint_parse(hd_context *ctx, hd_view text, hd_view limbs,
                                             const hd_bigint_text_options *options);

// The other way: text receives 18 (16) digits for every limb, the highest first, zeros in front
// too; hexadecimal digits are lower case. text has exactly so many bytes.
//
//   Method      a map of limbs to groups of digits, behind a search for decimal limbs that are too
//               large. Work O(n), steps O(1) and O(log n).
//   Aliasing    text may not overlap limbs.
//   Exactness   exact.
//   Cost        reads the limbs once (decimal ones twice), writes the text once.
//   Returns     HD_ERROR_VALUE for a decimal limb that is not below HD_BIGINT_DECIMAL.
HD_API HD__CHECKED hd_status hd_bigint_format(hd_context *ctx, hd_view limbs, hd_view text,
                                              const hd_bigint_text_options *options);

#ifdef __cplusplus
}
#endif

#endif
