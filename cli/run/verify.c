// SPDX-License-Identifier: Apache-2.0
//
// Checking a scan element by element.
#include "verify.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/support/print.h"
#include "program.h"

enum { SUM, PRODUCT, MIN, MAX, AND, OR, XOR, ALL, ANY, NO_KIND };

static int kind_of(const hd_operator *op)
{
    const struct {
        const hd_operator *op;
        int kind;
    } table[] = {{HD_SUM, SUM},    {HD_PRODUCT, PRODUCT}, {HD_MIN, MIN}, {HD_MAX, MAX},
                 {HD_ARGMIN, MIN}, {HD_ARGMAX, MAX},      {HD_AND, AND}, {HD_OR, OR},
                 {HD_XOR, XOR},    {HD_ALL, ALL},         {HD_ANY, ANY}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].op == op) return table[k].kind;
    return NO_KIND;
}

bool verify_takes(const hd_operator *op)
{
    return kind_of(op) != NO_KIND;
}

static bool is_float(hd_type type)
{
    return type == HD_F16 || type == HD_BF16 || type == HD_F32 || type == HD_F64;
}

static bool is_signed(hd_type type)
{
    return type >= HD_I8 && type <= HD_I64;
}

#define LOAD(T) (*(const T *)element)

static double load_real(hd_type type, const void *element)
{
    switch (type) {
    case HD_F16: return (double)hd__f16_to_f32(LOAD(uint16_t));
    case HD_BF16: return (double)hd__bf16_to_f32(LOAD(uint16_t));
    case HD_F32: return (double)LOAD(float);
    default: return LOAD(double);
    }
}

static uint64_t load_bits(hd_type type, const void *element)
{
    switch (type) {
    case HD_I8: return (uint64_t)LOAD(int8_t);
    case HD_I16: return (uint64_t)LOAD(int16_t);
    case HD_I32: return (uint64_t)LOAD(int32_t);
    case HD_U8: return LOAD(uint8_t);
    case HD_U16: return LOAD(uint16_t);
    case HD_U32: return LOAD(uint32_t);
    case HD_BOOL: return LOAD(uint8_t) != 0;
    default: return LOAD(uint64_t);
    }
}

// An element of `from` as the output's type sees it.
static verify_number load(hd_type from, hd_type to, const void *element)
{
    verify_number x;
    if (is_float(from))
        x.real = load_real(from, element);
    else
        x.bits = load_bits(from, element);
    if (is_float(to) && is_signed(from))
        x.real = (double)(int64_t)x.bits;
    else if (is_float(to) && !is_float(from))
        x.real = (double)x.bits;
    return x;
}

// An input: logic sees only whether it is zero (a NaN is not).
static verify_number load_input(const verifier *v, const void *element)
{
    verify_number x;
    if (v->kind != ALL && v->kind != ANY) return load(v->element, v->type, element);
    if (is_float(v->element))
        x.bits = load_real(v->element, element) != 0;
    else
        x.bits = load_bits(v->element, element) != 0;
    return x;
}

static double combine_real(int kind, double a, double b)
{
    switch (kind) {
    case SUM: return a + b;
    case PRODUCT: return a * b;
    case MIN: return isnan(a) || isnan(b) ? (double)NAN : a < b ? a : b;
    default: return isnan(a) || isnan(b) ? (double)NAN : a > b ? a : b;
    }
}

static uint64_t combine_bits(int kind, bool with_sign, uint64_t a, uint64_t b)
{
    const bool less = with_sign ? (int64_t)a < (int64_t)b : a < b;
    switch (kind) {
    case SUM: return a + b;
    case PRODUCT: return a * b;
    case MIN: return less ? a : b;
    case MAX: return less ? b : a;
    case AND:
    case ALL: return a & b;
    case OR:
    case ANY: return a | b;
    default: return a ^ b;
    }
}

// Wraps to the output's width, as the library does: the bits above are the sign's, or zero.
static uint64_t wrap(hd_type type, uint64_t x)
{
    const int shift = 64 - 8 * (int)hd_type_size(type);
    if (type == HD_BOOL) return x != 0;
    return is_signed(type) ? (uint64_t)((int64_t)(x << shift) >> shift) : x << shift >> shift;
}

// The greatest integer of a type, and the least.
static uint64_t extreme(hd_type type, bool greatest)
{
    const int bits = 8 * (int)hd_type_size(type);
    if (type == HD_BOOL) return greatest;
    if (!is_signed(type)) return greatest ? UINT64_MAX >> (64 - bits) : 0;
    const uint64_t most = UINT64_MAX >> (65 - bits);
    return greatest ? most : ~most;
}

