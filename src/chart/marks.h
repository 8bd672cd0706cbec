// SPDX-License-Identifier: Apache-2.0
//
// A chart of rows and columns with marks in it, each of a level from 0 (as good as can be) to 5.
#ifndef HEDDLE_CHART_MARKS_H
#define HEDDLE_CHART_MARKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct chart_mark {
    int32_t row;
    double from, to; // in columns: 3 to 4 is all of column 3
    int32_t level;
    bool faint;
    char tip[96]; // or ""
} chart_mark;

typedef struct marks_chart {
    const char *title; // for those who cannot see it
    int32_t rows, columns;
    const char *row_name, *column_name;
    int32_t row_step, column_step;                                   // every which one has a label
    void (*column_label)(void *user, int32_t column, char text[32]); // NULL: its number
    bool (*gap)(void *user, int32_t column); // whether something is left out before it; or NULL
    void *user;
    const chart_mark *marks;
    int32_t count;
} marks_chart;

void marks_draw(FILE *out, const marks_chart *chart);

// Of something that should be 1 and doubles: 1 is level 0, 2 is 1, 3 and 4 are 2, ...
int32_t marks_level(int64_t times);

#endif
