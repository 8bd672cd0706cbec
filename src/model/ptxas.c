// SPDX-License-Identifier: Apache-2.0
//
// Asks ptxas for the registers of kernels. The program is looked for in PATH and where CUDA installs
// it; the PTX goes through a file that is removed again.
#include "model/registers.h"
#include "core/environment.h"
#include "model/compile_run.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define NOTHING (-1)

static bool write_all(int file, const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t n = write(file, text, length);
        if (n <= 0) return false;
        text += n, length -= (size_t)n;
    }
    return true;
}

static bool write_ptx(ptxas_run *run, const char *ptx)
{
    const char *under = hd__trusted_env("TMPDIR");
    if (under == NULL || under[0] != '/' || strlen(under) + 16 > sizeof run->file) under = "/tmp";
    snprintf(run->file, sizeof run->file, "%s/heddle.XXXXXX", under);
    const int file = mkstemp(run->file);
    if (file < 0) return false;
    const bool done = write_all(file, ptx, strlen(ptx));
    close(file);
    if (!done) unlink(run->file);
    return done;
}

static int spawn(const char *program, ptxas_run *run, const char *arch, int out)
{
    pid_t pid;
    posix_spawn_file_actions_t actions;
    char path[4096];
    if (!hd__find_program(program, path, sizeof path)) return NOTHING;
    char *words[] = {
        (char *)(uintptr_t)program, (char *)"-v", (char *)(uintptr_t)arch, run->file, (char *)"-o",
        (char *)"/dev/null",        NULL};
    if (posix_spawn_file_actions_init(&actions) != 0) return NOTHING;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, out, 2);
    const int failed = posix_spawn(&pid, path, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed ? NOTHING : (int)pid;
}

static int spawn_somewhere(ptxas_run *run, const char *arch, int out)
{
    static const char *const places[] = {"ptxas", "/usr/local/cuda/bin/ptxas"};
    const char *named = hd__trusted_env("HEDDLE_PTXAS");
    if (named != NULL && named[0] != 0) return spawn(named, run, arch, out);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const int pid = spawn(places[k], run, arch, out);
        if (pid != NOTHING) return pid;
    }
    return NOTHING;
}

bool hd__ptxas_begin(ptxas_run *run, const char *ptx, int32_t arch)
{
    char flag[40];
    int ends[2];
    const char *named = hd__trusted_env("HEDDLE_PTXAS");
    *run = (ptxas_run){NOTHING, NOTHING, ""};
    if (named != NULL && strcmp(named, "none") == 0) return false;
    if (!write_ptx(run, ptx)) return false;
    if (pipe(ends) == 0) {
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        snprintf(flag, sizeof flag, "-arch=sm_%d", (int)arch);
        run->pid = spawn_somewhere(run, flag, ends[1]);
        close(ends[1]);
        if (run->pid != NOTHING)
            run->out = ends[0];
        else
            close(ends[0]);
    }
    if (run->pid == NOTHING) unlink(run->file);
    return run->pid != NOTHING;
}

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

void hd__ptxas_end(ptxas_run *run, const ptx_module *m, int32_t *of)
{
    char line[1024];
    int32_t now = NOTHING;
    FILE *out = run->out >= 0 ? fdopen(run->out, "r") : NULL;
    while (out != NULL && fgets(line, sizeof line, out) != NULL) take_line(line, m, &now, of);
    if (out != NULL)
        fclose(out);
    else if (run->out >= 0)
        close(run->out);
    if (run->pid != NOTHING) {
        int status;
        while (waitpid((pid_t)run->pid, &status, 0) < 0 && errno == EINTR) {
        }
        unlink(run->file);
    }
    *run = (ptxas_run){NOTHING, NOTHING, ""};
}
