// SPDX-License-Identifier: Apache-2.0
//
// A table of lines and fields, words among them: the lines stay the text they are, single columns
// become arrays of numbers, and the lines can be written in another order. What heddle sort --key
// works on:
//
//     io_table_load(&table, "people.csv", IO_HEADER_FIND, &error);
//     io_table_column(&table, 2, HD_NONE, &ages, &error);      // an array of table.rows numbers
//     ... find the order of ages.view ...
//     io_table_write(&table, "by_age.csv", order, &error);     // header first, then the lines
//     io_array_release(&ages), io_table_release(&table);
//
// Fields are those of csv.h: the separator is found in the first line, quotes may hold it and the
// end of a line. Empty lines and comments (#) are left out. Every line must have as many fields as
// the first.
#ifndef HEDDLE_IO_TABLE_H
#define HEDDLE_IO_TABLE_H

#include "io/array.h"
#include "io/tables/csv.h"

typedef struct io_line {
    int64_t begin, end; // bytes of the text, without the line's end
} io_line;

typedef struct io_table {
    io_bytes text;
    io_line *row;
    int64_t rows, columns;
    bool header;
    io_line head;   // where there is one
    char separator; // ' ': any blanks
    bool returns;   // lines end in \r\n, and so they are written
} io_table;

// Loads a file ("-": standard input). The name is kept, not copied. After an error there is nothing
// to release, but it is allowed. Where the header is to be found out, the first line is one if it
// has a word in a column where one of the next few lines has a number; a missing value (csv.h) is
// no word.
io_status io_table_load(io_table *table, const char *name, io_table_header header, io_error *error);
io_status io_table_load_memory(io_table *table, const char *name, const void *memory, size_t length,
                               io_table_header header, io_error *error);
void io_table_release(io_table *table); // also of zeros

// The column, counted from 0, whose header is this title; -1: none.
int64_t io_table_find(const io_table *table, const char *title);

// The numbers of a column, counted from 0 (errors count from 1, as they do lines). HD_NONE: i64 if
// all are integers that fit, else f64. An empty field is NaN. A field that is no number of the type
// is an error that names its line and column.
io_status io_table_column(const io_table *table, int64_t column, hd_type type, io_array *out,
                          io_error *error);

// Writes the header, if there is one, and the lines that a row of indices (any integer type, one
// after another in memory) names, in its order; an unset view (of zeros): all as they are. The file
// appears whole or not at all; "-" is standard output, where a terminal gets escaped lines.
io_status io_table_write(const io_table *table, const char *name, hd_view order, io_error *error);

#endif
