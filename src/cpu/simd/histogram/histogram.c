// SPDX-License-Identifier: Apache-2.0
// Histograms for one instruction set: bins of integers and floats, search among edges.
#include "histogram.h"

#define PASTED_(a, b) a##_##b
#define PASTED(a, b)  PASTED_(a, b)

// ---- Integers ---------------------------------------------------------------------------------

#define T    int8_t
#define W    int32_t
#define UW   uint32_t
#define NAME i8
#include "histogram_integers.inc"
#define T    int16_t
#define W    int32_t
#define UW   uint32_t
#define NAME i16
#include "histogram_integers.inc"
#define T    int32_t
#define W    int32_t
#define UW   uint32_t
#define NAME i32
#include "histogram_integers.inc"
#define T    int64_t
#define W    int64_t
#define UW   uint64_t
#define NAME i64
#include "histogram_integers.inc"
#define T    uint8_t
#define W    int32_t
#define UW   uint32_t
#define NAME u8
#include "histogram_integers.inc"
#define T    uint16_t
#define W    int32_t
#define UW   uint32_t
#define NAME u16
#include "histogram_integers.inc"
#define T    uint32_t
#define W    uint32_t
#define UW   uint32_t
#define NAME u32
#include "histogram_integers.inc"
#define T    uint64_t
#define W    uint64_t
#define UW   uint64_t
#define NAME u64
#include "histogram_integers.inc"

// ---- Even bins --------------------------------------------------------------------------------

// Added to a number of up to 51 bits and taken away again it rounds it to a whole one.
#define TO_WHOLE 0x1.8p52

// Four values at a time; returns how many are done. Where values outside are clamped the plain loop
// serves. Below lower the place is negative, or 0 with lower itself as the edge that is not
// reached, and narrowing saturates, so that as unsigned numbers they are above every bin; NaN, and
// what is above upper, is set to all ones.
#if defined(__ARM_NEON)
typedef struct even_constants {
    float64x2_t lower, scale, step, upper;
    uint32x4_t last, none;
} even_constants;

INLINE even_constants constants_of(const hd__bins *b)
{
    const even_constants c = {vdupq_n_f64(b->lower),
                              vdupq_n_f64(b->scale),
                              vdupq_n_f64(b->step),
                              vdupq_n_f64(b->upper),
                              vdupq_n_u32((uint32_t)b->count - 1),
                              vdupq_n_u32((uint32_t)b->count)};
    return c;
}

// The nearest edge's number, and one less where that edge is not reached: comparing gives -1.
INLINE int64x2_t position(float64x2_t x, const even_constants *c)
{
    const float64x2_t k = vrndnq_f64(vmulq_f64(vsubq_f64(x, c->lower), c->scale));
    const float64x2_t edge = vaddq_f64(vmulq_f64(k, c->step), c->lower);
    return vqaddq_s64(vcvtq_s64_f64(k), vreinterpretq_s64_u64(vcltq_f64(x, edge)));
}

INLINE void store_even(float64x2_t x, float64x2_t y, const even_constants *c, uint32_t *to)
{
    const int32x4_t at = vqmovn_high_s64(vqmovn_s64(position(x, c)), position(y, c));
    const int32x4_t most = vminq_s32(at, vreinterpretq_s32_u32(c->last));
    const uint32x4_t inside = vuzp1q_u32(vreinterpretq_u32_u64(vcleq_f64(x, c->upper)),
                                         vreinterpretq_u32_u64(vcleq_f64(y, c->upper)));
    vst1q_u32(to, vminq_u32(vornq_u32(vreinterpretq_u32_s32(most), inside), c->none));
}

INLINE void four_f32(const float *v, const even_constants *c, uint32_t *to)
{
    const float32x4_t x = vld1q_f32(v);
    store_even(vcvt_f64_f32(vget_low_f32(x)), vcvt_high_f64_f32(x), c, to);
}

INLINE void four_f64(const double *v, const even_constants *c, uint32_t *to)
{
    store_even(vld1q_f64(v), vld1q_f64(v + 2), c, to);
}

