// SPDX-License-Identifier: Apache-2.0
//
// Checked conversions, in blocks through the widest type of the source's kind.
#include "convert.h"

#include <math.h>

#include "core/convert.h"
#include "number.h"

enum { BLOCK = 256 };

// The least and greatest of an integer type; bounds of doubles are exact powers of two.
typedef struct type_range {
    int64_t least;
    uint64_t most;
    double below, above; // the first doubles outside
} type_range;

static type_range range_of(hd_type type)
{
    const int bits = 8 * (int)hd_type_size(type);
    if (hd__kind_of(type) == HD__UNSIGNED)
        return (type_range){0, UINT64_MAX >> (64 - bits), -1, ldexp(1, bits)};
    const int64_t most = INT64_MAX >> (64 - bits);
    // -2^63 - 1 is no double: the first one below is further down.
    const double least = -ldexp(1, bits - 1);
    return (type_range){-most - 1, (uint64_t)most,
                        bits == 64 ? nextafter(least, -INFINITY) : least - 1, ldexp(1, bits - 1)};
}

static io_status refuse(const io_conversion *c, int64_t k, hd_type type, const void *x,
                        io_error *error)
{
    char text[IO_NUMBER_ROOM];
    io_number_print(type, x, text);
    return io_fail(
        error, IO_FORMAT,
        "%s: element %lld: %s does not fit in %s: expected a whole number in its range%s", c->name,
        (long long)(c->done + k), text, hd_type_name(c->to),
        c->round ? "" : " (--round takes the nearest)");
}

static io_status from_signed(const io_conversion *c, int64_t at, int64_t *x, void *to, int64_t n,
                             io_error *error)
{
    const type_range r = range_of(c->to);
    for (int64_t k = 0; k < n; k++) {
        const bool low = x[k]<r.least, high = x[k]> 0 && (uint64_t)x[k] > r.most;
        if (!low && !high) continue;
        if (!c->round) return refuse(c, at + k, HD_I64, &x[k], error);
        x[k] = low ? r.least : (int64_t)r.most;
    }
    hd__convert(c->to, to, HD_I64, x, n);
    return IO_OK;
}

static io_status from_unsigned(const io_conversion *c, int64_t at, uint64_t *x, void *to, int64_t n,
                               io_error *error)
{
    const type_range r = range_of(c->to);
    for (int64_t k = 0; k < n; k++) {
        if (x[k] <= r.most) continue;
        if (!c->round) return refuse(c, at + k, HD_U64, &x[k], error);
        x[k] = r.most;
    }
    hd__convert(c->to, to, HD_U64, x, n);
    return IO_OK;
}

// The nearest element, where rounding is asked for, as bits that both wide integers share.
static uint64_t nearest(double x, const type_range *r)
{
    if (x <= r->below) return (uint64_t)r->least;
    if (x >= r->above) return r->most;
    return x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static io_status from_real(const io_conversion *c, int64_t at, const double *x, void *to, int64_t n,
                           io_error *error)
{
    const type_range r = range_of(c->to);
    uint64_t whole[BLOCK];
    for (int64_t k = 0; k < n; k++) {
        const double y = c->round ? rint(x[k]) : x[k];
        const bool fits = y > r.below && y < r.above && y == rint(y);
        if (!fits && (!c->round || isnan(y))) return refuse(c, at + k, HD_F64, &x[k], error);
        whole[k] = nearest(y, &r);
    }
    hd__convert(c->to, to, HD_U64, whole, n); // wraps: negative ones come out as they should
    return IO_OK;
}

// A block to an integer type.
static io_status to_integer(const io_conversion *c, int64_t at, const void *from, void *to,
                            int64_t n, io_error *error)
{
    union {
        int64_t i[BLOCK];
        uint64_t u[BLOCK];
        double f[BLOCK];
    } wide;
    const hd__kind kind = hd__kind_of(c->from);
    if (kind == HD__FLOAT || c->scale != 0) {
        hd__convert(HD_F64, wide.f, c->from, from, n);
        for (int64_t k = 0; k < n && c->scale != 0; k++) wide.f[k] *= c->scale;
        return from_real(c, at, wide.f, to, n, error);
    }
    if (kind == HD__SIGNED) {
        hd__convert(HD_I64, wide.i, c->from, from, n);
        return from_signed(c, at, wide.i, to, n, error);
    }
    hd__convert(HD_U64, wide.u, c->from, from, n);
    return from_unsigned(c, at, wide.u, to, n, error);
}

static io_status convert_block(const io_conversion *c, int64_t at, const void *from, void *to,
                               int64_t n, io_error *error)
{
    double scaled[BLOCK];
    if (hd__is_integer(c->to)) return to_integer(c, at, from, to, n, error);
    if (c->scale == 0) return hd__convert(c->to, to, c->from, from, n), IO_OK;
    hd__convert(HD_F64, scaled, c->from, from, n);
    for (int64_t k = 0; k < n; k++) scaled[k] *= c->scale;
    hd__convert(c->to, to, HD_F64, scaled, n);
    return IO_OK;
}

io_status io_convert(io_conversion *c, const void *from, void *to, int64_t n, io_error *error)
{
    const size_t f = hd_type_size(c->from), t = hd_type_size(c->to);
    for (int64_t at = 0; at < n; at += BLOCK)
        IO_TRY(convert_block(c, at, (const char *)from + (size_t)at * f,
                             (char *)to + (size_t)at * t, n - at < BLOCK ? n - at : BLOCK, error));
    c->done += n;
    return IO_OK;
}
