// SPDX-License-Identifier: Apache-2.0
//
// heddle grade: a kernel of one's own in place of a ladder's step, judged on the model machine:
// right at awkward sizes and on several data, hazards by line, and its counts beside those of the
// best step.
#include "grade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/model/sandbox.h"
#include "cli/support/escaped.h"

static const char name[] = "grade";

// A kernel is given up on after so many times the instructions of the step, and not before so many
// in all: seconds of this machine.
#define SLOWEST   30
#define MIN_LIMIT 20000000u

typedef struct grade_args {
    const char *ladder, *as, *compiler, *backend;
    arg_int n, block, threads;
    bool json;
    sandbox_args sandbox;
} grade_args;

static const arg_option options[] = {
    ARG_TEXT('l', "ladder", "NAME", "the ladder; `heddle ladder` lists them", grade_args, ladder),
    ARG_TEXT(0, "as", "STEP", "the step whose launches and arguments the kernel takes over",
             grade_args, as),
    ARG_TEXT(0, "backend", "model|cuda", "cuda: on a card as well, once the model finds nothing",
             grade_args, backend),
    ARG_INT('n', "n", "N", "the size to count at; without it the ladder's own", grade_args, n, 1,
            INT64_C(1) << 31),
    ARG_INT('b', "block", "B", "threads in a block", grade_args, block, 32, 1024),
    ARG_INT('t', "threads", "N", "threads of this machine to use", grade_args, threads, 1, 1024),
    ARG_TEXT(0, "compiler", "nvrtc|clang", "what compiles the kernel; without it as found",
             grade_args, compiler),
    ARG_FLAG(0, "json", "one JSON document on standard output", grade_args, json),
    SANDBOX_OPTIONS(grade_args, sandbox, "fail where the sandbox is not whole; it is on as it is",
                    "without it: files, network, time and memory are open to the kernel"),
    ARG_END,
};

const arg_spec grade_spec = {
    name,
    "KERNEL.cu",
    "judges a kernel of yours in place of a ladder's step",
    "The kernel has the name, the arguments and the launches of a step of the ladder: of the "
    "first\n"
    "right one, or of the one --as names (`heddle ladder NAME STEP --source` shows it). It runs "
    "on\n"
    "the model machine at awkward sizes and on several data; then its counts stand beside those "
    "of\n"
    "the step and of the best step that is launched alike.\n"
    "It runs in a sandbox: docs/howto/untrusted-kernels.md.\n"
    "Exit code 0: right and without hazards; 1: a wrong answer, or no end; 3: it does not "
    "compile;\n"
    "5: a hazard.\n\n"
    "Examples:\n"
    "  heddle ladder reduce sequential --source >mine.cu\n"
    "  heddle grade mine.cu --ladder reduce --as sequential\n"
    "  heddle grade mine.cu --ladder reduce --as sequential --backend cuda\n",
    options,
    1,
    1,
};

static char *read_text(const char *file)
{
    FILE *in = fopen(file, "rb");
    char *text = NULL;
    if (in == NULL) return NULL;
    if (fseek(in, 0, SEEK_END) == 0) {
        const long bytes = ftell(in);
        if (bytes >= 0 && bytes < 1 << 24 && fseek(in, 0, SEEK_SET) == 0)
            text = malloc((size_t)bytes + 1);
        if (text != NULL) text[fread(text, 1, (size_t)bytes, in)] = 0;
    }
    fclose(in);
    return text;
}

static const ladder_step *first_right(const ladder *l)
{
    for (int32_t k = 0; k < l->step_count; k++)
        if (!(l->steps[k].flags & STEP_WRONG)) return &l->steps[k];
    return NULL;
}

// The last right step that is launched as `as` is.
static const ladder_step *best_alike(const ladder *l, const ladder_step *as)
{
    const ladder_step *best = NULL;
    for (int32_t k = 0; k < l->step_count; k++)
        if (!(l->steps[k].flags & STEP_WRONG) && l->steps[k].play == as->play &&
            l->steps[k].way == as->way)
            best = &l->steps[k];
    return best;
}

