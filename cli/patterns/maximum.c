// SPDX-License-Identifier: Apache-2.0
//
// heddle maximum: the greatest element by one of the methods of the PRAM, or by all of them with
// steps, work, speed-up and efficiency side by side.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <heddle_teaching.h>

#include "cli/command.h"
#include "cli/support/print.h"
#include "cli/support/progress.h"
#include "cli/run/workspace.h"

static const char name[] = "maximum";

typedef struct maximum_args {
    const char *method;
    bool json;
    file_options file;
    context_options run;
} maximum_args;

static const arg_option options[] = {
    ARG_TEXT(0, "method", "cascade|sequential|square|tree|double-log|all",
             "how to find it (cascade); all shows a table of them", maximum_args, method),
    FILE_OPTION_ROWS(maximum_args, file),
    CONTEXT_OPTION_ROWS(maximum_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", maximum_args, json),
    ARG_END,
};

const arg_spec maximum_spec = {
    name,
    "FILE",
    "finds the greatest element by the methods of the PRAM, and counts",
    "Prints the index of the greatest element and the element. With --method all, for each\n"
    "method: the parallel steps, the work and the most processors at once; speed-up, the steps\n"
    "of the sequential method over its own; efficiency, that over the processors; and the time\n"
    "measured on this machine with its speed-up. heddle reduce --op argmax is the fast way.\n\n"
    "Example:\n"
    "  printf '\\3\\1\\7\\0\\4\\1\\6\\3' | heddle maximum - --dtype u8 --method all\n",
    options,
    1,
    1,
};

typedef struct maximum_outcome {
    hd_maximum_method method;
    hd_maximum_result result;
    double seconds;
    bool left_out; // more elements than the method takes
} maximum_outcome;

enum { MIN_RUNS = 3, MAX_RUNS = 100 };
static const double enough_seconds = 0.1;

// The least time of a few runs.
static int measure(workspace *w, hd_view in, maximum_outcome *o, bool once)
{
    const hd_maximum_options how = {.method = o->method};
    double spent = 0;
    o->left_out = o->method == HD_MAXIMUM_SQUARE && hd_count(in) > HD_MAXIMUM_SQUARE_MAX && !once;
    for (int k = 0; !o->left_out && k < (once ? 1 : MAX_RUNS); k++) {
        workspace_begin(w);
        EXIT_TRY(workspace_call(w, hd_maximum(w->ctx, in, &o->result, &how)));
        if (k == 0 || w->seconds < o->seconds) o->seconds = w->seconds;
        spent += w->seconds;
        if (k + 1 >= MIN_RUNS && spent > enough_seconds) break;
    }
    return EXIT_DONE;
}

static const void *value_of(hd_view in, int64_t index)
{
    int64_t offset = 0;
    for (int32_t k = in.ndim - 1; k >= 0; k--) {
        offset += index % in.shape[k] * in.stride[k];
        index /= in.shape[k];
    }
    return (const char *)in.data + offset * (int64_t)hd_type_size(in.type);
}

static void print_row(const maximum_outcome *o, const maximum_outcome *first)
{
    const hd_maximum_result *r = &o->result;
    if (o->left_out) {
        printf("%-11s more than %" PRId64 " elements\n", hd_maximum_name(o->method),
               HD_MAXIMUM_SQUARE_MAX);
        return;
    }
    const double steps = r->steps > 0 ? (double)r->steps : 1,
                 processors = r->processors > 0 ? (double)r->processors : 1;
    const double speedup = (double)(first->result.steps > 0 ? first->result.steps : 1) / steps;
    printf("%-11s %8" PRId64 " %14" PRId64 " %12" PRId64 " %10.4g %10.3g %11.3f %9.2f\n",
           hd_maximum_name(o->method), r->steps, r->work, r->processors, speedup,
           speedup / processors, o->seconds * 1e3, first->seconds / o->seconds);
}

static void json_outcome(json *j, const maximum_outcome *o)
{
    json_object(j, NULL);
    json_text(j, "method", hd_maximum_name(o->method));
    if (!o->left_out) {
        json_int(j, "steps", o->result.steps);
        json_int(j, "work", o->result.work);
        json_int(j, "processors", o->result.processors);
        json_real(j, "seconds", o->seconds);
    }
    json_close(j);
}

static void report_json(const workspace *w, const char *file, hd_view in, const maximum_outcome *o,
                        int count)
{
    char text[PRINT_ROOM];
    const int64_t index = o[0].result.index;
    json j = json_begin(stdout);
    json_text(&j, "command", name);
    json_text(&j, "file", file);
    json_text(&j, "element_type", hd_type_name(in.type));
    json_int(&j, "elements", hd_count(in));
    json_text(&j, "backend", hd_backend_name(hd_last_backend(w->ctx)));
    json_int(&j, "threads", hd_threads(w->ctx));
    json_int(&j, "index", index);
    if (index >= 0) json_number(&j, "value", print_value(in.type, value_of(in, index), text));
    json_list(&j, "methods");
    for (int k = 0; k < count; k++) json_outcome(&j, &o[k]);
    json_close(&j);
    json_end(&j);
}

static void report(hd_view in, const maximum_outcome *o, int count)
{
    char text[PRINT_ROOM];
    const int64_t index = o[0].result.index;
    printf("%" PRId64, index);
    if (index >= 0) printf(" %s", print_value(in.type, value_of(in, index), text));
    printf("\n");
    if (count == 1) return;
    printf("\n%-11s %8s %14s %12s %10s %10s %11s %9s\n", "method", "steps", "work", "processors",
           "speed-up", "efficiency", "measured ms", "speed-up");
    for (int k = 0; k < count; k++) print_row(&o[k], &o[0]);
}

static int run(workspace *w, const maximum_args *a, const char *file)
{
    static const hd_maximum_method order[] = {HD_MAXIMUM_SEQUENTIAL, HD_MAXIMUM_SQUARE,
                                              HD_MAXIMUM_TREE, HD_MAXIMUM_DOUBLE_LOG,
                                              HD_MAXIMUM_CASCADE};
    maximum_outcome o[HD_MAXIMUM_METHODS];
    io_read_options read;
    hd_view in;
    const bool all = a->method != NULL && strcmp(a->method, "all") == 0;
    const int count = all ? HD_MAXIMUM_METHODS : 1;
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    for (int k = 0; k < count; k++) {
        o[k] = (maximum_outcome){.method = all ? order[k]
                                           : a->method != NULL
                                               ? (hd_maximum_method)hd_maximum_named(a->method)
                                               : HD_MAXIMUM_CASCADE};
        EXIT_TRY(measure(w, in, &o[k], !all));
    }
    if (a->json)
        report_json(w, file, in, o, count);
    else
        report(in, o, count);
    return EXIT_DONE;
}

int command_maximum(int argc, char **argv)
{
    maximum_args a = {.method = NULL};
    arg_result files;
    workspace w = {0};
    int code;
    if (!args_begin(&maximum_spec, argc, argv, &a, &files, &code)) return code;
    code = run(&w, &a, files.operand[0]);
    workspace_close(&w);
    return code;
}
