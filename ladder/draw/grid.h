// SPDX-License-Identifier: Apache-2.0
//
// Pictures that are grids of cells, step by step: who beats whom, which lane asks which bank, how
// often each element of a tile is used. How a grid is shown is the program's business.
#ifndef HEDDLE_LADDER_DRAW_GRID_H
#define HEDDLE_LADDER_DRAW_GRID_H

#include <stdbool.h>
#include <stdint.h>

#define GRID_MAX_ROWS    32
#define GRID_MAX_COLUMNS 40
#define GRID_MAX_STEPS   20
#define GRID_MAX_VALUES  32

// Level 0 to 5 is coloured from good to bad; GRID_PLAIN is a cell that is only there.
enum { GRID_EMPTY = -2, GRID_PLAIN = -1 };

typedef struct grid_cell {
    char text[12];
    int8_t level;
} grid_cell;

typedef struct grid_step {
    char caption[120];
    grid_cell cell[GRID_MAX_ROWS][GRID_MAX_COLUMNS];
} grid_step;

typedef struct grid_drawing {
    const char *method, *title, *row_name, *column_name;
    int32_t rows, columns, steps, chosen; // chosen: the step to show first
    char row_label[GRID_MAX_ROWS][16], column_label[GRID_MAX_COLUMNS][16];
    char sum[120]; // the last line: what it comes to
    grid_step step[GRID_MAX_STEPS];
} grid_drawing;

typedef struct grid_method {
    const char *name, *ladder, *title;
    const int64_t *usual; // values, if none are given
    int32_t usual_count;
    bool (*draw)(grid_drawing *g, const int64_t *values, int32_t count); // false: not what it takes
    const char *takes;
    // In the place of values, of what is drawn on a text
    const char *usual_text;
    bool (*draw_text)(grid_drawing *g, const char *text);
    bool application; // of the pattern: on a page of its own, not on the ladder's
} grid_method;

extern const grid_method grid_methods[]; // NULL name at the end

const grid_method *grid_named(const char *ladder, const char *name);

// Draws; values NULL: the usual ones. Returns NULL, or what is wrong with the values.
const char *grid_make(const grid_method *m, const int64_t *values, int32_t count, grid_drawing *g);

// The same of a method that has draw_text; text NULL: the usual one.
const char *grid_make_text(const grid_method *m, const char *text, grid_drawing *g);

#endif
