// SPDX-License-Identifier: Apache-2.0
//
// heddle ladder: one pattern in several kernels, each better than the last, run on the model
// machine, checked and explained. The ladders live in ladder/; how they are told is
// ladder_print.c's.
#include "ladder.h"

#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "io/json.h"
#include "ladder_draw.h"
#include "ladder_html.h"

static const char name[] = "ladder";

typedef struct ladder_args {
    arg_int n, block, threads;
    const char *compiler, *draw, *html, *backend;
    bool json, source, text, shmoo;
} ladder_args;

static const arg_option options[] = {
    ARG_INT('n', "n", "N", "the size of the problem; without it each ladder's own", ladder_args, n,
            1, INT64_C(1) << 31),
    ARG_INT('b', "block", "B", "threads in a block", ladder_args, block, 32, 1024),
    ARG_TEXT(0, "backend", "model|cuda", "where: the model machine (usual), or a card", ladder_args,
             backend),
    ARG_INT('t', "threads", "N", "threads of this machine to use", ladder_args, threads, 1, 1024),
    ARG_TEXT(0, "compiler", "nvrtc|clang", "what compiles the kernels; without it as found",
             ladder_args, compiler),
    ARG_TEXT(0, "draw", "METHOD", "draw a method step by step, on VALUEs or the lectures' own",
             ladder_args, draw),
    ARG_FLAG(0, "text", "the drawing as text: also with --html", ladder_args, text),
    ARG_FLAG(0, "shmoo", "the time of an element over size and block, of STEP", ladder_args, shmoo),
    ARG_TEXT(0, "html", "FILE", "write a page, one file with pictures", ladder_args, html),
    ARG_FLAG(0, "source", "print the steps' CUDA C instead", ladder_args, source),
    ARG_FLAG(0, "json", "one JSON document on standard output", ladder_args, json),
    ARG_END,
};

const arg_spec ladder_spec = {
    name,
    "[NAME [STEP | VALUE...]]",
    "climbs a ladder of kernels, and says why each is faster than the last",
    "Runs every kernel of a ladder on the model machine: no GPU is needed. Answers are checked "
    "first;\n"
    "then come the counts (instructions of warps, idle lanes, sectors a request, bank conflicts,\n"
    "barriers, serialised atomics), the occupancy, the predicted time, and one sentence "
    "made\n"
    "from the counts. Steps that are wrong on purpose show what the model finds. Without NAME the\n"
    "ladders are listed; STEP is a name or a number.\n"
    "Exit code 1 if a step does not do what it is meant to, 3 if a kernel does not compile.\n\n"
    "Examples:\n"
    "  heddle ladder\n"
    "  heddle ladder reduce\n"
    "  heddle ladder reduce --html reduce.html\n"
    "  heddle ladder reduce modulo --source\n"
    "  heddle ladder scan --draw brent-kung 3 1 7 0 4 1 6 3\n"
    "  heddle ladder maximum --draw all-pairs 3 9 4 1\n"
    "  heddle ladder scan --draw polynomial 2 1 0 3\n"
    "  heddle ladder scan --draw lexer 'x12.y 3.5'\n"
    "  heddle ladder reduce --shmoo --html shmoo.html\n"
    "  heddle ladder reduce --n 100000 --block 128 --json\n",
    options,
    0,
    ARG_MAX_OPERANDS,
};

// What can be drawn of a ladder.
static void list_drawings(const char *ladder)
{
    const char *before = "    --draw";
    for (const drawing_method *m = drawing_methods; m->name != NULL; m++)
        if (strcmp(m->ladder, ladder) == 0) printf("%s %s", before, m->name), before = ",";
    for (const grid_method *m = grid_methods; m->name != NULL; m++)
        if (strcmp(m->ladder, ladder) == 0 && !m->application)
            printf("%s %s", before, m->name), before = ",";
    if (*before == ',') putchar('\n');
    before = "    --draw, what it is good for:";
    for (const grid_method *m = grid_methods; m->name != NULL; m++)
        if (strcmp(m->ladder, ladder) == 0 && m->application)
            printf("%s %s", before, m->name), before = ",";
    if (*before == ',') putchar('\n');
}

static int list_ladders(void)
{
    printf("The ladders; `heddle ladder NAME` climbs one.\n\n");
    for (int32_t k = 0; ladder_number(k) != NULL; k++) {
        const ladder *l = ladder_number(k);
        printf("  %-12s %s: %d steps\n", l->name, l->about, (int)l->step_count);
        for (int32_t r = 0; r < l->step_count; r++)
            printf("    %2d  %-18s %s\n", (int)r, l->steps[r].name, l->steps[r].title);
        list_drawings(l->name);
    }
    return EXIT_DONE;
}