static int choose(const grade_args *args, grading *g)
{
    const char *why;
    g->card = args->backend != NULL && strcmp(args->backend, "cuda") == 0;
    if (g->card && !hd_backend_available(HD_CUDA, &why))
        return fail(EXIT_BACKEND, name, "--backend cuda: %s", why);
    if (args->ladder == NULL)
        return fail(EXIT_USAGE, name, "--ladder is missing; `heddle ladder` lists them");
    const ladder *l = g->of = ladder_named(args->ladder);
    if (l == NULL)
        return fail(EXIT_USAGE, name, "no ladder is called %s; `heddle ladder` lists them",
                    args->ladder);
    g->as = first_right(l);
    if (args->as != NULL) {
        const int32_t k = ladder_step_named(l, args->as);
        if (k < 0)
            return fail(EXIT_USAGE, name,
                        "the %s ladder has no step %s; `heddle ladder` lists them", l->name,
                        args->as);
        g->as = &l->steps[k];
        if (g->as->call != NULL)
            return fail(EXIT_USAGE, name, "--as %s: this step is a call of the library, no kernel",
                        args->as);
    }
    g->best = best_alike(l, g->as);
    g->block = args->block.given ? (int32_t)args->block.value : l->default_block;
    g->n = args->n.given ? args->n.value : l->default_n;
    if (l->fixed_block && g->block != l->default_block)
        return fail(EXIT_USAGE, name, "--block %d: the %s ladder is for blocks of %d",
                    (int)g->block, l->name, (int)l->default_block);
    if (g->n < l->min_n || g->n > l->max_n)
        return fail(EXIT_USAGE, name, "--n %lld: the %s ladder takes %lld to %lld %s",
                    (long long)g->n, l->name, (long long)l->min_n, (long long)l->max_n, l->of_n);
    g->how = (stage_options){.threads = args->threads.given ? (int32_t)args->threads.value : 0,
                             .compiler = args->compiler,
                             .checks = HD_MODEL_ALL};
    return EXIT_DONE;
}

// Sizes at which kernels go wrong: around warps, blocks, tiles, and no round one.
static void make_trials(grading *g)
{
    const int64_t b = g->block;
    const int64_t sizes[] = {1, 2,     31,    32,        33,        b - 1,
                             b, b + 1, 2 * b, 2 * b + 1, 3 * b - 5, 7 * b + 13};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        if (sizes[k] < g->of->min_n || sizes[k] > g->n || sizes[k] > g->of->max_n) continue;
        g->trials[g->count].n = sizes[k];
        g->trials[g->count++].seed = 1 + k;
    }
    const int64_t some = 7 * b + 13 < g->n ? 7 * b + 13 : g->n;
    for (int k = LADDER_ALIKE; k <= LADDER_FALLING && g->of->takes_values; k++)
        g->trials[g->count++] = (trial){.n = some, .seed = 1, .values = (ladder_values)k};
    for (uint64_t seed = 101; seed <= 103; seed++) {
        g->trials[g->count].n = g->n;
        g->trials[g->count++].seed = seed;
    }
}

static int judge(const ladder_result *r)
{
    if (r->status == HD_ERROR_COMPILE) return EXIT_COMPILE;
    if (r->status == HD_ERROR_BACKEND) return EXIT_BACKEND;
    if (r->totals.finding_count > 0) return EXIT_HAZARD;
    return r->ran && r->right ? EXIT_DONE : EXIT_CHECK;
}

// The step of the ladder that is fastest at n, where they are there to be compared.
static void find_fastest(grading *g)
{
    stage_options checked = g->how;
    ladder_result *result = malloc(sizeof *result);
    g->how.checks = HD_MODEL_CACHES; // nothing else goes into the time
    for (int32_t k = 0; k < g->of->step_count && !g->of->alike && result != NULL; k++) {
        const ladder_step *r = &g->of->steps[k];
        if (r->flags & STEP_WRONG) continue;
        grade_run(g, r, ladder_source(g->of, r), r->name, g->n, 1, result);
        const double seconds = result->totals.predicted_seconds;
        if (!result->ran || (g->fastest != NULL && seconds >= g->fastest_seconds)) continue;
        g->fastest = r;
        g->fastest_seconds = seconds;
    }
    free(result);
    g->how = checked;
}

