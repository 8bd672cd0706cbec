// SPDX-License-Identifier: Apache-2.0
//
// Elements' values, bits, and reading of options' values.
#include "print.h"

#include <inttypes.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "io/numbers/number.h"

static bool is_float(hd_type type)
{
    return type == HD_F16 || type == HD_BF16 || type == HD_F32 || type == HD_F64;
}

static bool is_signed(hd_type type)
{
    return type >= HD_I8 && type <= HD_I64;
}

// The bits of an element of up to 8 bytes, on a machine of either byte order.
static uint64_t load_bits(hd_type type, const void *element)
{
    uint8_t b1;
    uint16_t b2;
    uint32_t b4;
    uint64_t b8;
    switch (hd_type_size(type)) {
    case 1: return memcpy(&b1, element, 1), b1;
    case 2: return memcpy(&b2, element, 2), b2;
    case 4: return memcpy(&b4, element, 4), b4;
    case 8: return memcpy(&b8, element, 8), b8;
    default: return 0;
    }
}

static void store_bits(hd_type type, uint64_t bits, void *element)
{
    const uint8_t b1 = (uint8_t)bits;
    const uint16_t b2 = (uint16_t)bits;
    const uint32_t b4 = (uint32_t)bits;
    switch (hd_type_size(type)) {
    case 1: memcpy(element, &b1, 1); break;
    case 2: memcpy(element, &b2, 2); break;
    case 4: memcpy(element, &b4, 4); break;
    case 8: memcpy(element, &bits, 8); break;
    default: break;
    }
}

static bool parse_float(hd_type type, const char *text, void *element)
{
    char *end;
    const double d = strtod(text, &end);
    const float f = strtof(text, NULL); // rounded once, not by way of a double
    if (end == text || *end != '\0') return false;
    uint32_t low;
    uint64_t bits;
    switch (type) {
    case HD_F16: bits = hd__f64_to_f16(d); break;
    case HD_BF16: bits = hd__f64_to_bf16(d); break;
    case HD_F32: memcpy(&low, &f, sizeof low), bits = low; break;
    default: memcpy(&bits, &d, sizeof bits); break;
    }
    store_bits(type, bits, element);
    return true;
}

const char *print_value(hd_type type, const void *element, char buffer[PRINT_ROOM])
{
    io_number_print(type, element, buffer);
    return buffer;
}

const char *print_bits(hd_type type, const void *element, char buffer[PRINT_ROOM])
{
    snprintf(buffer, PRINT_ROOM, "0x%0*" PRIx64, 2 * (int)hd_type_size(type),
             load_bits(type, element));
    return buffer;
}

static bool parse_signed(hd_type type, const char *text, void *element)
{
    char *end;
    errno = 0;
    const long long x = strtoll(text, &end, 0);
    const int64_t most = INT64_MAX >> (64 - 8 * (int)hd_type_size(type));
    if (errno != 0 || end == text || *end != '\0' || x > most || x < -most - 1) return false;
    store_bits(type, (uint64_t)x, element);
    return true;
}

static bool parse_unsigned(hd_type type, const char *text, void *element)
{
    char *end;
    errno = 0;
    const unsigned long long x = strtoull(text, &end, 0);
    const uint64_t most = UINT64_MAX >> (64 - 8 * (int)hd_type_size(type));
    // strtoull takes "-1" as the largest number: we do not.
    if (errno != 0 || end == text || *end != '\0' || x > most || strchr(text, '-')) return false;
    store_bits(type, x, element);
    return true;
}

bool print_parse(hd_type type, const char *text, void *element)
{
    if (is_float(type)) return parse_float(type, text, element);
    if (is_signed(type)) return parse_signed(type, text, element);
    if (type != HD_BOOL) return hd_type_size(type) > 0 && parse_unsigned(type, text, element);
    const bool yes = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    if (!yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0) return false;
    store_bits(type, yes, element);
    return true;
}
