// SPDX-License-Identifier: Apache-2.0
//
// NVRTC, opened at run time: nothing of CUDA is needed to build. What it is to compile is a
// request, which is done here, or in a process of its own: nvrtc_subprocess.c.
#define _GNU_SOURCE // dladdr
#include "nvrtc_subprocess.h"
#include "core/system/environment.h"

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
    int (*version)(int *, int *);
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
           find(library, "nvrtcDestroyProgram", &n->destroy) &&
           find(library, "nvrtcVersion", &n->version);
}

// ---- Requests -----------------------------------------------------------------------------------

// "-DN=4" and so on, each a text of its own.
static void add_flag(nvrtc_request *r, const char *before, const char *value)
{
    char *text =
        r->flag_count < NVRTC_MAX_FLAGS ? malloc(strlen(before) + strlen(value) + 1) : NULL;
    if (text == NULL) {
        r->lost = true;
        return;
    }
    strcpy(text, before);
    strcat(text, value);
    r->flags[r->flag_count++] = text;
}

static void make_flags(nvrtc_request *r, const compile_job *job)
{
    char arch[40];
    const char *toolkit = job->source->toolkit;
    // The oldest that NVRTC 13 makes is 75; newer code runs on the model all the same.
    snprintf(arch, sizeof arch, "%d", (int)(job->arch < 75 ? 75 : job->arch));
    add_flag(r, "--gpu-architecture=compute_", arch);
    add_flag(r, "-lineinfo", "");
    add_flag(r, "--std=c++17", "");
    add_flag(r, job->options->fmad ? "--fmad=true" : "--fmad=false", "");
    add_flag(r, "-w", "");
    if (job->options->no_optimisation) add_flag(r, "-G", "");
    for (int k = 0; job->options->define != NULL && job->options->define[k] != NULL; k++)
        add_flag(r, "-D", job->options->define[k]);
    if (toolkit == NULL || !job->source->uses_toolkit) return;
    add_flag(r, "-I", toolkit);
    char cccl[600];
    snprintf(cccl, sizeof cccl, "%.580s/cccl", toolkit); // CUDA 13 keeps cuda/std there
    add_flag(r, "-I", cccl);
    r->toolkit = toolkit;
}

static void add_header(nvrtc_request *r, const char *folder, const char *name, const char *text)
{
    char *both = text != NULL ? malloc(strlen(folder) + strlen(name) + 1) : NULL;
    if (both == NULL) {
        r->lost = true;
        return;
    }
    strcpy(both, folder);
    strcat(both, name);
    r->names[r->header_count] = both;
    r->texts[r->header_count++] = text;
}

// Ours, and the user's files with the host's code blanked.
static void make_headers(nvrtc_request *r, const compile_job *job)
{
    int ours = 0;
    cuda_source *s = job->source;
    while (hd__model_cuda_headers[ours].name != NULL) ours++;
    const size_t most = (size_t)ours + (size_t)s->file_count + (size_t)s->alias_count;
    r->names = calloc(most, sizeof *r->names);
    r->texts = calloc(most, sizeof *r->texts);
    if (r->names == NULL || r->texts == NULL) {
        r->lost = true;
        return;
    }
    for (int k = 0; k < ours; k++)
        add_header(r, "heddle/", hd__model_cuda_headers[k].name, hd__model_cuda_headers[k].text);
    for (int32_t k = 1; k < s->file_count; k++)
        add_header(r, "", s->files[k].included, hd__model_cuda_file_text(s, k));
    for (int32_t k = 0; k < s->alias_count; k++)
        add_header(r, "", s->aliases[k].name, s->aliases[k].text);
}

static void free_request(nvrtc_request *r)
{
    for (int k = 0; k < r->flag_count; k++) free(r->flags[k]);
    for (int k = 0; k < r->header_count; k++) free(r->names[k]);
    free(r->names);
    free(r->texts);
}

// ---- Doing them ---------------------------------------------------------------------------------

