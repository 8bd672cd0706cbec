// SPDX-License-Identifier: Apache-2.0
//
// NVRTC, opened at run time: nothing of CUDA is needed to build.
#define _GNU_SOURCE // dladdr
#include "model/compile.h"
#include "core/environment.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *nvrtc_program;

typedef struct nvrtc {
    int (*create)(nvrtc_program *, const char *, const char *, int, const char *const *,
                  const char *const *);
    int (*compile)(nvrtc_program, int, const char *const *);
    int (*log_size)(nvrtc_program, size_t *);
    int (*log)(nvrtc_program, char *);
    int (*ptx_size)(nvrtc_program, size_t *);
    int (*ptx)(nvrtc_program, char *);
    int (*destroy)(nvrtc_program *);
} nvrtc;

// ISO C has no cast from a pointer to data to one to a function.
static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool open_library(nvrtc *n)
{
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                        "/usr/local/cuda/lib64/libnvrtc.so",
                                        "/usr/local/cuda/lib/libnvrtc.so"};
    void *library = NULL;
    for (size_t k = 0; library == NULL && k < sizeof names / sizeof *names; k++)
        library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
    // It stays open: its threads may outlive a call.
    return library != NULL && find(library, "nvrtcCreateProgram", &n->create) &&
           find(library, "nvrtcCompileProgram", &n->compile) &&
           find(library, "nvrtcGetProgramLogSize", &n->log_size) &&
           find(library, "nvrtcGetProgramLog", &n->log) &&
           find(library, "nvrtcGetPTXSize", &n->ptx_size) &&
           find(library, "nvrtcGetPTX", &n->ptx) &&
           find(library, "nvrtcDestroyProgram", &n->destroy);
}

// ---- Options: "-DN=4" and so on, each a text of its own -----------------------------------------

#define MOST_FLAGS 64

typedef struct flags {
    char *at[MOST_FLAGS];
    int count;
    bool lost;
} flags;

static void add_flag(flags *f, const char *before, const char *value)
{
    char *text = f->count < MOST_FLAGS ? malloc(strlen(before) + strlen(value) + 1) : NULL;
    if (text == NULL) {
        f->lost = true;
        return;
    }
    strcpy(text, before);
    strcat(text, value);
    f->at[f->count++] = text;
}

static void make_flags(flags *f, const compile_job *job)
{
    char arch[40];
    const char *toolkit = job->source->toolkit;
    // The oldest that NVRTC 13 makes is 75; newer code runs on the model all the same.
    snprintf(arch, sizeof arch, "%d", (int)(job->arch < 75 ? 75 : job->arch));
    add_flag(f, "--gpu-architecture=compute_", arch);
    add_flag(f, "-lineinfo", "");
    add_flag(f, "--std=c++17", "");
    add_flag(f, job->options->fmad ? "--fmad=true" : "--fmad=false", "");
    add_flag(f, "-w", "");
    if (job->options->no_optimisation) add_flag(f, "-G", "");
    for (int k = 0; job->options->define != NULL && job->options->define[k] != NULL; k++)
        add_flag(f, "-D", job->options->define[k]);
    for (int k = 0; job->options->include != NULL && job->options->include[k] != NULL; k++)
        add_flag(f, "-I", job->options->include[k]);
    if (toolkit == NULL) return;
    add_flag(f, "-I", toolkit);
    char cccl[600];
    snprintf(cccl, sizeof cccl, "%.580s/cccl", toolkit); // CUDA 13 keeps cuda/std there
    add_flag(f, "-I", cccl);
}

static hd_status take_log(hd_model *model, const nvrtc *n, nvrtc_program program, const char *name)
{
    size_t size = 0;
    char *log = n->log_size(program, &size) == 0 && size > 0 ? malloc(size) : NULL;
    if (log != NULL && n->log(program, log) == 0)
        hd__model_fail(model, HD_ERROR_COMPILE, "%s does not compile:\n%.16000s", name, log);
    else
        hd__model_fail(model, HD_ERROR_COMPILE, "%s does not compile", name);
    free(log);
    return HD_ERROR_COMPILE;
}