static verify_number empty_value(const verifier *v)
{
    verify_number x = {.bits = 0};
    if (is_float(v->type)) {
        const double real[] = {0.0, 1.0, (double)INFINITY, -(double)INFINITY};
        x.real = real[v->kind <= MAX ? v->kind : SUM];
        return x;
    }
    switch (v->kind) {
    case PRODUCT:
    case ALL: x.bits = 1; break;
    case MIN: x.bits = extreme(v->type, true); break;
    case MAX: x.bits = extreme(v->type, false); break;
    case AND: x.bits = wrap(v->type, UINT64_MAX); break;
    default: break;
    }
    return x;
}

static double unit_of(hd_type type)
{
    switch (type) {
    case HD_F16: return 0x1p-11;
    case HD_BF16: return 0x1p-8;
    case HD_F32: return 0x1p-24;
    default: return 0x1p-53;
    }
}

// What an element adds to the magnitude: of a sum, itself; of a product, its distance from 1 in
// powers of two, which bounds how far from 1 any part of the product can be.
static double magnitude_of(const verifier *v, double x)
{
    if (v->kind == SUM) return fabs(x);
    return v->kind == PRODUCT && isfinite(x) && x != 0 ? fabs(log2(fabs(x))) : 0;
}

void verify_begin(verifier *v, const hd_operator *op, hd_type element, hd_type type, bool exclusive,
                  const void *init)
{
    *v = (verifier){.kind = kind_of(op), .element = element, .type = type, .exclusive = exclusive};
    v->start = init != NULL ? load(type, type, init) : empty_value(v);
    v->unit = unit_of(type);
    v->greatest = type == HD_F16 ? 65504.0 : type == HD_F64 ? DBL_MAX : (double)FLT_MAX;
    if (is_float(type)) v->start_magnitude = magnitude_of(v, v->start.real);
    verify_restart(v);
}

void verify_restart(verifier *v)
{
    v->length = 0;
    v->previous = v->start;
    v->magnitude = v->start_magnitude;
}

// The least number of a type that has all its digits.
static double min_normal(hd_type type)
{
    return type == HD_F16 ? 0x1p-14 : type == HD_F64 ? DBL_MIN : (double)FLT_MIN;
}

static bool is_ordinary(const verifier *v, double x)
{
    return isfinite(x) && fabs(x) >= min_normal(v->type);
}

// Where numbers leave the type's range, the tree and the chain may leave it differently.
static bool may_leave_range(const verifier *v)
{
    if (v->kind == SUM) return v->magnitude >= 0.5 * v->greatest;
    return v->magnitude >= -log2(min_normal(v->type)) - 2;
}

static bool close_enough(const verifier *v, double expected, double got)
{
    if (expected == got || (isnan(expected) && isnan(got))) return true;
    if (v->kind != SUM && v->kind != PRODUCT) return false;
    const double m = v->kind == SUM ? v->magnitude : fmax(fabs(expected), fabs(got));
    const bool strange = v->kind == SUM ? !isfinite(expected) || !isfinite(got)
                                        : !is_ordinary(v, expected) || !is_ordinary(v, got);
    if (strange) return may_leave_range(v);
    const double levels = 4 * log2((double)v->length + 2) + 4;
    return fabs(expected - got) <= levels * v->unit * m;
}

static bool report(verifier *v, verify_number expected, const void *out)
{
    char got[PRINT_ROOM], want[PRINT_ROOM];
    const int64_t whole = (int64_t)expected.bits;
    if (is_float(v->type))
        print_value(HD_F64, &expected.real, want);
    else
        print_value(is_signed(v->type) ? HD_I64 : HD_U64, &whole, want);
    print_value(v->type, out, got);
    snprintf(v->text, sizeof v->text, "element %lld: expected %s%s, got %s", (long long)v->index,
             is_float(v->type) && v->kind <= PRODUCT ? "about " : "", want, got);
    return false;
}

// What the element should be, given the one before it.
static verify_number expect(verifier *v, verify_number operand)
{
    verify_number x;
    if (is_float(v->type)) {
        x.real = combine_real(v->kind, v->previous.real, operand.real);
        v->magnitude += magnitude_of(v, operand.real);
    } else {
        x.bits = wrap(v->type,
                      combine_bits(v->kind, is_signed(v->type), v->previous.bits, operand.bits));
    }
    return x;
}

void verify_skip(verifier *v, const void *in)
{
    v->waited = load_input(v, in);
    v->index++, v->length++;
}

bool verify_next(verifier *v, const void *in, const void *out)
{
    const verify_number input = load_input(v, in), got = load(v->type, v->type, out);
    const bool first = v->length == 0;
    verify_number expected = v->start;
    if (!v->exclusive)
        expected = expect(v, input);
    else if (!first)
        expected = expect(v, v->waited);
    const bool right =
        is_float(v->type) ? close_enough(v, expected.real, got.real) : expected.bits == got.bits;
    if (!right) return report(v, expected, out);
    v->previous = got;
    v->waited = input;
    v->index++, v->length++;
    return true;
}
