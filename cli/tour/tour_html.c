// SPDX-License-Identifier: Apache-2.0
//
// The page at the end of a tour: what ran, how fast, how near to the machine's peak, and the
// ladders.
#include "tour_notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/html.h"
#include "cli/ladder/ladder_grids.h"
#include "cli/ladder/ladder_pictures.h"
#include "cli/run/page.h"

// Stops and the ladders that tell their story.
static const struct {
    const char *stop, *ladder;
} pairs[] = {{"reduce", "reduce"},        {"scan", "scan"},       {"histogram", "histogram"},
             {"convolve", "convolution"}, {"blur", "blur"},       {"transpose", "transpose"},
             {"stencil", "stencil"},      {"maximum", "maximum"}, {"rank", "list"}};
#define PAIRS (sizeof pairs / sizeof *pairs)

static bool has_ladder(const tour_notes *n, const char *name)
{
    for (int32_t k = 0; k < n->ladder_count; k++)
        if (strcmp(n->ladders[k].of->name, name) == 0) return true;
    return false;
}

static bool has_stop(const tour_notes *n, const char *name)
{
    for (int32_t k = 0; k < n->count; k++)
        if (strcmp(n->list[k].stop->name, name) == 0) return true;
    return false;
}

static void link_to(FILE *out, char kind, const char *name, const char *text)
{
    fprintf(out, "<a href=\"#%c-%s\">", kind, name);
    html_text(out, text);
    fputs("</a> ", out);
}

// ---- Front --------------------------------------------------------------------------------------

static void write_front(FILE *out, const tour_notes *n)
{
    char text[256];
    int rows = 0, figures = 0, steps = 0;
    for (int32_t k = 0; k < n->count; k++) {
        rows += n->list[k].row != NULL;
        figures += n->list[k].example != NULL;
    }
    for (int32_t k = 0; k < n->ladder_count; k++) steps += n->ladders[k].count;
    html_element(out, "h1", NULL, "A tour of Heddle on this machine");
    snprintf(text, sizeof text,
             "Heddle %s, %s, %d threads, arrays of %lld elements; it took %.0f s.", hd_version(),
             n->isa, (int)n->threads, (long long)n->elements, n->seconds);
    html_element(out, "p", "dim", text);
    html_element(out, "p", n->wrong ? "verdict bad" : "verdict good",
                 n->wrong ? "Something is wrong: it is marked below."
                          : "Everything is as it should be.");
    snprintf(text, sizeof text,
             "%d small examples came out as they should, %d rows of results have the bits of "
             "plain serial loops, and %d kernels did what they are meant to.",
             figures, rows, steps);
    if (!n->wrong) html_element(out, "p", NULL, text);
    fputs("<nav>\n<p>Patterns: ", out);
    const tour_stop *last = NULL;
    for (int32_t k = 0; k < n->count; k++) {
        if (n->list[k].stop != last)
            link_to(out, 'p', n->list[k].stop->name, n->list[k].stop->name);
        last = n->list[k].stop;
    }
    fputs("</p>\n", out);
    if (n->ladder_count > 0) {
        fputs("<p>Ladders: ", out);
        for (int32_t k = 0; k < n->ladder_count; k++)
            link_to(out, 'l', n->ladders[k].of->name, n->ladders[k].of->title);
        fputs("</p>\n", out);
    }
    fputs("</nav>\n", out);
}

// ---- Patterns -----------------------------------------------------------------------------------

static void write_row(FILE *out, const tour_note *note)
{
    const tour_outcome *o = &note->outcome;
    char text[300];
    if (!o->right) {
        html_bar_row(out, note->row->title, 0, true, o->wrong);
        return;
    }
    snprintf(text, sizeof text, "%.0f %%, %.1f GB/s, %.3g ms",
             o->peak > 0 ? 100 * o->bytes_per_second / o->peak : 0, 1e-9 * o->bytes_per_second,
             1e3 * o->seconds);
    html_bar_row(out, note->row->title, o->peak > 0 ? o->bytes_per_second / o->peak : 0, false,
                 text);
}

// The notes of one stop, from note k on. Returns the first note of the next.
static int32_t write_stop(FILE *out, const tour_notes *n, int32_t k)
{
    const tour_stop *stop = n->list[k].stop;
    fprintf(out, "<section class=\"card\" id=\"p-%s\">\n", stop->name);
    html_element(out, "h3", NULL, stop->name);
    html_element(out, "p", NULL, stop->about);
    for (; k < n->count && n->list[k].stop == stop && n->list[k].example != NULL; k++) {
        fputs("<p><span class=\"dim\">", out);
        html_text(out, n->list[k].example->title);
        fputs(":</span><br>", out);
        html_element(out, "code", n->list[k].right ? NULL : "bad", n->list[k].shown);
        fputs("</p>\n", out);
    }
    fputs("<div class=\"bars\">\n", out);
    for (; k < n->count && n->list[k].stop == stop; k++) write_row(out, &n->list[k]);
    fprintf(out,
            "</div>\n<p class=\"dim\">Percent of peak bandwidth: the machine's fastest plain %s. ",
            stop->peak == PEAK_READ ? "read" : "copy");
    for (size_t p = 0; p < PAIRS; p++)
        if (strcmp(pairs[p].stop, stop->name) == 0 && has_ladder(n, pairs[p].ladder))
            link_to(out, 'l', pairs[p].ladder, "How kernels of it grow fast");
    fputs("</p>\n</section>\n", out);
    return k;
}

