// SPDX-License-Identifier: Apache-2.0
//
// clang, run as a child: -x cuda, for the device only, with the headers of device/. Nothing of CUDA
// is needed. The text comes by its standard input; the files it may include are in memory, and a
// virtual file system names them and nothing else, so that no spelling of #include opens any other.
#include "model/sandbox/child.h"
#include "compile.h"
#include "core/system/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "/heddle-files" // of the virtual file system

// HEDDLE_MODEL_CLANG, or the clang of the PATH, or one with its version in its name.
bool hd__model_clang_file(char *path, size_t room)
{
    char name[32];
    const char *named = hd__trusted_env("HEDDLE_MODEL_CLANG");
    if (named != NULL && named[0] != 0) return hd__model_find_program(named, path, room);
    if (hd__model_find_program("clang", path, room)) return true;
    for (int version = 30; version >= 11; version--) {
        snprintf(name, sizeof name, "clang-%d", version);
        if (hd__model_find_program(name, path, room)) return true;
    }
    return false;
}

// ---- Its command --------------------------------------------------------------------------------

#define MAX_ARGUMENTS 96

typedef struct clang_command {
    char *at[MAX_ARGUMENTS + 1]; // each on the heap
    int count;
    bool lost;
} clang_command;

static void add(clang_command *c, const char *before, const char *text)
{
    char *both = c->count < MAX_ARGUMENTS ? malloc(strlen(before) + strlen(text) + 1) : NULL;
    if (both == NULL) {
        c->lost = true;
        return;
    }
    strcpy(both, before);
    strcat(both, text);
    c->at[c->count++] = both;
    c->at[c->count] = NULL;
}

// Lanes that have nothing to say pass what they never set to a shuffle, in code that works; clang
// would take it for a proof that they never come there. Its versions call the option differently,
// and the last one here is none.
static const char *const may_be_undefined[] = {"-disable-noundef-analysis",
                                               "-no-enable-noundef-analysis", NULL};

static void add_fixed(clang_command *c, const compile_job *job)
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
                                        "-fno-crash-diagnostics", // files in /tmp
                                        "-fdebug-compilation-dir=."};
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++) add(c, fixed[k], "");
    add(c, job->options->fmad ? "-ffp-contract=fast" : "-ffp-contract=off", "");
    add(c, job->options->no_optimisation ? "-O0" : "-O3", "");
}

static void make_command(clang_command *c, const compile_job *job, const char *clang, int arch,
                         const char *words)
{
    char text[32];
    snprintf(text, sizeof text, "%d", arch);
    add(c, clang, "");
    add_fixed(c, job);
    if (words != NULL) add(c, "-Xclang", ""), add(c, words, "");
    add(c, "--cuda-gpu-arch=sm_", text);
    add(c, "-ivfsoverlay", ""), add(c, "/proc/self/fd/3", "");
    add(c, "-I", FOLDER);
    for (int k = 0; job->options->define != NULL && job->options->define[k] != NULL; k++)
        add(c, "-D", job->options->define[k]);
    add(c, "-", ""), add(c, "-o", ""), add(c, "-", "");
}

// ---- Files --------------------------------------------------------------------------------------

// Of a run: the text, the PTX, the log, the overlay, and from FIRST on those it may include.
enum { TEXT, PTX, LOG, OVERLAY, FIRST };
#define MAX_OPEN (FIRST + 32 + 2 * CUDA_MAX_FILES)

typedef struct files {
    int at[MAX_OPEN];
    int count;
    FILE *overlay; // being written
    char *overlay_text;
    size_t overlay_bytes;
    bool lost;
} files;

static void add_file(files *f, const char *text)
{
    const int file = f->count < MAX_OPEN ? hd__model_nameless_file() : -1;
    if (file < 0 || !hd__model_nameless_write(file, text, strlen(text))) f->lost = true;
    if (file >= 0) f->at[f->count++] = file;
}

// A name in JSON: YAML is what clang reads, and that is a part of it.
static void put_name(FILE *out, const char *name)
{
    for (; *name != 0; name++)
        if (*name == '"' || *name == '\\')
            fprintf(out, "\\%c", *name);
        else if ((unsigned char)*name < 32)
            fprintf(out, "\\u%04x", (unsigned)*name);
        else
            putc(*name, out);
}

static void add_header(files *f, const char *folder, const char *name, const char *text)
{
    if (text == NULL) {
        f->lost = true;
        return;
    }
    fprintf(f->overlay, "%s\n{\"type\":\"file\",\"name\":\"" FOLDER "/%s",
            f->count > FIRST ? "," : "", folder);
    put_name(f->overlay, name);
    fprintf(f->overlay, "\",\"external-contents\":\"/proc/self/fd/%d\"}", f->count);
    add_file(f, text);
}

static void add_headers(files *f, const compile_job *job)
{
    fputs("{\"version\":0,\"case-sensitive\":true,\"fallthrough\":false,"
          "\"use-external-names\":false,\"roots\":[",
          f->overlay);
    for (int k = 0; hd__model_cuda_headers[k].name != NULL; k++)
        add_header(f, "heddle/", hd__model_cuda_headers[k].name, hd__model_cuda_headers[k].text);
    for (int32_t k = 1; k < job->source->file_count; k++)
        add_header(f, "", job->source->files[k].included, hd__model_cuda_file_text(job->source, k));
    for (int32_t k = 0; k < job->source->alias_count; k++)
        add_header(f, "", job->source->aliases[k].name, job->source->aliases[k].text);
    fputs("]}\n", f->overlay);
}

