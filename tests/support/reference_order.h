// SPDX-License-Identifier: Apache-2.0
//
// Order written a second time: numbers compared by value, NaN last, -0 before +0, and a stable
// order of indices by qsort. It shares nothing with the library.
#ifndef HEDDLE_TESTS_SUPPORT_REFERENCE_ORDER_H
#define HEDDLE_TESTS_SUPPORT_REFERENCE_ORDER_H

#include <heddle.h>

// Below 0, 0, above 0: a before, with, behind b. The argument is a ref_numbers of a number's type.
typedef int ref_compare(const void *a, const void *b, const void *argument);

typedef struct ref_numbers {
    hd_type type;
    bool descending;
} ref_numbers;
ref_compare ref_compare_numbers;

// index[0 .. n - 1] = the stable order of n elements of a size.
void ref_order(const void *elements, size_t size, int64_t n, ref_compare *compare,
               const void *argument, int64_t *index);

#endif
