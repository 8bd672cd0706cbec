// SPDX-License-Identifier: Apache-2.0
//
// A temporary file and its atomic rename.
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
enum { MAX_LINKS = 40 };

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

static io_status open_new(io_temporary_file *temporary, const struct stat *old, io_error *error)
{
    temporary->slot = io_remove_on_signal(temporary->path);
    if (temporary->slot < 0)
        return io_fail(error, IO_ARGUMENT, "%s: more than %d files are being written",
                       temporary->name, IO_REMOVE_MAX);
    // Nobody else may open it before it has the old one's permissions.
    const mode_t mode = old == NULL ? 0666 : 0600;
    temporary->fd = open(temporary->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (temporary->fd >= 0) {
        if (old != NULL) keep_permissions(temporary->fd, old);
        return IO_OK;
    }
    const int reason = errno;
    io_remove_forget(temporary->slot);
    temporary->slot = -1;
    errno = reason;
    const io_status failed =
        io_fail_system(error, "%s: cannot create %s", temporary->name, temporary->path);
    errno = reason; // the caller looks
    return failed;
}

// Makes a new file beside the target, under a name no other process uses.
static io_status create(io_temporary_file *temporary, const struct stat *old, io_error *error)
{
    struct timespec now;
    io_status status = IO_OK;
    clock_gettime(CLOCK_REALTIME, &now);
    uint32_t mark = (uint32_t)now.tv_nsec ^ (uint32_t)getpid() << 12;
    for (int tries = 0; tries < 100; tries++, mark = mark * 2654435761u + 1) {
        const int n = snprintf(temporary->path, PATH_MAX, "%s.tmp-%08x", temporary->target, mark);
        if (n >= PATH_MAX)
            return io_fail(error, IO_SYSTEM, "%s: the name is too long", temporary->name);
        status = open_new(temporary, old, error);
        if (status == IO_OK || errno != EEXIST) break;
    }
    return status;
}

static io_status open_directly(io_temporary_file *temporary, io_error *error)
{
    temporary->fd = open(temporary->name, O_WRONLY | O_CLOEXEC);
    if (temporary->fd < 0)
        return io_fail_system(error, "%s: cannot open for writing", temporary->name);
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
static io_status create_first(io_temporary_file *temporary, const char *name, io_error *error)
{
    if (strlen(name) == 0 || strlen(name) >= PATH_MAX)
        return io_fail(error, IO_ARGUMENT, "the name of the output is %s",
                       *name ? "too long" : "empty");
    memcpy(temporary->target, name, strlen(name) + 1);
    int links = 0;
    while (links <= MAX_LINKS && follow(temporary->target)) links++;
    if (links > MAX_LINKS)
        return io_fail(error, IO_SYSTEM, "%s: the links lead nowhere: more than %d of them", name,
                       (int)MAX_LINKS);
    return create(temporary, NULL, error);
}

io_status io_temporary_file_open(io_temporary_file *temporary, const char *name, io_error *error)
{
    temporary->slot = -1, temporary->fd = -1, temporary->name = name;
    if (strcmp(name, "-") == 0) {
        temporary->name = "standard output";
        temporary->fd = STDOUT_FILENO;
        return IO_OK;
    }
    struct stat old;
    if (stat(name, &old) != 0) return create_first(temporary, name, error);
    if (S_ISDIR(old.st_mode))
        return io_fail(error, IO_SYSTEM, "%s: expected a file to write, got a folder", name);
    if (!S_ISREG(old.st_mode)) return open_directly(temporary, error);
    // A file that may not be written is not replaced either.
    if (faccessat(AT_FDCWD, name, W_OK, AT_EACCESS) != 0 ||
        realpath(name, temporary->target) == NULL)
        return io_fail_system(error, "%s: cannot open for writing", name);
    return create(temporary, &old, error);
}

static bool is_standard(const io_temporary_file *temporary)
{
    return temporary->fd == STDOUT_FILENO;
}

io_status io_temporary_file_commit(io_temporary_file *temporary, io_error *error)
{
    io_status status = IO_OK;
    const bool renames = temporary->slot >= 0;
    // Late errors (a full disk behind a cache, a network file system) come with the flush.
    if (renames && fsync(temporary->fd) != 0 && errno != EINVAL && errno != ENOSYS)
        status = io_fail_system(error, "%s: cannot flush", temporary->name);
    if (!is_standard(temporary) && temporary->fd >= 0) {
        const int closed = close(temporary->fd);
        temporary->fd = -1;
        if (closed != 0 && status == IO_OK)
            status = io_fail_system(error, "%s: cannot close", temporary->name);
    }
    if (status == IO_OK && renames && rename(temporary->path, temporary->target) != 0)
        status = io_fail_system(error, "%s: cannot rename %s", temporary->name, temporary->path);
    if (status == IO_OK && renames) {
        io_remove_forget(temporary->slot);
        temporary->slot = -1;
    }
    io_temporary_file_abandon(temporary);
    return status;
}

void io_temporary_file_abandon(io_temporary_file *temporary)
{
    if (!is_standard(temporary) && temporary->fd >= 0) close(temporary->fd);
    temporary->fd = -1;
    if (temporary->slot < 0) return;
    unlink(temporary->path);
    io_remove_forget(temporary->slot);
    temporary->slot = -1;
}
