// SPDX-License-Identifier: Apache-2.0
//
// heddle model: the report as text.
#include <string.h>

#include "cli/support/color.h"
#include "cli/command.h"
#include "model.h"
#include "cli/support/escaped.h"

#define TOP_USUAL   5
#define HAZARDS_MAX 20
#define EFFECTS_MAX 8 // that follow from one of them

typedef struct paint {
    const char *bold, *dim, *red, *green, *off;
} paint;

static paint choose_paint(void)
{
    if (!color_wanted(stdout)) return (paint){"", "", "", "", ""};
    return (paint){COLOR_BOLD, COLOR_DIM, COLOR_RED, COLOR_GREEN, COLOR_OFF};
}

static void print_axes(const int32_t axes[3])
{
    printf("%d", (int)axes[0]);
    if (axes[1] > 1 || axes[2] > 1) printf(" x %d", (int)axes[1]);
    if (axes[2] > 1) printf(" x %d", (int)axes[2]);
}

static void print_head(const model_run *r, const paint *p)
{
    const hd_model_shape *s = &r->report->shape;
    printf("%s%s%s of %s: grid ", p->bold, shown(r->signature.kernel), p->off, shown(r->file));
    print_axes(s->grid);
    printf(", block ");
    print_axes(s->block);
    if (s->shared > 0) printf(", %lld bytes of dynamic shared memory", (long long)s->shared);
    printf("; %.3g s on the host\n", r->report->seconds);
}

static void print_table(const hd_model_report *report, const paint *p)
{
    model_row rows[MODEL_MAX_ROWS];
    const int n = model_rows(report, rows);
    char a[32], b[32];
    printf("\n%s%-18s %15s %15s%s\n", p->dim, "", "counted", "ideal", p->off);
    for (int k = 0; k < n; k++)
        printf("%-18s %15s %15s  %s%s%s\n", rows[k].name, model_number(rows[k].actual, a),
               rows[k].ideal >= 0 ? model_number(rows[k].ideal, b) : "", p->dim, rows[k].note,
               p->off);
    char notes[MODEL_MAX_NOTES][256];
    const int more = model_notes(report, notes);
    for (int k = 0; k < more; k++) printf("%s%s", notes[k], "\n");
}

// The worst request of a line, or NULL.
static const hd_model_sample *sample_of(const hd_model_report *r, const hd_model_site *site)
{
    for (int32_t k = 0; k < r->sample_count; k++) {
        const hd_model_sample *s = &r->samples[k];
        const bool same_file =
            s->file == site->file || (s->file && site->file && strcmp(s->file, site->file) == 0);
        const bool same = s->file != NULL ? s->line == site->line : s->ptx_line == site->ptx_line;
        if (same_file && same && s->sectors - s->ideal_sectors + s->conflicts > 0) return s;
    }
    return NULL;
}

static void print_worst(model_run *r, const paint *p)
{
    const hd_model_site *worst[64];
    const int most = r->args->top.given ? (int)r->args->top.value : TOP_USUAL;
    const int32_t n = model_worst_sites(r->report, worst, most);
    char place[512], text[512];
    if (n > 0) printf("\n%sMore than the bytes need, by line:%s\n", p->bold, p->off);
    for (int32_t k = 0; k < n; k++) {
        const hd_model_site *s = worst[k];
        const hd_model_sample *sample = sample_of(r->report, s);
        printf("  %s  %s\n",
               shown(model_place(model_shown_file(&r->sources, s->file), s->line, s->ptx_line,
                                 place, sizeof place)),
               model_site_text(&s->counts, text, sizeof text));
        model_site_line(&r->sources, s->file, s->line, s->ptx_line, text, sizeof text);
        if (*text) printf("      %s\n", shown_lines(text));
        if (sample != NULL)
            printf("      %sworst: %s%s\n", p->dim,
                   model_sample_text(sample, &r->options, text, sizeof text), p->off);
    }
}

