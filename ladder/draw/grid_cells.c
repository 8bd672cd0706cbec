// SPDX-License-Identifier: Apache-2.0
#include "grid_cells.h"

#include <stdarg.h>
#include <stdio.h>

grid_step *grid_next(grid_drawing *g, bool kept)
{
    grid_step *s = &g->step[g->steps++];
    if (kept && g->steps > 1) {
        *s = g->step[g->steps - 2];
        return s;
    }
    for (int32_t r = 0; r < GRID_MAX_ROWS; r++) grid_clear_row(s, r);
    return s;
}

void grid_clear_row(grid_step *s, int32_t row)
{
    for (int32_t c = 0; c < GRID_MAX_COLUMNS; c++) s->cell[row][c] = (grid_cell){"", GRID_EMPTY};
}

void grid_letters(grid_step *s, int32_t row, int32_t column, int level, const char *letters)
{
    grid_cell *c = &s->cell[row][column];
    c->level = (int8_t)level;
    snprintf(c->text, sizeof c->text, "%.11s", letters);
}

void grid_put(grid_step *s, int32_t row, int32_t column, int level, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)value);
    grid_letters(s, row, column, level, text);
}

void grid_table(grid_drawing *g, const char *const *rows, int32_t count, const char *column_name,
                int32_t columns)
{
    g->row_name = "";
    g->column_name = column_name;
    g->rows = count;
    g->columns = columns;
    for (int32_t r = 0; r < count; r++)
        snprintf(g->row_label[r], sizeof g->row_label[r], "%s", rows[r]);
    for (int32_t c = 0; c < columns; c++)
        snprintf(g->column_label[c], sizeof g->column_label[c], "%d", (int)c);
}

void grid_caption(grid_step *s, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    vsnprintf(s->caption, sizeof s->caption, format, more);
    va_end(more);
}

void grid_sum(grid_drawing *g, const char *format, ...)
{
    va_list more;
    va_start(more, format);
    vsnprintf(g->sum, sizeof g->sum, format, more);
    va_end(more);
    g->chosen = g->steps - 1;
}

int32_t grid_levels(int32_t n)
{
    int32_t levels = 0;
    for (int32_t k = 1; k < n; k *= 2) levels++;
    return levels;
}

int32_t grid_scan_work(int32_t n)
{
    int32_t work = 0;
    for (int32_t stride = 1; stride < n; stride *= 2) work += n - stride;
    return work;
}
