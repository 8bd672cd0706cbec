// SPDX-License-Identifier: Apache-2.0
//
// Numbers to text.
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/convert.h"

// How many digits every decimal number of that length survives with (way there and back), how many
// are always enough, and the least magnitude for which this holds: below it are the subnormals.
typedef struct precision {
    int sure, enough;
    double normal;
} precision;

static precision precision_of(hd_type type)
{
    switch (type) {
    case HD_F16: return (precision){3, 5, 0x1p-14};
    case HD_BF16: return (precision){2, 4, 0x1p-126};
    case HD_F32: return (precision){6, 9, 0x1p-126};
    default: return (precision){15, 17, 0x1p-1022};
    }
}

static double value_of(hd_type type, const void *element)
{
    uint16_t half;
    float single;
    double x;
    switch (type) {
    case HD_F16: return memcpy(&half, element, 2), (double)hd__f16_to_f32(half);
    case HD_BF16: return memcpy(&half, element, 2), (double)hd__bf16_to_f32(half);
    case HD_F32: return memcpy(&single, element, 4), (double)single;
    default: return memcpy(&x, element, 8), x;
    }
}

// Whether a text such as "-1.25e+03" reads back to the same element.
static bool reads_back(hd_type type, const char *text, const void *element)
{
    unsigned char back[8];
    const double x = strtod(text, NULL);
    const float f = type == HD_F32 ? strtof(text, NULL) : 0; // rounded once
    if (type == HD_F32)
        memcpy(back, &f, sizeof f);
    else
        hd__convert(type, back, HD_F64, &x, 1);
    return memcmp(back, element, hd_type_size(type)) == 0;
}

// The fewest digits that read back. Where the sure ones do, zeros at their end can go, and no
// shorter number reads back that this would not have found.
static void shortest(hd_type type, const void *element, double x, char text[IO_NUMBER_ROOM])
{
    const precision p = precision_of(type);
    for (int digits = fabs(x) < p.normal ? 1 : p.sure; digits <= p.enough; digits++) {
        snprintf(text, IO_NUMBER_ROOM, "%.*e", digits - 1, x);
        if (reads_back(type, text, element)) break;
    }
    char *e = strchr(text, 'e'), *last = e;
    if (memchr(text, '.', (size_t)(e - text)) == NULL) return;
    while (last[-1] == '0') last--;
    if (last[-1] == '.') last--;
    memmove(last, e, strlen(e) + 1);
}

// Turns "-1.25e+03" into "-1250.0", where Python would.
static size_t lay_out(const char *text, char *buffer)
{
    char digits[24], *to = buffer;
    int count = 0;
    if (*text == '-') *to++ = *text++;
    const char *mantissa = text;
    for (; *text != 'e'; text++)
        if (*text != '.') digits[count++] = *text;
    const int point = atoi(text + 1) + 1; // digits before the point
    if (point <= -4 || point > 16) return strlen(strcpy(to, mantissa)) + (size_t)(to - buffer);
    if (point <= 0) *to++ = '0', *to++ = '.';
    for (int k = point; k < 0; k++) *to++ = '0';
    for (int k = 0; k < count || k < point; k++) {
        if (k == point && k > 0) *to++ = '.';
        *to++ = k < count ? digits[k] : '0';
    }
    if (point >= count) *to++ = '.', *to++ = '0';
    *to = '\0';
    return (size_t)(to - buffer);
}

static size_t print_unsigned(uint64_t x, bool negative, char *buffer)
{
    char digits[20];
    size_t n = 0, at = 0;
    do digits[n++] = (char)('0' + x % 10);
    while ((x /= 10) != 0);
    if (negative) buffer[at++] = '-';
    while (n > 0) buffer[at++] = digits[--n];
    buffer[at] = '\0';
    return at;
}

static size_t print_signed(int64_t x, char *buffer)
{
    return print_unsigned(x < 0 ? 0 - (uint64_t)x : (uint64_t)x, x < 0, buffer);
}

static size_t print_float(hd_type type, const void *element, char *buffer)
{
    const double x = value_of(type, element);
    char text[IO_NUMBER_ROOM];
    if (isnan(x)) return strlen(strcpy(buffer, "nan"));
    if (isinf(x)) return strlen(strcpy(buffer, x < 0 ? "-inf" : "inf"));
    // Whole numbers, the frequent case, need no search; each type has all up to these.
    if (fabs(x) < 1e15 && x == (double)(int64_t)x && x != 0 && (type == HD_F64 || fabs(x) < 256)) {
        const size_t n = print_signed((int64_t)x, buffer);
        memcpy(buffer + n, ".0", 3);
        return n + 2;
    }
    shortest(type, element, x, text);
    return lay_out(text, buffer);
}

size_t io_number_print(hd_type type, const void *element, char buffer[IO_NUMBER_ROOM])
{
    int64_t i;
    uint64_t u;
    switch (hd__kind_of(type)) {
    case HD__FLOAT: return print_float(type, element, buffer);
    case HD__SIGNED: return hd__convert(HD_I64, &i, type, element, 1), print_signed(i, buffer);
    case HD__UNSIGNED:
        return hd__convert(HD_U64, &u, type, element, 1), print_unsigned(u, false, buffer);
    default: return strlen(strcpy(buffer, *(const uint8_t *)element != 0 ? "true" : "false"));
    }
}
