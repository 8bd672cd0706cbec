// SPDX-License-Identifier: Apache-2.0
//
// Reading bytes from a file, a pipe or memory.
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// One read() takes at most this much: Linux itself stops at 2^31 - 4096.
#define MAX_PER_READ ((size_t)1 << 30)

io_status io_source_open(io_source *source, const char *name, io_error *error)
{
    const bool standard = strcmp(name, "-") == 0;
    *source = (io_source){.name = standard ? "standard input" : name, .length = -1};
    source->fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (source->fd < 0) return io_fail_system(error, "%s: cannot open for reading", name);
    source->owned = !standard;
    struct stat about;
    if (fstat(source->fd, &about) != 0) {
        io_fail_system(error, "%s: cannot ask for its size", source->name);
        io_source_close(source);
        return error->status;
    }
    if (S_ISDIR(about.st_mode)) {
        io_source_close(source);
        return io_fail(error, IO_SYSTEM, "%s: expected a file, got a folder", name);
    }
    // Standard input may be a file that was read before: its length then says nothing.
    if (S_ISREG(about.st_mode) && (!standard || lseek(source->fd, 0, SEEK_CUR) == 0))
        source->length = about.st_size;
    return IO_OK;
}

void io_source_memory(io_source *source, const char *name, const void *memory, size_t length)
{
    *source = (io_source){.name = name, .fd = -1, .memory = memory, .length = (int64_t)length};
}

void io_source_close(io_source *source)
{
    if (source->owned && source->fd >= 0) close(source->fd);
    source->owned = false;
    source->fd = -1;
    source->length = 0;
}

static size_t read_memory(io_source *source, unsigned char *buffer, size_t bytes)
{
    const int64_t at = source->position + (int64_t)source->peeked_count;
    const size_t left = (size_t)(source->length - at);
    const size_t n = bytes < left ? bytes : left;
    if (n > 0) memcpy(buffer, source->memory + at, n);
    return n;
}

// Reads past the bytes that were peeked at; *got is less than bytes only at the end.
static io_status read_on(io_source *source, unsigned char *buffer, size_t bytes, size_t *got,
                         io_error *error)
{
    *got = 0;
    if (source->fd < 0) {
        *got = read_memory(source, buffer, bytes);
        return IO_OK;
    }
    while (*got < bytes) {
        const size_t want = bytes - *got < MAX_PER_READ ? bytes - *got : MAX_PER_READ;
        const ssize_t n = read(source->fd, buffer + *got, want);
        if (n == 0) break;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            return io_fail_system(error, "%s: byte %lld: cannot read", source->name,
                                  (long long)(source->position + (int64_t)*got));
        *got += (size_t)n;
    }
    return IO_OK;
}

io_status io_source_read(io_source *source, void *buffer, size_t bytes, size_t *got,
                         io_error *error)
{
    const size_t ready = bytes < source->peeked_count ? bytes : source->peeked_count;
    memcpy(buffer, source->peeked, ready);
    memmove(source->peeked, source->peeked + ready, source->peeked_count - ready);
    source->peeked_count -= ready;
    source->position += (int64_t)ready;
    *got = ready;
    if (ready == bytes) return IO_OK;
    size_t more;
    IO_TRY(read_on(source, (unsigned char *)buffer + ready, bytes - ready, &more, error));
    source->position += (int64_t)more;
    *got += more;
    return IO_OK;
}

io_status io_source_peek(io_source *source, void *buffer, size_t bytes, size_t *got,
                         io_error *error)
{
    if (bytes > sizeof source->peeked) bytes = sizeof source->peeked;
    if (source->peeked_count < bytes) {
        size_t more;
        IO_TRY(read_on(source, source->peeked + source->peeked_count, bytes - source->peeked_count,
                       &more, error));
        source->peeked_count += more;
    }
    *got = bytes < source->peeked_count ? bytes : source->peeked_count;
    memcpy(buffer, source->peeked, *got);
    return IO_OK;
}
