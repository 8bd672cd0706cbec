// SPDX-License-Identifier: Apache-2.0
// The exact sum: a superaccumulator of as many limbs as the exponents of the type need [U. Kulisch,
// "Very fast and exact accumulation of products", Computing 91 (2011)]. One text for every backend;
// what is faster on one of them gives the same nodes.
#include "builtin.h"
#include "core/convert.h"

#define EXACT (HD_ASSOCIATIVE | HD_COMMUTATIVE | HD_EXACT)

HD_SOURCE(
    limbs_source,
    // limb = magnitude * 2^at, or less than nothing of it; bits below limb 0 are zeros.
    static inline void hd__limbs_set(uint64_t *limb, int words, uint64_t magnitude, int at,
                                     bool negative) {
        uint64_t carry = negative;
        for (int k = 0; k < words; k++) {
            const int shift = at - 64 * k;
            uint64_t x = 0;
            if (shift >= 0 && shift < 64) x = magnitude << shift;
            if (shift < 0 && shift > -64) x = magnitude >> -shift;
            limb[k] = (negative ? ~x : x) + carry;
            carry = carry && limb[k] == 0;
        }
    }

    // A double whose bits are all above 2^base. The flags are those of builtin.h.
    static inline uint64_t hd__limbs_set_float(uint64_t *limb, int words, int base, double x) {
        union {
            double d;
            uint64_t u;
        } bits;
        bits.d = x;
        const int exponent = (int)(bits.u >> 52 & 0x7ff);
        const uint64_t fraction = bits.u << 12 >> 12;
        const bool negative = bits.u >> 63 != 0;
        const uint64_t magnitude = exponent > 0 ? fraction | (uint64_t)1 << 52 : fraction;
        const int at = (exponent > 0 ? exponent - 1 : 0) - 1074 - base;
        hd__limbs_set(limb, words, exponent == 0x7ff ? 0 : magnitude, at, negative);
        if (exponent == 0x7ff) return 8 | (fraction != 0 ? 1 : negative ? 4 : 2);
        return bits.u != (uint64_t)1 << 63 ? 8 : 0;
    }

    static inline uint64_t hd__limbs_set_whole(uint64_t *limb, int words, int base,
                                               uint64_t magnitude, bool negative) {
        hd__limbs_set(limb, words, magnitude, -base, negative);
        return 8;
    }

    // The number nearest to limb * 2^base, ties to even; or (odd) the one next to it towards zero
    // whose last bit says whether anything was cut off: rounding that to a narrower type is
    // rounding once.
    static inline double hd__limbs_round(const uint64_t *limb, int words, int base, uint64_t flags,
                                         bool odd) {
        union {
            uint64_t u;
            double d;
        } x;
        const bool negative = limb[words - 1] >> 63 != 0;
        uint64_t carry = negative;
        uint64_t top = 0, next = 0,
                 rest = 0; // the first limb that is not zero, the one below, others
        uint64_t last = 0, below = 0;
        int at = 0, shift = 0;
        for (int k = 0; k < words; k++) {
            const uint64_t y = (negative ? ~limb[k] : limb[k]) + carry;
            carry = carry && y == 0;
            if (y != 0) {
                top = y;
                next = last;
                rest = below;
                at = k;
            }
            below |= last;
            last = y;
        }
        x.u = 0x7ff8000000000000u;
        if ((flags & 1) != 0 || (flags & 6) == 6) return x.d;
        x.u = flags & 2 ? 0x7ff0000000000000u : 0xfff0000000000000u;
        if ((flags & 6) != 0) return x.d;
        x.u = flags & 8 ? 0 : (uint64_t)1 << 63;
        if (top == 0) return x.d;
        for (int s = 32; s > 0; s /= 2)
            if (top >> (64 - s) == 0) {
                top <<= s;
                shift += s;
            }
        if (shift > 0) {
            top |= next >> (64 - shift);
            next <<= shift;
        }
        rest |= next;
        const int exponent = 64 * at + 63 - shift + base; // of the first bit
        const int drop = exponent >= -1022 ? 11 : 11 - 1022 - exponent;
        const uint64_t cut = top << (64 - drop);
        uint64_t m = top >> drop;
        if (odd)
            m |= (cut | rest) != 0;
        else if (cut >> 63 != 0 && ((cut << 1 | rest) != 0 || (m & 1) != 0))
            m++;
        x.u = (exponent >= -1022 ? (uint64_t)(exponent + 1022) << 52 : 0) + m;
        if (exponent > 1023) x.u = 0x7ff0000000000000u;
        if (negative) x.u |= (uint64_t)1 << 63;
        return x.d;
    })

