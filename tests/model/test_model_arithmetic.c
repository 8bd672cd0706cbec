// SPDX-License-Identifier: Apache-2.0
//
// Instructions of the model against C: the rows of integers.def and floats.def in
// tests/kernels/arithmetic over random inputs with the awkward ones among them.
#include "tests/support/model_check.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
typedef float f32;
typedef double f64;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

enum { COUNT = 1500 };

// ---- Integers -----------------------------------------------------------------------------------

static u32 reverse32(u32 a)
{
    u32 r = 0;
    for (int k = 0; k < 32; k++) r |= (a >> k & 1) << (31 - k);
    return r;
}

static u32 permute(u32 a, u32 b, u32 how)
{
    const u64 bytes = (u64)b << 32 | a;
    u32 r = 0;
    for (int k = 0; k < 4; k++) {
        const u32 which = how >> (4 * k) & 15;
        const u32 byte = (u32)(bytes >> (8 * (which & 7))) & 255;
        r |= (which & 8 ? (byte & 128 ? 255u : 0u) : byte) << (8 * k);
    }
    return r;
}

static u64 extract64(u64 a, u32 from, u32 length)
{
    return length == 0 ? 0 : a >> from & (~(u64)0 >> (64 - length));
}

static u32 extract(u32 a, u32 from, u32 length)
{
    return (u32)extract64(a, from, length);
}

// The sign is the field's last bit, or the word's, where the field goes beyond it.
static s32 extract_s(s32 a, u32 from, u32 length)
{
    if (length == 0) return 0;
    const u32 last = from + length - 1 < 31 ? from + length - 1 : 31;
    u32 r = 0;
    for (u32 k = 0; k < 32; k++) {
        const u32 bit = k < length && from + k < 32 ? from + k : last;
        r |= ((u32)a >> bit & 1) << k;
    }
    return (s32)r;
}

static u32 insert(u32 a, u32 b, u32 to, u32 length)
{
    for (u32 k = 0; k < length && to + k < 32; k++)
        b = (b & ~(1u << (to + k))) | (a >> k & 1) << (to + k);
    return b;
}

static s32 saturate(s64 v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (s32)v;
}

static s32 dot4(u32 a, u32 b, u32 c)
{
    for (int k = 0; k < 32; k += 8) c += (u32)((s32)(int8_t)(a >> k) * (int8_t)(b >> k));
    return (s32)c;
}

static u32 dot4_u(u32 a, u32 b, u32 c)
{
    for (int k = 0; k < 32; k += 8) c += (a >> k & 255) * (b >> k & 255);
    return c;
}

// Two halves of a with two bytes of b, from bit `from` on.
static s32 dot2(u32 a, u32 b, u32 c, int from)
{
    for (int k = 0; k < 2; k++)
        c += (u32)((s32)(int16_t)(a >> (16 * k)) * (int8_t)(b >> (from + 8 * k)));
    return (s32)c;
}

static u64 insert64(u64 a, u64 b, u32 to, u32 length)
{
    for (u32 k = 0; k < length && to + k < 64; k++)
        b = (b & ~((u64)1 << (to + k))) | (a >> k & 1) << (to + k);
    return b;
}

// Selectors of bytes: from `first` on by steps, modulo a power of two; or within limits.
static u32 nibbles(u32 first, int step, u32 mask)
{
    u32 r = 0;
    for (int k = 0; k < 4; k++) r |= ((first + (u32)(k * step)) & mask) << (4 * k);
    return r;
}

static u32 limited(u32 least, u32 most)
{
    u32 r = 0;
    for (u32 k = 0; k < 4; k++) r |= (k < least ? least : k > most ? most : k) << (4 * k);
    return r;
}

static u32 nth_bit(u32 mask, u32 from, s32 n)
{
    const int step = n < 0 ? -1 : 1;
    if (n == 0) return mask >> from & 1 ? from : ~0u;
    for (int at = (int)from; at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && (n -= step) == 0) return (u32)at;
    return ~0u;
}

