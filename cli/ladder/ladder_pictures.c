// SPDX-License-Identifier: Apache-2.0
// Pictures of ladders as SVG.
#include "ladder_pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/html.h"
#include "chart/svg.h"
#include "program.h"

// ---- Steps --------------------------------------------------------------------------------------

#define CELL    34.0
#define ROW     52.0
#define ARCS    84.0 // the same where pointers hang below
#define BOX     22.0
#define MARGIN  8.0
#define CAPTION 300.0

static double row_of(const drawing *d)
{
    return d->pointers ? ARCS : ROW;
}

static double column(int32_t i)
{
    return MARGIN + CELL * i + CELL / 2;
}

// The lines from what was read, and the boxes of the values, of step k.
static void draw_step(FILE *out, const drawing *d, int32_t k)
{
    const drawing_step *s = &d->step[k];
    const double y = MARGIN + row_of(d) * k;
    fprintf(out, "<g class=\"s%d\">", (int)k);
    svg_text(out, column(d->count), y + BOX - 7, SVG_START, s->caption);
    for (int32_t i = 0; i < d->count && k > 0; i++) {
        if (!s->active[i]) continue;
        if (s->from[i] >= 0 && !d->pointers)
            svg_line(out, column(s->from[i]), y - row_of(d) + BOX, column(i), y, "reads");
        if (!d->pointers) svg_line(out, column(i), y - row_of(d) + BOX, column(i), y, "reads");
    }
    for (int32_t i = 0; i < d->count; i++) {
        char text[32], tip[96];
        snprintf(text, sizeof text, "%lld", (long long)s->value[i]);
        if (s->thread[i] >= 0 && s->from[i] >= 0)
            snprintf(tip, sizeof tip, "place %d: thread %d, %s %d", (int)i, (int)s->thread[i],
                     d->pointers ? "points to" : "reads", (int)s->from[i]);
        else
            snprintf(tip, sizeof tip, "place %d: nobody works", (int)i);
        svg_rectangle(out, column(i) - CELL / 2 + 2, y, CELL - 4, BOX,
                      s->active[i] ? "lit" : "unlit", tip);
        svg_text(out, column(i), y + BOX - 7, SVG_MIDDLE, text);
        if (d->pointers && s->from[i] >= 0 && s->from[i] != i)
            svg_arc(out, column(i) + 5, column(s->from[i]) - 5, y + BOX,
                    8 + 44.0 * abs(s->from[i] - i) / d->count, "arc");
    }
    fputs("</g>\n", out);
}

// Radio buttons before the picture choose how many of its steps are seen; the arrow keys move them.
static void write_choice(FILE *out, const drawing *d, int32_t number)
{
    fputs("<style>", out);
    for (int32_t k = 0; k < d->steps; k++) {
        for (int32_t later = k + 1; later < d->steps; later++)
            fprintf(out, "%s#d%ds%d:checked~svg .s%d", later > k + 1 ? "," : "", (int)number,
                    (int)k, (int)later);
        if (k + 1 < d->steps) fputs("{visibility:hidden}", out);
    }
    fputs("@media(max-width:700px){", out);
    for (int32_t k = 0; k < d->steps; k++)
        fprintf(out, "%s#d%ds%d:checked~.n%d", k > 0 ? "," : "", (int)number, (int)k, (int)k);
    fputs("{display:block}}@media print{.steps svg g{visibility:visible!important}}</style>\n",
          out);
    html_steps(out, number, d->steps, d->steps - 1);
    // On a narrow screen the captions in the picture are out of sight: the chosen step's stands
    // above.
    for (int32_t k = 0; k < d->steps; k++) {
        fprintf(out, "<p class=\"now n%d\">", (int)k);
        html_text(out, d->step[k].caption);
        fputs("</p>\n", out);
    }
}

void picture_drawing(FILE *out, const drawing *d, int32_t number)
{
    char about[160];
    snprintf(about, sizeof about, "%s of %d values: %lld %s in %d steps", d->title, (int)d->count,
             (long long)d->additions, d->work, (int)d->steps - 1);
    fputs("<figure class=\"steps card\">\n<figcaption>", out);
    html_text(out, about);
    fputs(". Steps (arrow keys move):</figcaption>\n", out);
    write_choice(out, d, number);
    svg_begin(out, 2 * MARGIN + CELL * d->count + CAPTION,
              2 * MARGIN + row_of(d) * (d->steps - 1) + BOX + (d->pointers ? 60 : 14), about);
    for (int32_t k = 0; k < d->steps; k++) draw_step(out, d, k);
    svg_end(out);
    fputs("</figure>\n", out);
}

// ---- Bars ---------------------------------------------------------------------------------------

void picture_bars(FILE *out, const ladder_results *t)
{
    double longest = 0;
    for (int32_t k = 0; k < t->count; k++) longest = fmax(longest, ladder_seconds(t, k));
    if (!(longest > 0)) return;
    fputs("<figure>\n<div class=\"bars\">\n", out);
    for (int32_t k = 0; k < t->count; k++) {
        const double seconds = ladder_seconds(t, k);
        const bool wrong = (t->steps[k]->flags & STEP_WRONG) != 0;
        char text[64];
        snprintf(text, sizeof text, "%.2f \xc2\xb5s%s", seconds * 1e6, wrong ? ", wrong" : "");
        html_bar_row(out, t->steps[k]->title, seconds / longest, wrong,
                     seconds > 0 ? text : "never ended");
    }
    fprintf(out, "</div>\n<figcaption>%s of each step</figcaption>\n</figure>\n",
            t->cuda ? "Measured time" : "Predicted time");
}

// ---- Roofline -----------------------------------------------------------------------------------