#define LIMBS(name, T, words)                                                                      \
    HD_MONOID(name, T, limbs_source, EXACT, HD_BRACES({0}, 0), {                                   \
        uint64_t carry = 0;                                                                        \
        for (int k = 0; k < words; k++) {                                                          \
            const uint64_t x = a.limb[k] + b.limb[k];                                              \
            const uint64_t y = x + carry;                                                          \
            carry = (x < a.limb[k]) | (y < x);                                                     \
            a.limb[k] = y;                                                                         \
        }                                                                                          \
        a.flags |= b.flags;                                                                        \
        return a;                                                                                  \
    })

LIMBS(limbs_narrow, hd__limbs_narrow, 6)
LIMBS(limbs_wide, hd__limbs_wide, 34)

const hd_operator *hd__builtin_limbs(hd_type number)
{
    return number == HD_F64 ? limbs_wide : limbs_narrow;
}

// ---- Elements and outputs -----------------------------------------------------------------------

#define BLOCK       64
#define NARROW_BASE (-149)
#define WIDE_BASE   (-1074)

// One element, widened to 64 bits without loss: a double, or an integer of its signedness.
static void set(bool wide, hd_type widened, uint64_t bits, void *node)
{
    hd__limbs_narrow *narrow_node = node;
    hd__limbs_wide *wide_node = node;
    uint64_t *limb = wide ? wide_node->limb : narrow_node->limb;
    const int words = wide ? HD__WIDE_LIMBS : HD__NARROW_LIMBS;
    const int base = wide ? WIDE_BASE : NARROW_BASE;
    uint64_t flags;
    if (widened == HD_F64) {
        double x;
        memcpy(&x, &bits, sizeof x);
        flags = hd__limbs_set_float(limb, words, base, x);
    } else {
        const bool negative = widened == HD_I64 && bits >> 63 != 0;
        flags = hd__limbs_set_whole(limb, words, base, negative ? 0 - bits : bits, negative);
    }
    limb[words] = flags; // the member after the limbs
}

void hd__limbs_load(hd_type number, hd_type element, const void *elements, int64_t n, void *nodes)
{
    const bool wide = number == HD_F64;
    const size_t size = wide ? sizeof(hd__limbs_wide) : sizeof(hd__limbs_narrow);
    const hd_type widened = hd__is_float(element)                ? HD_F64
                            : hd__kind_of(element) == HD__SIGNED ? HD_I64
                                                                 : HD_U64;
    uint64_t bits[BLOCK];
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        hd__convert(widened, bits, element,
                    (const char *)elements + (size_t)at * hd__size_of(element), m);
        for (int64_t i = 0; i < m; i++)
            set(wide, widened, bits[i], (char *)nodes + (size_t)(at + i) * size);
    }
}

// Wide nodes give f64 only; narrow ones less than that, rounded once.
void hd__limbs_finalize(hd_type number, const void *nodes, int64_t n, hd_type out, void *results)
{
    const hd__limbs_narrow *narrow_node = nodes;
    const hd__limbs_wide *wide_node = nodes;
    for (int64_t i = 0; i < n; i++) {
        const double x = number == HD_F64
                             ? hd__limbs_round(wide_node[i].limb, HD__WIDE_LIMBS, WIDE_BASE,
                                               wide_node[i].flags, false)
                             : hd__limbs_round(narrow_node[i].limb, HD__NARROW_LIMBS, NARROW_BASE,
                                               narrow_node[i].flags, true);
        hd__convert(out, (char *)results + (size_t)i * hd__size_of(out), HD_F64, &x, 1);
    }
}
