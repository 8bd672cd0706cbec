// SPDX-License-Identifier: Apache-2.0
// The order of every float type. Floats are compared as integers that have their order: all bits
// but the sign turned over where it is set; NaN is beyond everything.

// All searches in a row: the integers of the queries are found once for all halvings.
#define HD__SEARCH_STEP 16
#include "comparisons.h"

// The integer of a float's bits that has its order; `nan` for NaN.
static inline int16_t key16(int16_t bits, int16_t infinity, int16_t nan)
{
    const int16_t magnitude = (int16_t)(bits & INT16_MAX);
    return magnitude > infinity ? nan : (int16_t)(bits ^ (bits < 0 ? INT16_MAX : 0));
}

static inline int32_t key32(int32_t bits, int32_t nan)
{
    return (bits & INT32_MAX) > 0x7f800000 ? nan : bits ^ (bits < 0 ? INT32_MAX : 0);
}

static inline int64_t key64(int64_t bits, int64_t nan)
{
    return (bits & INT64_MAX) > 0x7ff0000000000000 ? nan : bits ^ (bits < 0 ? INT64_MAX : 0);
}

#define F16_INFINITY  0x7c00
#define BF16_INFINITY 0x7f80

HD_COMPARISON(f16_up, int16_t, HD_NO_SOURCE,
              { return key16(a, F16_INFINITY, INT16_MAX) < key16(b, F16_INFINITY, INT16_MAX); })
HD_COMPARISON(f16_down, int16_t, HD_NO_SOURCE,
              { return key16(a, F16_INFINITY, INT16_MIN) > key16(b, F16_INFINITY, INT16_MIN); })
HD_COMPARISON(bf16_up, int16_t, HD_NO_SOURCE,
              { return key16(a, BF16_INFINITY, INT16_MAX) < key16(b, BF16_INFINITY, INT16_MAX); })
HD_COMPARISON(bf16_down, int16_t, HD_NO_SOURCE,
              { return key16(a, BF16_INFINITY, INT16_MIN) > key16(b, BF16_INFINITY, INT16_MIN); })
HD_COMPARISON(f32_up, int32_t, HD_NO_SOURCE, { return key32(a, INT32_MAX) < key32(b, INT32_MAX); })
HD_COMPARISON(f32_down, int32_t, HD_NO_SOURCE,
              { return key32(a, INT32_MIN) > key32(b, INT32_MIN); })
HD_COMPARISON(f64_up, int64_t, HD_NO_SOURCE, { return key64(a, INT64_MAX) < key64(b, INT64_MAX); })
HD_COMPARISON(f64_down, int64_t, HD_NO_SOURCE,
              { return key64(a, INT64_MIN) > key64(b, INT64_MIN); })

const hd_comparison *const hd__float_orders[2][HD_TYPE_KINDS] = {
    {[HD_F16] = f16_up, [HD_BF16] = bf16_up, [HD_F32] = f32_up, [HD_F64] = f64_up},
    {[HD_F16] = f16_down, [HD_BF16] = bf16_down, [HD_F32] = f32_down, [HD_F64] = f64_down},
};
