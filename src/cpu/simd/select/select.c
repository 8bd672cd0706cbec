// SPDX-License-Identifier: Apache-2.0
// Selecting elements, packing, repeating and distributing them: the table of one
// instruction set.
#include "cpu/runtime/tuning.h"
#include "cpu/select/select_kernels.h"
#include "pack_words.h"

// ---- Which elements are selected: not zero, or not equal to the one before ----------------------

// -0 is zero: the sign is shifted out. NaN is not.
#define IS_SET(x)       (*(x) != 0)
#define IS_SET_FLOAT(x) ((T)(*(x) << 1) != 0)
#define DIFFERS(x)      (*(x) != (x)[-1])
#define DIFFERS_BOOL(x) ((*(x) != 0) != ((x)[-1] != 0))
// As floats compare: both zeros are equal, a NaN differs from everything.
#define DIFFERS_HALF(x, INFINITE)                                                                  \
    ((*(x) != (x)[-1] && (uint16_t)((*(x) | (x)[-1]) << 1) != 0) ||                                \
     (uint16_t)(*(x) << 1) > 2 * (INFINITE))
#define DIFFERS_F16(x)  DIFFERS_HALF(x, 0x7c00)
#define DIFFERS_BF16(x) DIFFERS_HALF(x, 0x7f80)

#define WORD_OF(name)  WORD_OF_(name)
#define WORD_OF_(name) name##_word

#define T             uint8_t
#define NAME          nonzero_8
#define CHOOSES(x)    IS_SET(x)
#define CHOOSES_64(x) bits_of(x)
#include "select_one.inc"
#define T          uint16_t
#define NAME       nonzero_16
#define CHOOSES(x) IS_SET(x)
#include "select_one.inc"
#define T          uint32_t
#define NAME       nonzero_32
#define CHOOSES(x) IS_SET(x)
#include "select_one.inc"
#define T          uint64_t
#define NAME       nonzero_64
#define CHOOSES(x) IS_SET(x)
#include "select_one.inc"
#define T          uint16_t
#define NAME       nonzero_half
#define CHOOSES(x) IS_SET_FLOAT(x)
#include "select_one.inc"
#define T          uint32_t
#define NAME       nonzero_f32
#define CHOOSES(x) IS_SET_FLOAT(x)
#include "select_one.inc"
#define T          uint64_t
#define NAME       nonzero_f64
#define CHOOSES(x) IS_SET_FLOAT(x)
#include "select_one.inc"

#define T          uint8_t
#define NAME       heads_8
#define CHOOSES(x) DIFFERS(x)
#include "select_one.inc"
#define T          uint16_t
#define NAME       heads_16
#define CHOOSES(x) DIFFERS(x)
#include "select_one.inc"
#define T          uint32_t
#define NAME       heads_32
#define CHOOSES(x) DIFFERS(x)
#ifdef HAS_CHANGES
#define CHOOSES_64(x) changes_u32(x)
#endif
#include "select_one.inc"
#define T          uint64_t
#define NAME       heads_64
#define CHOOSES(x) DIFFERS(x)
#include "select_one.inc"
#define T          uint8_t
#define NAME       heads_bool
#define CHOOSES(x) DIFFERS_BOOL(x)
#include "select_one.inc"
#define T          uint16_t
#define NAME       heads_f16
#define CHOOSES(x) DIFFERS_F16(x)
#include "select_one.inc"
#define T          uint16_t
#define NAME       heads_bf16
#define CHOOSES(x) DIFFERS_BF16(x)
#include "select_one.inc"
#define T          float
#define NAME       heads_f32
#define CHOOSES(x) DIFFERS(x)
#ifdef HAS_CHANGES
#define CHOOSES_64(x) changes_f32(x)
#endif
#include "select_one.inc"
#define T          double
#define NAME       heads_f64
#define CHOOSES(x) DIFFERS(x)
#include "select_one.inc"

static int64_t count_bits(const uint64_t *bits, int64_t words)
{
    int64_t count = 0;
    for (int64_t k = 0; k < words; k++) count += __builtin_popcountll(bits[k]);
    return count;
}

// ---- Moving them -------------------------------------------------------------------------------

#define T           uint8_t
#define SIZED(name) name##_1
#include "pack.inc"
#define T           uint16_t
#define SIZED(name) name##_2
#include "pack.inc"
#define T           uint32_t
#define SIZED(name) name##_4
#include "pack.inc"
#define T           uint64_t
#define SIZED(name) name##_8
#include "pack.inc"

// The numbers of the selected ones, as pack.inc does it.
static void put_positions(uint32_t *out, const uint64_t *bits, int64_t n, int64_t room)
{
    const uint64_t last = (uint64_t)1 << 63;
    uint32_t *o = out, *const end = o + room, base = 0;
    for (; n > 0; n -= 64, base += 64) {
        uint64_t m = *bits++;
        const sums s = sums_of(m);
        const int64_t count = (int64_t)(s.bytes >> 56);
        if (n < 64 || end - o < 64) {
            for (; m != 0 && o < end; m &= m - 1) *o++ = base + (uint32_t)__builtin_ctzll(m);
            continue;
        }
        if (count <= 4)
            for (int k = 0; k < 4; k++, m &= m - 1)
                o[k] = base + (uint32_t)__builtin_ctzll(m | last);
        else
            places_64(o, base, m, s);
        o += count;
    }
}

#define OF_SIZES(name)                                                                             \
    {                                                                                              \
        name##_1, name##_2, name##_4, name##_8                                                     \
    }

extern const hd__cpu_select_kernels HD__NAME(select_micro);
const hd__cpu_select_kernels HD__NAME(select_micro) = {
    .nonzero = {[HD_I8] = nonzero_8,
                [HD_I16] = nonzero_16,
                [HD_I32] = nonzero_32,
                [HD_I64] = nonzero_64,
                [HD_U8] = nonzero_8,
                [HD_U16] = nonzero_16,
                [HD_U32] = nonzero_32,
                [HD_U64] = nonzero_64,
                [HD_F16] = nonzero_half,
                [HD_BF16] = nonzero_half,
                [HD_F32] = nonzero_f32,
                [HD_F64] = nonzero_f64,
                [HD_BOOL] = nonzero_8},
    .heads = {[HD_I8] = heads_8,
              [HD_I16] = heads_16,
              [HD_I32] = heads_32,
              [HD_I64] = heads_64,
              [HD_U8] = heads_8,
              [HD_U16] = heads_16,
              [HD_U32] = heads_32,
              [HD_U64] = heads_64,
              [HD_F16] = heads_f16,
              [HD_BF16] = heads_bf16,
              [HD_F32] = heads_f32,
              [HD_F64] = heads_f64,
              [HD_BOOL] = heads_bool},
    .count = count_bits,
    .positions = put_positions,
    .pack = OF_SIZES(pack),
    .repeat = OF_SIZES(repeat),
    .distribute = OF_SIZES(distribute),
};
