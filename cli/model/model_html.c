// SPDX-License-Identifier: Apache-2.0
//
// heddle model --html: the report as a page.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chart/html.h"
#include "cli/command.h"
#include "io/stream/temporary_file.h"
#include "model.h"
#include "model_pictures.h"
#include "cli/args/options.h"

#define PICTURES_MAX 8
#define EFFECTS_OPEN 8 // more of them are folded away

static const char name[] = "model";

// ---- Head and summary ---------------------------------------------------------------------------

static void write_axes(FILE *out, const int32_t axes[3])
{
    fprintf(out, "%d", (int)axes[0]);
    if (axes[1] > 1 || axes[2] > 1) fprintf(out, " × %d", (int)axes[1]);
    if (axes[2] > 1) fprintf(out, " × %d", (int)axes[2]);
}

static void write_head(FILE *out, const model_run *r)
{
    const hd_model_report *report = r->report;
    char text[200];
    fputs("<header>\n<h1><code>", out);
    html_text(out, r->signature.kernel);
    fputs("(", out);
    for (int32_t k = 0; k < r->signature.count; k++) {
        if (k > 0) fputs(", ", out);
        html_text(out, model_parameter_text(&r->signature.at[k], text, sizeof text));
    }
    fputs(")</code></h1>\n<p class=\"dim\">", out);
    html_text(out, r->file);
    fputs(" · grid ", out);
    write_axes(out, report->shape.grid);
    fputs(" · block ", out);
    write_axes(out, report->shape.block);
    if (report->shape.shared > 0)
        fprintf(out, " · %lld bytes of dynamic shared memory", (long long)report->shape.shared);
    fputs("</p>\n", out);
    if (r->status != HD_OK)
        html_element(out, "p", "verdict bad", "The launch failed");
    else if (report->finding_count > 0)
        fprintf(out, "<p class=\"verdict bad\">%d hazard%s found</p>\n", (int)model_causes(report),
                model_causes(report) == 1 ? "" : "s");
    else
        html_element(out, "p", report->warning_count > 0 ? "verdict" : "verdict good",
                     model_verdict(report, text, sizeof text));
    fputs("</header>\n", out);
}

static void write_row(FILE *out, const model_row *row)
{
    char number[32], text[40];
    fputs("<tr>", out);
    html_element(out, "td", NULL, row->name);
    html_heat_cell(out, 0, "counted", model_number(row->actual, number));
    html_heat_cell(out, 0, "ideal", row->ideal >= 0 ? model_number(row->ideal, number) : "");
    fputs("<td>", out);
    if (row->ideal >= 0 && row->actual > 0) {
        const double part = (double)row->ideal / (double)row->actual;
        snprintf(text, sizeof text, "%.0f %%", 100 * part);
        html_bar(out, part, text);
    }
    fputs("</td>", out);
    html_element(out, "td", "note dim", row->note);
    fputs("</tr>\n", out);
}

static void write_summary(FILE *out, const model_run *r, const model_differences *d)
{
    model_row rows[MODEL_MAX_ROWS];
    char notes[MODEL_MAX_NOTES][256];
    const int n = model_rows(r->report, rows), more = model_notes(r->report, notes);
    fputs(
        "<section>\n<h2>Counts</h2>\n<div class=\"scroll\"><table class=\"counts\">\n<tr><th></th>"
        "<th class=\"n\">counted</th><th class=\"n\">ideal</th><th>of it needed</th><th></th>"
        "</tr>\n",
        out);
    for (int k = 0; k < n; k++) write_row(out, &rows[k]);
    fputs("</table></div>\n", out);
    for (int k = 0; k < more; k++) html_element(out, "p", NULL, notes[k]);
    for (int k = 0; k < d->count; k++) {
        const model_difference *of = &d->at[k];
        char text[512];
        if (of->count == 0)
            snprintf(text, sizeof text, "%s is as expected (%s)", of->name, of->expected);
        else
            snprintf(text, sizeof text,
                     "%s is not as expected (%s): element %lld is %s, expected %s; %lld differ",
                     of->name, of->expected, (long long)of->first, of->have, of->want,
                     (long long)of->count);
        html_element(out, "p", of->count == 0 ? "good" : "bad", text);
    }
    fputs("</section>\n", out);
}

// ---- Hazards ------------------------------------------------------------------------------------

static void write_line(FILE *out, model_run *r, const char *file, int32_t line)
{
    char place[512], text[512];
    if (file == NULL || line <= 0) return;
    model_place(model_shown_file(&r->sources, file), line, 0, place, sizeof place);
    fputs("<code class=\"code\"><span class=\"dim\">", out);
    html_text(out, place);
    fputs("</span>  ", out);
    html_text(out, model_line_text(&r->sources, file, line, text, sizeof text));
    fputs("</code>\n", out);
}

