// SPDX-License-Identifier: Apache-2.0
// The numbers of exact.h.
#include "exact.h"

#include <assert.h>
#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

void exact_add(exact *x, const exact *y)
{
    uint64_t carry = 0;
    for (int k = 0; k < EXACT_WORDS; k++) {
        const wide sum = (wide)x->word[k] + y->word[k] + carry;
        x->word[k] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

static void negate(exact *x)
{
    uint64_t carry = 1;
    for (int k = 0; k < EXACT_WORDS; k++) {
        x->word[k] = ~x->word[k] + carry;
        carry = carry && x->word[k] == 0;
    }
}

void exact_subtract(exact *x, const exact *y)
{
    exact minus = *y;
    negate(&minus);
    exact_add(x, &minus);
}

bool exact_is_negative(const exact *x)
{
    return x->word[EXACT_WORDS - 1] >> 63 != 0;
}

void exact_absolute(exact *x)
{
    if (exact_is_negative(x)) negate(x);
}

void exact_scale(exact *x, uint64_t factor)
{
    const bool minus = exact_is_negative(x);
    uint64_t carry = 0;
    exact_absolute(x);
    for (int k = 0; k < EXACT_WORDS; k++) {
        const wide product = (wide)x->word[k] * factor + carry;
        x->word[k] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
    assert(carry == 0 && !exact_is_negative(x));
    if (minus) negate(x);
}

bool exact_is_at_most(const exact *x, const exact *y)
{
    exact rest = *y;
    exact_subtract(&rest, x);
    return !exact_is_negative(&rest);
}

// ---- Floats -------------------------------------------------------------------------------------

exact_parts exact_split(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int field = (int)(bits >> 52 & 0x7ff);
    const uint64_t fraction = bits & 0xfffffffffffffu;
    assert(field < 0x7ff);
    return (exact_parts){.minus = bits >> 63 != 0,
                         .mantissa = field ? fraction | (uint64_t)1 << 52 : fraction,
                         .exponent = (field ? field : 1) - 1075};
}

void exact_add_bits(exact *x, bool minus, uint64_t mantissa, int exponent)
{
    const int bit = exponent + EXACT_POINT, at = bit / 64;
    assert(bit >= 0 && at + 1 < EXACT_WORDS);
    const wide shifted = (wide)mantissa << (bit % 64);
    uint64_t add[2] = {(uint64_t)shifted, (uint64_t)(shifted >> 64)}, carry = 0;
    for (int k = at; k < EXACT_WORDS && (k < at + 2 || carry); k++) {
        const uint64_t part = k < at + 2 ? add[k - at] : 0, old = x->word[k];
        const wide y = (wide)part + carry;
        x->word[k] = minus ? old - (uint64_t)y : old + (uint64_t)y;
        carry = minus ? (wide)old < y : (wide)old + y > UINT64_MAX;
    }
}

void exact_add_double(exact *x, double y)
{
    const exact_parts p = exact_split(y);
    exact_add_bits(x, p.minus, p.mantissa, p.exponent);
}

static int top_bit(const exact *x)
{
    for (int k = EXACT_WORDS - 1; k >= 0; k--)
        if (x->word[k]) return 64 * k + 63 - __builtin_clzll(x->word[k]);
    return -1;
}

// Bits at, at + 1, ... as a number; few enough are set.
static uint64_t bits_from(const exact *x, int at)
{
    const int k = at / 64, shift = at % 64;
    uint64_t bits = x->word[k] >> shift;
    if (shift && k + 1 < EXACT_WORDS) bits |= x->word[k + 1] << (64 - shift);
    return bits;
}

static bool any_below(const exact *x, int bit)
{
    for (int k = 0; k < bit / 64; k++)
        if (x->word[k]) return true;
    return bit % 64 && x->word[bit / 64] << (64 - bit % 64);
}

double exact_round(const exact *x, exact_format format)
{
    exact m = *x;
    exact_absolute(&m);
    const int top = top_bit(&m);
    if (top < 0) return 0.0;
    int unit = top - format.precision + 1; // the bit that is worth one unit in the last place
    if (unit < format.least + EXACT_POINT) unit = format.least + EXACT_POINT;
    const uint64_t whole = top < unit ? 0 : bits_from(&m, unit);
    const bool half = m.word[(unit - 1) / 64] >> (unit - 1) % 64 & 1;
    const bool up = half && (whole & 1 || any_below(&m, unit - 1));
    const double magnitude = ldexp((double)(whole + up), unit - EXACT_POINT); // exact
    return exact_is_negative(x) ? -magnitude : magnitude;
}

// ---- Operations ---------------------------------------------------------------------------------

double exact_sum(double a, double b, exact_format format)
{
    exact x = {{0}};
    if (a == 0 && b == 0) return signbit(a) && signbit(b) ? -0.0 : 0.0;
    exact_add_double(&x, a);
    exact_add_double(&x, b);
    return exact_round(&x, format);
}

static double with_sign(bool minus, double magnitude)
{
    return minus ? -magnitude : magnitude;
}

double exact_product(double a, double b, exact_format format)
{
    const exact_parts p = exact_split(a), q = exact_split(b);
    const wide product = (wide)p.mantissa * q.mantissa;
    const int exponent = p.exponent + q.exponent;
    exact x = {{0}};
    exact_add_bits(&x, false, (uint64_t)product, exponent);
    exact_add_bits(&x, false, (uint64_t)(product >> 64), exponent + 64);
    return with_sign(p.minus != q.minus, exact_round(&x, format));
}

// 64 bits more than the mantissa has, and one below them where something is left.
double exact_quotient(double a, uint64_t n, exact_format format)
{
    const exact_parts p = exact_split(a);
    const wide numerator = (wide)p.mantissa << 64, quotient = numerator / n;
    exact x = {{0}};
    exact_add_bits(&x, false, (uint64_t)(quotient >> 64), p.exponent);
    exact_add_bits(&x, false, (uint64_t)quotient, p.exponent - 64);
    if (numerator % n) exact_add_bits(&x, false, 1, p.exponent - 65);
    return with_sign(p.minus, exact_round(&x, format));
}
