// SPDX-License-Identifier: Apache-2.0
//
// heddle tour: every pattern on this machine, checked, with its speed beside the machine's own
// peak. The stops are tour_stops.c's, the measuring tour_measure.c's; here is how it is told.
#include "tour.h"

#include <stdlib.h>
#include <string.h>

#include "bench/machine/machine.h"
#include "cli/support/color.h"
#include "cli/command.h"
#include "io/json.h"
#include "cli/args/options.h"
#include "cli/run/page.h"
#include "cli/support/progress.h"
#include "tour_notes.h"

static const char name[] = "tour";

typedef struct tour_args {
    context_options run;
    arg_int elements;
    const char *html;
    bool json;
} tour_args;

static const arg_option options[] = {
    ARG_INT('n', "elements", "N",
            "elements to measure on (16777216, or less where memory is short)", tour_args, elements,
            1, INT64_C(1) << 40),
    CONTEXT_OPTION_ROWS(tour_args, run),
    ARG_TEXT(0, "html", "FILE", "write the results as a page, one file", tour_args, html),
    ARG_FLAG(0, "json", "one JSON document on standard output", tour_args, json),
    ARG_END,
};

const arg_spec tour_spec = {
    name,
    "[PATTERN...]",
    "shows every pattern on this machine, checked, with its percentage of peak bandwidth",
    "Each stop shows the lectures' own figures, compares the bits of the result with the serial\n"
    "backend's at many sizes, and measures a call beside the fastest plain read or copy of the\n"
    "same bytes. Then the ladders are played on the model machine. PATTERN is a stop, a ladder, "
    "or\n"
    "\"ladders\" for all of them. Exit code 1 if anything is wrong.\n\n"
    "Examples:\n"
    "  heddle tour\n"
    "  heddle tour --html tour.html\n"
    "  heddle tour scan --elements 1000000\n",
    options,
    0,
    ARG_MAX_OPERANDS,
};

// Where the tour is told: as text, or, where j is set, as JSON.
typedef struct telling {
    hd_context *ctx, *serial;
    json *j;
    bool color;
    int64_t elements;
    int done; // of the bar
    progress bar;
    tour_notes notes;
} telling;

static const char *paint(const telling *t, const char *color)
{
    return t->color ? color : "";
}

// One thing more is done: the bar goes on, and leaves its line to what is printed next.
static void step(telling *t)
{
    progress_step(&t->bar, t->done++);
}

static void print_example(telling *t, const tour_stop *stop, const tour_example *e)
{
    char shown[256] = "";
    e->show(t->ctx, shown, sizeof shown);
    const bool right = strcmp(shown, e->expected) == 0;
    t->notes.wrong += !right;
    tour_note *note = tour_note_new(&t->notes, stop);
    if (note != NULL) {
        note->example = e;
        note->right = right;
        snprintf(note->shown, sizeof note->shown, "%s", shown);
    }
    progress_end(&t->bar);
    if (t->j != NULL) {
        json_object(t->j, NULL);
        json_text(t->j, "title", e->title);
        json_text(t->j, "expected", e->expected);
        json_text(t->j, "got", shown);
        json_bool(t->j, "right", right);
        json_close(t->j);
        return;
    }
    printf("  %s:\n    %s  %s%s%s\n", e->title, shown, paint(t, right ? COLOR_GREEN : COLOR_RED),
           right ? "as expected" : "WRONG", paint(t, COLOR_OFF));
    if (!right) printf("    expected %s\n", e->expected);
}

static void json_row(json *j, const tour_row *row, const tour_outcome *o)
{
    json_object(j, NULL);
    json_text(j, "title", row->title);
    json_bool(j, "right", o->right);
    if (!o->right) json_text(j, "wrong", o->wrong);
    json_int(j, "elements", o->elements);
    json_int(j, "bytes", o->bytes);
    json_real(j, "seconds", o->seconds);
    json_real(j, "bytes_per_second", o->bytes_per_second);
    json_real(j, "peak_bytes_per_second", o->peak);
    json_close(j);
}

static void print_row(telling *t, const tour_stop *stop, const tour_row *row)
{
    step(t);
    const tour_outcome o = tour_measure(t->ctx, t->serial, stop, row, t->elements);
    t->notes.wrong += !o.right;
    tour_note *note = tour_note_new(&t->notes, stop);
    if (note != NULL) note->row = row, note->outcome = o, note->right = o.right;
    progress_end(&t->bar);
    if (t->j != NULL) {
        json_row(t->j, row, &o);
        return;
    }
    printf("  %-28s%s%-10s%s", row->title, paint(t, o.right ? COLOR_GREEN : COLOR_RED),
           o.right ? "as serial" : "WRONG", paint(t, COLOR_OFF));
    if (!o.right) {
        printf("  %s\n", o.wrong);
        return;
    }
    printf("%9.3f ms %8.1f GB/s", 1e3 * o.seconds, 1e-9 * o.bytes_per_second);
    if (o.peak > 0) printf(" %6.0f %%", 100 * o.bytes_per_second / o.peak);
    putchar('\n');
    fflush(stdout);
}

