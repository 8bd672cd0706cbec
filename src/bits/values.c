// SPDX-License-Identifier: Apache-2.0
// Inputs by formula, see values.h.
#include "values.h"

#include <string.h>

static const char *const names[BITS_VALUES_COUNT] = {
    "ordinary", "wide", "special", "cancel", "units", "ties", "tiny", "offset", "positive"};

const char *bits_values_name(bits_values values)
{
    return names[values];
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t bits_random(int64_t array, int64_t i)
{
    return mix(mix((uint64_t)array) + ((uint64_t)i + 1) * 0x9e3779b97f4a7c15u);
}

// ---- Floats -------------------------------------------------------------------------------------

typedef struct form {
    int exponent, mantissa; // bits
} form;

static form form_of(hd_type type)
{
    switch (type) {
    case HD_F16: return (form){5, 10};
    case HD_BF16: return (form){8, 7};
    case HD_F32: return (form){8, 23};
    case HD_F64: return (form){11, 52};
    default: return (form){0, 0};
    }
}

bool bits_is_float(hd_type type)
{
    return form_of(type).exponent != 0;
}

static uint64_t assemble(form f, bool minus, uint64_t exponent, uint64_t mantissa)
{
    const uint64_t low = mantissa & (((uint64_t)1 << f.mantissa) - 1);
    return (uint64_t)minus << (f.exponent + f.mantissa) | exponent << f.mantissa | low;
}

static uint64_t special(form f, uint64_t which)
{
    const uint64_t most = ((uint64_t)1 << f.exponent) - 1, all = UINT64_MAX;
    switch (which & 7) {
    case 0: return assemble(f, false, most, (uint64_t)1 << (f.mantissa - 1)); // NaN
    case 1: return assemble(f, false, most, 0);                               // inf
    case 2: return assemble(f, true, most, 0);
    case 3: return assemble(f, true, 0, 0); // -0
    case 4: return 0;
    case 5: return assemble(f, false, 0, 1); // the least
    case 6: return assemble(f, true, 0, all);
    default: return assemble(f, true, most - 1, all); // the greatest, negative
    }
}

static uint64_t tie(form f, uint64_t which)
{
    const uint64_t bias = ((uint64_t)1 << (f.exponent - 1)) - 1;
    switch (which % 7) {
    case 0: return 0;
    case 1: return assemble(f, true, 0, 0);
    case 2: return assemble(f, false, bias, 0);
    case 3: return assemble(f, true, bias, 0);
    case 4: return assemble(f, false, bias + 1, 0);
    case 5: return assemble(f, false, bias - 1, 0);
    default: return assemble(f, true, bias - 1, 0);
    }
}

// r chooses sign and mantissa, s everything else.
static uint64_t float_bits(form f, bits_values values, int64_t i, uint64_t r, uint64_t s)
{
    const uint64_t span = (uint64_t)1 << f.exponent, bias = span / 2 - 1;
    const bool minus = r >> 63 != 0;
    switch (values) {
    case BITS_WIDE: return assemble(f, minus, s % (span / 4 * 3), r);
    case BITS_CANCEL:
        return assemble(f, minus != (i & 8) / 8, bias - span / 4 + s % (span / 2),
                        i & 8 ? r ^ (s >> 61) : r);
    case BITS_UNITS: return assemble(f, minus, bias - (s & 1), r);
    case BITS_TIES: return tie(f, s);
    case BITS_TINY: return assemble(f, minus, 0, s & 3 ? r : 0);
    case BITS_OFFSET: return assemble(f, false, bias + span / 4, r & 31);
    case BITS_POSITIVE: return assemble(f, false, bias - 1 - (s & 7), r);
    case BITS_SPECIAL:
        if (s >> 59 == 0) return special(f, s);
        return assemble(f, minus, bias - 1 - (s & 7), r);
    default: return assemble(f, minus, bias - 1 - (s & 7), r);
    }
}

// ---- Integers -----------------------------------------------------------------------------------

static bool is_signed(hd_type type)
{
    return type >= HD_I8 && type <= HD_I64;
}

static uint64_t whole_bits(hd_type type, bits_values values, uint64_t r, uint64_t s)
{
    if (type == HD_BOOL) return r & 1;
    switch (values) {
    case BITS_UNITS: return r | 1;
    case BITS_TIES: return is_signed(type) ? s % 7 - 3 : s % 7;
    case BITS_TINY: return s & 1;
    case BITS_OFFSET: return 100 + s % 27;
    case BITS_POSITIVE: return s % 100;
    default: return r;
    }
}

// The lowest bytes come first. Sizes as constants: calls of memcpy took longer than the formulas.
static void put(unsigned char *to, uint64_t bits, size_t size)
{
    switch (size) {
    case 1: memcpy(to, &bits, 1); break;
    case 2: memcpy(to, &bits, 2); break;
    case 4: memcpy(to, &bits, 4); break;
    default: memcpy(to, &bits, 8);
    }
}

void bits_fill(hd_type type, bits_values values, int64_t array, int64_t n, void *out)
{
    const size_t size = hd_type_size(type);
    const form f = form_of(type);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t r = bits_random(array, values == BITS_CANCEL ? i & ~(int64_t)8 : i);
        const uint64_t s = mix(r);
        const uint64_t bits =
            f.exponent ? float_bits(f, values, i, r, s) : whole_bits(type, values, r, s);
        put((unsigned char *)out + size * (size_t)i, bits, size);
    }
}

bits_form bits_form_of(hd_type type)
{
    const form f = form_of(type);
    bits_form b = {.size = hd_type_size(type)};
    if (f.exponent == 0) return b; // nothing & bits is never above nothing
    b.magnitude = ((uint64_t)1 << (f.exponent + f.mantissa)) - 1;
    b.infinite = assemble(f, false, ((uint64_t)1 << f.exponent) - 1, 0);
    b.nan = UINT64_MAX >> (64 - 8 * b.size);
    return b;
}
