// SPDX-License-Identifier: Apache-2.0
//
// A ladder as a page: the steps with their counts, why each is faster, pictures, sources.
#include "ladder_html.h"

#include <stdlib.h>
#include <string.h>

#include "chart/html.h"
#include "ladder_grids.h"
#include "ladder_pictures.h"
#include "cli/model/model_pictures.h"
#include "cli/run/page.h"

static const char name[] = "ladder";

// As hot as the value lies above the least of its column.
static void number_cell(FILE *out, const char *label, int64_t value, int64_t least, int64_t most)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    html_heat_cell(out, most > 0 ? (double)(value - least) / (double)most : 0, label, text);
}

// A count of every step.
typedef struct column {
    const char *label;
    int64_t (*of)(const stage_totals *t);
} column;

static int64_t instructions(const stage_totals *t)
{
    return t->counts.warp_instructions;
}

static int64_t idle_lanes(const stage_totals *t)
{
    return 32 * t->counts.warp_instructions - t->counts.thread_instructions;
}

static int64_t sectors(const stage_totals *t)
{
    return t->counts.sectors;
}

static int64_t conflicts(const stage_totals *t)
{
    return t->counts.conflicts;
}

static int64_t barriers(const stage_totals *t)
{
    return t->counts.barriers;
}

static int64_t atomic_steps(const stage_totals *t)
{
    return t->counts.atomic_steps;
}

static const column columns[] = {
    {"instructions", instructions}, {"idle lane-steps", idle_lanes}, {"sectors", sectors},
    {"conflicts", conflicts},       {"barriers", barriers},          {"atomic steps", atomic_steps},
};
#define COLUMNS ((int)(sizeof columns / sizeof *columns))

// Whether the lecture measured these kernels.
static bool has_then(const ladder_results *t)
{
    for (int32_t k = 0; k < t->count; k++)
        if (t->steps[k]->then_gb_s > 0) return true;
    return false;
}

// Today's rate on a card, and the lecture's.
static void write_rates(FILE *out, const ladder_results *t, int32_t k)
{
    char text[32] = "";
    if (t->cuda) {
        snprintf(text, sizeof text, "%.0f", ladder_rate(t, k) / 1e9);
        html_heat_cell(out, 0, "GB/s", text);
        snprintf(text, sizeof text, "%.1f %%", 100 * ladder_rate(t, k) / t->peak);
        html_heat_cell(out, 0, "of peak", text);
    }
    if (!has_then(t)) return;
    text[0] = 0;
    if (t->steps[k]->then_gb_s > 0) snprintf(text, sizeof text, "%.1f", t->steps[k]->then_gb_s);
    html_heat_cell(out, 0, "GB/s in 2017", text);
}

