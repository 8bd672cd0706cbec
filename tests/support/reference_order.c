// SPDX-License-Identifier: Apache-2.0
//
// The order of numbers, and indices sorted by it.
#define _GNU_SOURCE // qsort_r
#include "reference_order.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "reference.h"

static int by_float(double x, double y, bool descending)
{
    if (isnan(x) || isnan(y)) return (isnan(x) != 0) - (isnan(y) != 0);
    int answer = (x > y) - (x < y);
    if (answer == 0 && x == 0) answer = (signbit(y) != 0) - (signbit(x) != 0);
    return descending ? -answer : answer;
}

int ref_compare_numbers(const void *a, const void *b, const void *argument)
{
    const ref_numbers *n = argument;
    if (check_is_float(n->type))
        return by_float(ref_to_double(n->type, a), ref_to_double(n->type, b), n->descending);
    const uint64_t x = ref_to_whole(n->type, a), y = ref_to_whole(n->type, b);
    const uint64_t turn = check_is_signed(n->type) ? (uint64_t)1 << 63 : 0;
    const int answer = ((x ^ turn) > (y ^ turn)) - ((x ^ turn) < (y ^ turn));
    return n->descending ? -answer : answer;
}

typedef struct sorting {
    const char *elements;
    size_t size;
    ref_compare *compare;
    const void *argument;
} sorting;

static int by_index(const void *a, const void *b, void *any)
{
    const sorting *s = any;
    const int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    const int answer = s->compare(s->elements + (size_t)i * s->size,
                                  s->elements + (size_t)j * s->size, s->argument);
    return answer != 0 ? answer : (i > j) - (i < j);
}

void ref_order(const void *elements, size_t size, int64_t n, ref_compare *compare,
               const void *argument, int64_t *index)
{
    sorting s = {elements, size, compare, argument};
    for (int64_t i = 0; i < n; i++) index[i] = i;
    qsort_r(index, (size_t)n, sizeof *index, by_index, &s);
}