static bool open_files(files *f, const compile_job *job)
{
    f->overlay = open_memstream(&f->overlay_text, &f->overlay_bytes);
    if (f->overlay == NULL) return false;
    add_file(f, job->text);
    while (f->count < FIRST) add_file(f, "");
    add_headers(f, job);
    if (fclose(f->overlay) != 0) f->lost = true;
    if (!f->lost)
        f->lost = !hd__model_nameless_write(f->at[OVERLAY], f->overlay_text, f->overlay_bytes);
    free(f->overlay_text);
    return !f->lost;
}

static void close_files(files *f)
{
    while (f->count > 0) close(f->at[--f->count]);
}

// ---- One run ------------------------------------------------------------------------------------

typedef enum clang_outcome { DONE, FAILED, UNKNOWN_ARCH, UNKNOWN_WORDS, ENDED } clang_outcome;

typedef struct run {
    const compile_job *job;
    const char *clang;
    files files;
    child_result result;
    child_limits limits;
    char *log;
} run;

// What an earlier run left goes.
static bool rewind_files(const files *f)
{
    return lseek(f->at[TEXT], 0, SEEK_SET) == 0 && ftruncate(f->at[PTX], 0) == 0 &&
           lseek(f->at[PTX], 0, SEEK_SET) == 0 && ftruncate(f->at[LOG], 0) == 0 &&
           lseek(f->at[LOG], 0, SEEK_SET) == 0;
}

static clang_outcome run_once(run *r, int arch, const char *words)
{
    clang_command c = {.count = 0};
    size_t bytes;
    make_command(&c, r->job, r->clang, arch, words);
    const child_plan plan = {r->clang, c.at, r->files.at, r->files.count, r->limits};
    r->result = (child_result){CHILD_LOST, 0};
    if (!c.lost && rewind_files(&r->files)) r->result = hd__model_child_run(&plan);
    for (int k = 0; k < c.count; k++) free(c.at[k]);
    free(r->log);
    r->log = hd__model_nameless_read(r->files.at[LOG], HD_CHILD_OUTPUT, &bytes);
    if (r->result.end != CHILD_EXITED) return ENDED;
    if (r->result.code == 0) return DONE;
    if (words != NULL && r->log != NULL && strstr(r->log, words) != NULL) return UNKNOWN_WORDS;
    return r->log != NULL && strstr(r->log, "nsupported CUDA gpu architecture") != NULL
               ? UNKNOWN_ARCH
               : FAILED;
}

static hd_status explain(hd_model *model, const run *r, clang_outcome o)
{
    char trouble[160];
    const char *name = r->job->name;
    if (o == ENDED)
        return hd__model_fail(
            model, r->result.end == CHILD_LOST ? HD_ERROR_BACKEND : HD_ERROR_COMPILE, "%s: %s %s",
            name, r->clang,
            hd__model_child_trouble(&r->result, &r->limits, trouble, sizeof trouble));
    return hd__model_fail(model, HD_ERROR_COMPILE, "%s does not compile:\n%.15000s", name,
                          r->log != NULL ? r->log : "(no words from clang)");
}

static const int known_archs[] = {120, 100, 90, 89, 87, 86, 80, 75, 72, 70, 62, 61, 60, 53, 52, 50};

// The newest that is asked for and that this clang knows.
static clang_outcome run_all(hd_model *model, run *r)
{
    clang_outcome o = UNKNOWN_ARCH;
    for (size_t k = 0; o == UNKNOWN_ARCH && k < sizeof known_archs / sizeof *known_archs; k++) {
        const int arch = known_archs[k];
        if (arch > r->job->arch || (model->clang_arch > 0 && arch > model->clang_arch)) continue;
        do {
            o = run_once(r, arch, may_be_undefined[model->clang_words]);
        } while (o == UNKNOWN_WORDS && may_be_undefined[model->clang_words++] != NULL);
        if (o == DONE) model->clang_arch = arch;
    }
    return o;
}

static hd_status compile(hd_model *model, run *r, char **ptx)
{
    size_t bytes;
    const char *name = r->job->name;
    if (!open_files(&r->files, r->job))
        return hd__model_fail(model, HD_ERROR_BACKEND, "%s: no room for clang's files", name);
    const clang_outcome o = run_all(model, r);
    if (o != DONE) return explain(model, r, o);
    *ptx = hd__model_nameless_read(r->files.at[PTX], HD_CHILD_OUTPUT, &bytes);
    if (*ptx != NULL && bytes > 0 && strlen(*ptx) == bytes) return HD_OK;
    free(*ptx);
    *ptx = NULL;
    return hd__model_fail(model, HD_ERROR_COMPILE, "%s: clang gave no PTX", name);
}

hd_status hd__model_compile_clang(hd_model *model, const compile_job *job, char **ptx)
{
    char clang[4096];
    if (!hd__model_clang_file(clang, sizeof clang))
        return hd__model_fail(model, HD_ERROR_BACKEND, "clang is not here");
    run *r = calloc(1, sizeof *r);
    if (r == NULL) return HD_ERROR_MEMORY;
    r->job = job, r->clang = clang, r->limits = hd__model_compile_limits();
    const hd_status status = compile(model, r, ptx);
    close_files(&r->files);
    free(r->log);
    free(r);
    return status;
}
