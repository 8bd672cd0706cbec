// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as what is drawn: the first one chooses the method, then come values of four bytes, or
// letters. What is refused is what the method says that it does not take; what is drawn stays in
// its grid, and its numbers fit into cells.
#include <stdlib.h>
#include <string.h>

#include "ladder/draw/drawing.h"
#include "ladder/draw/grid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_grid(const grid_drawing *g)
{
    if (g->rows < 1 || g->rows > GRID_MAX_ROWS || g->columns < 1 || g->columns > GRID_MAX_COLUMNS)
        abort();
    if (g->steps < 1 || g->steps > GRID_MAX_STEPS || g->chosen < 0 || g->chosen >= g->steps)
        abort();
    if (g->sum[0] == 0 || memchr(g->sum, 0, sizeof g->sum) == NULL) abort();
    for (int32_t k = 0; k < g->steps; k++) {
        if (g->step[k].caption[0] == 0) abort();
        for (int32_t r = 0; r < GRID_MAX_ROWS; r++)
            for (int32_t c = 0; c < GRID_MAX_COLUMNS; c++) {
                const grid_cell *cell = &g->step[k].cell[r][c];
                if (memchr(cell->text, 0, sizeof cell->text) == NULL) abort();
                if (cell->level < GRID_EMPTY || cell->level > 5) abort();
                const bool outside = r >= g->rows || c >= g->columns;
                if (outside && cell->level != GRID_EMPTY) abort();
            }
    }
}

static void check_drawing(const drawing *d)
{
    if (d->steps < 1 || d->steps > DRAWING_MAX_STEPS || d->count > DRAWING_MAX_VALUES) abort();
    for (int32_t k = 0; k < d->steps; k++)
        for (int32_t i = 0; i < d->count; i++)
            if (d->step[k].from[i] < -1 || d->step[k].from[i] >= d->count) abort();
}

// The values that the rest of the input has, one more than are taken at most.
static int32_t values_of(const uint8_t *data, size_t size, int64_t *values)
{
    int32_t count = 0;
    for (; size >= 4 && count <= GRID_MAX_VALUES; data += 4, size -= 4) {
        int32_t value;
        memcpy(&value, data, 4);
        // Small ones mostly; those of both ends, too.
        values[count++] = data[3] % 4 == 3 ? value : (int8_t)data[0] + 64 * (data[1] % 4);
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static grid_drawing g;
    static drawing d;
    int64_t values[GRID_MAX_VALUES + 1];
    char text[64];
    if (size < 2) return 0;
    int32_t count = values_of(data + 1, size - 1, values), chosen = data[0];
    const size_t length = size - 1 < sizeof text ? size - 1 : sizeof text - 1;
    memcpy(text, data + 1, length);
    text[length] = 0;
    for (const drawing_method *m = drawing_methods; m->name != NULL; m++)
        if (chosen-- == 0 && count > 0 && count <= DRAWING_MAX_VALUES) {
            if (drawing_make(m, values, count, &d) == NULL) check_drawing(&d);
            return 0;
        }
    for (const grid_method *m = grid_methods; m->name != NULL; m++)
        if (chosen-- == 0) {
            const char *wrong = m->draw_text != NULL ? grid_make_text(m, text, &g)
                                : count > 0          ? grid_make(m, values, count, &g)
                                                     : m->takes;
            if (wrong == NULL)
                check_grid(&g);
            else if (wrong != m->takes)
                abort();
            return 0;
        }
    return 0;
}
