// SPDX-License-Identifier: Apache-2.0
//
// PTX that the model machine caches on disk: the compiler is a script that counts its runs, so it
// shows what is compiled again and what is not.
#define _GNU_SOURCE
#include "tests/support/model_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64] = "/tmp/heddle-cached-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(in_folder(name), "w");
    CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0, "%s", name);
}

// How often the compiler has run.
static int runs(void)
{
    FILE *f = fopen(in_folder("runs"), "r");
    int count = 0;
    for (int c; f != NULL && (c = fgetc(f)) != EOF;) count += c == '\n';
    if (f != NULL) fclose(f);
    return count;
}

static const char *const *folders; // of #include, for the loads that follow; NULL: none

static const char kernel[] = "#include \"cached.cuh\"\n"
                             "extern \"C\" __global__ void put(int *x) { *x = 40 + N + M; }\n";

// Loads a text and runs it; gives what the kernel wrote.
static int value_of(const char *text, const char *const *define)
{
    int got = 0;
    hd_model_module *module = NULL;
    hd_model *model = model_open(&(hd_model_options){.threads = 1, .compiler = "clang"});
    const hd_model_load_options o = {.name = "put.cu", .define = define, .include = folders};
    MODEL_OK(model, hd_model_load_text(model, text, (int64_t)strlen(text), &o, &module));
    const uint64_t at = model_new(model, NULL, 4);
    if (module != NULL) {
        const hd_model_report *r = model_run(model, module, "put", 1, 1, &at, NULL);
        CHECK(model_line(r, "put.cu", 2).global_stores == 1, "the store of line 2");
    }
    model_get(model, at, &got, 4);
    hd_model_close(model);
    return got;
}

// Whether the compiler runs for it: several times, where it does not know the newest architectures.
static void expect(const char *what, int value, bool compiled, const char *text,
                   const char *const *define)
{
    const int before = runs(), got = value_of(text, define);
    CHECK(got == value, "%s: %d, expected %d", what, got, value);
    CHECK((runs() > before) == compiled, "%s: clang has run %d times", what, runs() - before);
}

static void test_caching(void)
{
    static const char *const one[] = {"N=1", NULL}, *const two[] = {"N=2", NULL};
    char other[sizeof kernel + 8];
    write_file("cached.cuh", "#define M 0\n");
    expect("compiled", 41, true, kernel, one);
    expect("cached", 41, false, kernel, one);
    expect("another macro", 42, true, kernel, two);
    write_file("cached.cuh", "#define M 100\n");
    expect("another header", 141, true, kernel, one);
    snprintf(other, sizeof other, "%s// end", kernel);
    expect("another text", 141, true, other, one);
    setenv("HEDDLE_CACHE_DIR", "none", 1);
    expect("not cached", 141, true, kernel, one);
    setenv("HEDDLE_CACHE_DIR", in_folder("cached"), 1);
    expect("cached until now", 141, false, kernel, one);
}

// Headers of other folders, also by a macro: what they say counts, and it is cached.
static void test_folders(void)
{
    static const char text[] = "#include FAR\n"
                               "extern \"C\" __global__ void put(int *x) { *x = N + M; }\n";
    static const char *const one[] = {"N=1", "FAR=<far.h>", NULL};
    char far[64];
    const char *const more[] = {far, NULL};
    snprintf(far, sizeof far, "%s", in_folder("far"));
    CHECK(mkdir(far, 0700) == 0, "%s", far);
    write_file("far/far.h", "#define M 10\n");
    folders = more;
    expect("a folder", 11, true, text, one);
    expect("a folder, cached", 11, false, text, one);
    write_file("far/far.h", "#define M 20\n");
    expect("another header there", 21, true, text, one);
    folders = NULL;
}

// What does not compile is tried, and refused, every time.
static void test_errors(void)
{
    static const char wrong[] = "extern \"C\" __global__ void put(int *x) { x }\n";
    hd_model_module *module;
    hd_model *model = model_open(&(hd_model_options){.threads = 1, .compiler = "clang"});
    for (int k = 0; k < 2; k++) {
        const int before = runs();
        MODEL_FAILS(model, HD_ERROR_COMPILE,
                    hd_model_load_text(model, wrong, sizeof wrong - 1, NULL, &module));
        CHECK(runs() > before, "an error that was cached");
    }
    hd_model_close(model);
}

// Another compiler at the same place.
static void test_compilers(const char *script)
{
    static const char *const one[] = {"N=1", NULL};
    char longer[400];
    snprintf(longer, sizeof longer, "%s# longer\n", script);
    write_file("clang", longer);
    expect("another compiler", 141, true, kernel, one);
}

int main(void)
{
    char script[300], command[128];
    if (!model_compiles_by("clang")) return CHECK_SKIP;
    CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0, "%s", folder);
    snprintf(script, sizeof script, "#!/bin/sh\necho run >>%s/runs\nexec clang \"$@\"\n", folder);
    write_file("clang", script);
    CHECK(chmod(in_folder("clang"), 0700) == 0, "the script");
    setenv("HEDDLE_MODEL_CLANG", in_folder("clang"), 1);
    setenv("HEDDLE_CACHE_DIR", in_folder("cached"), 1);
    test_caching();
    test_folders();
    test_errors();
    test_compilers(script);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(chdir("/") == 0 && system(command) == 0, "%s", command);
    return check_finish();
}