static void print_line(model_run *r, const char *file, int32_t line)
{
    char place[512], text[512];
    if (file == NULL || line <= 0) return;
    printf("      %s  %s\n",
           shown(model_place(model_shown_file(&r->sources, file), line, 0, place, sizeof place)),
           shown_lines(model_line_text(&r->sources, file, line, text, sizeof text)));
}

// What follows from finding k, a line each; the last line counts those there is no room for.
static void print_effects(model_run *r, int32_t k, const paint *p)
{
    const hd_model_report *report = r->report;
    const int32_t end = model_effects_end(report, k);
    char text[900], times[32];
    int64_t more = 0;
    for (int32_t e = k + 1; e < end; e++) {
        const hd_model_finding *f = &report->findings[e];
        if (e > k + EFFECTS_MAX) {
            more += f->times;
            continue;
        }
        printf("    %sfollows from %s:%s %s", p->dim, f->follows == k ? "it" : "that", p->off,
               shown_lines(model_effect_text(r, f, text, sizeof text)));
        printf("; %s\n", shown_lines(f->because));
    }
    if (more > 0)
        printf("    %sand %d more that follow from it, %s time%s%s\n", p->dim,
               (int)(end - k - 1 - EFFECTS_MAX), model_number(more, times), more == 1 ? "" : "s",
               p->off);
}

static void print_count(const hd_model_report *report, const paint *p)
{
    const int32_t causes = model_causes(report), effects = report->finding_count - causes;
    printf("%s%d hazard%s", p->red, (int)causes, causes == 1 ? "" : "s");
    if (effects > 0) printf(", and %d that follow%s", (int)effects, effects == 1 ? "s" : "");
    printf(":%s\n", p->off);
}

static void print_hazards(model_run *r, const paint *p)
{
    const hd_model_report *report = r->report;
    char times[32], verdict[100];
    int listed = 0;
    if (r->status != HD_OK)
        printf("%sThe launch failed:%s %s\n", p->red, p->off, shown_lines(r->failure));
    if (report->finding_count == 0 && r->status == HD_OK)
        printf("%s%s%s%s\n", report->warning_count > 0 ? p->bold : p->green,
               model_verdict(report, verdict, sizeof verdict),
               report->warning_count > 0 ? ":" : ".", p->off);
    if (report->finding_count > 0) print_count(report, p);
    for (int32_t k = 0; k < report->finding_count; k = model_effects_end(report, k)) {
        const hd_model_finding *f = &report->findings[k];
        if (listed++ == HAZARDS_MAX) {
            printf("  and %d more; --json has them all\n", model_causes(report) - HAZARDS_MAX);
            break;
        }
        printf("  %s%s%s, %s time%s: %s\n", p->bold, hd_model_hazard_name(f->hazard), p->off,
               model_number(f->times, times), f->times == 1 ? "" : "s", shown_lines(f->text));
        print_line(r, f->file, f->line);
        if (f->other_line != f->line || f->other_file != f->file)
            print_line(r, f->other_file, f->other_line);
        print_effects(r, k, p);
    }
    model_print_warnings(r);
}

void model_print_hazards(model_run *r)
{
    const paint p = choose_paint();
    print_hazards(r, &p);
}

static void print_differences(const model_differences *d, const paint *p)
{
    for (int k = 0; k < d->count; k++) {
        const model_difference *of = &d->at[k];
        if (of->count == 0)
            printf("%s%s is as expected%s (%s, %lld elements)\n", p->green, shown(of->name), p->off,
                   shown(of->expected), (long long)of->buffer->count);
        else
            printf("%s%s is not as expected%s (%s): element %lld is %s, expected %s; %lld of %lld "
                   "differ\n",
                   p->red, shown(of->name), p->off, shown(of->expected), (long long)of->first,
                   of->have, of->want, (long long)of->count, (long long)of->buffer->count);
    }
}

void model_print(model_run *r, const model_differences *d)
{
    const paint p = choose_paint();
    print_head(r, &p);
    print_table(r->report, &p);
    print_worst(r, &p);
    printf("\n");
    print_hazards(r, &p);
    print_differences(d, &p);
}