#define ROOF_WIDTH  640.0
#define ROOF_HEIGHT 300.0
#define ROOF_LEFT   68.0
#define ROOF_BOTTOM 46.0

// Decades shown: of operations a byte, and of operations a second.
typedef struct roof {
    double x0, x1, y0, y1; // log10
} roof;

static double roof_x(const roof *r, double intensity)
{
    const double x = (log10(intensity) - r->x0) / (r->x1 - r->x0);
    return ROOF_LEFT + (ROOF_WIDTH - ROOF_LEFT) * fmin(fmax(x, 0), 1);
}

static double roof_y(const roof *r, double rate)
{
    const double y = (log10(rate) - r->y0) / (r->y1 - r->y0);
    return (ROOF_HEIGHT - ROOF_BOTTOM) * (1 - fmin(fmax(y, 0), 1)) + 8;
}

static void draw_axes(FILE *out, const roof *r)
{
    char text[32];
    for (double x = ceil(r->x0); x <= r->x1; x++) {
        const double at = roof_x(r, pow(10, x));
        svg_line(out, at, 8, at, ROOF_HEIGHT - ROOF_BOTTOM + 8, "rule");
        snprintf(text, sizeof text, "%g", pow(10, x));
        svg_text(out, at, ROOF_HEIGHT - ROOF_BOTTOM + 22, SVG_MIDDLE, text);
    }
    for (double y = ceil(r->y0); y <= r->y1; y++) {
        const double at = roof_y(r, pow(10, y));
        svg_line(out, ROOF_LEFT, at, ROOF_WIDTH, at, "rule");
        snprintf(text, sizeof text, "%g G", pow(10, y - 9));
        svg_text(out, ROOF_LEFT - 5, at + 3, SVG_END, text);
    }
    svg_text(out, ROOF_WIDTH, ROOF_HEIGHT - 2, SVG_END, "instructions of threads a byte of DRAM");
}

// What is taken: marks, and the labels beside them, none of which stands on another.
typedef struct box {
    double x0, y0, x1, y1;
} box;

typedef struct boxes {
    box taken[2 * LADDER_MAX_STEPS];
    int32_t count;
} boxes;

#define DIGIT  7.0 // of a label
#define HEIGHT 9.0

static bool is_free(const boxes *b, box x)
{
    for (int32_t k = 0; k < b->count; k++) {
        const box *t = &b->taken[k];
        if (t->x0 < x.x1 && x.x0 < t->x1 && t->y0 < x.y1 && x.y0 < t->y1) return false;
    }
    return x.x0 > ROOF_LEFT && x.y0 > 0;
}

// Beside the mark at (x, y), at the first free one of four corners; else farther above or below,
// with a line that leads there.
static void write_label(FILE *out, boxes *b, double x, double y, const char *text)
{
    const double width = DIGIT * (double)strlen(text);
    box at = {0};
    int k = 0;
    for (; k < 24; k++) {
        const double left = k % 2 == 0 ? x + 5 : x - 5 - width, away = (HEIGHT + 2) * (k / 4);
        const double foot = k / 2 % 2 == 0 ? y - 3 - away : y + 3 + HEIGHT + away;
        at = (box){left, foot - HEIGHT, left + width, foot};
        if (is_free(b, at)) break;
    }
    if (k >= 4) svg_line(out, x, y, (at.x0 + at.x1) / 2, at.y0 < y ? at.y1 : at.y0, "rule");
    b->taken[b->count++] = at;
    svg_text(out, at.x0, at.y1, SVG_START, text);
}

void picture_roofline(FILE *out, const ladder_results *t)
{
    boxes taken = {.count = 0};
    const architecture *a = hd__model_architecture(90);
    const double peak = (double)a->f32_lanes * a->multiprocessors * a->mhz * 1e6;
    const double memory = a->dram_gb * 1e9;
    const roof r = {-1, 4, 9, 14};
    bool any = false;
    for (int32_t k = 0; k < t->count; k++)
        any = any ||
              (t->counted[k].totals.dram_bytes > 0 && t->counted[k].totals.predicted_seconds > 0);
    if (!any) return;
    fputs("<figure class=\"wide\">\n", out);
    svg_begin(out, ROOF_WIDTH + 24, ROOF_HEIGHT, "each step on the roofline");
    draw_axes(out, &r);
    const double ridge = peak / memory;
    svg_line(out, roof_x(&r, 0.1), roof_y(&r, 0.1 * memory), roof_x(&r, ridge), roof_y(&r, peak),
             "roof");
    svg_line(out, roof_x(&r, ridge), roof_y(&r, peak), ROOF_WIDTH, roof_y(&r, peak), "roof");
    // All marks first, so that labels keep clear of those to come.
    for (int pass = 0; pass < 2; pass++)
        for (int32_t k = 0; k < t->count; k++) {
            const stage_totals *s = &t->counted[k].totals;
            if (!(s->predicted_seconds > 0) || s->dram_bytes <= 0) continue;
            const double work = (double)s->counts.thread_instructions;
            const double x = roof_x(&r, work / (double)s->dram_bytes);
            const double y = roof_y(&r, work / s->predicted_seconds);
            char text[16];
            snprintf(text, sizeof text, "%d", (int)(t->steps[k] - t->of->steps));
            if (pass == 1) {
                write_label(out, &taken, x, y, text);
                continue;
            }
            svg_rectangle(out, x - 4, y - 4, 8, 8, "l3", t->steps[k]->title);
            taken.taken[taken.count++] = (box){x - 4, y - 4, x + 4, y + 4};
        }
    svg_end(out);
    fprintf(out,
            "<figcaption>Roofline of %s as modelled: instructions of threads a second over "
            "instructions a byte of DRAM; numbers are steps</figcaption>\n</figure>\n",
            a->chip);
}