static u64 awkward(u64 *state)
{
    static const u64 some[] = {0,
                               1,
                               2,
                               31,
                               32,
                               0x7f,
                               0x80,
                               0xff,
                               0x7fffffff,
                               0x80000000,
                               0xffffffff,
                               0x7fffffffffffffff,
                               0x8000000000000000,
                               ~(u64)0};
    const u64 r = check_next(state);
    if (r % 4 == 0) return some[r / 4 % (sizeof some / sizeof *some)];
    return r % 4 == 1 ? check_next(state) >> (r / 4 % 64) : check_next(state);
}

#define ROW(name, type, device, host) #name,
static const char *const integer_rows[] = {
#include "tests/kernels/arithmetic/integers.def"
};
static const char *const float_rows[] = {
#include "tests/kernels/arithmetic/floats.def"
};
#undef ROW
enum {
    INTEGER_ROWS = sizeof integer_rows / sizeof *integer_rows,
    FLOAT_ROWS = sizeof float_rows / sizeof *float_rows
};

static void integers_of(const u64 *in, u64 *out)
{
    const u64 x = in[0], y = in[1], z = in[2];
    const s64 p = (s64)x, q = (s64)y;
    const u32 a = (u32)x, b = (u32)y, c = (u32)z, s = (u32)(z >> 32) % 71;
    const s32 i = (s32)a, j = (s32)b;
    int row = 0;
#define ROW(name, type, device, host) out[row++] = (u64)(type)(host);
#include "tests/kernels/arithmetic/integers.def"
#undef ROW
}

static void test_integers(const char *file)
{
    static u64 in[COUNT][3], out[INTEGER_ROWS][COUNT], want[INTEGER_ROWS];
    hd_model *model = model_open(NULL);
    const hd_model_module *module = model_load(model, file);
    u64 state = check_seed();
    for (int k = 0; k < COUNT; k++)
        for (int l = 0; l < 3; l++) in[k][l] = awkward(&state);
    const u64 from = model_new(model, in, sizeof in), to = model_new(model, NULL, sizeof out);
    const s32 n = COUNT;
    model_run(model, module, "integers", (COUNT + 127) / 128, 128, &from, &to, &n, NULL);
    model_get(model, to, out, sizeof out);
    for (int k = 0; k < COUNT; k++) {
        integers_of(in[k], want);
        for (int row = 0; row < INTEGER_ROWS; row++)
            CHECK(out[row][k] == want[row], "%s %s of %llx %llx %llx: got %llx, expected %llx",
                  file, integer_rows[row], (long long)in[k][0], (long long)in[k][1],
                  (long long)in[k][2], (long long)out[row][k], (long long)want[row]);
    }
    hd_model_close(model);
}

// ---- Floats -------------------------------------------------------------------------------------