// The verdict of all trials: what stands in the way of running comes first, then a wrong answer,
// then a hazard.
static int play(grading *g)
{
    int verdict = EXIT_DONE;
    grade_run(g, g->as, ladder_source(g->of, g->as), g->as->name, g->n, 1, &g->step);
    const uint64_t limit = SLOWEST * (uint64_t)g->step.totals.counts.warp_instructions;
    g->how.max_steps = limit > MIN_LIMIT ? limit : MIN_LIMIT;
    for (int k = 0; k < g->count; k++) {
        trial *t = &g->trials[k];
        grade_try(g, t, &t->result);
        const int code = judge(&t->result);
        if (code == EXIT_COMPILE || code == EXIT_BACKEND) return code;
        if (code == EXIT_CHECK || (code == EXIT_HAZARD && verdict == EXIT_DONE)) verdict = code;
        // What hangs once is not waited for again.
        if (!t->result.ran) g->count = k + 1;
    }
    if (g->trials[g->count - 1].result.ran)
        grade_run(g, g->as, g->text, g->file, g->n, 1, &g->mine);
    g->how.max_steps = 0;
    find_fastest(g);
    if (g->best != NULL)
        grade_run(g, g->best, ladder_source(g->of, g->best), g->best->name, g->n, 1, &g->top);
    return g->card && verdict == EXIT_DONE ? grade_on_card(g) : verdict;
}

// ---- Telling ------------------------------------------------------------------------------------

static const char *word(int code)
{
    return code == EXIT_DONE ? "right" : code == EXIT_HAZARD ? "hazard" : "wrong";
}

static void print_trial(const trial *t)
{
    const ladder_result *r = &t->result;
    static const char *const values[] = {"", ", all alike", ", extremes", ", falling"};
    printf("  n = %-9lld %s%s\n", (long long)t->n, word(judge(r)), values[t->values]);
    if (!r->ran) printf("      %s\n", shown_lines(r->error));
    if (r->ran && !r->right) printf("      %s\n", shown_lines(r->answer));
    for (int32_t f = 0; f < r->totals.finding_count && f < 3; f++)
        printf("      line %d: %s\n", (int)r->totals.findings[f].line,
               shown_lines(r->totals.findings[f].text));
    for (int32_t w = 0; w < r->totals.warning_count; w++)
        printf("      warning, line %d: %s\n", (int)r->totals.warnings[w].line,
               shown_lines(r->totals.warnings[w].text));
}

typedef struct column {
    const char *name;
    const ladder_result *of;
} column;

static void print_counts(const grading *g)
{
    const column columns[] = {{"yours", &g->mine},
                              {g->as->name, &g->step},
                              {g->best != NULL ? g->best->name : NULL, &g->top}};
    const int count = g->best != NULL && g->best != g->as ? 3 : 2;
    printf("\nAt n = %lld:\n  %-28s", (long long)g->n, "");
    for (int k = 0; k < count; k++) printf(" %16s", columns[k].name);
    static const char *const names[] = {"instructions of warps", "sectors",
                                        "bank conflicts",        "barriers",
                                        "atomic steps",          "launches"};
    for (int row = 0; row < 6; row++) {
        printf("\n  %-28s", names[row]);
        for (int k = 0; k < count; k++) {
            const stage_totals *t = &columns[k].of->totals;
            const int64_t values[] = {t->counts.warp_instructions, t->counts.sectors,
                                      t->counts.conflicts,         t->counts.barriers,
                                      t->counts.atomic_steps,      t->launches};
            if (columns[k].of->ran)
                printf(" %16lld", (long long)values[row]);
            else
                printf(" %16s", "-");
        }
    }
    printf("\n  %-28s", "predicted microseconds");
    for (int k = 0; k < count; k++)
        if (columns[k].of->ran)
            printf(" %16.2f", columns[k].of->totals.predicted_seconds * 1e6);
        else
            printf(" %16s", "-");
    if (g->fastest != NULL)
        printf("\n\nThe fastest step at this size: %s, %.2f microseconds.", g->fastest->name,
               g->fastest_seconds * 1e6);
    if (g->best != NULL && g->mine.ran && g->top.ran) {
        char why[256];
        ladder_why(&g->mine, &g->top, true, why, sizeof why);
        printf("\nWhat %s does differently: %s.", g->best->name, why);
    }
    printf("\n");
}

