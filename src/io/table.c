// SPDX-License-Identifier: Apache-2.0
//
// Cutting a text into lines, its columns, and writing it in another order.
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "core/convert.h"
#include "io/support/escape.h"
#include "io/support/limit.h"
#include "io/support/memory.h"
#include "io/numbers/number.h"
#include "io/writer.h"

enum {
    FIRST_ROOM = 256,  // lines
    HEADER_LOOKS = 16, // lines that are asked about the header
    BUFFER_BYTES = 1 << 16,
    ORDER_CHUNK = 1024,
};

static io_status no_memory(const io_table *table, io_error *error)
{
    return io_fail(error, IO_MEMORY, "%s: no memory for a table of %lld lines", table->text.name,
                   (long long)table->rows);
}

static const char *text_of(const io_table *table)
{
    return (const char *)table->text.data;
}

// A place at the beginning of a line.
static io_csv at_line(const io_table *table, io_line line)
{
    const char *text = text_of(table);
    return (io_csv){.name = table->text.name,
                    .at = text + line.begin,
                    .end = text + line.end,
                    .line = 1,
                    .separator = table->separator,
                    .bytes = (int64_t)table->text.size};
}

static int64_t line_number(const io_table *table, io_line line)
{
    int64_t n = 1;
    for (int64_t k = 0; k < line.begin; k++) n += table->text.data[k] == '\n';
    return n;
}

// ---- Loading -------------------------------------------------------------------------------

static io_status add_line(io_table *table, int64_t *room, io_line line, io_error *error)
{
    if (table->rows == *room) {
        const int64_t more = *room == 0 ? FIRST_ROOM : 2 * *room;
        const int64_t element = (int64_t)sizeof line;
        int64_t bytes;
        IO_TRY(io_limit_grow(table->text.name, "the table", (table->rows + 1) * element,
                             more * element, (int64_t)table->text.size, &bytes, error));
        io_line *larger = io_allocate((size_t)bytes);
        if (larger == NULL) return no_memory(table, error);
        if (table->rows > 0) memcpy(larger, table->row, (size_t)table->rows * sizeof *larger);
        free(table->row);
        table->row = larger;
        *room = bytes / element;
    }
    table->row[table->rows++] = line;
    return IO_OK;
}

// Goes over the fields of a line to its end, which is not always the next end of a line.
static io_status take_line(io_csv *csv, const char *text, int64_t *fields, io_line *line,
                           io_error *error)
{
    io_field field;
    line->begin = csv->at - text;
    for (bool last = false; !last;) IO_TRY(io_csv_field(csv, &field, &last, error));
    *fields = csv->column;
    line->end = csv->at - text;
    if (line->end > line->begin && text[line->end - 1] == '\n') line->end--;
    if (line->end > line->begin && text[line->end - 1] == '\r') line->end--;
    return IO_OK;
}

static io_status cut_lines(io_table *table, io_error *error)
{
    io_csv csv;
    int64_t room = 0, fields;
    io_line line;
    io_csv_begin(&csv, &table->text);
    table->separator = csv.separator;
    while (io_csv_line(&csv)) {
        const int64_t number = csv.line;
        IO_TRY(take_line(&csv, text_of(table), &fields, &line, error));
        if (table->rows == 0) {
            table->columns = fields;
            table->returns =
                line.end < (int64_t)table->text.size && text_of(table)[line.end] == '\r';
        }
        if (fields != table->columns)
            return io_fail(
                error, IO_FORMAT,
                "%s: line %lld, column %lld: expected %lld fields, as in the first line, "
                "got %lld",
                csv.name, (long long)number,
                (long long)(fields < table->columns ? fields : table->columns) + 1,
                (long long)table->columns, (long long)fields);
        IO_TRY(add_line(table, &room, line, error));
    }
    if (table->rows > 0) return IO_OK;
    return io_fail(error, IO_FORMAT, "%s: expected lines of fields, got nothing", csv.name);
}

static io_field field_of(const io_table *table, io_line line, int64_t column)
{
    io_csv csv = at_line(table, line);
    io_field field = {.text = csv.at};
    io_error ignored;
    bool last = false;
    for (int64_t k = 0; k <= column && !last; k++)
        if (io_csv_field(&csv, &field, &last, &ignored) != IO_OK) break; // was taken before
    return field;
}