static f32 float_of(u32 bits)
{
    f32 f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static f64 double_of(u64 bits)
{
    f64 d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static u32 bits_of(f32 f)
{
    u32 bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static u64 bits_of64(f64 d)
{
    u64 bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

// The smaller number; of zeros the negative one; NaN only of two of them.
static f64 least64(f64 d, f64 e)
{
    if (isnan(d)) return e;
    if (isnan(e)) return d;
    if (d == e) return signbit(d) ? d : e;
    return d < e ? d : e;
}

static f64 most64(f64 d, f64 e)
{
    if (isnan(d)) return e;
    if (isnan(e)) return d;
    if (d == e) return signbit(d) ? e : d;
    return d > e ? d : e;
}

static f32 least(f32 f, f32 g)
{
    return (f32)least64(f, g);
}

static f32 most(f32 f, f32 g)
{
    return (f32)most64(f, g);
}

typedef enum float_operation { F_ADD, F_MUL, F_DIV } float_operation;

static f32 rounded(int way, float_operation op, f32 f, f32 g)
{
    volatile f32 a = f, b = g, r;
    fesetround(way);
    r = op == F_ADD ? a + b : op == F_MUL ? a * b : a / b;
    fesetround(FE_TONEAREST);
    return r;
}

static f64 rounded64(int way, float_operation op, f64 d, f64 e)
{
    volatile f64 a = d, b = e, r;
    fesetround(way);
    r = op == F_ADD ? a + b : op == F_MUL ? a * b : a / b;
    fesetround(FE_TONEAREST);
    return r;
}

static f32 narrowed(int way, f64 d)
{
    volatile f64 a = d;
    volatile f32 r;
    fesetround(way);
    r = (f32)a;
    fesetround(FE_TONEAREST);
    return r;
}

static f32 from_int(int way, s32 i)
{
    volatile f64 a = i;
    return narrowed(way, a);
}

// NaN becomes 0; from or to 64 bits the sign bit alone.
static s32 clamp_int(f64 v)
{
    return isnan(v) ? 0 : v >= 2147483647.0 ? INT32_MAX : v <= -2147483648.0 ? INT32_MIN : (s32)v;
}

static u32 clamp_uint(f64 v)
{
    return isnan(v) || v <= 0 ? 0 : v >= 4294967295.0 ? UINT32_MAX : (u32)v;
}

static s64 clamp_long(f64 v)
{
    return isnan(v) || v < -9223372036854775808.0 ? INT64_MIN
           : v >= 9223372036854775808.0           ? INT64_MAX
                                                  : (s64)v;
}

static f32 half_value(u32 h)
{
    const int exponent = (int)(h >> 10 & 31);
    const f64 fraction = (f64)(h & 1023) / 1024;
    f64 v = exponent == 0 ? ldexp(fraction, -14) : ldexp(1 + fraction, exponent - 15);
    if (exponent == 31) v = (h & 1023) != 0 ? (f64)NAN : (f64)INFINITY;
    return (f32)(h & 0x8000 ? -v : v);
}

// To the nearest half, ties to even, by the size of a unit in the last place.
static u32 half_rounded(f32 f)
{
    const u32 sign = signbit(f) ? 0x8000 : 0;
    const f64 v = fabs((f64)f);
    if (isnan(f)) return 0x7fff;
    if (v >= 65520) return sign | 0x7c00;
    int exponent = v > 0 ? ilogb(v) : -14;
    if (exponent < -14) exponent = -14;
    const f64 units = rint(ldexp(v, 10 - exponent)); // 1024 to 2048, less for subnormals
    return sign | (u32)((exponent + 14) * 1024 + (int)units);
}

static u32 half_pair_sum(u32 a, u32 b)
{
    const u32 low = half_rounded(half_value(a & 0xffff) + half_value(b & 0xffff));
    return half_rounded(half_value(a >> 16) + half_value(b >> 16)) << 16 | low;
}

static u64 awkward_float(u64 *state, bool wide)
{
    static const f64 some[] = {0.0,          -0.0,       1,     -1,    0.5,   1.5,   2.5,
                               -2.5,         1e30,       3e9,   -3e9,  1e-42, 1e19,  -1e19,
                               2147483647.0, 0.49999997, 65504, 65520, 6e-8,  3.4e38};
    const u64 r = check_next(state);
    f64 v = some[r / 8 % (sizeof some / sizeof *some)];
    switch (r % 8) {
    case 0: break;
    case 1: v = r & 8 ? (f64)NAN : r & 16 ? (f64)INFINITY : -(f64)INFINITY; break;
    case 2: return check_next(state); // any bits
    default: v = ldexp((f64)(s64)check_next(state), -63 + (int)(r / 8 % 40) - 4); break;
    }
    return wide ? bits_of64(v) : bits_of((f32)v);
}

static u64 pack_u32(u32 v)
{
    return v;
}
static u64 pack_u64(u64 v)
{
    return v;
}
static u64 pack_f32(f32 v)
{
    return isnan(v) ? 0x7fffffff : bits_of(v);
}
static u64 pack_f64(f64 v)
{
    return isnan(v) ? 0x7fffffffffffffff : bits_of64(v);
}

static void floats_of(const u64 *in, u64 *out)
{
    const u64 x = in[0];
    const s32 i = (s32)x;
    const f32 f = float_of((u32)in[0]), g = float_of((u32)in[1]), h = float_of((u32)in[2]);
    const f64 d = double_of(in[3]), e = double_of(in[4]), k = double_of(in[5]);
    int row = 0;
#define ROW(name, type, device, host) out[row++] = pack_##type(host);
#include "tests/kernels/arithmetic/floats.def"
#undef ROW
}

// Halves are in the low 16 bits, or in both: any NaN among them becomes the same one.
static u64 one_nan(int row, u64 bits)
{
    int at = 0;
#define ROW(name, type, device, host)                                                              \
    if (at++ == row && sizeof(type) == 4 && strncmp(#type, "f", 1) == 0)                           \
        return isnan(float_of((u32)bits)) ? 0x7fffffff : bits;
#include "tests/kernels/arithmetic/floats.def"
#undef ROW
    at = 0;
#define ROW(name, type, device, host)                                                              \
    if (at++ == row && sizeof(type) == 8 && strncmp(#type, "f", 1) == 0)                           \
        return isnan(double_of(bits)) ? 0x7fffffffffffffff : bits;
#include "tests/kernels/arithmetic/floats.def"
#undef ROW
    if (strncmp(float_rows[row], "half", 4) != 0 && strcmp(float_rows[row], "to_half") != 0)
        return bits;
    u64 r = bits;
    for (int k = 0; k < 32; k += 16)
        if ((r >> k & 0x7c00) == 0x7c00 && (r >> k & 0x3ff) != 0) r |= (u64)0x7fff << k;
    for (int k = 0; k < 32; k += 16)
        if ((r >> k & 0x7fff) == 0x7fff) r &= ~((u64)0x8000 << k);
    return r;
}

static void test_floats(const char *file)
{
    static u64 in[COUNT][6], out[FLOAT_ROWS][COUNT], want[FLOAT_ROWS];
    hd_model *model = model_open(NULL);
    const hd_model_module *module = model_load(model, file);
    u64 state = check_seed() + 1;
    for (int k = 0; k < COUNT; k++)
        for (int l = 0; l < 6; l++) {
            in[k][l] = awkward_float(&state, l >= 3);
            if (l == 0) in[k][l] |= check_next(&state) << 32;
        }
    const u64 from = model_new(model, in, sizeof in), to = model_new(model, NULL, sizeof out);
    const s32 n = COUNT;
    model_run(model, module, "floats", (COUNT + 127) / 128, 128, &from, &to, &n, NULL);
    model_get(model, to, out, sizeof out);
    for (int k = 0; k < COUNT; k++) {
        floats_of(in[k], want);
        for (int row = 0; row < FLOAT_ROWS; row++)
            CHECK(one_nan(row, out[row][k]) == one_nan(row, want[row]),
                  "%s %s of %llx %llx %llx, %llx %llx %llx: got %llx, expected %llx", file,
                  float_rows[row], (long long)in[k][0], (long long)in[k][1], (long long)in[k][2],
                  (long long)in[k][3], (long long)in[k][4], (long long)in[k][5],
                  (long long)out[row][k], (long long)want[row]);
    }
    hd_model_close(model);
}

int main(void)
{
    test_integers("integers.ptx");
    test_floats("floats.ptx");
    if (model_compiles_by("clang")) {
        setenv("HEDDLE_MODEL_COMPILER", "clang", 1);
        test_integers("integers.cu");
        test_floats("floats.cu");
    }
    return check_finish();
}