static int json_ladders(void)
{
    json j = json_begin(stdout);
    json_text(&j, "command", name);
    json_list(&j, "ladders");
    for (int32_t k = 0; ladder_number(k) != NULL; k++) {
        const ladder *l = ladder_number(k);
        json_object(&j, NULL);
        json_text(&j, "name", l->name);
        json_text(&j, "about", l->about);
        json_list(&j, "steps");
        for (int32_t r = 0; r < l->step_count; r++) json_text(&j, NULL, l->steps[r].name);
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    json_end(&j);
    return EXIT_DONE;
}

static int without_ladder(const ladder_args *args)
{
    const char *given = args->draw != NULL      ? "--draw"
                        : args->html != NULL    ? "--html"
                        : args->source          ? "--source"
                        : args->shmoo           ? "--shmoo"
                        : args->backend != NULL ? "--backend"
                        : args->n.given         ? "--n"
                        : args->block.given     ? "--block"
                                                : NULL;
    if (given != NULL)
        return fail(EXIT_USAGE, name, "%s: of which ladder? `heddle ladder` lists them", given);
    return args->json ? json_ladders() : list_ladders();
}

static const char *ladder_name(int k, const void *user)
{
    (void)user;
    const ladder *l = ladder_number(k);
    return l != NULL ? l->name : NULL;
}

static const char *step_name(int k, const void *user)
{
    const ladder *l = user;
    return k < l->step_count ? l->steps[k].name : NULL;
}

static int unknown(const char *what, const char *got, const char *nearest, const char *list)
{
    if (nearest != NULL)
        return fail(EXIT_USAGE, name, "no %s is called %s; did you mean %s?", what, got, nearest);
    return fail(EXIT_USAGE, name, "no %s is called %s; `%s` lists them", what, got, list);
}

static int find_ladder(const char *called, const ladder **l)
{
    *l = ladder_named(called);
    if (*l != NULL) return EXIT_DONE;
    return unknown("ladder", called, args_nearest(called, ladder_name, NULL), "heddle ladder");
}

static int choose(const arg_result *operands, ladder_results *t)
{
    const ladder *l = t->of;
    int32_t first = 0, end = l->step_count;
    if (operands->count > 1) {
        first = ladder_step_named(l, operands->operand[1]);
        if (first < 0)
            return unknown("step", operands->operand[1],
                           args_nearest(operands->operand[1], step_name, l), "heddle ladder");
        end = first + 1;
    }
    for (int32_t k = first; k < end; k++) t->steps[t->count++] = &l->steps[k];
    return EXIT_DONE;
}

static int set_problem(const ladder_args *args, ladder_results *t)
{
    const ladder *l = t->of;
    ladder_case *c = &t->problem;
    c->n = args->n.given ? args->n.value : t->cuda ? l->device_n : l->default_n;
    c->block = args->block.given ? (int32_t)args->block.value : l->default_block;
    c->seed = 1;
    if (c->n < l->min_n || c->n > l->max_n)
        return fail(EXIT_USAGE, name, "--n %lld: the %s ladder takes %lld to %lld %s",
                    (long long)c->n, l->name, (long long)l->min_n, (long long)l->max_n, l->of_n);
    if (l->fixed_block && c->block != l->default_block)
        return fail(EXIT_USAGE, name, "--block %d: the kernels of the %s ladder are written for %d",
                    (int)c->block, l->name, (int)l->default_block);
    return EXIT_DONE;
}

static int plot(const ladder_args *args, const ladder_results *t, const stage_options *how)
{
    shmoo s;
    EXIT_TRY(shmoo_play(t, how, args->n.given ? args->n.value : 0, &s));
    if (args->html != NULL) EXIT_TRY(ladder_shmoo_html(&s, args->html));
    if (args->json)
        shmoo_json(&s);
    else
        shmoo_print(&s);
    return EXIT_DONE;
}

static int climb(const ladder_args *args, ladder_results *t)
{
    const stage_options how = {.cuda = t->cuda,
                               .threads = args->threads.given ? (int32_t)args->threads.value : 0,
                               .compiler = args->compiler,
                               .checks =
                                   HD_MODEL_ALL | (args->html != NULL ? HD_MODEL_SAMPLES : 0)};
    if (args->shmoo) return plot(args, t, &how);
    const int code = ladder_climb(t, &how);
    if (code != EXIT_DONE && code != EXIT_CHECK && code != EXIT_COMPILE) return code;
    if (args->html != NULL) EXIT_TRY(ladder_html(t, args->html));
    if (args->json)
        ladder_json(t);
    else
        ladder_print(t);
    return code;
}

static void print_sources(const ladder_results *t)
{
    for (int32_t k = 0; k < t->count; k++) {
        if (k > 0) putchar('\n');
        if (t->steps[k]->call != NULL)
            printf("// Heddle's own: %s\n// It runs src/gpu/kernels/%s:\n\n", t->steps[k]->code,
                   t->steps[k]->file);
        fputs(ladder_source(t->of, t->steps[k]), stdout);
    }
}

int command_ladder(int argc, char **argv)
{
    ladder_args args = {.json = false};
    arg_result operands;
    ladder_results told = {.count = 0};
    int code;
    if (!args_begin(&ladder_spec, argc, argv, &args, &operands, &code)) return code;
    if (operands.count == 0) return without_ladder(&args);
    EXIT_TRY(find_ladder(operands.operand[0], &told.of));
    if (args.draw != NULL) return ladder_draw(args.draw, &operands, args.html, args.text);
    if (operands.count > 2)
        return fail(EXIT_USAGE, name, "expected a ladder and a step; got %s as well",
                    operands.operand[2]);
    EXIT_TRY(choose(&operands, &told));
    if (args.source) {
        print_sources(&told);
        return EXIT_DONE;
    }
    told.cuda = args.backend != NULL && strcmp(args.backend, "cuda") == 0;
    EXIT_TRY(set_problem(&args, &told));
    // Heddle's own steps open their machine themselves.
    if (args.compiler != NULL) setenv("HEDDLE_MODEL_COMPILER", args.compiler, 1);
    code = climb(&args, &told);
    ladder_leave(&told);
    return code;
}
