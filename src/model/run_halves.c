// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of f16 and bf16 and of pairs of them: in f32, which holds sums and products exactly
// enough that rounding once more gives what rounding once would; fma in double, rounded to odd.
#include "core/convert.h"
#include "model/lanes.h"
#include "model/numbers.h"
#include "model/run.h"

static float widen(bool brain, uint16_t h)
{
    return brain ? hd__bf16_to_f32(h) : hd__f16_to_f32(h);
}

static uint16_t narrow(bool brain, float x)
{
    return brain ? hd__f32_to_bf16(x) : hd__f32_to_f16(x);
}

// The exact sum of a product and a number, rounded once to 16 bits.
static uint16_t fused(bool brain, float a, float b, float c)
{
    const double product = (double)a * (double)b, sum = product + (double)c;
    const double part = sum - product, error = (product - (sum - part)) + ((double)c - part);
    double odd = sum;
    if (error != 0 && sum - sum == 0) { // towards the exact value, with the last bit set
        uint64_t bits = bits_of_f64(sum);
        if (!(bits & 1)) bits += (error > 0) == (sum > 0) ? 1 : (uint64_t)-1;
        odd = f64_of(bits);
    }
    return narrow(brain, hd__round_to_odd(odd));
}

static float lesser(float a, float b, bool nan)
{
    if (a != a || b != b) return nan || (a != a && b != b) ? NAN : a != a ? b : a;
    if (a == b) return signbit(a) ? a : b;
    return a < b ? a : b;
}

static uint16_t one(const operation *o, bool brain, uint16_t x, uint16_t y, uint16_t z)
{
    const float a = widen(brain, x), b = widen(brain, y), c = widen(brain, z);
    const bool nan = o->mode & 1;
    uint16_t r;
    switch (o->op) {
    case PTX_OP_add: r = narrow(brain, a + b); break;
    case PTX_OP_sub: r = narrow(brain, a - b); break;
    case PTX_OP_mul: r = narrow(brain, a * b); break;
    case PTX_OP_fma: r = fused(brain, a, b, c); break;
    case PTX_OP_min: r = narrow(brain, lesser(a, b, nan)); break;
    case PTX_OP_max: r = narrow(brain, -lesser(-a, -b, nan)); break;
    case PTX_OP_abs: return x & 0x7fff;
    case PTX_OP_neg: return x ^ 0x8000;
    case PTX_OP_ex2: r = narrow(brain, exp2f(a)); break;
    default: r = narrow(brain, tanhf(a)); break;
    }
    const float value = widen(brain, r);
    if (o->saturate) return narrow(brain, value > 0 ? (value < 1 ? value : 1) : 0);
    if (o->mode & 2) return value > 0 ? r : value != value ? r : 0; // .relu
    return r;
}

static void single(machine *m, const operation *o)
{
    const bool brain = o->type == PTX_BF16;
    EACH(uint32_t, uint32_t, one(o, brain, (uint16_t)A, (uint16_t)B, (uint16_t)C));
}

static void pair(machine *m, const operation *o)
{
    const bool brain = o->type == PTX_BF16X2;
    EACH(uint32_t, uint32_t,
         (uint32_t)one(o, brain, (uint16_t)(A >> 16), (uint16_t)(B >> 16), (uint16_t)(C >> 16))
                 << 16 |
             one(o, brain, (uint16_t)A, (uint16_t)B, (uint16_t)C));
}

run_operation *hd__choose_half(const ptx_instruction *i, operation *o)
{
    o->saturate = ptx_has(i, PTX_MOD_SAT);
    o->mode = (uint8_t)(ptx_has(i, PTX_MOD_NAN) | ptx_has(i, PTX_MOD_RELU) << 1);
    switch (i->op) {
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_mul:
    case PTX_OP_fma:
    case PTX_OP_min:
    case PTX_OP_max:
    case PTX_OP_abs:
    case PTX_OP_neg:
    case PTX_OP_ex2:
    case PTX_OP_tanh: break;
    default: return NULL;
    }
    return hd__ptx_type_bytes((ptx_type)i->type[0]) == 4 ? pair : single;
}
