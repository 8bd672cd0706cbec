// SPDX-License-Identifier: Apache-2.0
// Texts of kernels in one file, out and in: kernel_files.h.
#include "kernel_files.h"
#include "core/system/cache_folder.h"
#include "core/system/environment.h"
#include "core/system/pipe_signal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "// heddle kernel "

static const char *file_named(const char *variable)
{
    const char *file = hd__trusted_env(variable);
    return file != NULL && file[0] != 0 ? file : NULL;
}

// "// heddle kernel scan_tiles 0123...\n"
static void mark_of(const hd__gpu_text *text, const char *name, char *line, size_t room)
{
    const hd__digest d = hd__digest_of("", text->at, text->length);
    snprintf(line, room, MARK "%s %016llx%016llx\n", name, (unsigned long long)d.half[0],
             (unsigned long long)d.half[1]);
}

// The first text of a process begins the file anew.
hd_status hd__gpu_dump_kernel(hd_context *ctx, const hd__gpu_text *text, const char *name)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool begun;
    const char *path = file_named("HEDDLE_DUMP_KERNEL");
    char line[160];
    if (path == NULL) return HD_OK;
    hd__pipe_signal signal;
    hd__hold_sigpipe(&signal);
    pthread_mutex_lock(&lock);
    FILE *out = fopen(path, begun ? "a" : "w");
    bool done = out != NULL;
    if (done) {
        mark_of(text, name, line, sizeof line);
        done = fputs(line, out) >= 0 && fwrite(text->at, 1, text->length, out) == text->length &&
               fputs("\n", out) >= 0;
        done = fclose(out) == 0 && done;
        begun = true;
    }
    pthread_mutex_unlock(&lock);
    hd__release_sigpipe(&signal);
    return done ? HD_OK
                : hd__fail(ctx, HD_ERROR_ARGUMENT,
                           "HEDDLE_DUMP_KERNEL: kernel %s cannot be written to %s", name, path);
}

static char *read_all(const char *path)
{
    FILE *in = fopen(path, "rb");
    hd__gpu_text all = {0};
    char piece[4096];
    size_t got;
    if (in == NULL) return NULL;
    while ((got = fread(piece, 1, sizeof piece - 1, in)) > 0) {
        piece[got] = 0;
        hd__gpu_emit_verbatim(&all, piece);
    }
    const bool done = !ferror(in) && !all.lost;
    fclose(in);
    if (!done) hd__gpu_text_drop(&all);
    return all.at;
}

hd_status hd__gpu_load_kernel(hd_context *ctx, hd__gpu_text *text, const char *name)
{
    const char *path = file_named("HEDDLE_LOAD_KERNEL");
    char line[160];
    if (path == NULL) return HD_OK;
    char *all = read_all(path);
    if (all == NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "HEDDLE_LOAD_KERNEL: %s cannot be read, or is empty", path);
    mark_of(text, name, line, sizeof line);
    char *begin = strstr(all, line);
    if (begin == NULL) {
        if (hd__is_traced(ctx)) hd__trace_line(ctx, "kernel %s is not in %s", name, path);
        free(all);
        return HD_OK;
    }
    begin += strlen(line);
    char *end = strstr(begin, "\n" MARK);
    if (end != NULL) *end = 0;
    hd__gpu_text taken = {0};
    hd__gpu_emit_verbatim(&taken, begin);
    free(all);
    if (taken.lost || taken.at == NULL) {
        hd__gpu_text_drop(&taken);
        return hd__fail(ctx, HD_ERROR_MEMORY, "no memory for a kernel");
    }
    if (hd__is_traced(ctx)) hd__trace_line(ctx, "kernel %s is taken from %s", name, path);
    hd__gpu_text_drop(text);
    *text = taken;
    return HD_OK;
}
