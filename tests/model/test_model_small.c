// SPDX-License-Identifier: Apache-2.0
//
// Numbers of few bits against C: the rows of tests/kernels/arithmetic/small.def over random inputs
// with the awkward ones among them; and approximate functions within their bounds.
#include "tests/support/model_check.h"

#include <math.h>
#include <string.h>

typedef uint32_t u32;
enum { COUNT = 3000 };

// ---- Formats: bits of the exponent and of the fraction ------------------------------------------

typedef struct format {
    int exponent, fraction;
} format;
static const format half_format = {5, 10}, brain_format = {8, 7};
#define HALF  half_format
#define BRAIN brain_format

static double value_of(format f, u32 bits)
{
    const int bias = (1 << (f.exponent - 1)) - 1, top = (1 << f.exponent) - 1;
    const int e = (int)(bits >> f.fraction) & top;
    const u32 part = bits & ((1u << f.fraction) - 1);
    double v = e == 0 ? ldexp(part, 1 - bias - f.fraction)
                      : ldexp(part + (1u << f.fraction), e - bias - f.fraction);
    if (e == top) v = part != 0 ? (double)NAN : (double)INFINITY;
    return bits >> (f.exponent + f.fraction) & 1 ? -v : v;
}

// To the nearest, ties to even. NaN is all ones but the sign.
static u32 rounded_long(format f, long double v)
{
    const int bias = (1 << (f.exponent - 1)) - 1;
    const u32 sign = signbit(v) ? 1u << (f.exponent + f.fraction) : 0;
    const u32 infinity = (u32)((1 << f.exponent) - 1) << f.fraction;
    if (isnan(v)) return (1u << (f.exponent + f.fraction)) - 1;
    if (isinf(v)) return sign | infinity;
    int e = v != 0 ? ilogbl(v) : 1 - bias;
    if (e < 1 - bias) e = 1 - bias;
    const long double units = rintl(ldexpl(fabsl(v), f.fraction - e));
    const u32 bits = (u32)((e - 1 + bias) << f.fraction) + (u32)units;
    return sign | (e > bias || bits >= infinity ? infinity : bits);
}

static u32 rounded(format f, float v)
{
    return rounded_long(f, v);
}

// e4m3 and e5m2, held within their range.
static u32 eighth(int exponent, float v)
{
    const float most = exponent == 4 ? 448 : 57344;
    if (isnan(v)) return 0x7f;
    if (fabsf(v) >= most) v = signbit(v) ? -most : most;
    // e4m3 has one exponent more: what would be infinity is a number.
    const format f = {exponent, 7 - exponent};
    const u32 wide = rounded_long((format){6, 7 - exponent}, v);
    const double back = value_of((format){6, 7 - exponent}, wide);
    const int least = 2 - (1 << (exponent - 1)); // of a normal number's exponent
    int e = back != 0 ? ilogb(back) : least;
    if (e < least)
        return (signbit(v) ? 0x80u : 0) | (u32)rint(ldexp(fabs((double)v), f.fraction - least));
    const u32 part = (u32)ldexp(fabs(back), f.fraction - e) - (1u << f.fraction);
    return (signbit(v) ? 0x80u : 0) | (back != 0 ? ((u32)(e - least + 1) << f.fraction) + part : 0);
}

static float of_eighth(int exponent, u32 bits)
{
    const format f = {exponent, 7 - exponent};
    if (exponent == 4 && (bits & 0x7f) == 0x7f) return NAN;
    if (exponent == 4 && (bits & 0x78) == 0x78) // no infinities: 256 to 448
        return (bits & 0x80 ? -1.0f : 1.0f) * (256.0f + 32.0f * (float)(bits & 7));
    return (float)value_of(f, bits);
}

// ---- Operations on one number -------------------------------------------------------------------

typedef long double operation(long double a, long double b, long double c);