static char *take(nvrtc_program program, int (*size_of)(nvrtc_program, size_t *),
                  int (*get)(nvrtc_program, char *))
{
    size_t size = 0;
    char *text = size_of(program, &size) == 0 && size > 0 ? malloc(size + 1) : NULL;
    if (text != NULL && get(program, text) == 0) {
        text[size] = 0;
        return text;
    }
    free(text);
    return NULL;
}

nvrtc_answer hd__model_nvrtc_do(const nvrtc_request *r, char **text)
{
    nvrtc n;
    nvrtc_program program;
    *text = NULL;
    if (!open_library(&n)) return NVRTC_ABSENT;
    if (n.create(&program, r->text, r->name, r->header_count, r->texts,
                 (const char *const *)r->names) != 0)
        return NVRTC_REFUSES;
    const int failed = n.compile(program, r->flag_count, (const char *const *)r->flags);
    *text = failed ? take(program, n.log_size, n.log) : take(program, n.ptx_size, n.ptx);
    n.destroy(&program);
    return failed ? NVRTC_LOG : NVRTC_PTX;
}

void hd__model_nvrtc_load(void)
{
    nvrtc n;
    int major = 0, minor = 0;
    char name[64];
    if (!open_library(&n) || n.version(&major, &minor) != 0) return;
    snprintf(name, sizeof name, "libnvrtc-builtins.so.%d.%d", major, minor);
    // NVRTC's own call finds what is open already by that name.
    if (dlopen(name, RTLD_NOW | RTLD_LOCAL) != NULL) return;
    char path[4096];
    if (!hd__model_nvrtc_file(path, sizeof path)) return;
    char *slash = strrchr(path, '/');
    if (slash == NULL || (size_t)(slash - path) + 2 + strlen(name) > sizeof path) return;
    strcpy(slash + 1, name);
    (void)dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

hd_status hd__model_compile_nvrtc(hd_model *model, const compile_job *job, char **ptx)
{
    nvrtc_request r = {.name = job->name, .text = job->text};
    char *text = NULL;
    nvrtc_answer answer = NVRTC_LOST;
    hd_status status = HD_ERROR_MEMORY;
    make_flags(&r, job);
    make_headers(&r, job);
    if (!r.lost) {
        const char *helper = model->own_texts ? NULL : hd__model_compile_helper();
        if (helper == NULL)
            answer = hd__model_nvrtc_do(&r, &text);
        else
            status = hd__model_nvrtc_subprocess(model, helper, &r, &answer, &text);
    }
    free_request(&r);
    if (r.lost) return hd__model_fail(model, HD_ERROR_MEMORY, "%s: too many options", job->name);
    switch (answer) {
    case NVRTC_PTX:
        if (text == NULL) break;
        *ptx = text;
        return HD_OK;
    case NVRTC_LOG:
        status = hd__model_fail(model, HD_ERROR_COMPILE, "%s does not compile:\n%.16000s",
                                job->name, text != NULL ? text : "");
        free(text);
        return status;
    case NVRTC_ABSENT:
        return hd__model_fail(model, HD_ERROR_BACKEND, "NVRTC is not here (libnvrtc.so)");
    case NVRTC_REFUSES:
        return hd__model_fail(model, HD_ERROR_COMPILE, "%s: NVRTC does not take it", job->name);
    case NVRTC_LOST: return status;
    }
    return hd__model_fail(model, HD_ERROR_COMPILE, "%s: NVRTC gave no PTX", job->name);
}

bool hd__model_nvrtc_file(char *path, size_t room)
{
    nvrtc n;
    Dl_info info;
    void *symbol;
    if (!open_library(&n)) return false;
    memcpy(&symbol, &n.create, sizeof symbol);
    return dladdr(symbol, &info) != 0 && info.dli_fname != NULL &&
           snprintf(path, room, "%s", info.dli_fname) < (int)room;
}

bool hd__model_nvrtc_is_here(void)
{
    nvrtc n;
    return open_library(&n);
}

const char *hd__model_nvrtc_headers(char *room, size_t size)
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
