// SPDX-License-Identifier: Apache-2.0
//
// Arguments of kernels from text.
#include "model_value.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/numbers/convert.h"
#include "io/numbers/number.h"

#define MAX_ELEMENTS ((int64_t)1 << 40)
#define GOLDEN       0x9e3779b97f4a7c15u // of splitmix64

__attribute__((format(printf, 2, 3))) static bool refuse(char *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, MODEL_VALUE_ERROR, format, arguments);
    va_end(arguments);
    return false;
}

// ---- Reading ------------------------------------------------------------------------------------

static const struct {
    const char *word;
    model_fill fill;
    bool valued; // WORD=V
} fills[] = {
    {"zeros", MODEL_ZEROS, false}, {"ones", MODEL_ONES, false},    {"range", MODEL_RANGE, false},
    {"empty", MODEL_EMPTY, false}, {"fill", MODEL_CONSTANT, true}, {"random", MODEL_RANDOM, true},
    {"list", MODEL_LIST, false},
};

static bool starts(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

// A name and "=", or nothing.
static const char *take_name(const char *text, char name[MODEL_NAME_ROOM])
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
    name[0] = '\0';
    if (n == 0 || n >= MODEL_NAME_ROOM || text[n] != '=') return text;
    memcpy(name, text, n);
    name[n] = '\0';
    return text + n + 1;
}

static const char *take_type(const char *text, hd_type *type)
{
    char name[8];
    const size_t n = strcspn(text, ":");
    *type = HD_NONE;
    if (n >= sizeof name || text[n] != ':') return text;
    memcpy(name, text, n);
    name[n] = '\0';
    *type = hd_type_named(name);
    return *type != HD_NONE ? text + n + 1 : text;
}

// One length: 256 or 2^8. -1: none.
static int64_t take_length(const char **text)
{
    int64_t part[2] = {0, 1};
    int parts = 0;
    do {
        int64_t n = 0;
        if (!isdigit((unsigned char)**text)) return -1;
        for (; isdigit((unsigned char)**text); (*text)++) {
            n = 10 * n + (**text - '0');
            if (n > MAX_ELEMENTS) return -1;
        }
        part[parts++] = n;
    } while (parts == 1 && **text == '^' && (*text)++);
    int64_t length = parts == 2 ? 1 : part[0];
    for (int64_t k = 0; parts == 2 && k < part[1]; k++) {
        if (part[0] <= 1) return part[0];
        if (length > MAX_ELEMENTS / part[0]) return -1;
        length *= part[0];
    }
    return length;
}

static const char *take_count(const char *text, model_value *v)
{
    v->count = 1;
    for (v->ndim = 0; v->ndim < HD_MAX_DIMS;) {
        const int64_t n = take_length(&text);
        if (n < 0 || (n > 0 && v->count > MAX_ELEMENTS / n)) return NULL;
        v->shape[v->ndim++] = n;
        v->count *= n;
        if (*text != 'x') return text;
        text++;
    }
    return NULL;
}

static bool read_list(const char *text, model_value *v, char *error)
{
    v->text = text, v->length = strlen(text);
    v->count = v->length > 0;
    for (const char *c = text; *c; c++) v->count += *c == ',';
    if (v->count == 0) return refuse(error, "list: expected numbers, as in list:1,2,3");
    v->ndim = 1, v->shape[0] = v->count;
    return true;
}

// After "range" and the like: :COUNT, and for random :SEED.
static bool read_buffer(const char *text, const char *word, model_value *v, char *error)
{
    const char *end = *text == ':' ? take_count(text + 1, v) : NULL;
    if (end == NULL)
        return refuse(error, "expected a number of elements, as in %s:256, %s:2^20 or %s:64x64",
                      word, word, word);
    v->seed = 1;
    if (v->fill == MODEL_RANDOM && *end == ':') {
        const char *digits = ++end;
        for (v->seed = 0; isdigit((unsigned char)*end); end++)
            v->seed = 10 * v->seed + (uint64_t)(*end - '0');
        if (end == digits) return refuse(error, "expected a seed, as in random:1024:7");
    }
    if (*end == '\0') return true;
    return refuse(error, "'%.40s' comes after the number of elements", end);
}

// true: the text begins with a word for a buffer; *done tells how reading it went.
static bool read_fill(const char *text, model_value *v, char *error, bool *done)
{
    for (size_t k = 0; k < sizeof fills / sizeof *fills; k++) {
        const char *rest = text + strlen(fills[k].word);
        if (!starts(text, fills[k].word) || isalnum((unsigned char)*rest)) continue;
        v->fill = fills[k].fill;
        if (fills[k].valued && *rest == '=') {
            v->text = ++rest, v->length = strcspn(rest, ":");
            rest += v->length;
        } else if (v->fill == MODEL_CONSTANT) {
            *done = refuse(error, "fill: expected a value, as in fill=3:256");
            return true;
        }
        if (v->fill == MODEL_LIST)
            *done = *rest == ':' ? read_list(rest + 1, v, error)
                                 : refuse(error, "list: expected numbers, as in list:1,2,3");
        else
            *done = read_buffer(rest, fills[k].word, v, error);
        return true;
    }
    return false;
}

static bool keep(model_value *v, model_fill fill, const char *text)
{
    v->fill = fill, v->text = text, v->length = strlen(text);
    return true;
}

