// SPDX-License-Identifier: Apache-2.0
//
// Texts of numbers as arrays.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/convert.h"
#include "csv.h"
#include "io/support/limit.h"
#include "io/support/memory.h"
#include "io/numbers/number.h"

enum { FIRST_ROOM = 1024 }; // numbers

static io_status no_memory(const io_csv *csv, int64_t room, io_error *error)
{
    return io_fail(error, IO_MEMORY, "%s: no memory for %lld numbers", csv->name, (long long)room);
}

// More room, and a new type where the numbers so far turn out to be reals.
static io_status remake(io_numbers *n, const io_csv *csv, hd_type type, int64_t room,
                        io_error *error)
{
    const int64_t element = (int64_t)hd_type_size(type);
    const int64_t least = room > n->room ? n->count + 1 : n->count;
    int64_t bytes;
    IO_TRY(io_limit_grow(csv->name, "the numbers", least * element, room * element, csv->bytes,
                         &bytes, error));
    room = bytes / element;
    void *larger = io_allocate((size_t)bytes);
    if (larger == NULL) return no_memory(csv, room, error);
    if (n->count > 0) hd__convert(type, larger, n->type, n->data, n->count);
    free(n->data);
    n->data = larger;
    n->type = type;
    n->room = room;
    return IO_OK;
}

static void *end_of(const io_numbers *n)
{
    return (char *)n->data + (size_t)n->count * hd_type_size(n->type);
}

// Of no stated type: i64 until something else comes.
static io_status put_any(io_numbers *n, const io_csv *csv, const io_field *field, io_error *error)
{
    int64_t integer = 0;
    double real = (double)NAN; // a missing value
    io_number_kind kind = IO_REAL;
    if (!io_field_missing(field))
        kind = io_number_parse(field->text, field->length, &integer, &real);
    if (kind == IO_NO_NUMBER) return io_csv_not_a_number(csv, field, HD_NONE, error);
    if (kind == IO_REAL && n->type == HD_I64) IO_TRY(remake(n, csv, HD_F64, n->room, error));
    if (n->type == HD_I64)
        memcpy(end_of(n), &integer, sizeof integer);
    else
        memcpy(end_of(n), &real, sizeof real);
    n->count++;
    return IO_OK;
}

io_status io_numbers_put(io_numbers *n, const io_csv *csv, const io_field *field, io_error *error)
{
    if (n->count == n->room) {
        const hd_type first = n->wanted == HD_NONE ? HD_I64 : n->wanted;
        IO_TRY(remake(n, csv, n->room == 0 ? first : n->type,
                      n->room == 0 ? FIRST_ROOM : 2 * n->room, error));
    }
    if (n->wanted == HD_NONE) return put_any(n, csv, field, error);
    const bool missing = io_field_missing(field);
    if (!io_number_read(n->type, missing ? "nan" : field->text, missing ? 3 : field->length,
                        end_of(n)))
        return io_csv_not_a_number(csv, field, n->type, error);
    n->count++;
    return IO_OK;
}

void io_numbers_release(io_numbers *n)
{
    free(n->data);
    *n = (io_numbers){.data = NULL};
}

// Hands the numbers over.
static io_status give(io_numbers *n, const io_csv *csv, io_decoded *out, io_error *error)
{
    if (n->count == 0)
        return io_fail(error, IO_FORMAT, "%s: line %lld: expected numbers, got the end", csv->name,
                       (long long)csv->line);
    out->header.dtype.type = n->type;
    out->data = n->data;
    n->data = NULL;
    return IO_OK;
}

static io_status ragged(const io_csv *csv, int64_t line, int64_t got, int64_t expected,
                        io_error *error)
{
    return io_fail(error, IO_FORMAT,
                   "%s: line %lld, column %lld: expected %lld field%s, got %s%lld", csv->name,
                   (long long)line, (long long)(got < expected ? got + 1 : expected + 1),
                   (long long)expected, expected == 1 ? "" : "s", got > expected ? "at least " : "",
                   (long long)got);
}

