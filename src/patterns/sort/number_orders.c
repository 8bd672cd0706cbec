// SPDX-License-Identifier: Apache-2.0
// The order of every number type, written with the macro users write theirs with: of integers here,
// of floats in float_orders.c.
#include "comparisons.h"

#define INTEGERS(X)                                                                                \
    X(i8, HD_I8, int8_t)                                                                           \
    X(i16, HD_I16, int16_t)                                                                        \
    X(i32, HD_I32, int32_t)                                                                        \
    X(i64, HD_I64, int64_t)                                                                        \
    X(u8, HD_U8, uint8_t)                                                                          \
    X(u16, HD_U16, uint16_t)                                                                       \
    X(u32, HD_U32, uint32_t)                                                                       \
    X(u64, HD_U64, uint64_t)

#define BEFORE(name, id, T)                                                                        \
    HD_COMPARISON(name##_up, T, HD_NO_SOURCE, { return a < b; })                                   \
    HD_COMPARISON(name##_down, T, HD_NO_SOURCE, { return a > b; })
INTEGERS(BEFORE)

// Any byte but 0 is true.
HD_COMPARISON(bool_up, uint8_t, HD_NO_SOURCE, { return (a != 0) < (b != 0); })
HD_COMPARISON(bool_down, uint8_t, HD_NO_SOURCE, { return (a != 0) > (b != 0); })

#define UP(name, id, T)   [id] = name##_up,
#define DOWN(name, id, T) [id] = name##_down,
static const hd_comparison *const orders[2][HD_TYPE_KINDS] = {
    {INTEGERS(UP)[HD_BOOL] = bool_up},
    {INTEGERS(DOWN)[HD_BOOL] = bool_down},
};

const hd_comparison *hd__number_order(hd_type type, bool descending)
{
    const hd_comparison *order = orders[descending][type];
    return order != NULL ? order : hd__float_orders[descending][type];
}
