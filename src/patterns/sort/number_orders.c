// SPDX-License-Identifier: Apache-2.0
// The order of every number type, written with the macro users write theirs with. Floats are
// compared as integers that have their order: all bits but the sign turned over where it is set;
// NaN is beyond everything.
#include "comparisons.h"

#define BEFORE(name, T)                                                                            \
    HD_COMPARISON(name##_up, T, HD_NO_SOURCE, { return a < b; })                                   \
    HD_COMPARISON(name##_down, T, HD_NO_SOURCE, { return a > b; })

BEFORE(i8, int8_t)
BEFORE(i16, int16_t)
BEFORE(i32, int32_t)
BEFORE(i64, int64_t)
BEFORE(u8, uint8_t)
BEFORE(u16, uint16_t)
BEFORE(u32, uint32_t)
BEFORE(u64, uint64_t)

// Any byte but 0 is true.
HD_COMPARISON(bool_up, uint8_t, HD_NO_SOURCE, { return (a != 0) < (b != 0); })
HD_COMPARISON(bool_down, uint8_t, HD_NO_SOURCE, { return (a != 0) > (b != 0); })

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

static const hd_comparison *const orders[2][HD_TYPE_KINDS] = {
    {
#define X(name, id, T, kind) [id] = name##_up,
#include "core/types.def"
#undef X
    },
    {
#define X(name, id, T, kind) [id] = name##_down,
#include "core/types.def"
#undef X
    },
};

const hd_comparison *hd__number_order(hd_type type, bool descending)
{
    return orders[descending][type];
}
