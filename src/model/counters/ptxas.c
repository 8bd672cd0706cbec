// SPDX-License-Identifier: Apache-2.0
//
// Asks ptxas for the registers of kernels. The program is looked for in PATH and where CUDA
// installs it. It is a child with limits (child.h), and its files have no names: PTX that makes
// it run for ever, or take all memory, costs the answer and a few seconds.
#include "registers.h"
#include "core/system/environment.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOTHING (-1)
// Kernels of the lectures take 10 to 50 ms. Counts do not need its answer.
#define MAX_SECONDS 5

// ---- PTX that it did not come to an end with ----------------------------------------------------

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hd__digest endless; // the last one

static bool was_endless(const hd__digest *d)
{
    pthread_mutex_lock(&lock);
    const bool same = hd__digest_same(d, &endless);
    pthread_mutex_unlock(&lock);
    return same;
}

static void remember(const hd__digest *d)
{
    pthread_mutex_lock(&lock);
    endless = *d;
    pthread_mutex_unlock(&lock);
}

// ---- Beginning ----------------------------------------------------------------------------------

static bool find_ptxas(char *path, size_t room)
{
    const char *named = hd__trusted_env("HEDDLE_PTXAS");
    if (named != NULL && named[0] != 0)
        return strcmp(named, "none") != 0 && hd__model_find_program(named, path, room);
    return hd__model_find_program("ptxas", path, room) ||
           hd__model_find_program("/usr/local/cuda/bin/ptxas", path, room);
}

static bool start(ptxas_run *run, const char *path, int32_t arch)
{
    char flag[40], program[4096];
    snprintf(program, sizeof program, "%s", path);
    snprintf(flag, sizeof flag, "-arch=sm_%d", (int)arch);
    char *words[] = {program,      (char *)"-v",        flag, (char *)"/proc/self/fd/0",
                     (char *)"-o", (char *)"/dev/null", NULL};
    const int files[] = {run->in, run->out, run->out};
    child_plan plan = {program, words, files, 3, hd__model_compile_limits()};
    if (plan.limits.seconds > MAX_SECONDS) plan.limits.seconds = MAX_SECONDS;
    return hd__model_child_start(&plan, &run->child);
}

static void close_files(ptxas_run *run)
{
    if (run->in >= 0) close(run->in);
    if (run->out >= 0) close(run->out);
    run->in = run->out = NOTHING;
}

bool hd__model_ptxas_begin(ptxas_run *run, const char *ptx, int32_t arch)
{
    char path[4096];
    *run = (ptxas_run){.in = NOTHING, .out = NOTHING};
    run->digest = hd__digest_of("ptxas", ptx, strlen(ptx));
    if (was_endless(&run->digest) || !find_ptxas(path, sizeof path)) return false;
    run->in = hd__model_nameless_file(), run->out = hd__model_nameless_file();
    if (run->in >= 0 && run->out >= 0 && hd__model_nameless_write(run->in, ptx, strlen(ptx)) &&
        start(run, path, arch))
        return true;
    close_files(run);
    return false;
}

// ---- The answer ---------------------------------------------------------------------------------

// "... entry function 'name' for ..." and later "Used N registers".
static void take_line(const char *line, const ptx_module *m, int32_t *now, int32_t *of)
{
    const char *name = strstr(line, "Compiling entry function '");
    const char *used = strstr(line, "Used ");
    if (name != NULL) {
        name += strlen("Compiling entry function '");
        const size_t length = strcspn(name, "'");
        *now = NOTHING;
        for (int32_t k = 0; k < m->function_count; k++)
            if (strlen(m->functions[k].name) == length &&
                strncmp(m->functions[k].name, name, length) == 0)
                *now = k;
    }
    if (used != NULL && *now != NOTHING && strstr(used, " registers") != NULL)
        of[*now] = (int32_t)strtol(used + strlen("Used "), NULL, 10);
}

void hd__model_ptxas_end(ptxas_run *run, const ptx_module *m, int32_t *of)
{
    int32_t now = NOTHING;
    size_t bytes;
    const child_result r = hd__model_child_wait(&run->child);
    if (r.end == CHILD_LATE || r.end == CHILD_LARGE) remember(&run->digest);
    char *text =
        r.end == CHILD_EXITED ? hd__model_nameless_read(run->out, HD_CHILD_OUTPUT, &bytes) : NULL;
    for (char *line = text; line != NULL;) {
        char *end = strchr(line, '\n');
        if (end != NULL) *end = 0;
        take_line(line, m, &now, of);
        line = end != NULL ? end + 1 : NULL;
    }
    free(text);
    close_files(run);
}
