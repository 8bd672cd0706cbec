// SPDX-License-Identifier: Apache-2.0
//
// CUDA C to PTX, by the compiler that is here: the source made ready, compiled, and compiled again
// without the instances of templates that were only guessed.
#include "model/sandbox/child.h"
#include "compile_cached.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *wished(const hd_model *model)
{
    if (model->options.compiler != NULL) return model->options.compiler;
    const char *named = getenv("HEDDLE_MODEL_COMPILER");
    return named != NULL && named[0] != 0 ? named : NULL;
}

// ---- Instances that host code seemed to launch --------------------------------------------------

// Whether an error is that the file makes an instance itself.
static bool is_there_already(const char *error)
{
    const size_t n = strcspn(error, "\n");
    const char *twice = strstr(error, "duplicate explicit"),
               *more = strstr(error, "more than once");
    return (twice != NULL && twice < error + n) || (more != NULL && more < error + n);
}

// Errors name them by line: "instances of templates(3): error" or "instances of templates:3:1:".
// Those that were asked for stay, unless they are there without asking.
static bool leave_out(const cuda_source *s, const char *log, bool *without)
{
    bool found = false;
    for (const char *at = log; (at = strstr(at, HD_INSTANCES)) != NULL;) {
        at += strlen(HD_INSTANCES);
        const long line = *at == '(' || *at == ':' ? strtol(at + 1, NULL, 10) : 0;
        if (line < 1 || line > s->instance_count || without[line - 1]) continue;
        if (line <= s->asked && !is_there_already(at)) continue;
        found = without[line - 1] = true;
    }
    return found;
}

static hd_status compile_text(hd_model *model, const compile_job *job, bool nvrtc, char **ptx)
{
    hd__digest key;
    const bool cached = hd__model_ptx_key(job, nvrtc, &key);
    if (cached && (*ptx = hd__model_ptx_cached(&key)) != NULL) return HD_OK;
    const hd_status status =
        nvrtc ? hd__model_compile_nvrtc(model, job, ptx) : hd__model_compile_clang(model, job, ptx);
    if (status != HD_OK) return status;
    hd__model_ptx_without_folder(job->name, *ptx);
    if (cached) hd__model_ptx_cache(&key, *ptx);
    return HD_OK;
}

static hd_status compile(hd_model *model, compile_job *job, bool nvrtc, char **ptx)
{
    cuda_source *s = job->source;
    bool *without = calloc((size_t)s->instance_count + 1, sizeof *without);
    hd_status status = HD_ERROR_MEMORY;
    for (bool again = without != NULL; again;) {
        job->text = hd__model_cuda_source_text(s, without);
        if (job->text == NULL) break;
        status = compile_text(model, job, nvrtc, ptx);
        again = status == HD_ERROR_COMPILE && leave_out(s, model->error, without);
    }
    free(without);
    if (status == HD_ERROR_MEMORY)
        return hd__model_fail(model, status, "%s: no memory to compile it", job->name);
    return status;
}

// Names of headers that were taken as empty explain errors about names.
static void explain_missing(hd_model *model, const cuda_source *s)
{
    size_t used = strlen(model->error);
    for (int32_t k = 0; k < s->missing_count && used < sizeof model->error - 1; k++) {
        snprintf(model->error + used, sizeof model->error - used, "%s<%s>%s",
                 k == 0 ? "headers that were not found and are taken as empty: " : " ",
                 s->missing[k], k + 1 == s->missing_count ? "\n" : "");
        used = strlen(model->error);
    }
}

// A compiler that notices by itself that it may take no more has much to say, and not why.
static void explain_memory(hd_model *model, const char *name)
{
    if (strstr(model->error, "catastrophic error: out of memory") == NULL &&
        strstr(model->error, "LLVM ERROR: out of memory") == NULL)
        return;
    hd__model_fail(model, HD_ERROR_COMPILE,
                   "%s: the compiler ran out of memory: it may use %d MiB (HEDDLE_COMPILE_MEMORY "
                   "sets another limit)",
                   name, (int)(hd__model_compile_limits().memory >> 20));
}

// Names that only the compiler could tell, by a macro or another spelling, are not found.
static void explain_folders(hd_model *model, const cuda_source *s)
{
    char folders[2048];
    const size_t used = strlen(model->error);
    if (strstr(model->error, "cannot open source file") == NULL &&
        strstr(model->error, "file not found") == NULL)
        return;
    snprintf(model->error + used, sizeof model->error - used, "files may be included from %s\n",
             hd__model_include_roots_text(&s->own, folders, sizeof folders));
}

static const char neither[] =
    "%s: neither NVRTC nor clang is here. clang 14 or newer on the PATH is enough (apt-get install "
    "clang; HEDDLE_MODEL_CLANG names another), or libnvrtc.so of CUDA 12 or newer; PTX needs none";

hd_status hd__model_compile(hd_model *model, const char *text, int64_t length,
                            const hd_model_load_options *options, char **ptx)
{
    const char *wish = wished(model);
    char room[512];
    cuda_source source;
    compile_job job = {.source = &source,
                       .name = options->name != NULL ? options->name : "kernel.cu",
                       .options = options,
                       .arch = model->settings.arch};
    if (wish != NULL && strcmp(wish, "none") == 0)
        return hd__model_fail(model, HD_ERROR_BACKEND,
                              "%s: no compiler is to be used (HEDDLE_MODEL_COMPILER=none)",
                              job.name);
    if (wish != NULL && strcmp(wish, "nvrtc") != 0 && strcmp(wish, "clang") != 0)
        return hd__model_fail(model, HD_ERROR_ARGUMENT, "no compiler '%s'; expected nvrtc or clang",
                              wish);
    const bool nvrtc = wish != NULL ? strcmp(wish, "nvrtc") == 0 : hd__model_nvrtc_is_here();
    const cuda_wishes wishes = {.toolkit =
                                    nvrtc ? hd__model_nvrtc_headers(room, sizeof room) : NULL,
                                .folders = options->include,
                                .instances = options->instantiate,
                                .defines = options->define};
    hd_status status = HD_ERROR_MEMORY;
    if (hd__model_cuda_source_open(&source, text, length, job.name, &wishes))
        status = compile(model, &job, nvrtc, ptx);
    else
        hd__model_fail(model, status, "%s: no memory for its text, or too long", job.name);
    if (status == HD_ERROR_COMPILE) {
        explain_missing(model, &source);
        explain_folders(model, &source);
        explain_memory(model, job.name);
    }
    hd__model_cuda_source_close(&source);
    if (status == HD_ERROR_BACKEND && wish == NULL && !nvrtc &&
        strcmp(model->error, "clang is not here") == 0)
        hd__model_fail(model, status, neither, job.name);
    return status;
}
