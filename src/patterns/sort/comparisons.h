// SPDX-License-Identifier: Apache-2.0
// Orders: the built-in one of every number type, in both directions, and the checks that calls
// which take a comparison share.
#ifndef HEDDLE_PATTERNS_SORT_COMPARISONS_H
#define HEDDLE_PATTERNS_SORT_COMPARISONS_H

#include "core/backend.h"

// Numbers by value, NaN last, -0 before +0 (descending: after it). The type is a number's.
const hd_comparison *hd__number_order(hd_type type, bool descending);
// Of floats; NULL for other types (float_orders.c).
extern const hd_comparison *const hd__float_orders[2][HD_TYPE_KINDS];

// Refuses what is no comparison of elements of this type.
hd_status hd__check_comparison(hd_context *ctx, const char *call, const hd_comparison *c,
                               hd_type type);

// Refuses a comparison of keys where there are none, or of another type; NULL is fine.
hd_status hd__check_key_order(hd_context *ctx, const char *call, const hd_view *keys,
                              const hd_comparison *comparison);

// The order a call works in: the user's, which must be of the type and is turned round where
// *backwards, or the numbers' own.
hd_status hd__select_order(hd_context *ctx, const char *call, const hd_comparison *requested,
                           hd_type type, bool descending, const hd_comparison **order,
                           bool *backwards);

// Whether the element at a comes before the one at b.
static inline bool hd__comes_before(const hd_comparison *order, bool backwards, const void *a,
                                    const void *b)
{
    return backwards ? hd__precedes(order, b, a) : hd__precedes(order, a, b);
}

// HD_ERROR_VALUE if the elements of a row of a view (rows last) are not in order: names the first
// position.
typedef struct hd__ordered_rows {
    const hd_comparison *order;
    bool backwards;
    int64_t rows;
} hd__ordered_rows;
hd_status hd__check_order(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                          int64_t length, const hd__ordered_rows *rows);

// Refuses a view that cannot receive n positions below `limit`: i32, u32, i64 or u64.
hd_status hd__check_positions(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                              int64_t limit);

// Writes n positions at element `start` of a view of such a type. scratch: room for n of them.
void hd__put_positions(const hd_view *v, int64_t start, int64_t n, const int64_t *positions,
                       void *scratch);

#endif