static io_status take_row(io_csv *csv, io_numbers *n, int64_t columns, io_error *error)
{
    const int64_t line = csv->line;
    io_field field;
    bool last = false;
    while (!last) {
        IO_TRY(io_csv_field(csv, &field, &last, error));
        if (csv->column > columns) return ragged(csv, line, csv->column, columns, error);
        IO_TRY(io_numbers_put(n, csv, &field, error));
    }
    if (csv->column < columns) return ragged(csv, line, csv->column, columns, error);
    return IO_OK;
}

// Leaves a header behind; its fields tell the columns, as any line's do. *mixed: the first line
// could be one, but for its numbers.
static io_status begin(io_csv *csv, hd_type type, io_table_header header, int64_t *columns,
                       bool *mixed, io_error *error)
{
    bool last = false;
    io_field field;
    io_csv_kinds kinds = {.fields = 0};
    *columns = 0, *mixed = false;
    if (!io_csv_line(csv)) return IO_OK;
    IO_TRY(io_csv_look(csv, type, &kinds, error));
    *columns = kinds.fields;
    *mixed = header == IO_HEADER_FIND && kinds.words && kinds.numbers;
    if (header == IO_HEADER_NO || (header == IO_HEADER_FIND && (!kinds.words || kinds.numbers)))
        return IO_OK;
    while (!last) IO_TRY(io_csv_field(csv, &field, &last, error));
    return IO_OK;
}

// The first row with a word in it: perhaps a header with a year in it.
static void suggest_header(io_error *error)
{
    const size_t used = strlen(error->text);
    strncat(error->text, " (a header has no number in it, unless --header yes says that it is one)",
            sizeof error->text - used - 1);
}

static io_status decode_rows(io_csv *csv, io_numbers *n, io_table_header header, io_decoded *out,
                             io_error *error)
{
    int64_t columns, rows = 0;
    bool mixed;
    IO_TRY(begin(csv, n->wanted, header, &columns, &mixed, error));
    for (; io_csv_line(csv); rows++) {
        const io_status status = take_row(csv, n, columns, error);
        if (status == IO_FORMAT && rows == 0 && mixed) suggest_header(error);
        if (status != IO_OK) return status;
    }
    out->header = (io_array_header){.ndim = columns == 1 ? 1 : 2, .shape = {rows, columns}};
    return give(n, csv, out, error);
}

io_status io_csv_decode(const io_bytes *file, hd_type type, io_table_header header, io_decoded *out,
                        io_error *error)
{
    io_numbers n = {.wanted = type};
    io_csv csv;
    out->data = NULL;
    io_csv_begin(&csv, file);
    const io_status status = decode_rows(&csv, &n, header, out, error);
    io_numbers_release(&n);
    return status;
}

static io_status decode_text(io_csv *csv, io_numbers *n, io_decoded *out, io_error *error)
{
    int64_t lines = 0, columns = 0;
    bool even = true;
    for (; io_csv_line(csv); lines++) {
        io_field field;
        for (bool last = false; !last;) {
            IO_TRY(io_csv_field(csv, &field, &last, error));
            IO_TRY(io_numbers_put(n, csv, &field, error));
        }
        if (lines == 0) columns = csv->column;
        even &= csv->column == columns;
    }
    if (even && lines > 1 && columns > 1)
        out->header = (io_array_header){.ndim = 2, .shape = {lines, columns}};
    else
        out->header = (io_array_header){.ndim = 1, .shape = {n->count}};
    return give(n, csv, out, error);
}

io_status io_text_decode(const io_bytes *file, hd_type type, io_decoded *out, io_error *error)
{
    io_numbers n = {.wanted = type};
    io_csv csv;
    out->data = NULL;
    io_csv_begin(&csv, file);
    csv.separator = ' ';
    const io_status status = decode_text(&csv, &n, out, error);
    io_numbers_release(&n);
    if (status == IO_FORMAT && strstr(error->text, "expected a number") != NULL) {
        const size_t used = strlen(error->text);
        strncat(error->text, " (letters as bytes: --format bytes)", sizeof error->text - used - 1);
    }
    return status;
}