static void print_text(const grading *g, int verdict)
{
    printf("%s as %s of the %s ladder, %d threads a block\n\n", shown(g->file), g->as->name,
           g->of->name, (int)g->block);
    for (int k = 0; k < g->count; k++) print_trial(&g->trials[k]);
    print_counts(g);
    grade_print_card(g);
    bool ended = true, right = true, warned = false;
    for (int k = 0; k < g->count; k++) {
        warned = warned || g->trials[k].result.totals.warning_count > 0;
        ended = ended && g->trials[k].result.ran;
        right = right && g->trials[k].result.right;
    }
    printf("\n%s\n",
           verdict == EXIT_DONE && warned ? "Passed: right everywhere, no hazard, but warnings."
           : verdict == EXIT_DONE         ? "Passed: right everywhere, no hazard."
           : !ended ? "Failed: it does not come to its end, or takes very long: try a smaller --n."
           : verdict != EXIT_HAZARD ? "Failed: wrong answers."
           : right                  ? "Failed: right, but by luck: hazards were found."
                                    : "Failed: hazards were found, and wrong answers.");
}

static void print_json(const grading *g, int verdict)
{
    json j = json_begin(stdout);
    json_text(&j, "command", name);
    json_text(&j, "ladder", g->of->name);
    json_text(&j, "as", g->as->name);
    json_bool(&j, "passed", verdict == EXIT_DONE);
    json_list(&j, "trials");
    for (int k = 0; k < g->count; k++) {
        const ladder_result *r = &g->trials[k].result;
        json_object(&j, NULL);
        json_int(&j, "n", g->trials[k].n);
        json_text(&j, "verdict", word(judge(r)));
        json_text(&j, "answer", r->ran && !r->right ? r->answer : NULL);
        json_text(&j, "error", r->ran ? NULL : r->error);
        json_list(&j, "findings");
        for (int32_t f = 0; f < r->totals.finding_count; f++) {
            json_object(&j, NULL);
            json_int(&j, "line", r->totals.findings[f].line);
            json_text(&j, "text", r->totals.findings[f].text);
            json_close(&j);
        }
        json_close(&j);
        ladder_json_warnings(&j, &r->totals);
        json_close(&j);
    }
    json_close(&j);
    json_real(&j, "predicted_seconds", g->mine.totals.predicted_seconds);
    json_real(&j, "best_predicted_seconds", g->top.totals.predicted_seconds);
    if (g->fastest != NULL) {
        json_text(&j, "fastest", g->fastest->name);
        json_real(&j, "fastest_predicted_seconds", g->fastest_seconds);
    }
    grade_json_card(g, &j);
    json_end(&j);
}

static int grade(const grade_args *args, grading *g)
{
    make_trials(g);
    const int verdict = play(g);
    if (verdict == EXIT_COMPILE || verdict == EXIT_BACKEND)
        return fail_lines(verdict, name, "%s: %s", shown(g->file), g->trials[0].result.error);
    if (!g->trials[0].result.ran && g->trials[0].result.status == HD_OK)
        return fail_lines(EXIT_USAGE, name, "--as %s: %s", g->as->name, g->trials[0].result.error);
    if (g->trials[0].result.status == HD_ERROR_ARGUMENT)
        return fail(EXIT_USAGE, name,
                    "%s: %s; `heddle ladder %s %s --source` shows the kernels it must have, and "
                    "their arguments",
                    g->file, g->trials[0].result.error, g->of->name, g->as->name);
    if (args->json)
        print_json(g, verdict);
    else
        print_text(g, verdict);
    return verdict;
}

int command_grade(int argc, char **argv)
{
    grade_args args = {.json = false};
    arg_result operands;
    int code;
    if (!args_begin(&grade_spec, argc, argv, &args, &operands, &code)) return code;
    const bool card = args.backend != NULL && strcmp(args.backend, "cuda") == 0;
    const sandbox_wish wish = {.command = name,
                               .args = &args.sandbox,
                               .usual = true,
                               .unfit = card ? "CUDA's driver needs its devices" : NULL,
                               .given_up = EXIT_CHECK};
    if (!sandbox_enter(&wish, &code)) return code;
    grading *g = calloc(1, sizeof *g);
    if (g == NULL) return fail(EXIT_IO, name, "no memory");
    code = choose(&args, g);
    if (code == EXIT_DONE) {
        g->file = operands.operand[0];
        g->text = read_text(g->file);
        g->trials = calloc(MAX_TRIALS, sizeof *g->trials);
        if (g->text == NULL)
            code = fail(EXIT_IO, name, "%s: cannot be read", g->file);
        else if (g->trials == NULL)
            code = fail(EXIT_IO, name, "no memory");
        else
            code = grade(&args, g);
    }
    free(g->trials);
    free(g->text);
    free(g);
    return code;
}
