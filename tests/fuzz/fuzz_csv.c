// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a CSV file: the first byte chooses the element type. Numbers that were taken are
// printed as text that is taken again, with the same bits. The same bytes as a table of lines.
#include "decode.h"
#include "io/numbers/number.h"
#include "io/table.h"

static void print_again(const io_array *array)
{
    const hd_view *v = &array->view;
    const size_t element = hd_type_size(v->type);
    const int64_t n = hd_count(*v);
    for (int64_t k = 0; k < n && k < 100; k++) {
        const unsigned char *x = (const unsigned char *)v->data + (size_t)k * element;
        char text[IO_NUMBER_ROOM];
        unsigned char again[8];
        const size_t length = io_number_print(v->type, x, text);
        if (length != strlen(text) || length >= IO_NUMBER_ROOM) abort();
        if (!io_number_read(v->type, text, length, again)) abort();
        if (strcmp(text, "nan") != 0 && memcmp(again, x, element) != 0) abort();
    }
}

static void as_table(const uint8_t *data, size_t size)
{
    io_table table;
    io_error error = {.text = ""};
    io_array column;
    if (io_table_load_memory(&table, "fuzz", data, size, IO_HEADER_FIND, &error) != IO_OK) {
        if (error.text[0] == '\0') abort();
        return;
    }
    if (table.columns < 1 || table.rows + table.header < 1) abort();
    for (int64_t r = 0; r < table.rows; r++)
        if (table.row[r].begin < 0 || table.row[r].end > (int64_t)size ||
            table.row[r].begin > table.row[r].end)
            abort();
    for (int64_t k = 0; k < table.columns && k < 4; k++) {
        if (io_table_column(&table, k, HD_NONE, &column, &error) == IO_OK) {
            if (hd_count(column.view) != table.rows) abort();
            io_array_release(&column);
        } else if (error.status != IO_LIMIT && strstr(error.text, ": line ") == NULL) {
            abort();
        }
    }
    io_table_find(&table, "a");
    io_table_release(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const io_read_options options = {.type = data[0] % HD_STRUCTURE, .format = IO_CSV};
    fuzz_decode(data + 1, size - 1, &options, print_again);
    as_table(data + 1, size - 1);
    return 0;
}
