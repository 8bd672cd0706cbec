// SPDX-License-Identifier: Apache-2.0
//
// Charts of rows and columns.
#include "marks.h"

#include <stdio.h>

#include "svg.h"

#define CELL_HEIGHT 9.0
#define MIN_WIDTH   9.0 // of a column
#define MAX_WIDTH   44.0
#define PLOT_WIDTH  300.0 // as wide as the columns let it be
#define LEFT        34.0
#define TOP         12.0
#define BOTTOM      30.0

#define MIN_MARK 2.0 // so that it can be seen

int32_t marks_level(int64_t times)
{
    int32_t level = 0;
    for (int64_t most = 1; times > most && level < 5; most *= 2) level++;
    return level;
}

static double column_width(const marks_chart *c)
{
    const double even = PLOT_WIDTH / (c->columns > 0 ? c->columns : 1);
    return even < MIN_WIDTH ? MIN_WIDTH : even > MAX_WIDTH ? MAX_WIDTH : even;
}

static void draw_rows(FILE *out, const marks_chart *c, double width)
{
    char text[32];
    for (int32_t r = 0; r < c->rows; r++) {
        const double y = TOP + r * CELL_HEIGHT;
        if (r > 0) svg_line(out, LEFT, y, LEFT + width, y, "rule");
        if (r % c->row_step != 0) continue;
        snprintf(text, sizeof text, "%d", (int)r);
        svg_text(out, LEFT - 4, y + CELL_HEIGHT - 1.5, SVG_END, text);
    }
    svg_text_upwards(out, 10, TOP + c->rows * CELL_HEIGHT / 2, SVG_MIDDLE, c->row_name);
}

static void draw_columns(FILE *out, const marks_chart *c, double cell)
{
    const double bottom = TOP + c->rows * CELL_HEIGHT;
    for (int32_t k = 0; k < c->columns; k++) {
        char text[32];
        const double x = LEFT + k * cell;
        const bool gap = k > 0 && c->gap != NULL && c->gap(c->user, k);
        if (k > 0) svg_line(out, x, TOP, x, bottom, gap ? "gap" : "rule");
        if (k % c->column_step != 0) continue;
        snprintf(text, sizeof text, "%d", (int)k);
        if (c->column_label != NULL) c->column_label(c->user, k, text);
        svg_text(out, x + cell / 2, bottom + 11, SVG_MIDDLE, text);
    }
    svg_text(out, LEFT + c->columns * cell / 2, bottom + 24, SVG_MIDDLE, c->column_name);
}

static void draw_mark(FILE *out, const chart_mark *m, double cell)
{
    static const char *const styles[2][6] = {
        {"l0", "l1", "l2", "l3", "l4", "l5"},
        {"l0 faint", "l1 faint", "l2 faint", "l3 faint", "l4 faint", "l5 faint"}};
    const int level = m->level < 0 ? 0 : m->level > 5 ? 5 : m->level;
    const double x = LEFT + m->from * cell, width = (m->to - m->from) * cell;
    const double inset = width > 4 ? 0.5 : 0;
    const double drawn = width - 2 * inset < MIN_MARK ? MIN_MARK : width - 2 * inset;
    svg_rectangle(out, x + inset, TOP + m->row * CELL_HEIGHT + 1, drawn, CELL_HEIGHT - 2,
                  styles[m->faint][level], m->tip[0] ? m->tip : NULL);
}

void marks_draw(FILE *out, const marks_chart *c)
{
    const double cell = column_width(c), width = c->columns * cell;
    const double height = c->rows * CELL_HEIGHT;
    svg_begin(out, LEFT + width + 14, TOP + height + BOTTOM, c->title);
    svg_rectangle(out, LEFT, TOP, width, height, "frame", NULL);
    draw_rows(out, c, width);
    draw_columns(out, c, cell);
    for (int32_t k = 0; k < c->count; k++) draw_mark(out, &c->marks[k], cell);
    svg_end(out);
}