static void write_effects(FILE *out, model_run *r, int32_t k)
{
    const hd_model_report *report = r->report;
    const int32_t end = model_effects_end(report, k), count = end - k - 1;
    char text[1200];
    if (count == 0) return;
    fprintf(out, "<details%s><summary>%d finding%s from it</summary>\n<ul>\n",
            count <= EFFECTS_OPEN ? " open" : "", (int)count, count == 1 ? " follows" : "s follow");
    for (int32_t e = k + 1; e < end; e++) {
        const hd_model_finding *f = &report->findings[e];
        fputs("<li>", out);
        html_text(out, model_effect_text(r, f, text, sizeof text));
        fputs("<br><span class=\"dim\">", out);
        snprintf(text, sizeof text, "%s. %s", f->text, f->because);
        html_text(out, text);
        fputs("</span></li>\n", out);
    }
    fputs("</ul>\n</details>\n", out);
}

static void write_hazards(FILE *out, model_run *r)
{
    const hd_model_report *report = r->report;
    char text[200], times[32];
    if (report->finding_count == 0 && r->status == HD_OK) return;
    fputs("<section>\n<h2>Hazards</h2>\n", out);
    if (r->status != HD_OK) {
        fputs("<div class=\"card flag\">", out);
        html_element(out, "p", NULL, r->failure);
        fputs("</div>\n", out);
    }
    for (int32_t k = 0; k < report->finding_count; k = model_effects_end(report, k)) {
        const hd_model_finding *f = &report->findings[k];
        snprintf(text, sizeof text, "%s, %s time%s", hd_model_hazard_name(f->hazard),
                 model_number(f->times, times), f->times == 1 ? "" : "s");
        fputs("<div class=\"card flag\">\n", out);
        html_element(out, "h3", "bad", text);
        html_element(out, "p", NULL, f->text);
        write_line(out, r, f->file, f->line);
        if (f->other_line != f->line || f->other_file != f->file)
            write_line(out, r, f->other_file, f->other_line);
        write_effects(out, r, k);
        fputs("</div>\n", out);
    }
    fputs("</section>\n", out);
}

// ---- Pictures -----------------------------------------------------------------------------------

static void write_picture(FILE *out, model_run *r, const hd_model_sample *s)
{
    char text[512], place[512];
    fputs("<div class=\"card\">\n", out);
    model_place(model_shown_file(&r->sources, s->file), s->line, s->ptx_line, place, sizeof place);
    html_element(out, "h3", NULL, place);
    fputs("<code class=\"code\">", out);
    html_text(out, model_site_line(&r->sources, s->file, s->line, s->ptx_line, text, sizeof text));
    fputs("</code>\n", out);
    html_element(out, "p", NULL, model_sample_text(s, &r->options, text, sizeof text));
    fputs("<figure>\n", out);
    (s->shared ? picture_banks : picture_sectors)(out, s, &r->options);
    snprintf(text, sizeof text, "Warp %d of block (%d, %d, %d). %s", (int)s->warp, (int)s->block[0],
             (int)s->block[1], (int)s->block[2],
             s->shared ? "Colour: which wavefront serves the word, the first green."
                       : "Colour: how little of its sector the warp uses, all of it green.");
    html_element(out, "figcaption", NULL, text);
    fputs("</figure>\n</div>\n", out);
}

static void write_pictures(FILE *out, model_run *r)
{
    const hd_model_report *report = r->report;
    int32_t bad = 0;
    if (report->sample_count == 0) return;
    for (int32_t k = 0; k < report->sample_count; k++) {
        const hd_model_sample *s = &report->samples[k];
        bad += s->sectors - s->ideal_sectors + s->conflicts > 0;
    }
    fputs("<section>\n<h2>Accesses</h2>\n", out);
    html_element(out, "p", "dim",
                 bad > 0 ? "The requests that took the most beyond what their bytes need."
                         : "Every request took as little as its bytes need.");
    fputs("<div class=\"cards\">\n", out);
    const int32_t most = bad > 0 ? bad : 4;
    for (int32_t k = 0; k < report->sample_count && k < most && k < PICTURES_MAX; k++)
        write_picture(out, r, &report->samples[k]);
    fputs("</div>\n</section>\n", out);
}

// ---- The page -----------------------------------------------------------------------------------

static void write_page(FILE *out, model_run *r, const model_differences *d)
{
    char title[300];
    snprintf(title, sizeof title, "%s: heddle model", r->signature.kernel);
    html_begin(out, title);
    write_head(out, r);
    write_summary(out, r, d);
    write_hazards(out, r);
    model_write_warnings(out, r);
    write_pictures(out, r);
    model_write_source(out, r);
    fprintf(out, "<footer>Heddle %s. Counts are those of a model of the machine.</footer>\n",
            hd_version());
    html_end(out);
}

int model_write_html(model_run *r, const model_differences *d)
{
    io_temporary_file temporary;
    io_error error;
    if (io_temporary_file_open(&temporary, r->args->html, &error) != IO_OK)
        return io_failed(name, &error);
    const int copy = dup(temporary.fd);
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (out != NULL) write_page(out, r, d);
    const bool bad = out == NULL || ferror(out);
    if ((out != NULL && fclose(out) != 0) || bad) {
        io_temporary_file_abandon(&temporary);
        return fail(EXIT_IO, name, "%s: could not be written", r->args->html);
    }
    return io_temporary_file_commit(&temporary, &error) == IO_OK ? EXIT_DONE
                                                                 : io_failed(name, &error);
}