// Walks down the columns of the first lines side by side: a line is cut once, however many columns
// there are.
static bool has_header(const io_table *table)
{
    io_csv line[1 + HEADER_LOOKS];
    io_field field;
    io_error ignored; // the lines were cut before
    bool last;
    const int64_t lines = table->rows < 1 + HEADER_LOOKS ? table->rows : 1 + HEADER_LOOKS;
    for (int64_t r = 0; r < lines; r++) line[r] = at_line(table, table->row[r]);
    for (int64_t k = 0; k < table->columns; k++) {
        bool word = false, numbers = false;
        for (int64_t r = 0; r < lines; r++) {
            if (io_csv_field(&line[r], &field, &last, &ignored) != IO_OK) return false;
            const io_field_kind kind = io_field_is(&field, HD_NONE);
            if (r == 0) word = kind == IO_FIELD_WORD;
            numbers |= kind == IO_FIELD_NUMBER;
        }
        if (word && numbers) return true;
    }
    return false;
}

static io_status cut(io_table *table, io_source *source, io_table_header header, io_error *error)
{
    IO_TRY(io_bytes_read(&table->text, source, error));
    IO_TRY(cut_lines(table, error));
    table->header = header == IO_HEADER_YES || (header == IO_HEADER_FIND && has_header(table));
    if (!table->header) return IO_OK;
    table->head = table->row[0];
    table->rows--;
    memmove(table->row, table->row + 1, (size_t)table->rows * sizeof *table->row);
    return IO_OK;
}

static io_status load(io_table *table, io_source *source, io_table_header header, io_error *error)
{
    *table = (io_table){.rows = 0};
    const io_status status = cut(table, source, header, error);
    if (status != IO_OK) io_table_release(table);
    io_source_close(source);
    return status;
}

io_status io_table_load(io_table *table, const char *name, io_table_header header, io_error *error)
{
    io_source source;
    *table = (io_table){.rows = 0};
    IO_TRY(io_source_open(&source, name, error));
    return load(table, &source, header, error);
}

io_status io_table_load_memory(io_table *table, const char *name, const void *memory, size_t length,
                               io_table_header header, io_error *error)
{
    io_source source;
    io_source_memory(&source, name, memory, length);
    return load(table, &source, header, error);
}

void io_table_release(io_table *table)
{
    free(table->row);
    io_bytes_release(&table->text);
    *table = (io_table){.rows = 0};
}

// ---- Columns -------------------------------------------------------------------------------

int64_t io_table_find(const io_table *table, const char *title)
{
    const size_t n = strlen(title);
    io_csv head = at_line(table, table->head);
    io_field field;
    io_error ignored; // the line was cut before
    bool last;
    for (int64_t k = 0; table->header && k < table->columns; k++) {
        if (io_csv_field(&head, &field, &last, &ignored) != IO_OK) break;
        if (field.length == n && memcmp(field.text, title, n) == 0) return k;
    }
    return -1;
}

static io_status take_number(const io_table *table, int64_t row, int64_t column,
                             io_numbers *numbers, io_error *error)
{
    const io_field field = field_of(table, table->row[row], column);
    io_csv place = at_line(table, table->row[row]);
    const io_status status = io_numbers_put(numbers, &place, &field, error);
    if (status != IO_FORMAT) return status;
    place.taken = line_number(table, table->row[row]);
    place.column = column + 1;
    return io_csv_not_a_number(&place, &field, numbers->wanted, error);
}

io_status io_table_column(const io_table *table, int64_t column, hd_type type, io_array *out,
                          io_error *error)
{
    io_numbers numbers = {.wanted = type, .type = type == HD_NONE ? HD_I64 : type};
    *out = (io_array){.mapped = false};
    if (column < 0 || column >= table->columns)
        return io_fail(error, IO_ARGUMENT, "%s: expected a column from 1 to %lld, got %lld",
                       table->text.name, (long long)table->columns, (long long)column + 1);
    io_status status = IO_OK;
    for (int64_t r = 0; r < table->rows && status == IO_OK; r++)
        status = take_number(table, r, column, &numbers, error);
    if (status != IO_OK) {
        io_numbers_release(&numbers);
        return status;
    }
    *out = (io_array){.memory = numbers.data,
                      .bytes = (size_t)numbers.count * hd_type_size(numbers.type)};
    out->view = hd_view_of(numbers.type, numbers.data, numbers.count);
    return IO_OK;
}