// ---- Ladders ------------------------------------------------------------------------------------

// The step that gained most over the one before it, and why.
static void write_step(FILE *out, const ladder_results *t)
{
    double most = 1.02;
    int32_t at = -1;
    for (int32_t k = 0; k < t->count; k++) {
        const int32_t last = ladder_before(t, k);
        if (last < 0 || t->steps[k]->flags & STEP_WRONG || !(ladder_seconds(t, k) > 0)) continue;
        const double gain = ladder_seconds(t, last) / ladder_seconds(t, k);
        if (gain > most) most = gain, at = k;
    }
    if (at < 0 || t->of->alike) return;
    char why[256], text[400];
    ladder_reason(t, at, why, sizeof why);
    snprintf(text, sizeof text,
             "The largest step is \"%s\", %.1f times as fast as the step before: %s.",
             t->steps[at]->title, most, why);
    html_element(out, "p", NULL, text);
}

static void write_faults(FILE *out, const ladder_results *t)
{
    for (int32_t k = 0; k < t->count; k++) {
        const ladder_result *r = &t->results[k];
        if (!(t->steps[k]->flags & STEP_WRONG)) continue;
        fputs("<p class=\"dim\">\"", out);
        html_text(out, t->steps[k]->title);
        fputs("\" is wrong on purpose: ", out);
        html_text(out, t->steps[k]->fault);
        fputs(r->totals.finding_count > 0 ? "; the model machine finds it.</p>\n" : ".</p>\n", out);
    }
}

// The first of the ladder's drawings.
static void write_drawing(FILE *out, const ladder_results *t, int32_t number)
{
    drawing *d = malloc(sizeof *d);
    grid_drawing *g = malloc(sizeof *g);
    for (const drawing_method *m = drawing_methods; m->name != NULL && d != NULL; m++)
        if (strcmp(m->ladder, t->of->name) == 0 && drawing_make(m, NULL, 0, d) == NULL) {
            picture_drawing(out, d, number);
            goto done;
        }
    for (const grid_method *m = grid_methods; m->name != NULL && g != NULL; m++)
        if (strcmp(m->ladder, t->of->name) == 0 && grid_make(m, NULL, 0, g) == NULL) {
            picture_grid(out, g, number);
            goto done;
        }
done:
    free(d);
    free(g);
}

static void write_ladder(FILE *out, const tour_notes *n, int32_t k)
{
    const ladder_results *t = &n->ladders[k];
    char text[256];
    fprintf(out, "<section class=\"card\" id=\"l-%s\">\n", t->of->name);
    html_element(out, "h3", NULL, t->of->title);
    snprintf(text, sizeof text, "%s, n = %lld.", t->of->about, (long long)t->problem.n);
    html_element(out, "p", NULL, text);
    picture_bars(out, t);
    write_step(out, t);
    write_faults(out, t);
    write_drawing(out, t, k);
    fputs("<p class=\"dim\">All of it: <code>", out);
    snprintf(text, sizeof text, "heddle ladder %s --html %s.html", t->of->name, t->of->name);
    html_text(out, text);
    fputs("</code> ", out);
    for (size_t p = 0; p < PAIRS; p++)
        if (strcmp(pairs[p].ladder, t->of->name) == 0 && has_stop(n, pairs[p].stop))
            link_to(out, 'p', pairs[p].stop, "The pattern on this machine");
    fputs("</p>\n</section>\n", out);
}

static void write_page(FILE *out, const void *what)
{
    const tour_notes *n = what;
    html_begin(out, "A tour of Heddle");
    write_front(out, n);
    if (n->count > 0) {
        html_element(out, "h2", NULL, "The patterns on this machine");
        html_element(
            out, "p", NULL,
            "Every result was compared, bit for bit, with plain serial loops at nine sizes. A "
            "bar is the speed over that of the machine's fastest plain read or copy of the "
            "same bytes: a full bar means that memory, and nothing else, is what it waits "
            "for.");
    }
    fputs("<div class=\"cards\">\n", out);
    for (int32_t k = 0; k < n->count;) k = write_stop(out, n, k);
    fputs("</div>\n", out);
    if (n->ladder_count > 0 || n->no_ladders[0] != 0) {
        html_element(out, "h2", NULL, "The ladders on the model machine");
        html_element(
            out, "p", NULL,
            "The lectures' kernels, from the first that works to the fastest, on a modelled "
            "GPU that counts everything and predicts the time. No GPU was used.");
    }
    if (n->no_ladders[0] != 0) html_element(out, "p", "bad", n->no_ladders);
    for (int32_t k = 0; k < n->ladder_count; k++) write_ladder(out, n, k);
    html_end(out);
}

int tour_html(const tour_notes *n, const char *file)
{
    return page_write("tour", file, write_page, n);
}
