// SPDX-License-Identifier: Apache-2.0
//
// What the files with the calls of every_call.h are written in: RUN begins the function of a call,
// ROW, ZEROS and PLANE are slots.
#ifndef HEDDLE_TESTS_SUPPORT_EVERY_CALL_ROWS_H
#define HEDDLE_TESTS_SUPPORT_EVERY_CALL_ROWS_H

#include "tests/support/every_call/every_call.h"

extern const every_call every_order_calls[]; // the order family; ends with a name of NULL

#define RUN(name) static hd_status name(hd_context *ctx, const hd_view *v, int64_t *number)

// What a call gives as a number, or nothing.
static inline hd_view one(int64_t *number)
{
    return number != NULL ? HD_VIEW(number, 1) : HD_EMPTY;
}

#define ROW(name, type, n)                                                                         \
    {                                                                                              \
        name, type, 1, {n, 0}, false                                                               \
    }
#define ZEROS(name, type, n)                                                                       \
    {                                                                                              \
        name, type, 1, {n, 0}, true                                                                \
    }
#define PLANE(name, type, h, w)                                                                    \
    {                                                                                              \
        name, type, 2, {h, w}, false                                                               \
    }

#endif
