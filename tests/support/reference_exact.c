// SPDX-License-Identifier: Apache-2.0
//
// Exact sums of reference.h, as one learns to add at school: digits of 16 bits, from 2^-1088 up,
// each in an int64_t of its own; carried and rounded once at the end.
#include "reference.h"

#include <math.h>
#include <string.h>

#include "check.h"

enum { DIGITS = 140, POINT = 1088 };

typedef struct total {
    int64_t digit[DIGITS];
    bool nan, above, below, some;
} total;

static void add_magnitude(total *t, uint64_t magnitude, int at, bool negative)
{
    for (int k = at / 16; magnitude != 0; k++, magnitude >>= 16) {
        const int64_t d = (int64_t)(magnitude & 0xffff) << at % 16;
        t->digit[k] += negative ? -d : d;
    }
}

static void add_real(total *t, double x)
{
    int exponent;
    if (isnan(x)) t->nan = true;
    if (isinf(x)) *(x > 0 ? &t->above : &t->below) = true;
    if (!(x == 0 && signbit(x))) t->some = true;
    if (!isfinite(x) || x == 0) return;
    frexp(x, &exponent);
    const int last = exponent - 53 > -1074 ? exponent - 53 : -1074;
    add_magnitude(t, (uint64_t)ldexp(fabs(x), -last), last + POINT, x < 0);
}

static void add_element(total *t, hd_type type, const void *p)
{
    if (check_is_float(type)) {
        add_real(t, ref_to_double(type, p));
        return;
    }
    const uint64_t u = ref_to_whole(type, p);
    const bool negative = check_is_signed(type) && (int64_t)u < 0;
    t->some = true;
    add_magnitude(t, negative ? 0 - u : u, POINT, negative);
}

// Makes digits 0 .. 65535 of them; what is carried out at the top is -1 for a number below zero.
static int64_t carry(total *t)
{
    int64_t over = 0;
    for (int k = 0; k < DIGITS; k++) {
        const int64_t d = t->digit[k] + over;
        t->digit[k] = d & 0xffff;
        over = (d - t->digit[k]) / 65536;
    }
    return over;
}

// Leaves the magnitude and says whether there was a minus.
static bool carried(total *t)
{
    const total before = *t;
    if (carry(t) == 0) return false;
    for (int k = 0; k < DIGITS; k++) t->digit[k] = -before.digit[k];
    carry(t);
    return true;
}

static int bit(const total *t, int at)
{
    return at >= 0 && (t->digit[at / 16] >> at % 16 & 1);
}

typedef struct format {
    int precision, least, most; // exponents of normal numbers
} format;

static format format_of(hd_type type)
{
    return type == HD_F64   ? (format){53, -1022, 1023}
           : type == HD_F32 ? (format){24, -126, 127}
           : type == HD_F16 ? (format){11, -14, 15}
                            : (format){8, -126, 127};
}

// To nearest, ties to even; the result is a number of the format, or infinite.
static double rounded(const total *digits, hd_type type)
{
    total t = *digits;
    const format f = format_of(type);
    const bool negative = carried(&t);
    int top = 16 * DIGITS - 1;
    while (top >= 16 && t.digit[top / 16] == 0) top -= 16;
    while (top >= 0 && !bit(&t, top)) top--;
    if (top < 0) return t.some ? 0.0 : -0.0;
    const int exponent = top - POINT > f.least ? top - POINT : f.least;
    const int last = exponent - f.precision + 1 + POINT;
    uint64_t m = 0;
    bool below = false;
    for (int k = top; k >= last; k--) m = 2 * m + (uint64_t)bit(&t, k);
    for (int k = last - 2; k >= 0 && !below; k--) {
        while (k >= 16 && t.digit[k / 16] == 0) k -= 16;
        below = bit(&t, k);
    }
    if (bit(&t, last - 1) && (below || m % 2 == 1)) m++;
    const double x = ldexp((double)m, exponent - f.precision + 1);
    const double size = x >= ldexp(1, f.most) * 2 ? (double)INFINITY : x;
    return negative ? -size : size;
}

static void store(const total *t, hd_type type, void *out)
{
    double x = rounded(t, type);
    if (t->above || t->below) x = t->above ? (double)INFINITY : -(double)INFINITY;
    if (t->nan || (t->above && t->below)) x = (double)NAN;
    const float f = (float)x;
    const uint16_t h = type == HD_F16 || type == HD_BF16 ? ref_narrow(type, x) : 0;
    memcpy(out,
           type == HD_F64   ? (const void *)&x
           : type == HD_F32 ? (const void *)&f
                            : &h,
           hd_type_size(type));
}

void ref_exact_scan(hd_type type, const void *in, int64_t n, hd_type out_type, void *out,
                    const ref_how *how)
{
    total t = {{0}, false, false, false, false};
    int64_t count = 0;
    for (int64_t p = 0; p < n; p++) {
        const int64_t i = how->backward ? n - 1 - p : p;
        char *to = (char *)out + hd_type_size(out_type) * (size_t)i;
        const bool head = p == 0 || (how->heads && how->heads[how->backward ? n - p : p]);
        if (head) {
            t = (total){{0}, false, false, false, false};
            count = 0;
            if (how->init) add_element(&t, out_type, how->init);
        }
        for (int turn = 0; turn < 2; turn++) {
            if (turn == how->exclusive)
                count++, add_element(&t, type, (const char *)in + hd_type_size(type) * (size_t)i);
            else if (count == 0 && how->init)
                memcpy(to, how->init, hd_type_size(out_type));
            else if (count == 0)
                memset(to, 0, hd_type_size(out_type));
            else
                store(&t, out_type, to);
        }
    }
}

void ref_exact_sum(hd_type type, const void *in, int64_t n, hd_type out_type, void *out,
                   const void *init)
{
    total t = {{0}, false, false, false, false};
    memset(out, 0, hd_type_size(out_type));
    if (init) memcpy(out, init, hd_type_size(out_type));
    if (n == 0) return;
    if (init) add_element(&t, out_type, init);
    for (int64_t i = 0; i < n; i++)
        add_element(&t, type, (const char *)in + hd_type_size(type) * (size_t)i);
    store(&t, out_type, out);
}
