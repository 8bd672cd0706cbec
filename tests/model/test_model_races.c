// SPDX-License-Identifier: Apache-2.0
//
// Detectors of the model: each kernel of a file says in a comment how it is run and what must be
// found, and marks the lines with it. Nothing else may be found, for any order of warps and any
// number of host threads.
#include "tests/support/model_runs.h"

#include <stdio.h>
#include <string.h>

static bool is_marked(const model_source *s, int line, hd_model_hazard hazard)
{
    const char *mark = line >= 1 && line <= s->count ? strstr(s->line[line - 1], "//! ") : NULL;
    return mark != NULL && strstr(mark, hd_model_hazard_name(hazard)) != NULL;
}

// What was expected is among the findings, and all of them are at lines that are marked with them.
static void check_findings(const model_source *s, const char *file, const char *kernel,
                           const char *what, const hd_model_report *r)
{
    const bool none = strcmp(what, "nothing") == 0;
    bool found = none;
    CHECK(!none || r->finding_count == 0, "%s of %s: %s", kernel, file,
          r->finding_count > 0 ? r->findings[0].text : "");
    for (int k = 0; k < r->finding_count; k++) {
        const hd_model_finding *f = &r->findings[k];
        found |= strcmp(hd_model_hazard_name(f->hazard), what) == 0;
        CHECK(is_marked(s, f->line, f->hazard), "%s: line %d is not marked: %s", kernel,
              (int)f->line, f->text);
        CHECK(f->other_line == 0 || is_marked(s, f->other_line, f->hazard),
              "%s: line %d is not marked: %s", kernel, (int)f->other_line, f->text);
    }
    CHECK(found, "%s of %s: nothing found, expected %s", kernel, file, what);
}

static void run_file(const char *name, const char *suffix, const hd_model_options *options)
{
    static model_run_line runs[MODEL_MAX_RUNS];
    char file[64];
    snprintf(file, sizeof file, "%s.cu", name);
    model_source s = model_read_source(file);
    snprintf(file, sizeof file, "%s%s", name, suffix);
    hd_model *model = model_open(options);
    const hd_model_module *module = model_load(model, file);
    const int count = model_runs(&s, runs);
    for (int k = 0; k < count; k++) {
        const hd_model_report *r = model_run_by_line(model, module, &runs[k]);
        if (r != NULL) check_findings(&s, file, runs[k].kernel, runs[k].what, r);
    }
    CHECK(count > 0, "%s has no kernels", file);
    hd_model_close(model);
    model_free_source(&s);
}

int main(void)
{
    static const char *const files[] = {"races",  "bytes",     "unwritten", "barriers", "lectures",
                                        "reduce", "transpose", "copies",    "atomics",  "order",
                                        "warp",   "handover",  "arrays"};
    const bool compiles = model_compiles();
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            const hd_model_options options = {
                .threads = seed < 4 ? 1 : 2, .seed = seed, .resident = 8, .max_steps = 1000000};
            run_file(files[k], ".ptx", &options);
            if (compiles && seed == 0) run_file(files[k], ".cu", &options);
        }
    return check_finish();
}
