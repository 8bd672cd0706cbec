// SPDX-License-Identifier: Apache-2.0
//
// heddle tour: every pattern on this machine, checked, with its speed beside the machine's own
// limit. The stops are tour_stops.c's, the measuring tour_measure.c's; here is how it is told.
#include "tour.h"

#include <stdlib.h>
#include <string.h>

#include "../bench/machine.h"
#include "color.h"
#include "command.h"
#include "json.h"
#include "options.h"
#include "progress.h"

static const char name[] = "tour";

typedef struct tour_args {
    context_options run;
    arg_int elements;
    bool json;
} tour_args;

static const arg_option options[] = {
    ARG_INT('n', "elements", "N",
            "elements to measure on (16777216, or less where memory is short)", tour_args, elements,
            1, INT64_C(1) << 40),
    CONTEXT_OPTION_ROWS(tour_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", tour_args, json),
    ARG_END,
};

const arg_spec tour_spec = {
    name,
    "[PATTERN...]",
    "shows every pattern on this machine, checked, with its speed beside the limit",
    "Each stop shows the lectures' own figures, compares the bits of the result with the serial\n"
    "backend's at many sizes, and measures a call beside the fastest plain read or copy of the\n"
    "same bytes. Exit code 1 if anything is wrong.\n\n"
    "Examples:\n"
    "  heddle tour\n"
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
    int wrong;
} telling;

static const char *paint(const telling *t, const char *color)
{
    return t->color ? color : "";
}

static void tell_example(telling *t, const tour_example *e)
{
    char shown[256] = "";
    e->show(t->ctx, shown, sizeof shown);
    const bool right = strcmp(shown, e->expected) == 0;
    t->wrong += !right;
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

static void tell_row_json(json *j, const tour_row *row, const tour_outcome *o)
{
    json_object(j, NULL);
    json_text(j, "title", row->title);
    json_bool(j, "right", o->right);
    if (!o->right) json_text(j, "wrong", o->wrong);
    json_int(j, "elements", o->elements);
    json_int(j, "bytes", o->bytes);
    json_real(j, "seconds", o->seconds);
    json_real(j, "bytes_per_second", o->bytes_per_second);
    json_real(j, "limit_bytes_per_second", o->limit);
    json_close(j);
}

static void tell_row(telling *t, const tour_stop *stop, const tour_row *row)
{
    const tour_outcome o = tour_measure(t->ctx, t->serial, stop, row, t->elements);
    t->wrong += !o.right;
    if (t->j != NULL) {
        tell_row_json(t->j, row, &o);
        return;
    }
    printf("  %-28s%s%-10s%s", row->title, paint(t, o.right ? COLOR_GREEN : COLOR_RED),
           o.right ? "as serial" : "WRONG", paint(t, COLOR_OFF));
    if (!o.right) {
        printf("  %s\n", o.wrong);
        return;
    }
    printf("%9.3f ms %8.1f GB/s", 1e3 * o.seconds, 1e-9 * o.bytes_per_second);
    if (o.limit > 0) printf(" %6.0f %%", 100 * o.bytes_per_second / o.limit);
    putchar('\n');
    fflush(stdout);
}

static void tell_stop(telling *t, const tour_stop *stop)
{
    if (t->j != NULL) {
        json_object(t->j, NULL);
        json_text(t->j, "name", stop->name);
        json_list(t->j, "examples");
    } else {
        printf("\n%s%s%s: %s\n\n", paint(t, COLOR_BOLD), stop->name, paint(t, COLOR_OFF),
               stop->about);
    }
    for (const tour_example *e = stop->examples; e->title != NULL; e++) tell_example(t, e);
    if (t->j != NULL) {
        json_close(t->j);
        json_list(t->j, "rows");
    } else {
        printf("\n  %-28s%-10s%12s%14s%9s\n", "", "bits", "time", "speed",
               stop->limit == LIMIT_READ ? "of read" : "of copy");
    }
    for (const tour_row *r = stop->rows; r->title != NULL; r++) tell_row(t, stop, r);
    if (t->j != NULL) {
        json_close(t->j);
        json_close(t->j);
    }
}

static const char *stop_name(int k, const void *user)
{
    (void)user;
    return tour_stops[k].name;
}

static bool is_chosen(const arg_result *chosen, const char *stop)
{
    bool found = chosen->count == 0;
    for (int k = 0; k < chosen->count; k++) found |= strcmp(chosen->operand[k], stop) == 0;
    return found;
}

static int check_chosen(const arg_result *chosen)
{
    for (int k = 0; k < chosen->count; k++) {
        bool known = false;
        for (int j = 0; tour_stops[j].name != NULL; j++)
            known |= strcmp(chosen->operand[k], tour_stops[j].name) == 0;
        const char *near = args_nearest(chosen->operand[k], stop_name, NULL);
        if (!known)
            return fail(EXIT_USAGE, name, "no stop is called '%s'%s%s", chosen->operand[k],
                        near ? "; the nearest is " : "", near ? near : "");
    }
    return EXIT_DONE;
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
    for (const tour_stop *s = tour_stops; s->name != NULL; s++)
        if (is_chosen(chosen, s->name)) tell_stop(t, s);
    if (t->j != NULL) {
        json_close(t->j);
        json_bool(t->j, "right", t->wrong == 0);
        json_real(t->j, "seconds", seconds_now() - start);
        return;
    }
    printf("\n%s%s%s (%.0f s)\n", paint(t, t->wrong ? COLOR_RED : COLOR_GREEN),
           t->wrong ? "Something is WRONG: see above" : "Everything is as it should be",
           paint(t, COLOR_OFF), seconds_now() - start);
}

// Input, output and the limit's own arrays, at up to 8 bytes, in half of the free memory.
static int64_t elements_that_fit(void)
{
    const int64_t wanted = INT64_C(1) << 24, share = machine_free_memory() / 2 / (6 * 8);
    return share < wanted ? (share > 1024 ? share : 1024) : wanted;
}

int command_tour(int argc, char **argv)
{
    tour_args args = {.json = false};
    arg_result chosen;
    telling t = {.wrong = 0};
    int code;
    if (!args_begin(&tour_spec, argc, argv, &args, &chosen, &code)) return code;
    EXIT_TRY(check_chosen(&chosen));
    EXIT_TRY(options_open(name, &args.run, &t.ctx));
    code = options_open(name, &(context_options){.backend = "serial"}, &t.serial);
    if (code == EXIT_DONE) {
        json j;
        t.elements = args.elements.given ? args.elements.value : elements_that_fit();
        t.color = color_wanted(stdout);
        if (args.json) j = json_begin(stdout), t.j = &j;
        tell(&t, &chosen);
        if (args.json) json_end(&j);
        code = t.wrong ? EXIT_CHECK : EXIT_DONE;
    }
    hd_close(t.serial);
    hd_close(t.ctx);
    return code;
}
