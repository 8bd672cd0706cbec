// SPDX-License-Identifier: Apache-2.0
//
// Writing aside and renaming.
#include "temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/support/cleanup.h"

// Links that lead to a file that is not there yet: the kernel follows as many.
enum { MOST_LINKS = 40 };

// The new file is the old one's owner's and group's, where the system lets us. Without the group
// its bits would be other people's, so the others' rights are the group's then; a program's set-id
// bits are not for data of another owner.
static void keep_permissions(int fd, const struct stat *old)
{
    mode_t mode = old->st_mode & 07777;
    if (fchown(fd, old->st_uid, old->st_gid) != 0) {
        mode &= 0777;
        if (fchown(fd, (uid_t)-1, old->st_gid) != 0) mode = (mode & 0707) | (mode & 7) << 3;
    }
    if (fchmod(fd, mode) != 0) errno = 0; // some file systems have none
}

static io_status open_new(io_aside *aside, const struct stat *old, io_error *error)
{
    aside->slot = io_remove_on_signal(aside->path);
    if (aside->slot < 0)
        return io_fail(error, IO_ARGUMENT, "%s: more than %d files are being written", aside->name,
                       IO_REMOVE_MOST);
    // Nobody else may open it before it has the old one's permissions.
    const mode_t mode = old == NULL ? 0666 : 0600;
    aside->fd = open(aside->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (aside->fd >= 0) {
        if (old != NULL) keep_permissions(aside->fd, old);
        return IO_OK;
    }
    const int reason = errno;
    io_remove_forget(aside->slot);
    aside->slot = -1;
    errno = reason;
    const io_status failed =
        io_fail_system(error, "%s: cannot create %s", aside->name, aside->path);
    errno = reason; // the caller looks
    return failed;
}

// Makes a new file beside the target, under a name no other process uses.
static io_status create(io_aside *aside, const struct stat *old, io_error *error)
{
    struct timespec now;
    io_status status = IO_OK;
    clock_gettime(CLOCK_REALTIME, &now);
    uint32_t mark = (uint32_t)now.tv_nsec ^ (uint32_t)getpid() << 12;
    for (int tries = 0; tries < 100; tries++, mark = mark * 2654435761u + 1) {
        const int n = snprintf(aside->path, PATH_MAX, "%s.tmp-%08x", aside->target, mark);
        if (n >= PATH_MAX)
            return io_fail(error, IO_SYSTEM, "%s: the name is too long", aside->name);
        status = open_new(aside, old, error);
        if (status == IO_OK || errno != EEXIST) break;
    }
    return status;
}

static io_status open_directly(io_aside *aside, io_error *error)
{
    aside->fd = open(aside->name, O_WRONLY | O_CLOEXEC);
    if (aside->fd < 0) return io_fail_system(error, "%s: cannot open for writing", aside->name);
    return IO_OK;
}

// One link further; false if the target is none.
static bool follow(char target[PATH_MAX])
{
    char link[PATH_MAX];
    const ssize_t n = readlink(target, link, sizeof link - 1);
    if (n <= 0) return false;
    link[n] = '\0';
    const char *slash = strrchr(target, '/');
    const size_t folder = *link == '/' || slash == NULL ? 0 : (size_t)(slash - target) + 1;
    if (folder + (size_t)n >= PATH_MAX) return false;
    memcpy(target + folder, link, (size_t)n + 1);
    return true;
}

// A file that is not there yet, perhaps at the end of links.
static io_status create_first(io_aside *aside, const char *name, io_error *error)
{
    if (strlen(name) == 0 || strlen(name) >= PATH_MAX)
        return io_fail(error, IO_ARGUMENT, "the name of the output is %s",
                       *name ? "too long" : "empty");
    memcpy(aside->target, name, strlen(name) + 1);
    int links = 0;
    while (links <= MOST_LINKS && follow(aside->target)) links++;
    if (links > MOST_LINKS)
        return io_fail(error, IO_SYSTEM, "%s: the links lead nowhere: more than %d of them", name,
                       (int)MOST_LINKS);
    return create(aside, NULL, error);
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
    if (stat(name, &old) != 0) return create_first(aside, name, error);
    if (S_ISDIR(old.st_mode))
        return io_fail(error, IO_SYSTEM, "%s: expected a file to write, got a folder", name);
    if (!S_ISREG(old.st_mode)) return open_directly(aside, error);
    // A file that may not be written is not replaced either.
    if (faccessat(AT_FDCWD, name, W_OK, AT_EACCESS) != 0 || realpath(name, aside->target) == NULL)
        return io_fail_system(error, "%s: cannot open for writing", name);
    return create(aside, &old, error);
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
        io_remove_forget(aside->slot);
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
    io_remove_forget(aside->slot);
    aside->slot = -1;
}
