// SPDX-License-Identifier: Apache-2.0
// The order of keys, for binary searches: numbers by their ordinals, all else by a comparison.
#include "order.h"

#include <string.h>

bool hd__mpi_has_ordinals(hd_type type)
{
    return type >= HD_I8 && type <= HD_BOOL;
}

int hd__mpi_ordinal_bits(hd_type type)
{
    return type == HD_BOOL ? 1 : (int)(8 * hd_type_size(type));
}

static uint64_t read_key(hd_type type, const void *at)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (hd_type_size(type)) {
    case 1: return memcpy(&one, at, 1), one;
    case 2: return memcpy(&two, at, 2), two;
    case 4: return memcpy(&four, at, 4), four;
    default: return memcpy(&eight, at, 8), eight;
    }
}

// Magnitudes above it are NaN.
static uint64_t infinity_of(hd_type type)
{
    return type == HD_F16    ? 0x7c00u
           : type == HD_BF16 ? 0x7f80u
           : type == HD_F32  ? 0x7f800000u
                             : (uint64_t)0x7ff << 52;
}

// Every NaN is the greatest, in either direction; descending turns the others over.
uint64_t hd__mpi_ordinal(const hd__mpi_order *o, const void *key)
{
    const hd_type t = o->type;
    const int bits = hd__mpi_ordinal_bits(t);
    const uint64_t all = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    const uint64_t sign = (uint64_t)1 << (bits - 1), x = read_key(t, key);
    const bool is_float = t >= HD_F16 && t <= HD_F64;
    uint64_t v = x;
    if (is_float && (x & ~sign) > infinity_of(t)) return all;
    if (t == HD_BOOL) v = x != 0;
    if (t >= HD_I8 && t <= HD_I64) v = x ^ sign;
    if (is_float) v = x & sign ? ~x & all : x | sign;
    return o->descending ? all - v : v;
}

static void write_key(hd_type type, uint64_t x, void *at)
{
    const uint8_t one = (uint8_t)x;
    const uint16_t two = (uint16_t)x;
    const uint32_t four = (uint32_t)x;
    switch (hd_type_size(type)) {
    case 1: memcpy(at, &one, 1); break;
    case 2: memcpy(at, &two, 2); break;
    case 4: memcpy(at, &four, 4); break;
    default: memcpy(at, &x, 8);
    }
}

// Of floats only those from one infinity to the other, and the last of all, are ordinals of keys.
void hd__mpi_key_at(const hd__mpi_order *o, uint64_t ordinal, void *key)
{
    const hd_type t = o->type;
    const int bits = hd__mpi_ordinal_bits(t);
    const uint64_t all = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    const uint64_t sign = (uint64_t)1 << (bits - 1);
    const bool is_float = t >= HD_F16 && t <= HD_F64;
    const uint64_t greatest = is_float ? sign | infinity_of(t) : all;
    if (ordinal > greatest) { // NaN
        write_key(t, all & ~sign, key);
        return;
    }
    if (ordinal < all - greatest) ordinal = all - greatest;
    const uint64_t v = o->descending ? all - ordinal : ordinal;
    uint64_t x = v;
    if (t >= HD_I8 && t <= HD_I64) x = v ^ sign;
    if (is_float) x = v & sign ? v ^ sign : ~v & all;
    write_key(t, x, key);
}

bool hd__mpi_before(const hd__mpi_order *o, const void *a, const void *b)
{
    const hd_comparison *c = o->comparison;
    if (c == NULL) return hd__mpi_ordinal(o, a) < hd__mpi_ordinal(o, b);
    return o->descending ? c->less(b, a, c->state.data) : c->less(a, b, c->state.data);
}
