// SPDX-License-Identifier: Apache-2.0
//
// Comma-separated values, and text of numbers between blanks: cutting into lines and fields, and
// the array of a file that holds numbers alone. Tables with words in them are table.h's.
#ifndef HEDDLE_IO_TABLES_CSV_H
#define HEDDLE_IO_TABLES_CSV_H

#include "io/stream/decoded.h"
#include "io/stream/format.h"

// A place in the text. Fields end at the separator or the line's end (\n, \r\n); a field in quotes
// may hold both, and "" for a quote. With the separator ' ' any run of blanks separates.
typedef struct io_csv {
    const char *name;
    const char *at, *end;
    int64_t line;          // from 1
    int64_t taken, column; // line and column of the field last taken, from 1
    char separator;
    int64_t bytes; // of the whole text
} io_csv;

typedef struct io_field {
    const char *text; // without blanks around it, and without its quotes
    size_t length;
    bool quoted;
} io_field;

// Begins: past a byte-order mark; the separator is the first of tab, ';', ',' that the first line
// has, or blanks.
void io_csv_begin(io_csv *csv, const io_bytes *file);

// Goes to the next line that is neither empty nor a comment (#); false at the end.
bool io_csv_line(io_csv *csv);

// Takes the next field of the line; *last tells that the line has no other.
io_status io_csv_field(io_csv *csv, io_field *field, bool *last, io_error *error);

// Whether a value is missing: empty, NA, N/A, nan or null, in letters of either case.
bool io_field_missing(const io_field *field);

// What a field can be. true and false are numbers where the type is bool.
typedef enum io_field_kind { IO_FIELD_MISSING, IO_FIELD_NUMBER, IO_FIELD_WORD } io_field_kind;
io_field_kind io_field_is(const io_field *field, hd_type type);

// Counts the fields of the line at hand, and which kinds there are. Does not move. A header has
// words and no number.
typedef struct io_csv_kinds {
    int64_t fields;
    bool words, numbers;
} io_csv_kinds;
io_status io_csv_look(const io_csv *csv, hd_type type, io_csv_kinds *kinds, io_error *error);

// "FILE: line 3, column 2: expected a number, got 'x'" and its kind.
io_status io_csv_not_a_number(const io_csv *csv, const io_field *field, hd_type type,
                              io_error *error);

// Numbers that grow as they come. Of no stated type (HD_NONE) they are i64 as long as all are
// integers that fit, and f64 from the first that is not; a missing value is NaN, which integers and
// bool do not have.
typedef struct io_numbers {
    hd_type wanted, type;
    void *data;
    int64_t count, room;
} io_numbers;

io_status io_numbers_put(io_numbers *numbers, const io_csv *csv, const io_field *field,
                         io_error *error);
void io_numbers_release(io_numbers *numbers);

// The whole file: a header line is left out; (rows, columns), or (rows) if there is one column.
io_status io_csv_decode(const io_bytes *file, hd_type type, io_table_header header, io_decoded *out,
                        io_error *error);

// Numbers between blanks: (lines, numbers) if all lines have the same, two or more, else a row.
io_status io_text_decode(const io_bytes *file, hd_type type, io_decoded *out, io_error *error);

#endif
