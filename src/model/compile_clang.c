// SPDX-License-Identifier: Apache-2.0
//
// clang, run as a program: -x cuda, for the device only, with the headers of device/. Nothing of
// CUDA is needed.
#include "model/compile.h"
#include "core/environment.h"
#include "model/compile_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SECONDS 120

// HEDDLE_MODEL_CLANG, or the clang of the PATH, or one with its version in its name.
bool hd__clang_file(char *path, size_t room)
{
    char name[32];
    const char *named = hd__trusted_env("HEDDLE_MODEL_CLANG");
    if (named != NULL && named[0] != 0) return hd__find_program(named, path, room);
    if (hd__find_program("clang", path, room)) return true;
    for (int version = 30; version >= 11; version--) {
        snprintf(name, sizeof name, "clang-%d", version);
        if (hd__find_program(name, path, room)) return true;
    }
    return false;
}

// ---- One run ------------------------------------------------------------------------------------

#define MOST_ARGUMENTS 96

typedef struct command {
    char *at[MOST_ARGUMENTS + 1]; // each on the heap
    int count;
    bool lost;
} command;

static void add(command *c, const char *before, const char *text)
{
    char *both = c->count < MOST_ARGUMENTS ? malloc(strlen(before) + strlen(text) + 1) : NULL;
    if (both == NULL) {
        c->lost = true;
        return;
    }
    strcpy(both, before);
    strcat(both, text);
    c->at[c->count++] = both;
    c->at[c->count] = NULL;
}

// Lanes that have nothing to say pass what they never set to a shuffle, in code that works; clang would
// take it for a proof that they never come there. Its versions call the option differently, and the last
// one here is none.
static const char *const may_be_undefined[] = {"-disable-noundef-analysis",
                                               "-no-enable-noundef-analysis", NULL};

static void add_fixed(command *c, const compile_job *job)
{
    // A folder of CUDA that is not there: what clang finds by itself is often too new for it.
    static const char *const fixed[] = {"-x",
                                        "cuda",
                                        "--cuda-device-only",
                                        "-nocudainc",
                                        "-nocudalib",
                                        "-nostdinc",
                                        "--cuda-path=/nonexistent",
                                        "-S",
                                        "-std=c++17",
                                        "-gline-tables-only",
                                        "-w",
                                        "-fno-color-diagnostics",
                                        "-fno-exceptions",
                                        "-fdebug-compilation-dir=."};
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++) add(c, fixed[k], "");
    add(c, job->options->fmad ? "-ffp-contract=fast" : "-ffp-contract=off", "");
    add(c, job->options->no_optimisation ? "-O0" : "-O3", "");
}

static void make_command(command *c, const compile_job *job, const char *clang, int arch,
                         const char *words, work_folder *folder)
{
    char text[32];
    snprintf(text, sizeof text, "%d", arch);
    add(c, clang, "");
    add_fixed(c, job);
    if (words != NULL) add(c, "-Xclang", ""), add(c, words, "");
    add(c, "--cuda-gpu-arch=sm_", text);
    add(c, "-I", folder->path);
    for (int k = 0; job->options->define != NULL && job->options->define[k] != NULL; k++)
        add(c, "-D", job->options->define[k]);
    for (int k = 0; job->options->include != NULL && job->options->include[k] != NULL; k++)
        add(c, "-I", job->options->include[k]);
    add(c, folder->path, "/kernel.cu");
    add(c, "-o", "");
    add(c, folder->path, "/kernel.ptx");
}

static bool write_files(work_folder *f, const compile_job *job)
{
    char name[256];
    for (int k = 0; hd__cuda_headers[k].name != NULL; k++) {
        snprintf(name, sizeof name, "heddle/%s", hd__cuda_headers[k].name);
        if (!hd__folder_write(f, name, hd__cuda_headers[k].text)) return false;
    }
    for (int32_t k = 1; k < job->source->file_count; k++) {
        const char *text = hd__cuda_file_text(job->source, k);
        if (text == NULL || !hd__folder_write(f, job->source->files[k].included, text))
            return false;
    }
    return hd__folder_write(f, "kernel.cu", job->text) &&
           hd__folder_file(f, "kernel.ptx") != NULL && hd__folder_file(f, "log") != NULL;
}

