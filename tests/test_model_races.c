// SPDX-License-Identifier: Apache-2.0
//
// Detectors of the model: each kernel of a file says in a comment how it is run and what must be
// found, and marks the lines of it. Nothing else may be found, for any order of warps and any
// number of host threads.
#include "model_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 2000, WORDS = 4096 };

typedef struct source {
    char *text;
    const char *line[MOST_LINES];
    int count;
} source;

static source read_source(const char *name)
{
    char path[600];
    source s = {0};
    const char *root = getenv("SOURCE");
    snprintf(path, sizeof path, "%s/tests/model/%s", root != NULL ? root : ".", name);
    FILE *f = fopen(path, "rb");
    s.text = calloc(1, 1 << 20);
    CHECK(f != NULL && s.text != NULL && fread(s.text, 1, (1 << 20) - 1, f) > 0, "%s", path);
    if (f != NULL) fclose(f);
    for (char *at = s.text; at != NULL && s.count < MOST_LINES;) {
        s.line[s.count++] = at;
        at = strchr(at, '\n');
        if (at != NULL) *at++ = 0;
    }
    return s;
}

static bool is_marked(const source *s, int line, const char *what)
{
    char mark[40];
    snprintf(mark, sizeof mark, "//! %s", what);
    return line >= 1 && line <= s->count && strstr(s->line[line - 1], mark) != NULL;
}

static void check_findings(const source *s, const char *file, const char *kernel, const char *what,
                           const hd_model_report *r)
{
    const bool some = strcmp(what, "nothing") != 0;
    CHECK((r->finding_count > 0) == some, "%s of %s: %d findings, expected %s: %s", kernel, file,
          (int)r->finding_count, what, r->finding_count > 0 ? r->findings[0].text : "");
    for (int k = 0; some && k < r->finding_count; k++) {
        const hd_model_finding *f = &r->findings[k];
        CHECK(strcmp(hd_model_hazard_name(f->hazard), what) == 0, "%s: %s: %s", kernel,
              hd_model_hazard_name(f->hazard), f->text);
        CHECK(is_marked(s, f->line, what), "%s: line %d is not marked: %s", kernel, (int)f->line,
              f->text);
        if (f->hazard == HD_HAZARD_RACE)
            CHECK(is_marked(s, f->other_line, what), "%s: line %d is not marked: %s", kernel,
                  (int)f->other_line, f->text);
    }
}

static void run_kernel(hd_model *model, const hd_model_module *module, const source *s,
                       const char *file, const char *kernel, const int shape[2], const char *what)
{
    static int x[WORDS];
    for (int k = 0; k < WORDS; k++) x[k] = (k * 7 + 3) % 1000;
    const uint64_t from = model_new(model, x, sizeof x), to = model_new(model, NULL, sizeof x);
    const hd_model_report *r = NULL;
    hd_model_launch(model, module, kernel, (hd_model_shape){{shape[0]}, {shape[1]}, 0},
                    (const void *[]){&from, &to}, 2, &r);
    if (r != NULL) check_findings(s, file, kernel, what, r);
    MODEL_OK(model, hd_model_free(model, from));
    MODEL_OK(model, hd_model_free(model, to));
}

static void run_file(const char *name, const char *suffix, const hd_model_options *options)
{
    char file[64], what[40] = "";
    int shape[2] = {0, 0}, kernels = 0;
    snprintf(file, sizeof file, "%s.cu", name);
    source s = read_source(file);
    snprintf(file, sizeof file, "%s%s", name, suffix);
    hd_model *model = model_open(options);
    const hd_model_module *module = model_load(model, file);
    for (int k = 0; k < s.count; k++) {
        char kernel[64];
        if (sscanf(s.line[k], "// run %d %d: %39s", &shape[0], &shape[1], what) == 3) continue;
        if (sscanf(s.line[k], "extern \"C\" __global__ void %63[a-z0-9_](", kernel) != 1) continue;
        CHECK(shape[0] > 0, "%s has no comment that says how it is run", kernel);
        run_kernel(model, module, &s, file, kernel, shape, what);
        kernels++, shape[0] = 0;
    }
    CHECK(kernels > 0, "%s has no kernels", file);
    hd_model_close(model);
    free(s.text);
}

int main(void)
{
    static const char *const files[] = {"races"};
    const bool compiles = model_compiles();
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            const hd_model_options options = {
                .threads = seed < 4 ? 1 : 2, .seed = seed, .resident = 8, .most_steps = 1000000};
            run_file(files[k], ".ptx", &options);
            if (compiles && seed == 0) run_file(files[k], ".cu", &options);
        }
    return check_finish();
}
