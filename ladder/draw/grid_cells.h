// SPDX-License-Identifier: Apache-2.0
//
// What those who draw grids write them with: steps, labels, cells.
#ifndef HEDDLE_LADDER_DRAW_GRID_CELLS_H
#define HEDDLE_LADDER_DRAW_GRID_CELLS_H

#include "grid.h"

// The greatest magnitude of a number that is put in a cell.
#define GRID_MAX INT64_C(9999999999)

// The next step, with the cells of the last one, or with none.
grid_step *grid_next(grid_drawing *g, bool kept);

// A cell with a number, or with a few letters.
void grid_put(grid_step *s, int32_t row, int32_t column, int level, int64_t value);
void grid_letters(grid_step *s, int32_t row, int32_t column, int level, const char *letters);
void grid_clear_row(grid_step *s, int32_t row);

// So many rows with these labels, and columns 0, 1, 2, ...
void grid_table(grid_drawing *g, const char *const *rows, int32_t count, const char *column_name,
                int32_t columns);

// A caption, or the last line of a drawing: what fits.
void grid_caption(grid_step *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void grid_sum(grid_drawing *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ceil(log2 n), and the applications of an operator in a scan of n elements by Kogge and Stone.
int32_t grid_levels(int32_t n);
int32_t grid_scan_work(int32_t n);

// What is drawn on values, and what on letters: false, where they are not what it takes.
typedef bool grid_draw(grid_drawing *g, const int64_t *values, int32_t count);
typedef bool grid_draw_text(grid_drawing *g, const char *text);

// Applications of scan: draw_numbers.c, draw_sorts.c, draw_tree.c, draw_hull.c, draw_lexer.c.
grid_draw grid_draw_polynomial, grid_draw_recurrence, grid_draw_broadcast, grid_draw_carries;
grid_draw grid_draw_split_sort, grid_draw_quicksort, grid_draw_sort_histogram;
grid_draw grid_draw_tree, grid_draw_hull;
grid_draw_text grid_draw_lexer;

#endif
