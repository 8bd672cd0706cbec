// SPDX-License-Identifier: Apache-2.0
//
// heddle model: warnings, as text, in the JSON and on the page. They change no exit code; without a
// hazard they say what the verdict does not cover.
#include "chart/html.h"
#include "cli/support/color.h"
#include "model.h"

// How a variable is set from the command line.
static const char *advice(const model_run *r, const hd_model_warning *w, char *text, size_t room)
{
    model_parameter p = {.type = HD_NONE};
    char name[128];
    text[0] = '\0';
    if (w->kind != HD_WARNING_UNSET) return text;
    model_kernel_name(w->variable, name, sizeof name);
    if (r->sources.count > 0) model_scan_variable(r->sources.at[0].text, name, &p);
    snprintf(text, room, "--set %s=%s:VALUE sets it", name,
             p.type != HD_NONE ? hd_type_name(p.type) : "TYPE");
    return text;
}

const char *model_verdict(const hd_model_report *report, char *text, size_t room)
{
    if (report->warning_count == 0)
        snprintf(text, room, "No hazard was found");
    else
        snprintf(text, room, "No hazard was found, but there %s %d warning%s",
                 report->warning_count == 1 ? "is" : "are", (int)report->warning_count,
                 report->warning_count == 1 ? "" : "s");
    return text;
}

// ---- Text ---------------------------------------------------------------------------------------

static void print_line(model_run *r, const char *file, int32_t line)
{
    char place[512], text[512];
    if (file == NULL || line <= 0) return;
    printf("      %s  %s\n",
           model_place(model_shown_file(&r->sources, file), line, 0, place, sizeof place),
           model_line_text(&r->sources, file, line, text, sizeof text));
}

void model_print_warnings(model_run *r)
{
    const hd_model_report *report = r->report;
    const bool color = color_wanted(stdout);
    char hint[300];
    if (report->warning_count > 0 && report->finding_count > 0)
        printf("%d warning%s:\n", (int)report->warning_count,
               report->warning_count == 1 ? "" : "s");
    for (int32_t k = 0; k < report->warning_count; k++) {
        const hd_model_warning *w = &report->warnings[k];
        advice(r, w, hint, sizeof hint);
        printf("  %s%s%s: %s%s%s\n", color ? COLOR_BOLD : "", hd_model_warning_name(w->kind),
               color ? COLOR_OFF : "", w->text, *hint ? "; " : "", hint);
        print_line(r, w->file, w->line);
        print_line(r, w->other_file, w->other_line);
    }
}

// ---- JSON ---------------------------------------------------------------------------------------

static void write_place(json *j, model_run *r, const char *file, int32_t line, bool other)
{
    char text[512];
    if (file == NULL) return;
    json_text(j, other ? "other_file" : "file", model_shown_file(&r->sources, file));
    json_int(j, other ? "other_line" : "line", line);
    json_text(j, other ? "other_source" : "source",
              model_line_text(&r->sources, file, line, text, sizeof text));
}

void model_json_warnings(json *j, model_run *r)
{
    char hint[300];
    json_list(j, "warnings");
    for (int32_t k = 0; k < r->report->warning_count; k++) {
        const hd_model_warning *w = &r->report->warnings[k];
        json_object(j, NULL);
        json_text(j, "warning", hd_model_warning_name(w->kind));
        json_int(j, "times", w->times);
        json_text(j, "text", w->text);
        json_text(j, "variable", w->variable);
        json_text(j, "advice", *advice(r, w, hint, sizeof hint) ? hint : NULL);
        write_place(j, r, w->file, w->line, false);
        write_place(j, r, w->other_file, w->other_line, true);
        json_close(j);
    }
    json_close(j);
}

// ---- HTML ---------------------------------------------------------------------------------------

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

void model_write_warnings(FILE *out, model_run *r)
{
    char hint[300];
    if (r->report->warning_count == 0) return;
    fputs("<section>\n<h2>Warnings</h2>\n", out);
    for (int32_t k = 0; k < r->report->warning_count; k++) {
        const hd_model_warning *w = &r->report->warnings[k];
        fputs("<div class=\"card flag\">\n", out);
        html_element(out, "h3", NULL, hd_model_warning_name(w->kind));
        html_element(out, "p", NULL, w->text);
        if (*advice(r, w, hint, sizeof hint)) html_element(out, "p", "dim", hint);
        write_line(out, r, w->file, w->line);
        write_line(out, r, w->other_file, w->other_line);
        fputs("</div>\n", out);
    }
    fputs("</section>\n", out);
}
