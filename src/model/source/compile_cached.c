// SPDX-License-Identifier: Apache-2.0
//
// Compiled PTX on disk: compile_cached.h.
#define _GNU_SOURCE
#include "compile_cached.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- What goes into a key -----------------------------------------------------------------------

// One more text after those before it.
static void add(hd__digest *key, const char *text)
{
    char before[40];
    snprintf(before, sizeof before, "%016llx%016llx", (unsigned long long)key->half[0],
             (unsigned long long)key->half[1]);
    *key = hd__digest_of(before, text, strlen(text));
}

// A compiler by its file: another version is another file.
static bool add_compiler(hd__digest *key, bool nvrtc)
{
    char path[4096], text[4200];
    struct stat s;
    if (!(nvrtc ? hd__model_nvrtc_file(path, sizeof path)
                : hd__model_clang_file(path, sizeof path)) ||
        stat(path, &s) != 0)
        return false;
    snprintf(text, sizeof text, "%s %lld %lld.%09ld", path, (long long)s.st_size,
             (long long)s.st_mtim.tv_sec, (long)s.st_mtim.tv_nsec);
    add(key, text);
    return true;
}

static void add_options(hd__digest *key, const compile_job *job)
{
    const hd_model_load_options *o = job->options;
    char text[80];
    snprintf(text, sizeof text, "sm_%d%s%s", (int)job->arch, o->fmad ? " fmad" : "",
             o->no_optimisation ? " -O0" : "");
    add(key, text);
    for (int k = 0; o->define != NULL && o->define[k] != NULL; k++) add(key, o->define[k]);
    add(key, job->source->toolkit != NULL ? job->source->toolkit : "");
}

bool hd__model_ptx_key(const compile_job *job, bool nvrtc, hd__digest *key)
{
    *key = hd__digest_of("ptx of the model 3", "", 0);
    if (!add_compiler(key, nvrtc)) return false;
    add_options(key, job);
    for (int k = 0; hd__model_cuda_headers[k].name != NULL; k++) {
        add(key, hd__model_cuda_headers[k].name);
        add(key, hd__model_cuda_headers[k].text);
    }
    for (int32_t k = 1; k < job->source->file_count; k++) {
        const char *text = hd__model_cuda_file_text(job->source, k);
        if (text == NULL) return false;
        add(key, job->source->files[k].included);
        add(key, text);
    }
    for (int32_t k = 0; k < job->source->alias_count; k++) {
        add(key, job->source->aliases[k].name);
        add(key, job->source->aliases[k].text);
    }
    add(key, job->name);
    add(key, job->text);
    return true;
}

// ---- Files --------------------------------------------------------------------------------------

char *hd__model_ptx_cached(const hd__digest *key)
{
    void *image = NULL;
    size_t bytes = 0;
    if (!hd__kept_image(key, &image, &bytes)) return NULL;
    char *ptx = image;
    if (ptx[bytes - 1] == 0) return ptx;
    free(image);
    return NULL;
}

// Where it cannot be cached it is compiled again the next time.
void hd__model_ptx_cache(const hd__digest *key, const char *ptx)
{
    (void)hd__keep_image(key, ptx, strlen(ptx) + 1);
}

// .file 1 "/home/me/kernel.cu"
void hd__model_ptx_without_folder(const char *name, char *ptx)
{
    char folder[4096];
    if (name[0] == '/' || getcwd(folder, sizeof folder - 1) == NULL) return;
    if (strcmp(folder, "/") != 0) strcat(folder, "/");
    const size_t n = strlen(folder);
    for (char *at = ptx; (at = strstr(at, ".file")) != NULL; at += 5) {
        char *quote = at + strcspn(at, "\"\n");
        if (*quote == '"' && strncmp(quote + 1, folder, n) == 0)
            memmove(quote + 1, quote + 1 + n, strlen(quote + 1 + n) + 1);
    }
}
