// SPDX-License-Identifier: Apache-2.0
//
// Lines of a table of text, words among them, sorted by one of its columns: a part of heddle sort.
#ifndef HEDDLE_CLI_PATTERNS_SORT_TABLE_H
#define HEDDLE_CLI_PATTERNS_SORT_TABLE_H

#include "cli/run/workspace.h"

typedef struct table_sort {
    const char *file, *format; // format may be NULL
    const char *key;           // a column, the first is 1, or its title
    io_table_header header;
    hd_type type;       // of the keys; HD_NONE: what they look like
    const char *output; // NULL: standard output
    bool descending, argsort, json;
} table_sort;

// Whether the file, by its format or its name, has lines of text and the output takes them.
bool table_sort_fits(const table_sort *t);

// Sorts and writes the lines, with json as texts of one document; for argsort, *order is all there
// is. Returns an exit code.
int table_sort_run(workspace *w, const table_sort *t, hd_view *order);

// The column a key names, counted from 0; -1: it is no number from 1 on.
int64_t table_sort_column(const char *key);

#endif
