// SPDX-License-Identifier: Apache-2.0
//
// Python as a child process of a peer's plug-in.
#define _GNU_SOURCE // dladdr, memfd_create
#include "child.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- The child --------------------------------------------------------------------------------

static int script_path(const char *script, char *path, size_t size)
{
    static const int here = 0;
    Dl_info info;
    if (!dladdr(&here, &info) || !info.dli_fname) return 0;
    snprintf(path, size, "%s", info.dli_fname);
    char *slash = strrchr(path, '/');
    if (!slash || (size_t)(slash + 1 - path) + strlen(script) + 1 > size) return 0;
    strcpy(slash + 1, script);
    return access(path, R_OK) == 0;
}

static void become_python(int fd, const char *python, const char *script, const char *argument)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(fd, 0), dup2(fd, 1), dup2(nowhere, 2);
    close(fd), close(nowhere);
    execlp(python, python, script, argument, (char *)NULL);
    _exit(127);
}

static int try_python(peer_child *c, const char *python, const char *script, const char *argument,
                      const char *hello)
{
    int ends[2];
    char line[200];
    // Not for the next child: this one ends when no one else has the other end.
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return 0;
    c->pid = fork();
    if (c->pid == 0) {
        close(ends[0]);
        become_python(ends[1], python, script, argument);
    }
    close(ends[1]);
    c->say = fdopen(ends[0], "w");
    c->hear = fdopen(fcntl(ends[0], F_DUPFD_CLOEXEC, 0), "r");
    if (c->pid < 0 || !c->say || !c->hear || !fgets(line, sizeof line, c->hear)) return 0;
    if (strncmp(line, hello, strlen(hello)) == 0) return 1;
    line[strcspn(line, "\n")] = 0;
    const char *said = strncmp(line, "no ", 3) == 0 ? line + 3 : line;
    snprintf(c->why, sizeof c->why, "%.30s: %.190s", python, said);
    return 0;
}

void child_stop(peer_child *c)
{
    if (c->say) fclose(c->say);
    if (c->hear) fclose(c->hear);
    if (c->pid > 0) waitpid(c->pid, NULL, 0);
    c->say = c->hear = NULL, c->pid = 0;
}

int child_start(peer_child *c, const char *script, const char *argument, const char *hello)
{
    // The first Python of the path may be one without the module.
    const char *named = getenv("HEDDLE_PYTHON"),
               *pythons[] = {named, "python3", "/usr/bin/python3"};
    char path[4096];
    signal(SIGPIPE, SIG_IGN);
    if (!script_path(script, path, sizeof path)) {
        snprintf(c->why, sizeof c->why, "%s is not beside the plug-in", script);
        return 0;
    }
    snprintf(c->why, sizeof c->why, "there is no Python that runs");
    for (int k = named ? 0 : 1; k < (named ? 1 : 3); k++) {
        if (try_python(c, pythons[k], path, argument, hello)) return 1;
        child_stop(c);
    }
    return 0;
}

int child_ask(peer_child *c, const char *line, char *answer, size_t size)
{
    if (!c->hear || fputs(line, c->say) < 0 || fflush(c->say)) return 0;
    return fgets(answer, (int)size, c->hear) != NULL;
}

int child_ask_ok(peer_child *c, const char *line)
{
    char answer[512];
    return child_ask(c, line, answer, sizeof answer) && strncmp(answer, "ok", 2) == 0;
}

// ---- Files ------------------------------------------------------------------------------------

int child_file(char path[CHILD_PATH], const void *bytes, size_t count)
{
    const int fd = memfd_create("heddle-bench", MFD_CLOEXEC);
    const char *at = bytes;
    snprintf(path, CHILD_PATH, "/proc/%ld/fd/%d", (long)getpid(), fd);
    while (fd >= 0 && at && count > 0) {
        const ssize_t done = write(fd, at, count);
        if (done <= 0) {
            close(fd);
            return -1;
        }
        at += done, count -= (size_t)done;
    }
    return fd;
}

void child_read(int fd, void *bytes, size_t count)
{
    char *to = bytes;
    for (off_t at = 0; count > 0;) {
        const ssize_t done = pread(fd, to, count, at);
        if (done <= 0) return;
        to += done, at += done, count -= (size_t)done;
    }
}

size_t child_type_size(int32_t type)
{
    static const size_t sizes[] = {2, 4, 8, 1, 8, 4, 8, 2, 4};
    return sizes[type];
}
