// SPDX-License-Identifier: Apache-2.0
//
// Mutation: of every kernel that says how it is run and that nothing is to be found in it, each
// barrier and each fence is taken out of the PTX, one at a time. The model must find something in
// what is left, unless a comment at the line says "redundant:" and why.
#include "tests/support/model_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BENCH "../../bench/model/kernels/"

// Whether a line of PTX only orders: a barrier that also counts is more than that.
static bool is_order(const char *line)
{
    line += strspn(line, " \t");
    if (*line == '@') line += strcspn(line, " \t"), line += strspn(line, " \t");
    if (strstr(line, ".red.") != NULL) return false;
    return strncmp(line, "bar.", 4) == 0 || strncmp(line, "barrier.", 8) == 0 ||
           strncmp(line, "membar.", 7) == 0 || strncmp(line, "fence.", 6) == 0;
}

// The last .loc above: its line and those it was inlined at, while they are of the file (1).
static bool is_redundant(const model_source *source, const model_source *ptx, int at)
{
    int file, line, column;
    for (int k = at; k >= 0; k--) {
        const char *loc = strstr(ptx->line[k], ".loc");
        if (loc == NULL) continue;
        for (; loc != NULL; loc = strstr(loc + 1, "inlined_at")) {
            if (sscanf(loc + strcspn(loc, " \t"), "%d %d %d", &file, &line, &column) != 3) continue;
            if (file != 1 || line < 2 || line > source->count) continue;
            if (strstr(source->line[line - 1], "redundant:") != NULL ||
                strstr(source->line[line - 2], "redundant:") != NULL)
                return true;
        }
        return false;
    }
    return false;
}

// The text again, without one line.
static char *without(const model_source *ptx, int line)
{
    size_t bytes = 1;
    for (int k = 0; k < ptx->count; k++) bytes += strlen(ptx->line[k]) + 1;
    char *text = malloc(bytes), *at = text;
    if (text == NULL) exit(1);
    for (int k = 0; k < ptx->count; k++) at += sprintf(at, "%s\n", k == line ? "" : ptx->line[k]);
    return text;
}

static const model_run_line *run_of(const model_run_line *runs, int count, const char *entry)
{
    for (int k = 0; k < count; k++) {
        const size_t n = strlen(runs[k].kernel);
        if (strncmp(entry, runs[k].kernel, n) == 0 && (entry[n] == '(' || entry[n] == 0))
            return &runs[k];
    }
    return NULL;
}

static void mutate(const char *name, int *mutants, int *redundant)
{
    static model_run_line runs[MODEL_MAX_RUNS];
    char file[80];
    snprintf(file, sizeof file, "%s.cu", name);
    model_source source = model_read_source(file);
    snprintf(file, sizeof file, "%s.ptx", name);
    model_source ptx = model_read_source(file);
    const int count = model_runs(&source, runs);
    const model_run_line *run = NULL;
    CHECK(count > 0, "%s says of no kernel how it is run", file);
    for (int k = 0; k < ptx.count; k++) {
        const char *entry = strstr(ptx.line[k], ".entry ");
        if (entry != NULL) run = run_of(runs, count, entry + strlen(".entry "));
        if (run == NULL || strcmp(run->what, "nothing") != 0 || !is_order(ptx.line[k])) continue;
        char *text = without(&ptx, k);
        hd_model *model =
            model_open(&(hd_model_options){.threads = 1, .max_steps = 200000, .resident = 8});
        const hd_model_module *module = model_load_ptx(model, text, file);
        const hd_model_report *r = model_run_by_line(model, module, run);
        const bool found = r != NULL && r->finding_count > 0;
        const bool marked = is_redundant(&source, &ptx, k);
        CHECK(found || marked, "%s, line %d of %s (%s): nothing is found without it", run->kernel,
              k + 1, file, ptx.line[k]);
        *mutants += 1, *redundant += !found;
        hd_model_close(model);
        free(text);
    }
    model_free_source(&source);
    model_free_source(&ptx);
}

int main(void)
{
    static const char *const files[] = {
        "races",         "bytes",        "unwritten",       "barriers",       "lectures",
        "reduce",        "transpose",    "copies",          "atomics",        "order",
        "warp",          "async",        "matrix",          "schedule",       "wmma",
        BENCH "reduce",  BENCH "scan",   BENCH "histogram", BENCH "convolve", BENCH "transpose",
        BENCH "compute", BENCH "others", BENCH "probes"};
    int mutants = 0, redundant = 0;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        mutate(files[k], &mutants, &redundant);
    CHECK(mutants >= 60, "%d mutants", mutants);
    printf("%d barriers and fences taken out, %d of them redundant\n", mutants, redundant);
    return check_finish();
}
