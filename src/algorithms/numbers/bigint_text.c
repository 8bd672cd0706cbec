// SPDX-License-Identifier: Apache-2.0
// Decimal and hexadecimal digits to limbs and back: groups of 18 or 16 digits, a limb each.
#include <heddle/algorithms/bigint.h>

#include <inttypes.h>
#include <string.h>

#include "algorithms/support/frame.h"

enum { DECIMAL = 18, HEXADECIMAL = 16 };

HD_SOURCE(
    bigint_digits, typedef struct { unsigned char at[18]; } bigint_decimal;
    typedef struct { unsigned char at[16]; } bigint_hexadecimal;
    static inline int bigint_digit(unsigned char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : 99;
    })
HD_FUNCTION_STATE(bigint_no_digit, long long, bigint_digits, (unsigned char, c, long long, i), int,
                  { return bigint_digit(c) < *state ? 0x7fffffffffffffff : i; })
HD_FUNCTION(bigint_of_decimal, unsigned long long, bigint_digits, (bigint_decimal, x), {
    unsigned long long sum = 0;
    for (int i = 0; i < 18; i++) sum = sum * 10 + (unsigned long long)bigint_digit(x.at[i]);
    return sum;
})
HD_FUNCTION(bigint_of_hexadecimal, unsigned long long, bigint_digits, (bigint_hexadecimal, x), {
    unsigned long long sum = 0;
    for (int i = 0; i < 16; i++) sum = sum * 16 + (unsigned long long)bigint_digit(x.at[i]);
    return sum;
})
HD_FUNCTION(bigint_to_decimal, bigint_decimal, bigint_digits, (unsigned long long, x), {
    bigint_decimal r;
    for (int i = 17; i >= 0; i--) {
        r.at[i] = (unsigned char)('0' + x % 10);
        x = x / 10;
    }
    return r;
})
HD_FUNCTION(bigint_to_hexadecimal, bigint_hexadecimal, bigint_digits, (unsigned long long, x), {
    bigint_hexadecimal r;
    for (int i = 15; i >= 0; i--) {
        const int digit = (int)(x & 15);
        r.at[i] = (unsigned char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
        x = x >> 4;
    }
    return r;
})

typedef struct digits {
    hd__frame f;
    hd_bigint_text_options o;
    int64_t group; // digits of a limb
    hd_type type;  // of a group
} digits;

// The row of text and that of limbs, which are of one memory.
static hd_status open_digits(digits *d, hd_context *ctx, const char *name, hd_view text,
                             hd_view limbs, const hd_bigint_text_options *options)
{
    hd_status status = hd__frame_open(&d->f, ctx, name, text);
    if (status == HD_OK) status = hd__frame_options(&d->f, options, sizeof d->o, &d->o);
    for (size_t k = 0; status == HD_OK && k < sizeof d->o.reserved_flags; k++)
        if (d->o.reserved_flags[k])
            status = hd__frame_fail(&d->f, HD_ERROR_ARGUMENT, "reserved_flags: expected zeros");
    if (status == HD_OK) status = hd__frame_check(&d->f, "text", text);
    if (status == HD_OK) status = hd__frame_check(&d->f, "limbs", limbs);
    if (status != HD_OK) return status;
    if (text.type != HD_U8 || limbs.type != HD_U64)
        return hd__frame_fail(&d->f, HD_ERROR_TYPE,
                              "expected text of u8 and limbs of u64, got %s, %s",
                              hd_type_name(text.type), hd_type_name(limbs.type));
    if (text.ndim > 1 || limbs.ndim > 1)
        return hd__frame_fail(&d->f, HD_ERROR_SHAPE, "expected text and limbs of one dimension");
    if (text.space != limbs.space || text.space > HD_DEVICE)
        return hd__frame_fail(
            &d->f, HD_ERROR_ARGUMENT,
            "expected text and limbs in the same memory, of the host or a device");
    d->group = d->o.hexadecimal ? HEXADECIMAL : DECIMAL;
    d->type = d->o.hexadecimal ? HD_TYPE(bigint_hexadecimal) : HD_TYPE(bigint_decimal);
    return hd__frame_check_apart(&d->f, "limbs", limbs, "text", text);
}

static hd_status check_text(digits *d, hd_view text)
{
    hd_view first;
    int64_t at = INT64_MAX;
    const int radix = d->o.hexadecimal ? 16 : 10;
    const hd_function no_digit = hd_with_state(bigint_no_digit, &radix, sizeof radix);
    const hd_view places = hd_iota(hd_count(text));
    unsigned char byte = 0;
    hd_status status = hd__frame_row(&d->f, HD_I64, 1, &first);
    if (status == HD_OK)
        status = hd_reduce(d->f.ctx, text, HD_MIN, first,
                           &(hd_reduce_options){.map = &no_digit, .with = HD_VIEWS(places)});
    if (status == HD_OK) status = hd__frame_read(&d->f, first, 0, &at);
    if (status != HD_OK || at == INT64_MAX) return status;
    status = hd__frame_read(&d->f, text, at, &byte);
    if (status != HD_OK) return status;
    return hd__frame_fail(&d->f, HD_ERROR_VALUE,
                          "text: byte %" PRId64 " is 0x%02x; expected a %sdecimal digit", at, byte,
                          d->o.hexadecimal ? "hexa" : "");
}

// Groups of a row of bytes, the last one first.
static hd_view groups_of(const digits *d, hd_view bytes, int64_t count)
{
    bytes.type = d->type;
    bytes.shape[0] = count;
    return hd_slice(bytes, 0, count - 1, count, -1);
}

static hd_status parse(digits *d, hd_view text, hd_view limbs)
{
    const int64_t n = hd_count(text), count = (n + d->group - 1) / d->group;
    const int64_t room = hd_count(limbs);
    const unsigned char zero = '0';
    const uint64_t none = 0;
    hd_view padded;
    if (room < count)
        return hd__frame_fail(
            &d->f, HD_ERROR_SHAPE,
            "%" PRId64 " limbs for %" PRId64 " digits; expected at least %" PRId64, room, n, count);
    hd_status status = HD_OK;
    if (room > count)
        status = hd_map(d->f.ctx, hd_constant(none, room - count), NULL,
                        hd_slice(limbs, 0, count, room - count, 1), NULL);
    if (status != HD_OK || count == 0) return status;
    status = check_text(d, text);
    if (status == HD_OK) status = hd__frame_row(&d->f, HD_U8, count * d->group, &padded);
    if (status == HD_OK)
        status = hd_map(d->f.ctx, hd_constant(zero, count * d->group), NULL, padded, NULL);
    if (status == HD_OK)
        status =
            hd_map(d->f.ctx, text, NULL, hd__frame_part(padded, count * d->group - n, n), NULL);
    if (status != HD_OK) return status;
    return hd_map(d->f.ctx, groups_of(d, padded, count),
                  d->o.hexadecimal ? bigint_of_hexadecimal : bigint_of_decimal,
                  hd_slice(limbs, 0, 0, count, 1), NULL);
}

static void with_dimension(hd_view *v)
{
    if (v->ndim == 0) v->ndim = 1, v->shape[0] = v->stride[0] = 1;
}

hd_status hd_bigint_parse(hd_context *ctx, hd_view text, hd_view limbs,
                          const hd_bigint_text_options *options)
{
    digits d;
    with_dimension(&text), with_dimension(&limbs);
    hd_status status = open_digits(&d, ctx, "hd_bigint_parse", text, limbs, options);
    if (status == HD_OK) status = hd__frame_check_out(&d.f, "limbs", limbs);
    if (status == HD_OK) status = parse(&d, text, limbs);
    return hd__frame_close(&d.f, status);
}

static hd_status check_limbs(digits *d, hd_view limbs)
{
    hd_view most;
    uint64_t limb = 0;
    hd_status status = hd__frame_row(&d->f, HD_U64, 1, &most);
    if (status == HD_OK) status = hd_reduce(d->f.ctx, limbs, HD_MAX, most, NULL);
    if (status == HD_OK) status = hd__frame_read(&d->f, most, 0, &limb);
    if (status != HD_OK || limb < HD_BIGINT_DECIMAL) return status;
    return hd__frame_fail(&d->f, HD_ERROR_VALUE, "a limb is %" PRIu64 "; expected less than 10^18",
                          limb);
}

static hd_status format(digits *d, hd_view limbs, hd_view text)
{
    const int64_t count = hd_count(limbs), n = count * d->group;
    hd_view dense = text;
    if (hd_count(text) != n)
        return hd__frame_fail(&d->f, HD_ERROR_SHAPE,
                              "text has %" PRId64 " bytes; expected %" PRId64, hd_count(text), n);
    if (count == 0) return HD_OK;
    hd_status status = d->o.hexadecimal ? HD_OK : check_limbs(d, limbs);
    if (status == HD_OK && text.stride[0] != 1 && n > 1)
        status = hd__frame_row(&d->f, HD_U8, n, &dense);
    if (status != HD_OK) return status;
    status = hd_map(d->f.ctx, limbs, d->o.hexadecimal ? bigint_to_hexadecimal : bigint_to_decimal,
                    groups_of(d, dense, count), NULL);
    return status != HD_OK || dense.data == text.data ? status : hd__frame_copy(&d->f, dense, text);
}

hd_status hd_bigint_format(hd_context *ctx, hd_view limbs, hd_view text,
                           const hd_bigint_text_options *options)
{
    digits d;
    with_dimension(&text), with_dimension(&limbs);
    hd_status status = open_digits(&d, ctx, "hd_bigint_format", text, limbs, options);
    if (status == HD_OK) status = hd__frame_check_out(&d.f, "text", text);
    if (status == HD_OK) status = format(&d, limbs, text);
    return hd__frame_close(&d.f, status);
}