static int64_t even_vectors_f32(const hd__bins *b, const float *v, int64_t n, uint32_t *to)
{
    const even_constants c = constants_of(b);
    int64_t i = 0;
    for (; !b->clamp && i + 4 <= n; i += 4) four_f32(v + i, &c, to + i);
    return i;
}

static int64_t even_vectors_f64(const hd__bins *b, const double *v, int64_t n, uint32_t *to)
{
    const even_constants c = constants_of(b);
    int64_t i = 0;
    for (; !b->clamp && i + 4 <= n; i += 4) four_f64(v + i, &c, to + i);
    return i;
}

// Bins of one group are found while those of the group before it are counted: the one is work for
// the vector units, the other for loads and stores. Returns how many values are counted.
#define GROUP 16
static int64_t count_even_vectors(hd__cpu_counter_tables *t, const hd__bins *b, const float *v,
                                  int64_t n)
{
    const even_constants c = constants_of(b);
    const int64_t whole = n / GROUP * GROUP;
    uint32_t bin[2][GROUP];
    uint32_t *t0 = t->wide, *t1 = t0 + t->step, *t2 = t1 + t->step, *t3 = t2 + t->step;
    if (b->clamp || whole == 0) return 0;
    for (int j = 0; j < GROUP; j += 4) four_f32(v + j, &c, bin[0] + j);
    for (int64_t i = 0; i < whole; i += GROUP) {
        const uint32_t *k = bin[i / GROUP % 2];
        uint32_t *next = bin[(i / GROUP + 1) % 2];
        const float *ahead = v + (i + GROUP < whole ? i + GROUP : i);
        for (int j = 0; j < GROUP; j += 4) {
            four_f32(ahead + j, &c, next + j);
            t0[k[j]]++, t1[k[j + 1]]++, t2[k[j + 2]]++, t3[k[j + 3]]++;
        }
    }
    return whole;
}
#else
#define even_vectors_f32(b, v, n, to)  0
#define even_vectors_f64(b, v, n, to)  0
#define count_even_vectors(t, b, v, n) 0
#endif

#define T    float
#define NAME f32
#include "histogram_crowded.inc"
#define T    double
#define NAME f64
#include "histogram_crowded.inc"

#define T            float
#define NAME         f32
#define EVEN_VECTORS even_vectors_f32
#include "histogram_even.inc"
#define T            double
#define NAME         f64
#define EVEN_VECTORS even_vectors_f64
#include "histogram_even.inc"

static void count_even_f32(hd__cpu_counter_tables *t, const hd__bins *b, const float *v, int64_t n)
{
    uint32_t bin[256];
    for (int64_t i = b->crowded ? 0 : count_even_vectors(t, b, v, n); i < n; i += 256) {
        const int64_t m = n - i < 256 ? n - i : 256;
        even_f32(b, v + i, m, bin);
        HD__NAME(count_small)(t, bin, m);
    }
}

// ---- Edges ------------------------------------------------------------------------------------

#define SIDE 8

#define T     double
#define EDGES f
#define NAME  f64
#include "histogram_edges.inc"
#define T     int64_t
#define EDGES i
#define NAME  i64
#include "histogram_edges.inc"

const hd__cpu_histogram_kernels HD__NAME(histogram_kernels) = {
    .integers =
        {
            [HD_I8] = integers_i8,
            [HD_I16] = integers_i16,
            [HD_I32] = integers_i32,
            [HD_I64] = integers_i64,
            [HD_U8] = integers_u8,
            [HD_U16] = integers_u16,
            [HD_U32] = integers_u32,
            [HD_U64] = integers_u64,
        },
    .even_f32 = even_f32,
    .even_f64 = even_f64,
    .edges_f64 = edges_f64,
    .edges_i64 = edges_i64,
    .count_even_f32 = count_even_f32,
    .count_small = HD__NAME(count_small),
    .count_many = HD__NAME(count_many),
    .count_bytes = HD__NAME(count_bytes),
    .count_words = HD__NAME(count_words),
};
