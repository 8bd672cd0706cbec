// SPDX-License-Identifier: Apache-2.0
//
// heddle sort --key of a table of text: the column becomes numbers, the lines stay as they are and
// are written in their order, the header first.
#include "sort_table.h"

#include <errno.h>
#include <stdlib.h>

#include "io/format.h"
#include "io/table.h"

static bool has_lines(io_format format)
{
    return format == IO_CSV || format == IO_TEXT;
}

bool table_sort_fits(const table_sort *t)
{
    const io_format in =
        t->format != NULL ? io_format_named(t->format) : io_format_by_name(t->file);
    return has_lines(in) && (t->output == NULL || t->argsort || strcmp(t->output, "-") == 0 ||
                             has_lines(io_format_by_name(t->output)));
}

int64_t table_sort_column(const char *key)
{
    char *end;
    errno = 0;
    const long long k = strtoll(key, &end, 10);
    return *key != '\0' && *end == '\0' && errno == 0 && k >= 1 ? k - 1 : -1;
}

// A title wins over a number: columns may be called 2024.
static int find_column(const workspace *w, const io_table *table, const char *key, int64_t *column)
{
    *column = table->header ? io_table_find(table, key) : -1;
    if (*column < 0) *column = table_sort_column(key);
    if (*column < 0)
        return fail(EXIT_USAGE, w->command,
                    "--key %s: expected the number of a column, from 1 on, or a title of the table",
                    key);
    if (*column >= table->columns)
        return fail(EXIT_USAGE, w->command, "--key %s: the table has %lld columns", key,
                    (long long)table->columns);
    return EXIT_DONE;
}

static int sort_lines(workspace *w, const table_sort *t, const io_table *table, hd_view *order)
{
    io_error error;
    io_array keys;
    int64_t column;
    EXIT_TRY(find_column(w, table, t->key, &column));
    EXIT_TRY(workspace_row(w, HD_I64, table->rows, order));
    if (io_table_column(table, column, t->type, &keys, &error) != IO_OK)
        return io_failed(w->command, &error);
    const hd_sort_options how = {.descending = t->descending};
    workspace_begin(w);
    const int code = workspace_call(w, hd_argsort(w->ctx, keys.view, *order, &how));
    io_array_release(&keys);
    if (code != EXIT_DONE || t->argsort) return code;
    if (io_table_write(table, t->output != NULL ? t->output : "-", *order, &error) != IO_OK)
        return io_failed(w->command, &error);
    return EXIT_DONE;
}

int table_sort_run(workspace *w, const table_sort *t, hd_view *order)
{
    io_error error;
    io_table table;
    if (io_table_load(&table, t->file, IO_HEADER_FIND, &error) != IO_OK)
        return io_failed(w->command, &error);
    const int code = sort_lines(w, t, &table, order);
    io_table_release(&table);
    return code;
}