// The product is exact; of the sum, what is lost moves it by the least there is, so that no tie is
// seen where there is none.
static long double fused(long double a, long double b, long double c)
{
    const volatile long double product = a * b, sum = product + c, part = sum - product;
    const long double lost = (product - (sum - part)) + (c - part);
    if (isnan(lost) || isinf(sum) || lost == 0) return sum;
    return nextafterl(sum, lost > 0 ? (long double)INFINITY : -(long double)INFINITY);
}
static long double fused_relu(long double a, long double b, long double c)
{
    const long double v = fused(a, b, c);
    return v < 0 || v == 0 ? 0 : v;
}
static long double plus(long double a, long double b, long double c)
{
    (void)c;
    return a + b;
}
static long double times(long double a, long double b, long double c)
{
    (void)c;
    return a * b;
}
static long double minus_sat(long double a, long double b, long double c)
{
    (void)c;
    const long double v = a - b;
    return isnan(v) || v <= 0 ? 0 : v > 1 ? 1 : v;
}
static long double least(long double a, long double b, long double c)
{
    (void)c;
    if (isnan(a)) return b;
    if (isnan(b)) return a;
    if (a == b) return signbit(a) ? a : b;
    return a < b ? a : b;
}
static long double most_nan(long double a, long double b, long double c)
{
    return isnan(a) || isnan(b) ? (long double)NAN : -least(-a, -b, c);
}
static long double least_sign(long double a, long double b, long double c)
{
    const long double v = fabsl(least(fabsl(a), fabsl(b), c));
    if (isnan(v)) return v;
    return (signbit(a) != 0) != (signbit(b) != 0) ? -v : v;
}
static long double flushed(long double v)
{
    return fabsl(v) < 0x1p-14L ? copysignl(0, v) : v;
}
static long double plus_flushed(long double a, long double b, long double c)
{
    (void)c;
    return flushed(flushed(a) + flushed(b));
}

static u32 each(format f, operation *op, u32 a, u32 b, u32 c)
{
    u32 r = 0;
    for (int k = 0; k < 32; k += 16)
        r |= rounded_long(f, op(value_of(f, a >> k & 0xffff), value_of(f, b >> k & 0xffff),
                                value_of(f, c >> k & 0xffff)))
             << k;
    return r;
}

static u32 compared(format f, u32 a, u32 b, u32 yes)
{
    u32 r = 0;
    for (int k = 0; k < 32; k += 16)
        if (value_of(f, a >> k & 0xffff) > value_of(f, b >> k & 0xffff)) r |= yes << k;
    return r;
}

static float relu(float v)
{
    return v < 0 ? 0 : v;
}

