// SPDX-License-Identifier: Apache-2.0
//
// The order of findings: causes in the order they came up, each before what follows from it, one
// for each pair of lines. Lines of tests/kernels/hazards/causes.cu are known by the number in their
// comment.
#include "tests/support/model_runs.h"

#include <stdio.h>
#include <string.h>

typedef struct expected {
    hd_model_hazard hazard;
    int line, other; // as the source numbers them; 0: none
    int follows;
} expected;

typedef struct kernel {
    const char *name;
    int count;
    expected findings[4];
} kernel;

static const kernel kernels[] = {
    {"missing_barrier",
     3,
     {{HD_HAZARD_RACE, 1, 2, -1},
      {HD_HAZARD_UNINITIALISED, 2, 0, 0},
      {HD_HAZARD_OUTSIDE, 3, 0, 1}}},
    {"unrolled",
     3,
     {{HD_HAZARD_RACE, 2, 1, -1}, {HD_HAZARD_UNINITIALISED, 2, 0, 0}, {HD_HAZARD_RACE, 2, 2, 0}}},
    {"overflow",
     3,
     {{HD_HAZARD_OUTSIDE, 2, 0, -1},
      {HD_HAZARD_RACE, 2, 1, 0},
      {HD_HAZARD_UNINITIALISED, 3, 0, 0}}},
    {"dynamic_steps",
     4,
     {{HD_HAZARD_RACE, 2, 1, -1},
      {HD_HAZARD_RACE, 2, 2, 0},
      {HD_HAZARD_RACE, 3, 2, 0},
      {HD_HAZARD_RACE, 3, 3, 2}}},
    {"unrelated", 2, {{HD_HAZARD_RACE, 1, 1, -1}, {HD_HAZARD_OUTSIDE, 2, 0, -1}}},
};

// The line of a kernel that ends in "// number", or 0.
static int line_of(const model_source *s, const char *name, int number)
{
    char head[80], mark[16];
    bool inside = false;
    snprintf(head, sizeof head, "void %s(", name);
    snprintf(mark, sizeof mark, "// %d", number);
    for (int k = 0; number > 0 && k < s->count; k++) {
        const char *at = strstr(s->line[k], mark);
        if (strstr(s->line[k], "__global__") != NULL) inside = strstr(s->line[k], head) != NULL;
        if (inside && at != NULL && strcmp(at, mark) == 0) return k + 1;
    }
    return 0;
}

static bool is_pair(int a, int b, int x, int y)
{
    return (a == x && b == y) || (a == y && b == x);
}

static void check_kernel(const model_source *s, const char *how, const kernel *k,
                         const hd_model_report *r)
{
    CHECK(r->finding_count == k->count, "%s, %s: %d findings, expected %d", how, k->name,
          (int)r->finding_count, k->count);
    for (int f = 0; f < k->count && f < r->finding_count; f++) {
        const expected *e = &k->findings[f];
        const hd_model_finding *got = &r->findings[f];
        CHECK(got->hazard == (int32_t)e->hazard && got->follows == e->follows,
              "%s, %s, %d follows %d: %s", how, k->name, f, (int)got->follows, got->text);
        CHECK((got->because != NULL) == (e->follows >= 0), "%s, %s, %d", how, k->name, f);
        CHECK(is_pair(got->line, got->other_line, line_of(s, k->name, e->line),
                      line_of(s, k->name, e->other)),
              "%s, %s, %d: lines %d and %d", how, k->name, f, (int)got->line, (int)got->other_line);
    }
}

static void run_all(const char *file, const char *compiler)
{
    const hd_model_options options = {.threads = 1, .compiler = compiler};
    hd_model *model = model_open(&options);
    const hd_model_module *module = model_load(model, file);
    model_source s = model_read_source("causes.cu");
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        model_run_line run = {.what = "", .arguments = "xyd", .blocks = 1, .threads = {64, 1}};
        snprintf(run.kernel, sizeof run.kernel, "%s", kernels[k].name);
        const hd_model_report *r = model_run_by_line(model, module, &run);
        if (r != NULL) check_kernel(&s, compiler != NULL ? compiler : file, &kernels[k], r);
    }
    hd_model_close(model);
    model_free_source(&s);
}

int main(void)
{
    run_all("causes.ptx", NULL);
    if (model_compiles_by("nvrtc")) run_all("causes.cu", "nvrtc");
    if (model_compiles_by("clang")) run_all("causes.cu", "clang");
    return check_finish();
}
