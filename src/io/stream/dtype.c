// SPDX-License-Identifier: Apache-2.0
//
// The table of NumPy's type names, and byte swapping.
#include "dtype.h"

#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define NATIVE ">"
#else
#define NATIVE "<"
#endif

static const struct {
    hd_type type;
    const char *name; // as written: byte order, kind, size
} table[] = {
    {HD_I8, "|i1"},         {HD_I16, NATIVE "i2"}, {HD_I32, NATIVE "i4"}, {HD_I64, NATIVE "i8"},
    {HD_U8, "|u1"},         {HD_U16, NATIVE "u2"}, {HD_U32, NATIVE "u4"}, {HD_U64, NATIVE "u8"},
    {HD_F16, NATIVE "f2"},  {HD_F32, NATIVE "f4"}, {HD_F64, NATIVE "f8"}, {HD_BOOL, "|b1"},
    {HD_BF16, NATIVE "V2"},
};
enum { ROWS = sizeof table / sizeof *table };

const char *io_dtype_name(hd_type type)
{
    for (int k = 0; k < ROWS; k++)
        if (table[k].type == type) return table[k].name;
    return NULL;
}

bool io_dtype_parse(const char *descr, size_t length, io_dtype *dtype)
{
    char order = '=';
    if (length > 0 && strchr("<>|=", descr[0]) && descr[0] != '\0') {
        order = descr[0];
        descr++, length--;
    }
    if (length == 1 && descr[0] == '?') descr = "b1", length = 2;
    for (int k = 0; k < ROWS; k++) {
        if (length != 2 || memcmp(table[k].name + 1, descr, 2) != 0) continue;
        const bool wide = hd_type_size(table[k].type) > 1;
        *dtype = (io_dtype){.type = table[k].type,
                            .swap = wide && order != '=' && order != '|' && order != NATIVE[0],
                            .raw2 = descr[0] == 'V'};
        return true;
    }
    return false;
}

static void swap16(unsigned char *data, int64_t n)
{
    for (int64_t i = 0; i < n; i++, data += 2) {
        uint16_t x;
        memcpy(&x, data, sizeof x);
        x = __builtin_bswap16(x);
        memcpy(data, &x, sizeof x);
    }
}

static void swap32(unsigned char *data, int64_t n)
{
    for (int64_t i = 0; i < n; i++, data += 4) {
        uint32_t x;
        memcpy(&x, data, sizeof x);
        x = __builtin_bswap32(x);
        memcpy(data, &x, sizeof x);
    }
}

static void swap64(unsigned char *data, int64_t n)
{
    for (int64_t i = 0; i < n; i++, data += 8) {
        uint64_t x;
        memcpy(&x, data, sizeof x);
        x = __builtin_bswap64(x);
        memcpy(data, &x, sizeof x);
    }
}

void io_dtype_swap(void *data, size_t element, int64_t n)
{
    switch (element) {
    case 2: swap16(data, n); break;
    case 4: swap32(data, n); break;
    case 8: swap64(data, n); break;
    default: break; // one byte has no order
    }
}
