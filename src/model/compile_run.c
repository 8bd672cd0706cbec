// SPDX-License-Identifier: Apache-2.0
//
// Programs run by the library.
#include "model/compile_run.h"
#include "core/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

bool hd__find_program(const char *name, char *path, size_t room)
{
    if (strchr(name, '/') != NULL)
        return (size_t)snprintf(path, room, "%s", name) < room && access(path, X_OK) == 0;
    const char *at = hd__trusted_env("PATH");
    if (at == NULL) at = "/usr/local/bin:/usr/bin:/bin";
    while (*at != 0) {
        const size_t n = strcspn(at, ":");
        struct stat s;
        if (n > 0 && n + strlen(name) + 2 < room) {
            snprintf(path, room, "%.*s/%s", (int)n, at, name);
            if (access(path, X_OK) == 0 && stat(path, &s) == 0 && S_ISREG(s.st_mode)) return true;
        }
        at += n + (at[n] == ':');
    }
    return false;
}

// ---- Folders ------------------------------------------------------------------------------------

bool hd__folder_open(work_folder *f)
{
    const char *under = hd__trusted_env("TMPDIR");
    f->count = 0;
    if (under == NULL || under[0] != '/' || strlen(under) > 400) under = "/tmp";
    snprintf(f->path, sizeof f->path, "%s/heddle-XXXXXX", under);
    if (mkdtemp(f->path) != NULL) return true;
    f->path[0] = 0;
    return false;
}

void hd__folder_close(work_folder *f)
{
    while (f->count > 0) {
        char *path = f->made[--f->count];
        remove(path); // of a folder that is empty by now, or a file that may not have come
        free(path);
    }
    if (f->path[0] != 0) rmdir(f->path);
    f->path[0] = 0;
}

static const char *keep(work_folder *f, const char *name, size_t length)
{
    const size_t room = strlen(f->path) + length + 2;
    if (f->count == sizeof f->made / sizeof *f->made) return NULL;
    char *path = malloc(room);
    if (path == NULL) return NULL;
    snprintf(path, room, "%s/%.*s", f->path, (int)length, name);
    for (int k = 0; k < f->count; k++)
        if (strcmp(f->made[k], path) == 0) {
            free(path);
            return f->made[k];
        }
    return f->made[f->count++] = path;
}

const char *hd__folder_file(work_folder *f, const char *name)
{
    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        const char *folder = keep(f, name, (size_t)(slash - name));
        if (folder == NULL || (mkdir(folder, 0700) != 0 && errno != EEXIST)) return NULL;
    }
    return keep(f, name, strlen(name));
}

bool hd__folder_write(work_folder *f, const char *name, const char *text)
{
    const char *path = hd__folder_file(f, name);
    FILE *file = path != NULL ? fopen(path, "wb") : NULL;
    if (file == NULL) return false;
    const size_t n = strlen(text);
    const bool written = fwrite(text, 1, n, file) == n;
    return (fclose(file) == 0) & written;
}

// ---- Running ------------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Asks often at first, then every 10 ms.
static int wait_for(pid_t child, int seconds, bool *late)
{
    const double end = now() + seconds;
    long pause = 200000;
    int status = 0;
    for (;;) {
        const pid_t got = waitpid(child, &status, WNOHANG);
        if (got == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (got < 0 && errno != EINTR) return -1;
        if (now() > end) break;
        const struct timespec t = {0, pause};
        nanosleep(&t, NULL);
        if (pause < 10000000) pause *= 2;
    }
    *late = true;
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return -1;
}

int hd__run_program(const char *path, char *const *arguments, const char *output, int seconds,
                    bool *late)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    *late = false;
    if (posix_spawn_file_actions_init(&actions) != 0) return -1;
    const bool ready =
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600) ==
            0 &&
        posix_spawn_file_actions_adddup2(&actions, 1, 2) == 0;
    const int failed = ready ? posix_spawn(&child, path, &actions, NULL, arguments, environ) : 1;
    posix_spawn_file_actions_destroy(&actions);
    return failed ? -1 : wait_for(child, seconds, late);
}