static u32 bits_of(long double v)
{
    const float f = (float)v;
    u32 bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

// To 10 bits of fraction, ties away from zero.
static u32 cut_away(u32 a)
{
    if ((a & 0x7f800000u) == 0x7f800000u) return a & ~0x1fffu;
    return (a + 0x1000) & ~0x1fffu;
}

typedef enum pair_kind { PAIR_MIN, PAIR_MAX_S, PAIR_ADD, PAIR_RELU } pair_kind;
static u32 pairs(u32 a, u32 b, pair_kind kind)
{
    u32 r = 0;
    for (int k = 0; k < 32; k += 16) {
        const u32 x = a >> k & 0xffff, y = b >> k & 0xffff;
        const int16_t p = (int16_t)x, q = (int16_t)y, top = p > q ? p : q;
        const u32 one = kind == PAIR_MIN     ? (x < y ? x : y)
                        : kind == PAIR_ADD   ? x + y
                        : kind == PAIR_MAX_S ? (u32)top
                                             : (u32)(top > 0 ? top : 0);
        r |= (one & 0xffff) << k;
    }
    return r;
}

// ---- Rows ---------------------------------------------------------------------------------------

typedef enum kind { u32_kind, f16x2_kind, bf16x2_kind, f32_kind } kind;
#define ROW(name, kind, device, host) {#name, kind##_kind},
static const struct {
    const char *name;
    kind kind;
} rows[] = {
#include "tests/kernels/arithmetic/small.def"
};
#undef ROW
enum { ROWS = sizeof rows / sizeof *rows };

static void rows_of(const u32 *in, u32 *out)
{
    const u32 a = in[0], b = in[1], c = in[2];
    float f, g;
    int row = 0;
    memcpy(&f, &a, 4), memcpy(&g, &b, 4);
#define ROW(name, kind, device, host) out[row++] = (host);
#include "tests/kernels/arithmetic/small.def"
#undef ROW
}

// Any NaN is the same one.
static u32 one_nan(kind k, u32 bits)
{
    if (k == f32_kind) return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffffff : bits;
    if (k == u32_kind) return bits;
    const u32 infinity = k == f16x2_kind ? 0x7c00 : 0x7f80;
    for (int at = 0; at < 32; at += 16)
        if ((bits >> at & 0x7fff) > infinity) bits = (bits & ~(0xffffu << at)) | 0x7fffu << at;
    return bits;
}

static u32 awkward(uint64_t *state)
{
    static const u32 some[] = {0x00000000, 0x80008000, 0x3c003c00, 0x7c00fc00, 0x7bff0001,
                               0x04008400, 0x3f803f80, 0x7f80ff80, 0x43e00000, 0x43e80000,
                               0x3b800000, 0x47600000, 0x477fffff, 0xc3e01fff, 0x3f801000};
    const uint64_t r = check_next(state);
    u32 bits = (u32)check_next(state);
    if (r % 8 == 0) return some[r / 8 % (sizeof some / sizeof *some)];
    // Floats whose exponents are small, so that formats of few bits see numbers.
    if (r % 8 < 5) bits = (bits & 0x807fffffu) | (u32)(112 + r / 8 % 32) << 23;
    return bits;
}

static void test_rows(hd_model *model, const hd_model_module *module)
{
    static u32 in[COUNT][3], out[ROWS][COUNT], want[ROWS];
    const int n = COUNT;
    uint64_t state = check_seed();
    for (int k = 0; k < COUNT; k++)
        for (int l = 0; l < 3; l++) in[k][l] = awkward(&state);
    const uint64_t from = model_new(model, in, sizeof in), to = model_new(model, NULL, sizeof out);
    model_run(model, module, "small", (COUNT + 127) / 128, 128, &from, &to, &n, NULL);
    model_get(model, to, out, sizeof out);
    for (int k = 0; k < COUNT; k++) {
        rows_of(in[k], want);
        for (int row = 0; row < ROWS; row++)
            CHECK(one_nan(rows[row].kind, out[row][k]) == one_nan(rows[row].kind, want[row]),
                  "%s of %x %x %x: got %x, expected %x", rows[row].name, in[k][0], in[k][1],
                  in[k][2], out[row][k], want[row]);
    }
}

static void test_near(hd_model *model, const hd_model_module *module)
{
    enum { FUNCTIONS = 12 };
    static float in[COUNT], out[FUNCTIONS][COUNT];
    const int n = COUNT;
    uint64_t state = check_seed() + 2;
    for (int k = 0; k < COUNT; k++)
        in[k] = (float)ldexp((double)(check_next(&state) >> 11) + 1, -53 + (int)(k % 7) - 3);
    const uint64_t from = model_new(model, in, sizeof in), to = model_new(model, NULL, sizeof out);
    model_run(model, module, "near", (COUNT + 127) / 128, 128, &from, &to, &n, NULL);
    model_get(model, to, out, sizeof out);
    for (int k = 0; k < COUNT; k++) {
        const double f = in[k];
        const double want[FUNCTIONS] = {exp2(f),     log2(f), sin(f), cos(f), tanh(f),     sqrt(f),
                                        1 / sqrt(f), 1 / f,   f / 3,  exp(f), pow(f, 1.5), erf(f)};
        for (int j = 0; j < FUNCTIONS; j++)
            CHECK(fabs((double)out[j][k] - want[j]) <= 3e-6 * (1 + fabs(want[j])),
                  "function %d of %g: %g, expected %g", j, f, (double)out[j][k], want[j]);
    }
}

int main(void)
{
    hd_model *model = model_open(NULL);
    const hd_model_module *module = model_load(model, "small.ptx");
    test_rows(model, module);
    test_near(model, module);
    hd_model_close(model);
    return check_finish();
}