// ---- Writing -------------------------------------------------------------------------------

typedef struct line_writer {
    const io_table *table;
    io_writer file;
    char *buffer;
    size_t used;
    bool terminal;
} line_writer;

static io_status flush(line_writer *w, io_error *error)
{
    const size_t n = w->used;
    w->used = 0;
    return io_writer_put(&w->file, w->buffer, (int64_t)n, error);
}

static io_status put_text(line_writer *w, const char *text, size_t n, io_error *error)
{
    if (n > BUFFER_BYTES - w->used) IO_TRY(flush(w, error));
    if (n > BUFFER_BYTES) return io_writer_put(&w->file, text, (int64_t)n, error);
    memcpy(w->buffer + w->used, text, n);
    w->used += n;
    return IO_OK;
}

// What a terminal would obey is escaped there, as it is in messages; files and pipes get the line.
static io_status put_escaped(line_writer *w, const char *text, size_t n, io_error *error)
{
    char chunk[512];
    while (n > 0) {
        const size_t taken = io_escape(chunk, sizeof chunk, text, n, IO_ESCAPE_KEEP_TABS);
        IO_TRY(put_text(w, chunk, strlen(chunk), error));
        text += taken, n -= taken;
    }
    return IO_OK;
}

static io_status put_line(line_writer *w, io_line line, io_error *error)
{
    const size_t n = (size_t)(line.end - line.begin);
    IO_TRY((w->terminal ? put_escaped : put_text)(w, text_of(w->table) + line.begin, n, error));
    return put_text(w, w->table->returns ? "\r\n" : "\n", w->table->returns ? 2 : 1, error);
}

static io_status put_rows(line_writer *w, hd_view order, io_error *error)
{
    const io_table *table = w->table;
    const bool all = order.type == HD_NONE;
    const int64_t n = all ? table->rows : hd_count(order);
    int64_t index[ORDER_CHUNK];
    for (int64_t at = 0; at < n; at += ORDER_CHUNK) {
        const int64_t m = n - at < ORDER_CHUNK ? n - at : ORDER_CHUNK;
        const char *from =
            all ? NULL : (const char *)order.data + (size_t)at * hd_type_size(order.type);
        if (!all) hd__convert(HD_I64, index, order.type, from, m);
        for (int64_t k = 0; k < m; k++) {
            const int64_t r = all ? at + k : index[k];
            if (r < 0 || r >= table->rows)
                return io_fail(error, IO_ARGUMENT,
                               "%s: line %lld of the new order: expected a row from 0 to %lld, got "
                               "%lld",
                               table->text.name, (long long)(at + k), (long long)table->rows - 1,
                               (long long)r);
            IO_TRY(put_line(w, table->row[r], error));
        }
    }
    return flush(w, error);
}

static io_status write_all(line_writer *w, hd_view order, io_error *error)
{
    w->terminal = io_writer_on_terminal(&w->file);
    if (w->table->header) IO_TRY(put_line(w, w->table->head, error));
    IO_TRY(put_rows(w, order, error));
    return io_writer_commit(&w->file, error);
}

io_status io_table_write(const io_table *table, const char *name, hd_view order, io_error *error)
{
    line_writer w = {.table = table};
    const int64_t unknown = -1;
    if (order.type != HD_NONE && (!hd__is_integer(order.type) || order.ndim != 1 ||
                                  (order.stride[0] != 1 && order.shape[0] > 1)))
        return io_fail(error, IO_ARGUMENT,
                       "%s: the new order: expected integers one after another, got %d dimensions "
                       "of %s",
                       name, (int)order.ndim, hd_type_name(order.type));
    IO_TRY(io_writer_open_as(&w.file, name, IO_BYTES, HD_U8, 1, &unknown, error));
    w.buffer = io_allocate(BUFFER_BYTES);
    const io_status status =
        w.buffer == NULL ? no_memory(table, error) : write_all(&w, order, error);
    io_writer_abandon(&w.file);
    free(w.buffer);
    return status;
}
