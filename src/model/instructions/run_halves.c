// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of f16 and bf16 and of pairs of them: in f32, which holds sums and products exactly
// enough that rounding once more gives what rounding once would; fma in double, rounded to odd.
#include "core/convert.h"
#include "model/exec/lanes.h"
#include "numbers.h"
#include "run.h"

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

static bool is_tiny(bool brain, uint16_t h)
{
    return (h & (brain ? 0x7f80 : 0x7c00)) == 0;
}

static float source(const operation *o, bool brain, uint16_t h)
{
    return widen(brain, o->flush && is_tiny(brain, h) ? h & 0x8000 : h);
}

static uint16_t one(const operation *o, bool brain, uint16_t x, uint16_t y, uint16_t z)
{
    const float a = source(o, brain, x), b = source(o, brain, y), c = source(o, brain, z);
    const bool nan = o->mode & 1;
    uint16_t r;
    if (o->mode & 4) { // .xorsign.abs
        const float least = lesser(fabsf(a), fabsf(b), nan),
                    most = -lesser(-fabsf(a), -fabsf(b), nan);
        r = narrow(brain, o->op == PTX_OP_min ? least : most);
        return (uint16_t)((r & 0x7fff) | ((x ^ y) & 0x8000));
    }
    switch (o->op) {
    case PTX_OP_add: r = narrow(brain, a + b); break;
    case PTX_OP_sub: r = narrow(brain, a - b); break;
    case PTX_OP_mul: r = narrow(brain, a * b); break;
    case PTX_OP_fma: r = fused(brain, a, b, c); break;
    case PTX_OP_min: r = narrow(brain, lesser(a, b, nan)); break;
    case PTX_OP_max: r = narrow(brain, -lesser(-a, -b, nan)); break;
    case PTX_OP_abs: r = narrow(brain, fabsf(a)); return (a != a ? x : r) & 0x7fff;
    case PTX_OP_neg: r = narrow(brain, -a); return a != a ? x ^ 0x8000 : r;
    case PTX_OP_ex2: r = narrow(brain, exp2f(a)); break;
    default: r = narrow(brain, tanhf(a)); break;
    }
    if (o->flush && is_tiny(brain, r)) r &= 0x8000;
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

run_operation *hd__model_dispatch_half(const ptx_instruction *i, operation *o)
{
    o->saturate = ptx_has(i, PTX_MOD_SAT);
    o->flush = ptx_has(i, PTX_MOD_FTZ);
    o->mode = (uint8_t)(ptx_has(i, PTX_MOD_NAN) | ptx_has(i, PTX_MOD_RELU) << 1 |
                        ptx_has(i, PTX_MOD_XORSIGN) << 2);
    if (i->operands > 3 && i->op != PTX_OP_fma) return NULL;
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
    return hd__model_ptx_type_bytes((ptx_type)i->type[0]) == 4 ? pair : single;
}
