// SPDX-License-Identifier: Apache-2.0
//
// heddle model --html: the source line by line with its counts, and heat where they are high. Of
// long files the lines far from any count are left out.
#include <stdlib.h>
#include <string.h>

#include "chart/html.h"
#include "model.h"

#define NEAR 3 // lines around those with counts that are shown

typedef struct listing {
    const model_text *text;
    hd_model_counts *at; // by line, from 1
    bool *hazard, *shown;
    hd_model_counts most; // of any line
} listing;

static void add(hd_model_counts *to, const hd_model_counts *from)
{
    to->warp_instructions += from->warp_instructions;
    to->thread_instructions += from->thread_instructions;
    to->divergent_branches += from->divergent_branches;
    to->sectors += from->sectors, to->ideal_sectors += from->ideal_sectors;
    to->wavefronts += from->wavefronts, to->conflicts += from->conflicts;
    to->atomic_steps += from->atomic_steps;
}

static void raise_to(int64_t *most, int64_t value)
{
    if (value > *most) *most = value;
}

static bool is_here(const listing *l, const char *file)
{
    return file != NULL && strcmp(l->text->name, file) == 0;
}

static void mark_hazard(listing *l, const char *file, int32_t line)
{
    if (is_here(l, file) && line >= 1 && line <= l->text->lines) l->hazard[line] = true;
}

// Counts of the file's lines; of one without source lines, of the PTX that it is.
static void gather(listing *l, const model_run *r)
{
    const hd_model_report *report = r->report;
    for (int32_t k = 0; k < report->site_count; k++) {
        const hd_model_site *s = &report->sites[k];
        const bool bare = s->file == NULL && model_is_ptx(&r->sources) && is_here(l, r->file);
        const int32_t line = bare ? s->ptx_line : s->line;
        if ((bare || is_here(l, s->file)) && line >= 1 && line <= l->text->lines)
            add(&l->at[line], &s->counts);
    }
    for (int32_t k = 0; k < report->finding_count; k++) {
        const hd_model_finding *f = &report->findings[k];
        mark_hazard(l, f->file, f->line);
        mark_hazard(l, f->other_file, f->other_line);
    }
    for (int32_t k = 1; k <= l->text->lines; k++) {
        const hd_model_counts *c = &l->at[k];
        raise_to(&l->most.warp_instructions, c->warp_instructions);
        raise_to(&l->most.sectors, c->sectors);
        raise_to(&l->most.wavefronts, c->wavefronts);
        raise_to(&l->most.divergent_branches, c->divergent_branches);
        raise_to(&l->most.atomic_steps, c->atomic_steps);
        if (c->warp_instructions == 0 && !l->hazard[k]) continue;
        for (int32_t n = k - NEAR; n <= k + NEAR; n++)
            if (n >= 1 && n <= l->text->lines) l->shown[n] = true;
    }
}

static void write_count(FILE *out, const char *label, int64_t value, int64_t most, int64_t ideal)
{
    char text[72], a[32], b[32];
    if (value == 0)
        text[0] = '\0';
    else if (ideal >= 0 && ideal != value)
        snprintf(text, sizeof text, "%s (%s)", model_number(value, a), model_number(ideal, b));
    else
        snprintf(text, sizeof text, "%s", model_number(value, a));
    html_heat_cell(out, most > 0 ? (double)value / (double)most : 0, label, text);
}

static void write_line(FILE *out, const listing *l, int32_t line)
{
    const hd_model_counts *c = &l->at[line], *most = &l->most;
    const char *text = l->text->line[line - 1];
    char lanes[16] = "";
    if (c->warp_instructions > 0)
        snprintf(lanes, sizeof lanes, "%.3g",
                 (double)c->thread_instructions / (double)c->warp_instructions);
    fprintf(out, "<tr%s><td class=\"line\">%d</td>", l->hazard[line] ? " class=\"hazard\"" : "",
            (int)line);
    write_count(out, "instructions", c->warp_instructions, most->warp_instructions, -1);
    html_heat_cell(out, 0, "lanes", lanes);
    if (most->divergent_branches > 0)
        write_count(out, "diverged", c->divergent_branches, most->divergent_branches, -1);
    if (most->sectors > 0) write_count(out, "sectors", c->sectors, most->sectors, c->ideal_sectors);
    if (most->wavefronts > 0)
        write_count(out, "wavefronts", c->wavefronts, most->wavefronts,
                    c->wavefronts - c->conflicts);
    if (most->atomic_steps > 0)
        write_count(out, "atomic steps", c->atomic_steps, most->atomic_steps, -1);
    fputs("<td class=\"code\">", out);
    html_bytes(out, text, strcspn(text, "\r\n"));
    fputs("</td></tr>\n", out);
}

static void write_table(FILE *out, const listing *l)
{
    const hd_model_counts *most = &l->most;
    fputs("<div class=\"scroll\"><table class=\"source\">\n<tr><th class=\"n\">line</th>"
          "<th class=\"n\">instructions</th><th class=\"n\">lanes</th>",
          out);
    if (most->divergent_branches > 0) fputs("<th class=\"n\">diverged</th>", out);
    if (most->sectors > 0) fputs("<th class=\"n\">sectors (ideal)</th>", out);
    if (most->wavefronts > 0) fputs("<th class=\"n\">wavefronts (ideal)</th>", out);
    if (most->atomic_steps > 0) fputs("<th class=\"n\">atomic steps</th>", out);
    fputs("<th>source</th></tr>\n", out);
    for (int32_t k = 1; k <= l->text->lines; k++) {
        if (l->shown[k])
            write_line(out, l, k);
        else if (k > 1 && l->shown[k - 1])
            fputs("<tr><td class=\"line\">…</td></tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

static void write_file(FILE *out, model_run *r, const model_text *text)
{
    listing l = {.text = text};
    const size_t room = (size_t)text->lines + 2;
    l.at = calloc(room, sizeof *l.at);
    l.hazard = calloc(room, sizeof *l.hazard), l.shown = calloc(room, sizeof *l.shown);
    if (l.at != NULL && l.hazard != NULL && l.shown != NULL) {
        gather(&l, r);
        if (l.most.warp_instructions > 0) {
            html_element(out, "h3", NULL, model_shown_file(&r->sources, text->name));
            write_table(out, &l);
        }
    }
    free(l.at), free(l.hazard), free(l.shown);
}

void model_write_source(FILE *out, model_run *r)
{
    fputs("<section>\n<h2>Source</h2>\n", out);
    html_element(out, "p", "dim",
                 "Instructions are those of warps; lanes, how many of 32 were at work on average.");
    for (int32_t k = 0; k < r->report->site_count; k++)
        model_sources_find(&r->sources, r->report->sites[k].file);
    for (int k = 0; k < r->sources.count; k++)
        if (r->sources.at[k].text != NULL) write_file(out, r, &r->sources.at[k]);
    fputs("</section>\n", out);
}
