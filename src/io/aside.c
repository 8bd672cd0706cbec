// SPDX-License-Identifier: Apache-2.0
//
// Writing aside and renaming, and the table that a signal handler walks.
#include "aside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// A command writes at most an output, its keys and its values at the same time.
enum { SLOTS = 8 };
static char pending_path[SLOTS][PATH_MAX];
static volatile sig_atomic_t pending[SLOTS];

void io_aside_remove_all(void)
{
    for (int k = 0; k < SLOTS; k++)
        if (pending[k]) unlink(pending_path[k]);
}

static int take_slot(const char *path)
{
    for (int k = 0; k < SLOTS; k++) {
        if (pending[k]) continue;
        memcpy(pending_path[k], path, strlen(path) + 1);
        pending[k] = 1;
        return k;
    }
    return -1;
}

// Makes a new file beside the target, under a name no other process uses.
static io_status create(io_aside *aside, const struct stat *old, io_error *error)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint32_t mark = (uint32_t)now.tv_nsec ^ (uint32_t)getpid() << 12;
    for (int tries = 0; tries < 100; tries++, mark = mark * 2654435761u + 1) {
        const int n = snprintf(aside->path, PATH_MAX, "%s.tmp-%08x", aside->target, mark);
        if (n >= PATH_MAX)
            return io_fail(error, IO_SYSTEM, "%s: the name is too long", aside->name);
        aside->slot = take_slot(aside->path);
        if (aside->slot < 0)
            return io_fail(error, IO_ARGUMENT, "%s: more than %d files are being written",
                           aside->name, SLOTS);
        aside->fd = open(aside->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (aside->fd >= 0) {
            if (old != NULL && fchmod(aside->fd, old->st_mode & 07777) != 0) errno = 0;
            return IO_OK;
        }
        pending[aside->slot] = 0;
        aside->slot = -1;
        if (errno != EEXIST) break;
    }
    return io_fail_system(error, "%s: cannot create %s", aside->name, aside->path);
}

static io_status open_directly(io_aside *aside, io_error *error)
{
    aside->fd = open(aside->name, O_WRONLY | O_CLOEXEC);
    if (aside->fd < 0) return io_fail_system(error, "%s: cannot open for writing", aside->name);
    return IO_OK;
}

io_status io_aside_open(io_aside *aside, const char *name, io_error *error)
{
    aside->slot = -1, aside->fd = -1, aside->name = name;
    if (strcmp(name, "-") == 0) {
        aside->name = "standard output";
        aside->fd = STDOUT_FILENO;
        return IO_OK;
    }
    struct stat old;
    const bool exists = stat(name, &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        return io_fail(error, IO_SYSTEM, "%s: expected a file to write, got a folder", name);
    if (exists && !S_ISREG(old.st_mode)) return open_directly(aside, error);
    if (exists && realpath(name, aside->target) != NULL) return create(aside, &old, error);
    if (strlen(name) == 0 || strlen(name) >= PATH_MAX)
        return io_fail(error, IO_ARGUMENT, "the name of the output is %s",
                       *name ? "too long" : "empty");
    memcpy(aside->target, name, strlen(name) + 1);
    return create(aside, NULL, error);
}

static bool is_standard(const io_aside *aside)
{
    return aside->fd == STDOUT_FILENO;
}

io_status io_aside_commit(io_aside *aside, io_error *error)
{
    io_status status = IO_OK;
    const bool renames = aside->slot >= 0;
    // Late errors (a full disk behind a cache, a network file system) come with the flush.
    if (renames && fsync(aside->fd) != 0 && errno != EINVAL && errno != ENOSYS)
        status = io_fail_system(error, "%s: cannot flush", aside->name);
    if (!is_standard(aside) && aside->fd >= 0) {
        const int closed = close(aside->fd);
        aside->fd = -1;
        if (closed != 0 && status == IO_OK)
            status = io_fail_system(error, "%s: cannot close", aside->name);
    }
    if (status == IO_OK && renames && rename(aside->path, aside->target) != 0)
        status = io_fail_system(error, "%s: cannot rename %s", aside->name, aside->path);
    if (status == IO_OK && renames) {
        pending[aside->slot] = 0;
        aside->slot = -1;
    }
    io_aside_abandon(aside);
    return status;
}

void io_aside_abandon(io_aside *aside)
{
    if (!is_standard(aside) && aside->fd >= 0) close(aside->fd);
    aside->fd = -1;
    if (aside->slot < 0) return;
    unlink(aside->path);
    pending[aside->slot] = 0;
    aside->slot = -1;
}