// The backend that was asked for does not have the pattern.
static void print_absence(telling *t)
{
    if (t->j == NULL) {
        printf("  not on this backend yet\n");
        return;
    }
    json_close(t->j);
    json_bool(t->j, "absent", true);
    json_close(t->j);
}

static void print_stop(telling *t, const tour_stop *stop)
{
    if (t->j != NULL) {
        json_object(t->j, NULL);
        json_text(t->j, "name", stop->name);
        json_list(t->j, "examples");
    } else {
        printf("\n%s%s%s: %s\n\n", paint(t, COLOR_BOLD), stop->name, paint(t, COLOR_OFF),
               stop->about);
    }
    if (tour_absent(t->ctx, stop)) {
        print_absence(t);
        return;
    }
    for (const tour_example *e = stop->examples; e->title != NULL; e++) print_example(t, stop, e);
    if (t->j != NULL) {
        json_close(t->j);
        json_list(t->j, "rows");
    } else {
        printf("\n  %-28s%-10s%12s%14s%9s\n", "", "bits", "time", "speed", "of peak");
    }
    for (const tour_row *r = stop->rows; r->title != NULL; r++) print_row(t, stop, r);
    if (t->j != NULL) {
        json_close(t->j);
        json_close(t->j);
    }
}

static bool is_chosen(const arg_result *chosen, const char *stop)
{
    bool found = chosen->count == 0;
    for (int k = 0; k < chosen->count; k++) found |= strcmp(chosen->operand[k], stop) == 0;
    return found;
}

static bool is_stop(const arg_result *chosen, int k)
{
    return is_chosen(chosen, tour_stop_number(k)->name) || is_chosen(chosen, "patterns");
}

// ---- Ladders ------------------------------------------------------------------------------------

static void print_ladder(telling *t, const ladder_results *l)
{
    int32_t best, wrong = 0;
    const double gain = tour_gain(l, &best);
    for (int32_t k = 0; k < l->count; k++) wrong += !ladder_as_meant(l, k);
    if (t->j != NULL) {
        json_object(t->j, NULL);
        json_text(t->j, "name", l->of->name);
        json_int(t->j, "steps", l->count);
        json_bool(t->j, "right", wrong == 0);
        json_text(t->j, "fastest", best >= 0 ? l->steps[best]->name : NULL);
        json_real(t->j, "times_as_fast", gain);
        json_close(t->j);
        return;
    }
    printf("  %-14s%2d steps  %s%-10s%s", l->of->name, (int)l->count,
           paint(t, wrong ? COLOR_RED : COLOR_GREEN), wrong ? "WRONG" : "as meant",
           paint(t, COLOR_OFF));
    if (best >= 0 && !l->of->alike) printf("  %6.1fx by '%s'", gain, l->steps[best]->title);
    putchar('\n');
    fflush(stdout);
}

static void print_ladders(telling *t, const arg_result *chosen)
{
    if (t->j != NULL)
        json_list(t->j, "ladders");
    else
        printf("\n%sladders%s: kernels of the lectures on the model machine, from the first to the "
               "fastest\n\n",
               paint(t, COLOR_BOLD), paint(t, COLOR_OFF));
    for (int32_t k = 0; ladder_number(k) != NULL; k++) {
        if (!is_chosen(chosen, ladder_number(k)->name) && !is_chosen(chosen, "ladders")) continue;
        step(t);
        const bool played = tour_climb(&t->notes, k);
        progress_end(&t->bar);
        if (!played) break;
        print_ladder(t, &t->notes.ladders[t->notes.ladder_count - 1]);
    }
    if (t->j != NULL)
        json_close(t->j);
    else if (t->notes.no_ladders[0] != 0)
        printf("  not played: %s\n", t->notes.no_ladders);
}

static const char *stop_name(int k, const void *user)
{
    (void)user;
    int stops = 0;
    while (tour_stop_number(stops) != NULL) stops++;
    if (k < stops) return tour_stop_number(k)->name;
    if (k == stops) return "patterns";
    if (k == stops + 1) return "ladders";
    return ladder_number(k - stops - 2) != NULL ? ladder_number(k - stops - 2)->name : NULL;
}

