// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as two whole numbers, up to a byte that is a comma and behind it: what is refused names
// a byte that is no digit; what is taken comes back as text, and sums, differences and the order
// are those of school arithmetic.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DIGITS = 900, LIMBS = DIGITS / 16 + 2 };

static hd_context *ctx[2];

// Digits as values, the lowest first.
typedef struct school {
    int digit[DIGITS + 20];
    int64_t n;
} school;

static bool is_digit(int c, bool hexadecimal)
{
    return (c >= '0' && c <= '9') || (hexadecimal && (c | 32) >= 'a' && (c | 32) <= 'f');
}

static void take(school *x, const uint8_t *text, int64_t n)
{
    memset(x, 0, sizeof *x);
    x->n = n;
    for (int64_t k = 0; k < n; k++) {
        const int c = text[n - 1 - k];
        x->digit[k] = c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
    }
}

static int64_t limbs_of(int64_t digits, bool hexadecimal)
{
    const int64_t group = hexadecimal ? 16 : 18;
    return (digits + group - 1) / group + 1;
}

// Whether the library takes the digits exactly where they are some.
static bool parse(hd_context *c, const uint8_t *text, int64_t n, bool hexadecimal, hd_view limbs)
{
    int64_t bad = 0;
    while (bad < n && is_digit(text[bad], hexadecimal)) bad++;
    const hd_bigint_text_options how = {.hexadecimal = hexadecimal};
    const hd_status status = hd_bigint_parse(c, HD_VIEW(text, n), limbs, &how);
    if ((status == HD_OK) != (bad == n)) abort();
    char place[32];
    snprintf(place, sizeof place, "byte %d ", (int)bad);
    if (bad < n && (status != HD_ERROR_VALUE || strstr(hd_error(c), place) == NULL)) abort();
    return status == HD_OK;
}

// The limbs' digits are those of x.
static void check_text(hd_context *c, hd_view limbs, bool hexadecimal, const school *x)
{
    static uint8_t text[20 * LIMBS];
    const int64_t n = hd_count(limbs) * (hexadecimal ? 16 : 18);
    const hd_bigint_text_options how = {.hexadecimal = hexadecimal};
    if (hd_bigint_format(c, limbs, HD_VIEW(text, n), &how) != HD_OK) abort();
    for (int64_t k = 0; k < n; k++) {
        const int want = k < DIGITS + 20 ? x->digit[k] : 0;
        if (text[n - 1 - k] != "0123456789abcdef"[want]) abort();
    }
}

static int order_of(const school *a, const school *b)
{
    for (int k = DIGITS + 19; k >= 0; k--)
        if (a->digit[k] != b->digit[k]) return a->digit[k] < b->digit[k] ? -1 : 1;
    return 0;
}

// a + sign b in the base, of numbers whose sum is not below 0.
static void add(const school *a, const school *b, int sign, int base, school *out)
{
    int carry = 0;
    memset(out, 0, sizeof *out);
    for (int k = 0; k < DIGITS + 20; k++) {
        const int d = a->digit[k] + sign * b->digit[k] + carry;
        carry = d < 0 ? -1 : d >= base;
        out->digit[k] = d - carry * base;
    }
}

static void check_arithmetic(hd_context *c, hd_view x, hd_view y, hd_view out, bool hexadecimal,
                             const school *a, const school *b)
{
    static school want;
    const hd_bigint_options base = {.base = hexadecimal ? 0 : HD_BIGINT_DECIMAL};
    const int order = order_of(a, b), radix = hexadecimal ? 16 : 10;
    int64_t said = -2;
    if (hd_bigint_compare(c, x, y, HD_VIEW(&said, 1), NULL) != HD_OK || said != order) abort();
    if (hd_bigint_add(c, x, y, out, &base) != HD_OK) abort();
    add(a, b, 1, radix, &want);
    check_text(c, out, hexadecimal, &want);
    const bool swapped = order < 0;
    if (hd_bigint_subtract(c, swapped ? y : x, swapped ? x : y, out, &base) != HD_OK) abort();
    add(swapped ? b : a, swapped ? a : b, -1, radix, &want);
    check_text(c, out, hexadecimal, &want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint64_t x[LIMBS], y[LIMBS], out[LIMBS];
    static school a, b;
    if (ctx[0] == NULL &&
        (hd_open(&ctx[0], &(hd_context_options){.backend = HD_SERIAL}) ||
         hd_open(&ctx[1], &(hd_context_options){.backend = HD_CPU, .threads = 2})))
        abort();
    if (size == 0 || size > DIGITS) return 0;
    const bool hexadecimal = data[0] & 1;
    const uint8_t *first = data + 1, *end = data + size;
    const uint8_t *comma = memchr(first, ',', size - 1);
    const uint8_t *second = comma != NULL ? comma + 1 : end;
    const int64_t n = (comma != NULL ? comma : end) - first, m = end - second;
    const int64_t limbs_x = limbs_of(n, hexadecimal), limbs_y = limbs_of(m, hexadecimal);
    const hd_view xs = HD_VIEW(x, limbs_x), ys = HD_VIEW(y, limbs_y);
    const hd_view outs = HD_VIEW(out, limbs_x > limbs_y ? limbs_x : limbs_y);
    for (int k = 0; k < 2; k++) {
        const bool good = parse(ctx[k], first, n, hexadecimal, xs);
        if (!parse(ctx[k], second, m, hexadecimal, ys) || !good) continue;
        take(&a, first, n), take(&b, second, m);
        check_text(ctx[k], xs, hexadecimal, &a);
        check_arithmetic(ctx[k], xs, ys, outs, hexadecimal, &a, &b);
    }
    return 0;
}
