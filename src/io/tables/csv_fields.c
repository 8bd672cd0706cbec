// SPDX-License-Identifier: Apache-2.0
//
// Cutting a text into lines and fields.
#include <string.h>
#include <strings.h>

#include "csv.h"
#include "io/numbers/number.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool ends_line(char c)
{
    return c == '\n' || c == '\r';
}

// The first of tab, ';', ',' on the first line of the text, outside quotes.
static char find_separator(const io_csv *csv)
{
    static const char order[] = "\t;,";
    int best = 3;
    bool quoted = false;
    for (const char *c = csv->at; c < csv->end && (quoted || !ends_line(*c)); c++) {
        if (*c == '"') quoted = !quoted;
        for (int k = 0; k < best && !quoted; k++)
            if (*c == order[k]) best = k;
    }
    return best < 3 ? order[best] : ' ';
}

void io_csv_begin(io_csv *csv, const io_bytes *file)
{
    const char *text = (const char *)file->data;
    *csv = (io_csv){.name = file->name,
                    .at = text,
                    .end = text + file->size,
                    .line = 1,
                    .taken = 1,
                    .separator = ' ',
                    .bytes = (int64_t)file->size};
    if (file->size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) csv->at += 3;
    io_csv first = *csv;
    if (io_csv_line(&first)) csv->separator = find_separator(&first);
}

static void end_line(io_csv *csv)
{
    if (csv->at < csv->end && *csv->at == '\r') csv->at++;
    if (csv->at < csv->end && *csv->at == '\n') csv->at++;
    csv->line++;
}

bool io_csv_line(io_csv *csv)
{
    csv->column = 0;
    while (csv->at < csv->end) {
        const char *first = csv->at;
        while (first < csv->end && is_blank(*first) && csv->separator != *first) first++;
        if (csv->separator == ' ')
            while (first < csv->end && is_blank(*first)) first++;
        if (first < csv->end && *first != '#' && !ends_line(*first)) return true;
        if (first == csv->end) return csv->at = first, false;
        while (first < csv->end && !ends_line(*first)) first++;
        csv->at = first;
        end_line(csv);
    }
    return false;
}

static void skip_blanks(io_csv *csv)
{
    while (csv->at < csv->end && is_blank(*csv->at) &&
           (csv->separator == ' ' || *csv->at != csv->separator))
        csv->at++;
}

// Past the closing quote; lines inside are counted.
static io_status take_quoted(io_csv *csv, io_field *field, io_error *error)
{
    field->quoted = true;
    field->text = ++csv->at;
    for (; csv->at < csv->end; csv->at++) {
        if (*csv->at == '\n') csv->line++;
        if (*csv->at != '"') continue;
        if (csv->at + 1 < csv->end && csv->at[1] == '"') {
            csv->at++;
            continue;
        }
        field->length = (size_t)(csv->at++ - field->text);
        return IO_OK;
    }
    return io_fail(error, IO_FORMAT, "%s: line %lld, column %lld: the quote is not closed",
                   csv->name, (long long)csv->taken, (long long)csv->column);
}

static void take_plain(io_csv *csv, io_field *field)
{
    const bool blanks = csv->separator == ' ';
    field->text = csv->at;
    while (csv->at < csv->end && !ends_line(*csv->at) &&
           !(blanks ? is_blank(*csv->at) : *csv->at == csv->separator))
        csv->at++;
    const char *last = csv->at;
    while (last > field->text && is_blank(last[-1])) last--;
    field->length = (size_t)(last - field->text);
}

io_status io_csv_field(io_csv *csv, io_field *field, bool *last, io_error *error)
{
    *field = (io_field){.text = csv->at};
    csv->column++;
    csv->taken = csv->line;
    skip_blanks(csv);
    if (csv->at < csv->end && *csv->at == '"')
        IO_TRY(take_quoted(csv, field, error));
    else
        take_plain(csv, field);
    const char *after = csv->at;
    skip_blanks(csv);
    *last = csv->at == csv->end || ends_line(*csv->at);
    if (*last)
        end_line(csv);
    else if (csv->separator != ' ' && *csv->at == csv->separator)
        csv->at++;
    else if (csv->separator != ' ' || csv->at == after)
        return io_fail(error, IO_FORMAT,
                       "%s: line %lld, column %lld: expected the separator after a quoted field, "
                       "got '%.1s'",
                       csv->name, (long long)csv->line, (long long)csv->column, csv->at);
    return IO_OK;
}

bool io_field_missing(const io_field *field)
{
    static const char *const words[] = {"na", "n/a", "nan", "null"};
    if (field->length == 0) return true;
    if (*field->text != 'n' && *field->text != 'N') return false; // at once, for numbers
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (field->length == strlen(words[k]) &&
            strncasecmp(field->text, words[k], field->length) == 0)
            return true;
    return false;
}

io_field_kind io_field_is(const io_field *field, hd_type type)
{
    int64_t integer;
    double real;
    uint8_t truth;
    if (io_field_missing(field)) return IO_FIELD_MISSING;
    // true and false are words, but where bool is asked for.
    const bool number =
        io_number_parse(field->text, field->length, &integer, &real) != IO_NO_NUMBER ||
        (type == HD_BOOL && io_number_read(HD_BOOL, field->text, field->length, &truth));
    return number ? IO_FIELD_NUMBER : IO_FIELD_WORD;
}

io_status io_csv_look(const io_csv *csv, hd_type type, io_csv_kinds *kinds, io_error *error)
{
    io_csv copy = *csv;
    io_field field;
    *kinds = (io_csv_kinds){.fields = 0};
    for (bool last = false; !last; kinds->fields++) {
        IO_TRY(io_csv_field(&copy, &field, &last, error));
        const io_field_kind kind = io_field_is(&field, type);
        kinds->words |= kind == IO_FIELD_WORD;
        kinds->numbers |= kind == IO_FIELD_NUMBER;
    }
    return IO_OK;
}

io_status io_csv_not_a_number(const io_csv *csv, const io_field *field, hd_type type,
                              io_error *error)
{
    const int shown = field->length < 40 ? (int)field->length : 40;
    if (type != HD_NONE && io_field_missing(field))
        return io_fail(
            error, IO_FORMAT,
            "%s: line %lld, column %lld: expected a number of type %s, got a missing value "
            "('%.*s'), which %s does not have (f64 has NaN for it)",
            csv->name, (long long)csv->taken, (long long)csv->column, hd_type_name(type), shown,
            field->text, hd_type_name(type));
    return io_fail(error, IO_FORMAT,
                   "%s: line %lld, column %lld: expected a number%s%s, got '%.*s'%s", csv->name,
                   (long long)csv->taken, (long long)csv->column,
                   type == HD_NONE ? "" : " of type ", type == HD_NONE ? "" : hd_type_name(type),
                   shown, field->text, (int)field->length > shown ? "..." : "");
}