static void write_table(FILE *out, const ladder_results *t)
{
    int64_t most[COLUMNS] = {0}, least[COLUMNS];
    for (int c = 0; c < COLUMNS; c++) least[c] = INT64_MAX;
    for (int32_t k = 0; k < t->count; k++)
        for (int c = 0; c < COLUMNS && t->counted[k].ran; c++) {
            const int64_t value = columns[c].of(&t->counted[k].totals);
            if (value > most[c]) most[c] = value;
            if (value < least[c]) least[c] = value;
        }
    fputs("<div class=\"scroll\"><table class=\"counts\">\n<tr><th>step</th><th>answer</th>", out);
    for (int c = 0; c < COLUMNS; c++) html_element(out, "th", "n", columns[c].label);
    html_element(out, "th", "n", "occupancy");
    html_element(out, "th", "n", t->cuda ? "measured" : "predicted");
    if (t->cuda) html_element(out, "th", "n", "GB/s");
    if (t->cuda) html_element(out, "th", "n", "of peak");
    if (has_then(t)) html_element(out, "th", "n", "GB/s in 2017");
    fputs("</tr>\n", out);
    for (int32_t k = 0; k < t->count; k++) {
        const ladder_result *r = &t->results[k];
        char text[64];
        const int number = (int)(t->steps[k] - t->of->steps);
        fprintf(out, "<tr><td><a href=\"#r%d\">%d</a> ", number, number);
        html_text(out, t->steps[k]->title);
        fputs("</td>", out);
        const bool wrong = (t->steps[k]->flags & STEP_WRONG) != 0, meant = ladder_as_meant(t, k);
        html_element(out, "td",
                     !meant  ? "bad"
                     : wrong ? "dim"
                             : "good",
                     wrong      ? "wrong, as meant"
                     : !r->ran  ? ladder_unplayed(r)
                     : r->right ? "right"
                                : "wrong");
        for (int c = 0; c < COLUMNS; c++)
            number_cell(out, columns[c].label, columns[c].of(&t->counted[k].totals), least[c],
                        most[c]);
        snprintf(text, sizeof text, "%.0f %%", 100 * t->counted[k].totals.occupancy);
        html_heat_cell(out, 0, "occupancy", text);
        snprintf(text, sizeof text, "%.2f \xc2\xb5s", 1e6 * ladder_seconds(t, k));
        html_heat_cell(out, 0, t->cuda ? "measured" : "predicted", text);
        write_rates(out, t, k);
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

// The worst request of the step to each memory, lane by lane.
static void write_samples(FILE *out, const stage_totals *t)
{
    static const hd_model_options usual;
    char text[128];
    if (t->shared_sample.bytes == 0 && t->global_sample.bytes == 0) return;
    fputs("<div class=\"cards\">\n", out);
    if (t->shared_sample.bytes > 0) {
        fputs("<figure>\n", out);
        picture_banks(out, &t->shared_sample, &usual);
        snprintf(text, sizeof text, "Line %d, its worst request to shared memory: %lld wavefronts",
                 (int)t->shared_sample.line, (long long)t->shared_sample.wavefronts);
        html_element(out, "figcaption", NULL, text);
        fputs("</figure>\n", out);
    }
    if (t->global_sample.bytes > 0) {
        fputs("<figure>\n", out);
        picture_sectors(out, &t->global_sample, &usual);
        snprintf(text, sizeof text,
                 "Line %d, its worst request to global memory: %lld sectors where %lld would do",
                 (int)t->global_sample.line, (long long)t->global_sample.sectors,
                 (long long)t->global_sample.ideal_sectors);
        html_element(out, "figcaption", NULL, text);
        fputs("</figure>\n", out);
    }
    fputs("</div>\n", out);
}

static void write_step(FILE *out, const ladder_results *t, int32_t k)
{
    const ladder_step *step = t->steps[k];
    const ladder_result *r = &t->results[k];
    const bool wrong = (step->flags & STEP_WRONG) != 0;
    const int number = (int)(step - t->of->steps);
    fprintf(out, "<section class=\"card%s\" id=\"r%d\">\n<h3>%d. ", wrong ? " flag" : "", number,
            number);
    html_text(out, step->title);
    fputs("</h3>\n", out);
    html_element(out, "p", NULL, step->teaches);
    if (wrong) {
        fputs("<p class=\"bad\">Wrong on purpose: ", out);
        html_text(out, step->fault);
        fputs(".</p>\n", out);
    }
    if (!r->ran) html_element(out, "p", "bad", r->error);
    if (r->ran && !r->right) html_element(out, "p", "bad", r->answer);
    for (int32_t f = 0; f < r->totals.finding_count && f < 2; f++) {
        fprintf(out, "<p class=\"bad\">Line %d: ", (int)r->totals.findings[f].line);
        html_text(out, r->totals.findings[f].text);
        fputs("</p>\n", out);
    }
    for (int32_t w = 0; w < r->totals.warning_count; w++) {
        fprintf(out, "<p>Warning, line %d: ", (int)r->totals.warnings[w].line);
        html_text(out, r->totals.warnings[w].text);
        fputs("</p>\n", out);
    }
    char why[256];
    ladder_reason(t, k, why, sizeof why);
    if (why[0] != 0) html_element(out, "p", "good", why);
    write_samples(out, &t->counted[k].totals);
    fputs("<details><summary>source</summary>\n", out);
    if (step->call != NULL) html_element(out, "pre", "scroll", step->code);
    html_element(out, "pre", "scroll", ladder_source(t->of, step));
    fputs("</details>\n</section>\n", out);
}

// The methods of this ladder that can be drawn, on the lectures' own values.
static void write_drawings(FILE *out, const ladder_results *t)
{
    drawing *d = malloc(sizeof *d);
    int32_t number = 0;
    for (const drawing_method *m = drawing_methods; m->name != NULL && d != NULL; m++) {
        if (strcmp(m->ladder, t->of->name) != 0 || drawing_make(m, NULL, 0, d) != NULL) continue;
        if (number == 0) html_element(out, "h2", NULL, "Step by step");
        picture_drawing(out, d, number++);
    }
    free(d);
    grid_drawing *g = malloc(sizeof *g);
    for (const grid_method *m = grid_methods; m->name != NULL && g != NULL; m++) {
        if (strcmp(m->ladder, t->of->name) != 0 || m->application) continue;
        if (grid_make(m, NULL, 0, g) != NULL) continue;
        if (number == 0) html_element(out, "h2", NULL, "Step by step");
        picture_grid(out, g, number++);
    }
    free(g);
}

static void write_page(FILE *out, const ladder_results *t)
{
    char text[256];
    snprintf(text, sizeof text, "The %s ladder", t->of->title);
    html_begin(out, text);
    html_element(out, "h1", NULL, text);
    snprintf(text, sizeof text, "On %s: %s, n = %lld, %d threads a block",
             t->cuda ? t->card : "the model machine", t->of->about, (long long)t->problem.n,
             (int)t->problem.block);
    html_element(out, "p", "dim", text);
    picture_bars(out, t);
    write_table(out, t);
    html_element(out, "h2", NULL, "The steps");
    for (int32_t k = 0; k < t->count; k++) write_step(out, t, k);
    write_drawings(out, t);
    html_element(out, "h2", NULL, "Roofline");
    picture_roofline(out, t);
    html_end(out);
}

static void write_ladder(FILE *out, const void *what)
{
    write_page(out, what);
}

static void write_drawing(FILE *out, const void *what)
{
    const drawing *d = what;
    html_begin(out, d->title);
    html_element(out, "h1", NULL, d->title);
    picture_drawing(out, d, 0);
    html_end(out);
}

static void write_grid(FILE *out, const void *what)
{
    const grid_drawing *g = what;
    html_begin(out, g->title);
    html_element(out, "h1", NULL, g->title);
    picture_grid(out, g, 0);
    html_end(out);
}

int ladder_grid_html(const grid_drawing *g, const char *file)
{
    return page_write(name, file, write_grid, g);
}

static void write_shmoo(FILE *out, const void *what)
{
    const shmoo *s = what;
    char text[128];
    snprintf(text, sizeof text, "The %s ladder: %s", s->of->title, s->step->title);
    html_begin(out, text);
    html_element(out, "h1", NULL, text);
    picture_shmoo(out, s);
    shmoo_table(out, s);
    html_element(out, "p", NULL, "Small sizes pay for the launch; large ones show the rate.");
    html_end(out);
}

int ladder_shmoo_html(const shmoo *s, const char *file)
{
    return page_write(name, file, write_shmoo, s);
}

int ladder_html(const ladder_results *t, const char *file)
{
    return page_write(name, file, write_ladder, t);
}

int ladder_draw_html(const drawing *d, const char *file)
{
    return page_write(name, file, write_drawing, d);
}
