// SPDX-License-Identifier: Apache-2.0
// The loops of the set operations. Numbers are compared without branches: no predictor guesses
// which of two heads is the lesser. Floats are compared as the integers of number_orders.c.
#include "set.h"

#include <string.h>

#define AS_IT_IS(x, nan) (x)
#define IS_TRUE(x, nan)  ((x) != 0)
#define OF_FLOAT(x, nan, S, MAX, INFINITE)                                                         \
    ((S)((x) & (MAX)) > (INFINITE) ? (nan) : (S)((x) ^ ((x) < 0 ? (MAX) : 0)))

#define T     int8_t
#define NAME  i8
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "set_loop.inc"
#define T     int16_t
#define NAME  i16
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "set_loop.inc"
#define T     int32_t
#define NAME  i32
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "set_loop.inc"
#define T     int64_t
#define NAME  i64
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "set_loop.inc"
#define T     uint8_t
#define NAME  u8
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "set_loop.inc"
#define T     uint16_t
#define NAME  u16
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "set_loop.inc"
#define T     uint32_t
#define NAME  u32
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "set_loop.inc"
#define T     uint64_t
#define NAME  u64
#define KEY   AS_IT_IS
#define LAST  0
#define FIRST 0
#include "set_loop.inc"
#define T     uint8_t
#define NAME  truth
#define KEY   IS_TRUE
#define LAST  0
#define FIRST 0
#include "set_loop.inc"
#define T           int16_t
#define NAME        f16
#define KEY(x, nan) OF_FLOAT(x, nan, int16_t, INT16_MAX, 0x7c00)
#define LAST        INT16_MAX
#define FIRST       INT16_MIN
#include "set_loop.inc"
#define T           int16_t
#define NAME        bf16
#define KEY(x, nan) OF_FLOAT(x, nan, int16_t, INT16_MAX, 0x7f80)
#define LAST        INT16_MAX
#define FIRST       INT16_MIN
#include "set_loop.inc"
#define T           int32_t
#define NAME        f32
#define KEY(x, nan) OF_FLOAT(x, nan, int32_t, INT32_MAX, 0x7f800000)
#define LAST        INT32_MAX
#define FIRST       INT32_MIN
#include "set_loop.inc"
#define T           int64_t
#define NAME        f64
#define KEY(x, nan) OF_FLOAT(x, nan, int64_t, INT64_MAX, 0x7ff0000000000000)
#define LAST        INT64_MAX
#define FIRST       INT64_MIN
#include "set_loop.inc"

// A user's comparison of elements of any size.
static int64_t by_comparison(const hd__set_job *job, const void *a, const void *b,
                             hd__cpu_set_cursor *c, void *out, int64_t *index, int64_t room)
{
    const size_t size = job->order->elements.size;
    int64_t count = 0;
    while (c->i < c->i_end && c->j < c->j_end && count < room) {
        const char *x = (const char *)a + (size_t)c->i * size,
                   *y = (const char *)b + (size_t)c->j * size;
        const bool a_alone = hd__comes_before(job->order, job->backwards, x, y);
        const bool b_alone = !a_alone && hd__comes_before(job->order, job->backwards, y, x);
        memcpy((char *)out + (size_t)count * size, b_alone ? y : x, size);
        if (index != NULL) index[count] = b_alone ? job->na + c->j : c->i;
        count += a_alone ? job->keep_a : b_alone ? job->keep_b : job->keep_pairs;
        c->i += !b_alone;
        c->j += !a_alone;
    }
    return count;
}

#define up_bool   up_truth
#define down_bool down_truth

static hd__cpu_set_loop *const loops[2][HD_TYPE_KINDS] = {
    {
#define X(name, id, T, kind) [id] = up_##name,
#include "core/types.def"
#undef X
    },
    {
#define X(name, id, T, kind) [id] = down_##name,
#include "core/types.def"
#undef X
    },
};

hd__cpu_set_loop *hd__cpu_set_loop_of(const hd__set_job *job)
{
    return job->numbers ? loops[job->descending][job->a.type] : by_comparison;
}
