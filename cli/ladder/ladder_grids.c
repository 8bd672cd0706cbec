// SPDX-License-Identifier: Apache-2.0
// Grids as text on a terminal, and as SVG.
#include "ladder_grids.h"

#include <string.h>

#include "chart/html.h"
#include "chart/svg.h"
#include "cli/support/color.h"

// ---- Text ---------------------------------------------------------------------------------------

static int width_of(const grid_drawing *g)
{
    size_t most = 1;
    for (int32_t c = 0; c < g->columns; c++)
        if (strlen(g->column_label[c]) > most) most = strlen(g->column_label[c]);
    for (int32_t k = 0; k < g->steps; k++)
        for (int32_t r = 0; r < g->rows; r++)
            for (int32_t c = 0; c < g->columns; c++)
                if (strlen(g->step[k].cell[r][c].text) > most)
                    most = strlen(g->step[k].cell[r][c].text);
    return (int)most;
}

// Of the labels of rows, in letters.
static int label_width(const grid_drawing *g)
{
    size_t most = strlen(g->row_name);
    for (int32_t r = 0; r < g->rows; r++)
        if (strlen(g->row_label[r]) > most) most = strlen(g->row_label[r]);
    return (int)most;
}

static bool is_empty(const grid_drawing *g, const grid_step *s, int32_t row)
{
    for (int32_t c = 0; c < g->columns; c++)
        if (s->cell[row][c].level != GRID_EMPTY) return false;
    return true;
}

static void print_row(const grid_drawing *g, const grid_step *s, int32_t row, int label, int width)
{
    const bool color = color_wanted(stdout);
    printf("  %*s", label, g->row_label[row]);
    for (int32_t c = 0; c < g->columns; c++) {
        const grid_cell *cell = &s->cell[row][c];
        const char *paint = !color             ? ""
                            : cell->level == 0 ? COLOR_GREEN
                            : cell->level >= 3 ? COLOR_RED
                            : cell->level >= 1 ? COLOR_BOLD
                                               : "";
        printf(" %s%*s%s", paint, width, cell->text[0] != 0 ? cell->text : ".",
               *paint != 0 ? COLOR_OFF : "");
    }
    printf("\n");
}

static void print_step(const grid_drawing *g, const grid_step *s, int width)
{
    const int least = 8, wide = label_width(g), label = wide > least ? wide : least;
    printf("%s\n  %*s", s->caption, label, g->row_name);
    for (int32_t c = 0; c < g->columns; c++) printf(" %*s", width, g->column_label[c]);
    printf("  %s\n", g->column_name);
    for (int32_t r = 0; r < g->rows; r++)
        if (!is_empty(g, s, r)) print_row(g, s, r, label, width);
    printf("\n");
}

void grid_print(const grid_drawing *g)
{
    const int width = width_of(g);
    printf("%s\n\n", g->title);
    for (int32_t k = 0; k < g->steps; k++) print_step(g, &g->step[k], width);
    printf("%s\n", g->sum);
}

// ---- Pictures -----------------------------------------------------------------------------------

#define TOP    34.0
#define BOTTOM 30.0
#define LETTER 6.4 // the width of one

// Of a cell; where the first one begins.
typedef struct grid_sizes {
    double cell, high, left;
} grid_sizes;

static grid_sizes sizes_of(const grid_drawing *g)
{
    const double letters = LETTER * width_of(g) + 6, labels = LETTER * label_width(g) + 24;
    grid_sizes z = {.cell = g->columns > 20   ? 21
                            : width_of(g) > 3 ? 36
                                              : 28,
                    .high = g->rows > 20 ? 15 : 22,
                    .left = labels > 64 ? labels : 64};
    if (z.cell < letters) z.cell = letters;
    return z;
}

static void draw_step(FILE *out, const grid_drawing *g, int32_t k, const grid_sizes *z)
{
    const double cell = z->cell, high = z->high, left = z->left;
    static const char *const styles[] = {"cell", "l0", "l1", "l2", "l3", "l4", "l5"};
    fprintf(out, "<g class=\"g%d\">", (int)k);
    svg_text(out, left, 14, SVG_START, g->step[k].caption);
    for (int32_t r = 0; r < g->rows; r++)
        for (int32_t c = 0; c < g->columns; c++) {
            const grid_cell *x = &g->step[k].cell[r][c];
            if (x->level == GRID_EMPTY) continue;
            svg_rectangle(out, left + c * cell + 0.5, TOP + r * high + 0.5, cell - 1, high - 1,
                          styles[x->level + 1], NULL);
            svg_text(out, left + (c + 0.5) * cell, TOP + (r + 0.5) * high + 4, SVG_MIDDLE, x->text);
        }
    fputs("</g>\n", out);
}

static void draw_frame(FILE *out, const grid_drawing *g, const grid_sizes *z)
{
    const double cell = z->cell, high = z->high, left = z->left;
    const double width = g->columns * cell, height = g->rows * high;
    svg_rectangle(out, left, TOP, width, height, "frame", NULL);
    for (int32_t c = 0; c < g->columns; c++) {
        if (c > 0) svg_line(out, left + c * cell, TOP, left + c * cell, TOP + height, "rule");
        svg_text(out, left + (c + 0.5) * cell, TOP - 5, SVG_MIDDLE, g->column_label[c]);
    }
    for (int32_t r = 0; r < g->rows; r++) {
        if (r > 0) svg_line(out, left, TOP + r * high, left + width, TOP + r * high, "rule");
        svg_text(out, left - 5, TOP + (r + 0.5) * high + 4, SVG_END, g->row_label[r]);
    }
    svg_text(out, left + width / 2, TOP + height + 18, SVG_MIDDLE, g->column_name);
    svg_text_upwards(out, 14, TOP + height / 2, SVG_MIDDLE, g->row_name);
}

// Of all steps only the chosen one is seen.
static void write_choice(FILE *out, const grid_drawing *g, int32_t number)
{
    fprintf(out, "<style>#f%d svg g{visibility:hidden}", (int)number);
    for (int32_t k = 0; k < g->steps; k++)
        fprintf(out, "#d%ds%d:checked~svg g.g%d{visibility:visible}", (int)number, (int)k, (int)k);
    fputs("</style>\n", out);
    html_steps(out, number, g->steps, g->chosen);
}

void picture_grid(FILE *out, const grid_drawing *g, int32_t number)
{
    const grid_sizes z = sizes_of(g);
    fprintf(out, "<figure class=\"steps card\" id=\"f%d\">\n<figcaption>", (int)number);
    html_text(out, g->title);
    fputs(". Steps (arrow keys move):</figcaption>\n", out);
    write_choice(out, g, number);
    double width = z.left + g->columns * z.cell + 14;
    if (width < 480) width = 480;
    svg_begin(out, width, TOP + g->rows * z.high + BOTTOM, g->title);
    draw_frame(out, g, &z);
    for (int32_t k = 0; k < g->steps; k++) draw_step(out, g, k, &z);
    svg_end(out);
    html_element(out, "p", "dim", g->sum);
    fputs("</figure>\n", out);
}
