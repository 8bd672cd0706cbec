// SPDX-License-Identifier: Apache-2.0
//
// Numbers of reference.h: the 16-bit floats by exact arithmetic on doubles, keys, heads.
#include "reference.h"

#include <math.h>
#include <string.h>

#include "check.h"

typedef struct format {
    int fraction, bias; // bits after the point; of the exponent
} format;

static format format_of(hd_type type)
{
    return type == HD_F16 ? (format){10, 15} : (format){7, 127};
}

static double widen(hd_type type, uint16_t bits)
{
    const format f = format_of(type);
    const int unit = 1 << f.fraction, most = 2 * f.bias + 1;
    const int fraction = bits % unit, exponent = (bits & 0x7fff) / unit;
    double x = exponent == 0 ? ldexp(fraction, 1 - f.bias - f.fraction)
                             : ldexp(unit + fraction, exponent - f.bias - f.fraction);
    if (exponent == most) x = fraction ? (double)NAN : (double)INFINITY;
    return bits & 0x8000 ? -x : x;
}

// To the nearest whole number, ties to even, for 0 <= x < 2^20.
static int nearest(double x)
{
    const int below = (int)x;
    const double rest = x - below;
    return rest > 0.5 || (rest == 0.5 && below % 2) ? below + 1 : below;
}

uint16_t ref_narrow(hd_type type, double x)
{
    const format f = format_of(type);
    const int unit = 1 << f.fraction, infinite = (2 * f.bias + 1) * unit;
    const int sign = signbit(x) ? 0x8000 : 0;
    if (x != x) return (uint16_t)(sign | infinite | unit / 2);
    if (x == 0) return (uint16_t)sign;
    if (fabs(x) >= ldexp(1, f.bias + 1)) return (uint16_t)(sign | infinite);
    int exponent = ilogb(x);
    if (exponent < 1 - f.bias) exponent = 1 - f.bias;
    // unit .. 2 unit for a normal number, less for a subnormal one; a carry moves into the exponent
    const int steps = nearest(ldexp(fabs(x), f.fraction - exponent));
    const int bits = (exponent + f.bias - 1) * unit + steps;
    return (uint16_t)(sign | (bits > infinite ? infinite : bits));
}

double ref_to_double(hd_type type, const void *element)
{
    double d = 0;
    float s = 0;
    uint16_t h = 0;
    if (type == HD_F64) return memcpy(&d, element, sizeof d), d;
    if (type == HD_F32) return memcpy(&s, element, sizeof s), (double)s;
    memcpy(&h, element, sizeof h);
    return widen(type, h);
}

uint64_t ref_to_whole(hd_type type, const void *element)
{
    const size_t size = hd_type_size(type);
    uint64_t u = 0;
    for (size_t k = size; k > 0; k--) u = u << 8 | ((const unsigned char *)element)[k - 1];
    if (type == HD_BOOL) return u != 0;
    const uint64_t top = (uint64_t)1 << (8 * size - 1);
    return check_is_signed(type) && (u & top) ? u - 2 * top : u;
}

void ref_heads_of_offsets(const int64_t *offsets, int64_t count, unsigned char *heads, int64_t n)
{
    memset(heads, 0, (size_t)n);
    for (int64_t k = 0; k < count; k++)
        if (offsets[k] < n) heads[offsets[k]] = 1;
    if (n > 0) heads[0] = 1;
}

static bool equal_keys(hd_type type, const void *a, const void *b)
{
    if (check_is_float(type)) return ref_to_double(type, a) == ref_to_double(type, b);
    if (hd_type_size(type) <= 8 && (type & 0xff) != HD_STRUCTURE)
        return ref_to_whole(type, a) == ref_to_whole(type, b);
    return memcmp(a, b, hd_type_size(type)) == 0;
}

void ref_heads_of_keys(hd_type type, const void *keys, unsigned char *heads, int64_t n)
{
    const char *k = keys;
    const size_t size = hd_type_size(type);
    for (int64_t i = 0; i < n; i++, k += size) heads[i] = i == 0 || !equal_keys(type, k - size, k);
}
