// SPDX-License-Identifier: Apache-2.0
//
// Views of a given shape whose axes lie in memory in any order, with gaps and backwards, and their
// elements in row-major order.
#ifndef HEDDLE_TESTS_SUPPORT_RANDOM_VIEW_H
#define HEDDLE_TESTS_SUPPORT_RANDOM_VIEW_H

#include <heddle.h>

typedef struct random_view {
    hd_view view;
    void *memory;
    size_t bytes;
} random_view;

// plain: without gaps, in row-major order. Every byte is 0xa5.
random_view random_view_new(hd_type type, int32_t ndim, const int64_t *shape, bool plain,
                            uint64_t *state);
void random_view_free(random_view *r);

// All elements of a host view from, or to, a contiguous array in row-major order.
void random_view_put(const hd_view *v, const void *from);
void random_view_get(const hd_view *v, void *to);

#endif