static hd_status compile(hd_model *model, const nvrtc *n, nvrtc_program program,
                         const compile_job *job, char **ptx)
{
    flags f = {.count = 0};
    size_t size = 0;
    make_flags(&f, job);
    const int failed = f.lost ? 1 : n->compile(program, f.count, (const char *const *)f.at);
    for (int k = 0; k < f.count; k++) free(f.at[k]);
    if (f.lost) return hd__model_fail(model, HD_ERROR_MEMORY, "%s: too many options", job->name);
    if (failed) return take_log(model, n, program, job->name);
    if (n->ptx_size(program, &size) != 0 || (*ptx = malloc(size + 1)) == NULL)
        return hd__model_fail(model, HD_ERROR_MEMORY, "%s: no memory for its PTX", job->name);
    if (n->ptx(program, *ptx) == 0) {
        (*ptx)[size] = 0;
        return HD_OK;
    }
    free(*ptx);
    *ptx = NULL;
    return hd__model_fail(model, HD_ERROR_COMPILE, "%s: NVRTC gave no PTX", job->name);
}

// ---- Headers: ours, and the user's files with the host's code blanked --------------------------

typedef struct headers {
    char **names;
    const char **texts;
    int count;
} headers;

static void free_headers(headers *h)
{
    for (int k = 0; k < h->count; k++) free(h->names[k]);
    free(h->names);
    free(h->texts);
}

static bool add_header(headers *h, const char *folder, const char *name, const char *text)
{
    char *both = text != NULL ? malloc(strlen(folder) + strlen(name) + 1) : NULL;
    if (both == NULL) return false;
    strcpy(both, folder);
    strcat(both, name);
    h->names[h->count] = both;
    h->texts[h->count++] = text;
    return true;
}

static bool make_headers(headers *h, const compile_job *job)
{
    int ours = 0;
    while (hd__cuda_headers[ours].name != NULL) ours++;
    const size_t most = (size_t)ours + (size_t)job->source->file_count;
    h->names = calloc(most, sizeof *h->names);
    h->texts = calloc(most, sizeof *h->texts);
    if (h->names == NULL || h->texts == NULL) return false;
    for (int k = 0; k < ours; k++)
        if (!add_header(h, "heddle/", hd__cuda_headers[k].name, hd__cuda_headers[k].text))
            return false;
    for (int32_t k = 1; k < job->source->file_count; k++)
        if (!add_header(h, "", job->source->files[k].included, hd__cuda_file_text(job->source, k)))
            return false;
    return true;
}

hd_status hd__compile_nvrtc(hd_model *model, const compile_job *job, char **ptx)
{
    nvrtc n;
    nvrtc_program program;
    headers h = {.count = 0};
    if (!open_library(&n))
        return hd__model_fail(model, HD_ERROR_BACKEND, "NVRTC is not here (libnvrtc.so)");
    hd_status status = HD_ERROR_COMPILE;
    if (!make_headers(&h, job)) {
        status = HD_ERROR_MEMORY;
    } else if (n.create(&program, job->text, job->name, h.count, h.texts,
                        (const char *const *)h.names) != 0) {
        hd__model_fail(model, status, "%s: NVRTC does not take it", job->name);
    } else {
        status = compile(model, &n, program, job, ptx);
        n.destroy(&program);
    }
    free_headers(&h);
    return status;
}

bool hd__nvrtc_file(char *path, size_t room)
{
    nvrtc n;
    Dl_info info;
    void *symbol;
    if (!open_library(&n)) return false;
    memcpy(&symbol, &n.create, sizeof symbol);
    return dladdr(symbol, &info) != 0 && info.dli_fname != NULL &&
           snprintf(path, room, "%s", info.dli_fname) < (int)room;
}

bool hd__nvrtc_is_here(void)
{
    nvrtc n;
    return open_library(&n);
}

const char *hd__nvrtc_headers(char *room, size_t size)
{
    const char *folder = hd__trusted_env("CUDA_HOME");
    char file[600];
    if (folder == NULL) folder = hd__trusted_env("CUDA_PATH");
    if (folder == NULL) folder = "/usr/local/cuda";
    if ((size_t)snprintf(room, size, "%s/include", folder) >= size) return NULL;
    snprintf(file, sizeof file, "%.500s/cuda_fp16.h", room);
    FILE *f = fopen(file, "rb");
    if (f == NULL) return NULL;
    fclose(f);
    return room;
}