bool model_value_read(const char *text, model_value *v, char error[MODEL_VALUE_ERROR])
{
    bool done = false;
    *v = (model_value){.type = HD_NONE};
    if (*text == '@')
        return text[1] != '\0' ? keep(v, MODEL_FILE, text + 1)
                               : refuse(error, "@: expected the name of a file");
    if (strcmp(text, "null") == 0) return keep(v, MODEL_NULL, text);
    if (starts(text, "same:")) return keep(v, MODEL_SAME, text + 5);
    if (starts(text, "bytes:")) {
        keep(v, MODEL_BYTES, text + 6);
        return model_value_bytes(v, NULL) >= 0 ||
               refuse(error, "bytes: expected pairs of hexadecimal digits, got '%.40s'", v->text);
    }
    text = take_type(text, &v->type);
    if (read_fill(text, v, error, &done)) return done;
    keep(v, MODEL_NUMBER, text);
    v->count = 1;
    double number;
    if (io_number_read(v->type == HD_NONE ? HD_F64 : v->type, text, v->length, &number))
        return true;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) return true;
    return refuse(
        error,
        "expected TYPE:NUMBER, TYPE:zeros:N, ones, range, random, fill=V, empty, list:V,V, "
        "@FILE, bytes:HEX, same:NAME or null, got '%.60s'",
        text);
}

bool model_value_parse(const char *argument, model_value *v, char error[MODEL_VALUE_ERROR])
{
    char name[MODEL_NAME_ROOM];
    const bool good = model_value_read(take_name(argument, name), v, error);
    memcpy(v->name, name, sizeof name);
    return good;
}

bool model_value_is_buffer(const model_value *v)
{
    return (v->fill >= MODEL_ZEROS && v->fill <= MODEL_FILE);
}

// ---- Making -------------------------------------------------------------------------------------

static bool is_float(hd_type type)
{
    return type == HD_F16 || type == HD_BF16 || type == HD_F32 || type == HD_F64;
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += GOLDEN;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// The low bytes of a whole number: integers wrap around.
static void put_whole(hd_type type, uint64_t x, void *to)
{
    const uint8_t b = type == HD_BOOL ? (x & 1) : (uint8_t)x;
    const uint16_t h = (uint16_t)x;
    const uint32_t w = (uint32_t)x;
    switch (hd_type_size(type)) {
    case 1: memcpy(to, &b, 1); break;
    case 2: memcpy(to, &h, 2); break;
    case 4: memcpy(to, &w, 4); break;
    default: memcpy(to, &x, 8); break;
    }
}

static void put(hd_type type, double real, uint64_t whole, void *to)
{
    io_conversion rule = {.name = "", .from = HD_F64, .to = type};
    io_error error;
    if (is_float(type))
        io_convert(&rule, &real, to, 1, &error); // to floats it always can
    else
        put_whole(type, whole, to);
}

// random=M: from 0 below M.
static bool make_random(const model_value *v, hd_type type, uint8_t *to, char *error)
{
    const size_t size = hd_type_size(type);
    uint64_t state = v->seed, most = 100;
    double scale = 1;
    if (v->text != NULL) {
        int64_t whole;
        const io_number_kind kind = io_number_parse(v->text, v->length, &whole, &scale);
        const bool good = is_float(type) ? kind != IO_NO_NUMBER : kind == IO_INTEGER && whole > 0;
        if (!good || !(scale > 0))
            return refuse(error, "random=%.*s: expected a number above 0", (int)v->length, v->text);
        if (kind == IO_INTEGER) most = (uint64_t)whole;
    }
    for (int64_t k = 0; k < v->count; k++, to += size) {
        const uint64_t x = next_random(&state);
        put(type, (double)(x >> 11) * 0x1p-53 * scale, x % most, to);
    }
    return true;
}

static bool read_number(const char *text, size_t length, hd_type type, void *to, char *error)
{
    if (io_number_read(type, text, length, to)) return true;
    return refuse(error, "expected a number of type %s, got '%.*s'", hd_type_name(type),
                  (int)(length < 60 ? length : 60), text);
}

static bool make_list(const model_value *v, hd_type type, uint8_t *to, char *error)
{
    const char *at = v->text;
    for (int64_t k = 0; k < v->count; k++) {
        const size_t n = strcspn(at, ",");
        if (!read_number(at, n, type, to + (size_t)k * hd_type_size(type), error)) return false;
        at += n + 1;
    }
    return true;
}

bool model_value_make(const model_value *v, hd_type type, void *data, char error[MODEL_VALUE_ERROR])
{
    const size_t size = hd_type_size(type);
    uint8_t *to = data, one[8] = {0};
    switch (v->fill) {
    case MODEL_NUMBER: return read_number(v->text, v->length, type, to, error);
    case MODEL_LIST: return make_list(v, type, to, error);
    case MODEL_RANDOM: return make_random(v, type, to, error);
    case MODEL_CONSTANT:
        if (!read_number(v->text, v->length, type, one, error)) return false;
        break;
    case MODEL_ONES: put(type, 1, 1, one); break;
    default: break;
    }
    for (int64_t k = 0; k < v->count; k++, to += size) {
        if (v->fill == MODEL_RANGE) put(type, (double)k, (uint64_t)k, one);
        memcpy(to, one, size);
    }
    return true;
}

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c != '\0' ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

int64_t model_value_bytes(const model_value *v, uint8_t *data)
{
    if (v->length == 0 || v->length % 2 != 0) return -1;
    for (size_t k = 0; k < v->length; k++)
        if (digit(v->text[k]) < 0) return -1;
    for (size_t k = 0; data != NULL && k < v->length / 2; k++)
        data[k] = (uint8_t)(16 * digit(v->text[2 * k]) + digit(v->text[2 * k + 1]));
    return (int64_t)(v->length / 2);
}