typedef enum outcome { DONE, FAILED, UNKNOWN_ARCH, UNKNOWN_WORDS, LATE, NOT_RUN } outcome;

static outcome run_once(const compile_job *job, const char *clang, int arch, const char *words,
                        work_folder *folder, char **log)
{
    command c = {.count = 0};
    bool late = false;
    int64_t length;
    make_command(&c, job, clang, arch, words, folder);
    const char *output = hd__folder_file(folder, "log");
    const int status = c.lost ? -1 : hd__run_program(clang, c.at, output, MOST_SECONDS, &late);
    for (int k = 0; k < c.count; k++) free(c.at[k]);
    free(*log);
    *log = hd__cuda_read(output, &length);
    if (late) return LATE;
    if (status == 0) return DONE;
    if (status < 0) return NOT_RUN;
    if (words != NULL && *log != NULL && strstr(*log, words) != NULL) return UNKNOWN_WORDS;
    return *log != NULL && strstr(*log, "nsupported CUDA gpu architecture") != NULL ? UNKNOWN_ARCH
                                                                                    : FAILED;
}

// ---- Texts --------------------------------------------------------------------------------------

// Paths of the private folder mean nothing to the user.
static void hide_folder(char *log, const char *folder)
{
    const size_t n = strlen(folder);
    for (char *at; (at = strstr(log, folder)) != NULL;)
        memmove(at, at + n + (at[n] == '/'), strlen(at + n + (at[n] == '/')) + 1);
}

static hd_status tell(hd_model *model, const compile_job *job, outcome o, const char *clang,
                      char *log, const work_folder *folder)
{
    if (log != NULL) hide_folder(log, folder->path);
    switch (o) {
    case LATE:
        return hd__model_fail(model, HD_ERROR_COMPILE, "%s: %s was ended after %d s", job->name,
                              clang, MOST_SECONDS);
    case NOT_RUN:
        return hd__model_fail(model, HD_ERROR_BACKEND, "%s: %s could not be run:\n%.4000s",
                              job->name, clang, log != NULL ? log : "");
    default:
        return hd__model_fail(model, HD_ERROR_COMPILE, "%s does not compile:\n%.15000s", job->name,
                              log != NULL ? log : "(no words from clang)");
    }
}

static const int known_archs[] = {120, 100, 90, 89, 87, 86, 80, 75, 72, 70, 62, 61, 60, 53, 52, 50};

// The newest that is asked for and that this clang knows.
static outcome run(hd_model *model, const compile_job *job, const char *clang, work_folder *folder,
                   char **log)
{
    outcome o = UNKNOWN_ARCH;
    for (size_t k = 0; o == UNKNOWN_ARCH && k < sizeof known_archs / sizeof *known_archs; k++) {
        const int arch = known_archs[k];
        if (arch > job->arch || (model->clang_arch > 0 && arch > model->clang_arch)) continue;
        do {
            o = run_once(job, clang, arch, may_be_undefined[model->clang_words], folder, log);
        } while (o == UNKNOWN_WORDS && may_be_undefined[model->clang_words++] != NULL);
        if (o == DONE) model->clang_arch = arch;
    }
    return o;
}

hd_status hd__compile_clang(hd_model *model, const compile_job *job, char **ptx)
{
    char clang[4096], *log = NULL;
    int64_t length;
    work_folder folder;
    if (!hd__clang_file(clang, sizeof clang))
        return hd__model_fail(model, HD_ERROR_BACKEND, "clang is not here");
    if (!hd__folder_open(&folder))
        return hd__model_fail(model, HD_ERROR_BACKEND, "%s: no folder for clang's files in /tmp",
                              job->name);
    hd_status status = HD_OK;
    if (!write_files(&folder, job)) {
        status = hd__model_fail(model, HD_ERROR_BACKEND, "%s: no room for clang's files in %s",
                                job->name, folder.path);
    } else {
        const outcome o = run(model, job, clang, &folder, &log);
        if (o != DONE)
            status = tell(model, job, o, clang, log, &folder);
        else if ((*ptx = hd__cuda_read(hd__folder_file(&folder, "kernel.ptx"), &length)) == NULL)
            status = hd__model_fail(model, HD_ERROR_COMPILE, "%s: clang gave no PTX", job->name);
    }
    free(log);
    hd__folder_close(&folder);
    return status;
}
