// SPDX-License-Identifier: Apache-2.0
//
// The JSON writer.
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "io/support/escape.h"
#include "io/numbers/number.h"

// A character that needs no escape, n bytes of it, or its escape. What is no UTF-8 (n is 0) may not
// be in a JSON text: the replacement character stands for it.
static void write_character(FILE *out, const char *text, size_t n, unsigned c)
{
    if (n == 0)
        fputs("\\ufffd", out);
    else if (c == '"' || c == '\\')
        fprintf(out, "\\%c", (char)c);
    else if (c == '\n')
        fputs("\\n", out);
    else if (c == '\t')
        fputs("\\t", out);
    else if (io_printable_length(text, n, IO_ESCAPE_ALL) == 0)
        fprintf(out, "\\u%04x", c); // below U+FFFF, all of them
    else
        fwrite(text, 1, n, out);
}

static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (size_t left = strlen(text); left > 0;) {
        unsigned c = 0;
        const size_t n = io_utf8_decode(text, left, &c), taken = n > 0 ? n : 1;
        write_character(out, text, n, c);
        text += taken, left -= taken;
    }
    fputc('"', out);
}

// What comes before a member: a comma, a new line or a space, and the key.
static void before(json *j, const char *key)
{
    if (j->filled[j->depth]) fputc(',', j->out);
    if (!j->flat[j->depth])
        fprintf(j->out, "\n%*s", 2 * (j->depth + 1), "");
    else if (j->filled[j->depth])
        fputc(' ', j->out);
    j->filled[j->depth] = true;
    if (key == NULL) return;
    write_text(j->out, key);
    fputs(": ", j->out);
}

// The closing brackets, by depth, are kept in the same order as they were opened.
static void open_with(json *j, const char *key, char bracket, bool flat)
{
    before(j, key);
    fputc(bracket, j->out);
    if (j->depth + 1 < JSON_MAX_DEPTH) j->depth++;
    j->filled[j->depth] = false;
    j->flat[j->depth] = flat;
    j->bracket[j->depth] = bracket == '{' ? '}' : ']';
}

json json_begin(FILE *out)
{
    fputc('{', out);
    return (json){.out = out, .bracket = {'}'}};
}

void json_end(json *j)
{
    fputs("\n}\n", j->out);
}

void json_object(json *j, const char *key)
{
    open_with(j, key, '{', j->flat[j->depth]);
}

void json_array(json *j, const char *key)
{
    open_with(j, key, '[', true);
}

void json_list(json *j, const char *key)
{
    open_with(j, key, '[', false);
}

void json_close(json *j)
{
    const char bracket = j->bracket[j->depth];
    const bool lines = !j->flat[j->depth] && j->filled[j->depth];
    if (lines) fprintf(j->out, "\n%*s", 2 * j->depth, "");
    fputc(bracket, j->out);
    if (j->depth > 0) j->depth--;
}

void json_text(json *j, const char *key, const char *text)
{
    before(j, key);
    if (text == NULL)
        fputs("null", j->out);
    else
        write_text(j->out, text);
}

void json_int(json *j, const char *key, int64_t value)
{
    before(j, key);
    fprintf(j->out, "%" PRId64, value);
}

void json_uint(json *j, const char *key, uint64_t value)
{
    before(j, key);
    fprintf(j->out, "%" PRIu64, value);
}

void json_real(json *j, const char *key, double value)
{
    char buffer[IO_NUMBER_ROOM];
    io_number_print(HD_F64, &value, buffer);
    json_number(j, key, buffer);
}

void json_bool(json *j, const char *key, bool value)
{
    before(j, key);
    fputs(value ? "true" : "false", j->out);
}

void json_number(json *j, const char *key, const char *digits)
{
    before(j, key);
    // JSON has no nan or inf: they become strings.
    if (strpbrk(digits, "ni") && strcmp(digits, "true") != 0)
        fprintf(j->out, "\"%s\"", digits);
    else
        fputs(digits, j->out);
}
