// SPDX-License-Identifier: Apache-2.0
//
// Text to numbers. Short decimals are exact in doubles and need one multiplication or division
// (Clinger); the others go to the C library.
#include "number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/convert.h"

// A longer number is not read: the longest exact double has 767 digits.
#define MAX_LETTERS 1023

typedef struct decimal {
    uint64_t mantissa; // the digits, if there are at most 19
    int digits;        // of the mantissa, without zeros at the front
    int64_t exponent;  // of ten
    bool negative, whole;
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *take_digits(const char *at, const char *end, decimal *d)
{
    for (; at < end && is_digit(*at); at++) {
        if (d->digits < 20 && (d->digits > 0 || *at != '0')) d->digits++;
        if (d->digits < 20) d->mantissa = 10 * d->mantissa + (uint64_t)(*at - '0');
    }
    return at;
}

static const char *take_exponent(const char *at, const char *end, decimal *d)
{
    const char *first = at++; // the e
    const bool negative = at < end && *at == '-';
    int64_t e = 0;
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end || !is_digit(*at)) return first;
    for (; at < end && is_digit(*at); at++) e = e < 100000 ? 10 * e + (*at - '0') : e;
    d->exponent += negative ? -e : e;
    return at;
}

// Digits, a point, digits, an exponent: the form of every decimal number.
static bool take_decimal(const char *at, const char *end, decimal *d)
{
    *d = (decimal){.whole = true};
    if (at < end && (*at == '-' || *at == '+')) d->negative = *at++ == '-';
    const char *first = at;
    at = take_digits(at, end, d);
    bool some = at > first;
    if (at < end && *at == '.') {
        const char *point = ++at;
        at = take_digits(at, end, d);
        d->exponent -= at - point;
        some |= at > point;
        d->whole = false;
    }
    if (some && at < end && (*at == 'e' || *at == 'E')) {
        at = take_exponent(at, end, d);
        d->whole = false;
    }
    return some && at == end;
}

// nan, inf, infinity, with a sign or without.
static bool take_word(const char *text, size_t n, double *x)
{
    const bool negative = n > 0 && *text == '-';
    if (n > 0 && (*text == '-' || *text == '+')) text++, n--;
    if (n == 3 && strncasecmp(text, "nan", 3) == 0)
        *x = (double)NAN;
    else if ((n == 3 && strncasecmp(text, "inf", 3) == 0) ||
             (n == 8 && strncasecmp(text, "infinity", 8) == 0))
        *x = negative ? -(double)INFINITY : (double)INFINITY;
    else
        return false;
    return true;
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Both factors are exact, so the result is rounded once.
static bool quickly(const decimal *d, double *x)
{
    if (d->digits > 19 || d->mantissa > UINT64_C(1) << 53) return false;
    if (d->exponent < -22 || d->exponent > 22) return false;
    const double m = (double)d->mantissa;
    *x = d->exponent < 0 ? m / powers[-d->exponent] : m * powers[d->exponent];
    if (d->negative) *x = -*x;
    return true;
}

// A copy with a zero byte at its end.
static bool copy(const char *text, size_t n, char buffer[MAX_LETTERS + 1])
{
    if (n > MAX_LETTERS) return false;
    memcpy(buffer, text, n);
    buffer[n] = '\0';
    return true;
}

static bool decimal_to_real(const decimal *d, const char *text, size_t n, double *x)
{
    char buffer[MAX_LETTERS + 1];
    if (quickly(d, x)) return true;
    if (!copy(text, n, buffer)) return false;
    *x = strtod(buffer, NULL);
    return true;
}

static bool decimal_fits(const decimal *d)
{
    const uint64_t most = (uint64_t)INT64_MAX + (d->negative ? 1 : 0);
    return d->whole && d->digits <= 19 && d->mantissa <= most;
}

io_number_kind io_number_parse(const char *text, size_t length, int64_t *integer, double *real)
{
    decimal d;
    if (!take_decimal(text, text + length, &d))
        return take_word(text, length, real) ? IO_REAL : IO_NO_NUMBER;
    if (decimal_fits(&d)) {
        *integer = (int64_t)(d.negative ? 0 - d.mantissa : d.mantissa);
        *real = (double)*integer;
        return IO_INTEGER;
    }
    return decimal_to_real(&d, text, length, real) ? IO_REAL : IO_NO_NUMBER;
}

static bool read_signed(hd_type type, int64_t x, void *element)
{
    const int64_t most = INT64_MAX >> (64 - 8 * (int)hd_type_size(type));
    if (x > most || x < -most - 1) return false;
    hd__convert(type, element, HD_I64, &x, 1);
    return true;
}

static bool read_unsigned(hd_type type, uint64_t x, void *element)
{
    const uint64_t most = UINT64_MAX >> (64 - 8 * (int)hd_type_size(type));
    if (x > most) return false;
    hd__convert(type, element, HD_U64, &x, 1);
    return true;
}

static bool read_integer(hd_type type, const char *text, size_t n, void *element)
{
    decimal d;
    double x;
    const bool is_signed = hd__kind_of(type) == HD__SIGNED;
    if (!take_decimal(text, text + n, &d)) return false;
    if (d.whole && d.digits == 20 && !is_signed && !d.negative) { // may still fit in a u64
        char buffer[MAX_LETTERS + 1];
        if (!copy(text, n, buffer)) return false;
        errno = 0;
        const unsigned long long wide = strtoull(buffer, NULL, 10);
        return errno == 0 && read_unsigned(type, wide, element);
    }
    if (d.whole && d.digits <= 19) {
        if (!is_signed)
            return (!d.negative || d.mantissa == 0) && read_unsigned(type, d.mantissa, element);
        if (!decimal_fits(&d)) return false;
        return read_signed(type, (int64_t)(d.negative ? 0 - d.mantissa : d.mantissa), element);
    }
    // 3.0 and 1e3 are whole, too.
    if (d.whole || !decimal_to_real(&d, text, n, &x) || x != floor(x) || fabs(x) > 0x1p53)
        return false;
    if (is_signed) return read_signed(type, (int64_t)x, element);
    return x >= 0 && read_unsigned(type, (uint64_t)x, element);
}

static bool read_float(hd_type type, const char *text, size_t n, void *element)
{
    char buffer[MAX_LETTERS + 1];
    int64_t i;
    double x;
    if (io_number_parse(text, n, &i, &x) == IO_NO_NUMBER) return false;
    if (type == HD_F32 && isfinite(x) && copy(text, n, buffer)) {
        const float f = strtof(buffer, NULL); // rounded once, not by way of a double
        memcpy(element, &f, sizeof f);
    } else {
        hd__convert(type, element, HD_F64, &x, 1);
    }
    return true;
}

static bool read_bool(const char *text, size_t n, void *element)
{
    const bool yes = (n == 1 && *text == '1') || (n == 4 && strncasecmp(text, "true", 4) == 0);
    const bool no = (n == 1 && *text == '0') || (n == 5 && strncasecmp(text, "false", 5) == 0);
    *(uint8_t *)element = yes;
    return yes || no;
}

bool io_number_read(hd_type type, const char *text, size_t length, void *element)
{
    switch (hd__kind_of(type)) {
    case HD__SIGNED:
    case HD__UNSIGNED: return read_integer(type, text, length, element);
    case HD__FLOAT: return read_float(type, text, length, element);
    case HD__BOOL: return read_bool(text, length, element);
    default: return false;
    }
}
