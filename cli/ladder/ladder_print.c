// SPDX-License-Identifier: Apache-2.0
// A ladder told as a table on a terminal, or as JSON.
#include "ladder.h"

#include <stdio.h>
#include <string.h>

#include "cli/support/color.h"
#include "io/json.h"
#include "cli/support/escaped.h"

static double share(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static double idle(const hd_model_counts *c)
{
    return c->warp_instructions > 0
               ? 1 - (double)c->thread_instructions / (32.0 * (double)c->warp_instructions)
               : 0;
}

static int64_t requests(const hd_model_counts *c)
{
    return c->global_loads + c->global_stores + c->global_atomics;
}

// A count in at most six characters: 123456, 1234 k, 12.3 M.
static const char *brief(int64_t value, char text[24])
{
    if (value < 1000000)
        snprintf(text, 24, "%lld", (long long)value);
    else if (value < INT64_C(1000000000))
        snprintf(text, 24, "%.1f M", (double)value / 1e6);
    else
        snprintf(text, 24, "%.1f G", (double)value / 1e9);
    return text;
}

static void print_head(const ladder_results *t)
{
    printf("The %s ladder on the model machine: %s, n = %lld, %d threads a block\n\n", t->of->title,
           t->of->about, (long long)t->problem.n, (int)t->problem.block);
    printf(" #  %-35s %-6s %8s %6s %5s %8s %9s %8s %8s %6s %10s %7s %7s\n", "step", "answer",
           "work", "span", "idle", "sect/req", "conflicts", "barriers", "atomics", "occup.",
           "predicted", "faster", "in all");
}

static int number(const ladder_results *t, int32_t k)
{
    return (int)(t->steps[k] - t->of->steps);
}

static void print_row(const ladder_results *t, int32_t k)
{
    const bool color = color_wanted(stdout);
    const ladder_result *r = &t->results[k];
    const hd_model_counts *c = &r->totals.counts;
    char a[24], b[24], d[24], e[24], time[24] = "-", faster[24] = "", all[24] = "";
    const bool meant = ladder_as_meant(t, k);
    const int32_t last = ladder_before(t, k), first = ladder_first(t);
    const double seconds = r->totals.predicted_seconds;
    if (seconds > 0) snprintf(time, sizeof time, "%.2f us", seconds * 1e6);
    if (last >= 0 && seconds > 0 && !t->of->alike && !(t->steps[k]->flags & STEP_WRONG)) {
        snprintf(faster, sizeof faster, "%.2fx",
                 t->results[last].totals.predicted_seconds / seconds);
        snprintf(all, sizeof all, "%.2fx", t->results[first].totals.predicted_seconds / seconds);
    }
    printf("%2d  %-35s %s%-6s%s %8s %6.0f %4.0f%% %8.2f %9s %8s %8s %5.0f%% %10s %7s %7s\n",
           number(t, k), t->steps[k]->title, color ? (meant ? COLOR_GREEN : COLOR_RED) : "",
           !r->ran    ? "-"
           : r->right ? "right"
                      : "wrong",
           color ? COLOR_OFF : "", brief(r->totals.work, a), r->totals.span, 100 * idle(c),
           share(c->sectors, requests(c)), brief(c->conflicts, b), brief(c->barriers, d),
           brief(c->atomic_steps, e), 100 * r->totals.occupancy, time, faster, all);
}

static void print_reason(const ladder_results *t, int32_t k)
{
    const ladder_step *step = t->steps[k];
    const ladder_result *r = &t->results[k];
    char why[256];
    if (step->flags & STEP_WRONG) printf("    wrong on purpose: %s\n", step->fault);
    if (!r->ran) {
        printf("    %s: %s\n", ladder_unplayed(r), shown_lines(r->error));
        return;
    }
    if (!r->right) printf("    %s\n", r->answer);
    for (int32_t f = 0; f < r->totals.finding_count && f < 2; f++)
        printf("    found at line %d: %s\n", (int)r->totals.findings[f].line,
               r->totals.findings[f].text);
    for (int32_t w = 0; w < r->totals.warning_count; w++)
        printf("    warning at line %d: %s\n", (int)r->totals.warnings[w].line,
               r->totals.warnings[w].text);
    ladder_reason(t, k, why, sizeof why);
    if (why[0] != 0) printf("    %s\n", why);
}

// Of a ladder of latencies: what one step takes.
static void print_steps(const ladder_results *t)
{
    if (!t->of->of_latency) return;
    printf("\nOne step takes");
    for (int32_t k = 0; k < t->count; k++)
        printf("%s %.1f ns (%s)", k > 0 ? "," : "",
               ladder_seconds(t, k) * 1e9 / (double)t->problem.n, t->steps[k]->name);
    printf(".\n");
}

// The lecture's own figures, of a card of its time.
static void print_then(const ladder_results *t)
{
    const char *before = "\nIn 2017, for 16,777,216 ints, the lecture measured";
    for (int32_t k = 0; k < t->count; k++) {
        if (t->steps[k]->then_gb_s <= 0) continue;
        printf("%s %.1f", before, t->steps[k]->then_gb_s);
        before = ",";
    }
    if (*before == ',') printf(" GB/s.\n");
}

// ---- On a card ----------------------------------------------------------------------------------

static void print_why(const ladder_results *t, int32_t k)
{
    char why[256];
    ladder_reason(t, k, why, sizeof why);
    if (why[0] != 0) printf("    %s\n", why);
}

static void print_card_row(const ladder_results *t, int32_t k)
{
    const ladder_result *r = &t->results[k];
    const int32_t last = ladder_before(t, k), first = ladder_first(t);
    const bool wrong = (t->steps[k]->flags & STEP_WRONG) != 0;
    char then[24] = "", faster[24] = "", all[24] = "";
    if (!r->ran) {
        printf("%2d  %-36s did not run: %s\n", number(t, k), t->steps[k]->title,
               shown_lines(r->error));
        return;
    }
    if (t->steps[k]->then_gb_s > 0) snprintf(then, sizeof then, "%.1f", t->steps[k]->then_gb_s);
    if (last >= 0 && !wrong && !t->of->alike) {
        snprintf(faster, sizeof faster, "%.2fx", ladder_rate(t, k) / ladder_rate(t, last));
        snprintf(all, sizeof all, "%.2fx", ladder_rate(t, k) / ladder_rate(t, first));
    }
    printf("%2d  %-36s %-6s %10.1f us %8.0f %5.1f%% %8s %8s %8s\n", number(t, k),
           t->steps[k]->title, r->right ? "right" : "wrong", r->totals.device_seconds * 1e6,
           ladder_rate(t, k) / 1e9, 100 * ladder_rate(t, k) / t->peak, faster, all, then);
    if (wrong) printf("    wrong on purpose: %s\n", t->steps[k]->fault);
    if (!r->right) printf("    %s\n", r->answer);
    print_why(t, k);
}

static void print_card(const ladder_results *t)
{
    printf("The %s ladder on %s: %s, n = %lld, %d threads a block\n\n", t->of->title, t->card,
           t->of->about, (long long)t->problem.n, (int)t->problem.block);
    printf(" #  %-36s %-6s %13s %8s %6s %8s %8s %8s\n", "step", "answer", "time", "GB/s", "peak",
           "faster", "in all", "in 2017");
    for (int32_t k = 0; k < t->count; k++) print_card_row(t, k);
    printf("\nGB/s counts the bytes that any method must move; the peak bandwidth, the fastest "
           "plain %s of as\n"
           "many bytes, is %.0f GB/s. Reasons are of what the model machine counts at n = %lld.\n",
           t->of->peak == LADDER_READS ? "read" : "copy", t->peak / 1e9,
           (long long)t->of->default_n);
    print_steps(t);
}

void ladder_print(const ladder_results *t)
{
    if (t->cuda) {
        print_card(t);
        return;
    }
    print_head(t);
    for (int32_t k = 0; k < t->count; k++) {
        print_row(t, k);
        print_reason(t, k);
    }
    print_then(t);
    print_steps(t);
}

// ---- JSON ---------------------------------------------------------------------------------------

void ladder_json_warnings(json *j, const stage_totals *t)
{
    json_list(j, "warnings");
    for (int32_t w = 0; w < t->warning_count; w++) {
        json_object(j, NULL);
        json_int(j, "line", t->warnings[w].line);
        json_text(j, "text", t->warnings[w].text);
        json_close(j);
    }
    json_close(j);
}

static void json_counts(json *j, const stage_totals *t)
{
    const hd_model_counts *c = &t->counts;
    json_int(j, "launches", t->launches);
    json_int(j, "threads", t->threads);
    json_int(j, "work", t->work);
    json_real(j, "span", t->span);
    json_int(j, "warp_instructions", c->warp_instructions);
    json_int(j, "thread_instructions", c->thread_instructions);
    json_int(j, "branches", c->branches);
    json_int(j, "divergent_branches", c->divergent_branches);
    json_int(j, "global_requests", requests(c));
    json_int(j, "sectors", c->sectors);
    json_int(j, "ideal_sectors", c->ideal_sectors);
    json_int(j, "shared_requests", c->shared_loads + c->shared_stores + c->shared_atomics);
    json_int(j, "wavefronts", c->wavefronts);
    json_int(j, "conflicts", c->conflicts);
    json_int(j, "barriers", c->barriers);
    json_int(j, "atomic_steps", c->atomic_steps);
    json_int(j, "dram_bytes", t->dram_bytes);
    json_real(j, "occupancy", t->occupancy);
    json_real(j, "predicted_seconds", t->predicted_seconds);
    json_text(j, "bound", t->bound);
    json_real(j, "device_seconds", t->device_seconds);
}

static void json_step(json *j, const ladder_results *t, int32_t k)
{
    const ladder_step *step = t->steps[k];
    const ladder_result *r = &t->results[k];
    char why[256];
    json_object(j, NULL);
    json_text(j, "name", step->name);
    json_text(j, "title", step->title);
    json_text(j, "teaches", step->teaches);
    json_bool(j, "wrong_on_purpose", (step->flags & STEP_WRONG) != 0);
    json_text(j, "fault", step->fault);
    json_bool(j, "ran", r->ran);
    json_text(j, "error", r->ran ? NULL : r->error);
    json_bool(j, "right", r->right);
    json_text(j, "answer", r->ran && !r->right ? r->answer : NULL);
    json_bool(j, "as_meant", ladder_as_meant(t, k));
    ladder_reason(t, k, why, sizeof why);
    json_text(j, "why", why[0] != 0 ? why : NULL);
    json_counts(j, &r->totals);
    json_list(j, "findings");
    for (int32_t f = 0; f < r->totals.finding_count; f++) {
        json_object(j, NULL);
        json_int(j, "line", r->totals.findings[f].line);
        json_text(j, "text", r->totals.findings[f].text);
        json_close(j);
    }
    json_close(j);
    ladder_json_warnings(j, &r->totals);
    if (step->then_gb_s > 0) json_real(j, "gb_s_in_2017", step->then_gb_s);
    json_close(j);
}

void ladder_json(const ladder_results *t)
{
    json j = json_begin(stdout);
    json_text(&j, "command", "ladder");
    json_text(&j, "ladder", t->of->name);
    json_text(&j, "backend", t->cuda ? "cuda" : "model");
    json_int(&j, "n", t->problem.n);
    json_int(&j, "block", t->problem.block);
    if (t->cuda) {
        json_text(&j, "card", t->card);
        json_real(&j, "peak_bytes_per_second", t->peak);
        json_int(&j, "bytes", t->of->least_bytes(&t->problem));
    }
    json_list(&j, "steps");
    for (int32_t k = 0; k < t->count; k++) json_step(&j, t, k);
    json_close(&j);
    json_end(&j);
}
