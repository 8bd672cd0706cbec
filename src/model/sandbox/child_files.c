// SPDX-License-Identifier: Apache-2.0
//
// Files without a name, by which a child gets its input and gives its output.
#define _GNU_SOURCE
#include "child.h"
#include "core/system/environment.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

// On disk: removed as soon as it is open.
static int without_name(void)
{
    char path[600];
    const char *under = hd__trusted_env("TMPDIR");
    if (under == NULL || under[0] != '/') under = "/tmp";
    if ((size_t)snprintf(path, sizeof path, "%s/heddle-XXXXXX", under) >= sizeof path) return -1;
    const int file = mkostemp(path, O_CLOEXEC);
    if (file >= 0) unlink(path);
    return file;
}

int hd__model_nameless_file(void)
{
#ifdef MFD_CLOEXEC
    const int file = memfd_create("heddle", MFD_CLOEXEC);
    if (file >= 0) return file;
#endif
    return without_name();
}

bool hd__model_nameless_write(int file, const void *data, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const ssize_t put = write(file, (const char *)data + at, bytes - at);
        if (put <= 0) return false;
        at += (size_t)put;
    }
    return true;
}

char *hd__model_nameless_read(int file, size_t most, size_t *bytes)
{
    struct stat s;
    if (fstat(file, &s) != 0 || s.st_size < 0 || (uint64_t)s.st_size > most) return NULL;
    const size_t n = (size_t)s.st_size;
    char *text = malloc(n + 1);
    if (text == NULL) return NULL;
    for (size_t at = 0; at < n;) {
        const ssize_t got = pread(file, text + at, n - at, (off_t)at);
        if (got <= 0) {
            free(text);
            return NULL;
        }
        at += (size_t)got;
    }
    text[n] = 0;
    *bytes = n;
    return text;
}