static int check_chosen(const arg_result *chosen)
{
    for (int k = 0; k < chosen->count; k++) {
        bool known = false;
        for (int j = 0; stop_name(j, NULL) != NULL; j++)
            known |= strcmp(chosen->operand[k], stop_name(j, NULL)) == 0;
        const char *near = args_nearest(chosen->operand[k], stop_name, NULL);
        if (!known)
            return fail(EXIT_USAGE, name, "no stop is called '%s'%s%s", chosen->operand[k],
                        near ? "; the nearest is " : "", near ? near : "");
    }
    return EXIT_DONE;
}

static bool wants_ladders(const arg_result *chosen)
{
    bool wanted = is_chosen(chosen, "ladders");
    for (int32_t k = 0; ladder_number(k) != NULL; k++)
        wanted |= is_chosen(chosen, ladder_number(k)->name);
    return wanted;
}

// How many rows and ladders there are to see.
static int length_of(const arg_result *chosen)
{
    int steps = 0;
    for (int k = 0; tour_stop_number(k) != NULL; k++)
        for (const tour_row *r = tour_stop_number(k)->rows; r->title != NULL; r++)
            steps += is_stop(chosen, k);
    for (int32_t k = 0; ladder_number(k) != NULL; k++) steps += wants_ladders(chosen);
    return steps;
}

static void tell(telling *t, const arg_result *chosen)
{
    const double start = seconds_now();
    if (t->j != NULL) {
        json_text(t->j, "command", name);
        json_text(t->j, "version", hd_version());
        json_text(t->j, "isa", hd_isa(t->ctx));
        json_int(t->j, "threads", hd_threads(t->ctx));
        json_list(t->j, "stops");
    } else {
        printf("Heddle %s, %s, %d threads, %lld elements.\n"
               "'bits' compares with plain serial loops at many sizes; 'of read' and 'of copy' is "
               "the\n"
               "speed over that of the machine's fastest plain read or copy of the same bytes.\n",
               hd_version(), hd_isa(t->ctx), (int)hd_threads(t->ctx), (long long)t->elements);
    }
    for (int k = 0; tour_stop_number(k) != NULL; k++)
        if (is_stop(chosen, k)) print_stop(t, tour_stop_number(k));
    if (t->j != NULL) json_close(t->j);
    if (wants_ladders(chosen)) print_ladders(t, chosen);
    const double seconds = t->notes.seconds = seconds_now() - start;
    const int wrong = t->notes.wrong;
    if (t->j != NULL) {
        json_bool(t->j, "right", wrong == 0);
        json_real(t->j, "seconds", seconds);
        return;
    }
    printf("\n%s%s%s (%.0f s)\n", paint(t, wrong ? COLOR_RED : COLOR_GREEN),
           wrong ? "Something is WRONG: see above" : "Everything is as it should be",
           paint(t, COLOR_OFF), seconds);
}

// Input, output and the peak's own arrays, at up to 8 bytes, in half of the free memory.
static int64_t elements_that_fit(void)
{
    const int64_t wanted = INT64_C(1) << 24, share = machine_free_memory() / 2 / (6 * 8);
    return share < wanted ? (share > 1024 ? share : 1024) : wanted;
}

int command_tour(int argc, char **argv)
{
    tour_args args = {.json = false};
    arg_result chosen;
    telling t = {.elements = 0};
    int code;
    if (!args_begin(&tour_spec, argc, argv, &args, &chosen, &code)) return code;
    EXIT_TRY(check_chosen(&chosen));
    if (args.html != NULL) EXIT_TRY(page_can_be(name, args.html));
    EXIT_TRY(options_open(name, &args.run, &t.ctx));
    code = options_open(name, &(context_options){.backend = "serial"}, &t.serial);
    if (code == EXIT_DONE) {
        json j;
        t.elements = args.elements.given ? args.elements.value : elements_that_fit();
        t.color = color_wanted(stdout);
        t.bar = progress_begin("tour", length_of(&chosen));
        t.bar.steps = true;
        t.notes.isa = hd_isa(t.ctx);
        t.notes.threads = hd_threads(t.ctx);
        t.notes.elements = t.elements;
        if (args.json) j = json_begin(stdout), t.j = &j;
        tell(&t, &chosen);
        if (args.json) json_end(&j);
        code = t.notes.wrong ? EXIT_CHECK : EXIT_DONE;
        if (args.html != NULL) {
            const int written = tour_html(&t.notes, args.html);
            if (written != EXIT_DONE) code = written;
        }
    }
    tour_notes_free(&t.notes);
    hd_close(t.serial);
    hd_close(t.ctx);
    return code;
}
