// SPDX-License-Identifier: Apache-2.0
//
// Files that a kernel's text may name: include_roots.h. A file is opened first and then asked where
// it is, so that nobody can exchange it in between.
#define _GNU_SOURCE
#include "include_roots.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SOURCE ((int64_t)64 << 20)

// ---- Folders ------------------------------------------------------------------------------------

// One that is not there has no files.
static bool add(include_roots *f, const char *folder)
{
    char *real = realpath(folder, NULL);
    if (real == NULL || f->count == MAX_INCLUDE_ROOTS) {
        free(real);
        return true;
    }
    f->at[f->count++] = real;
    return true;
}

bool hd__model_include_roots_open(include_roots *f, const char *file, const char *const *more)
{
    const char *slash = strrchr(file, '/');
    char *folder = slash != NULL ? strndup(file, (size_t)(slash - file) + 1) : strdup("./");
    f->count = 0;
    if (folder == NULL) return false;
    add(f, folder);
    free(folder);
    for (int k = 0; more != NULL && more[k] != NULL; k++) add(f, more[k]);
    return true;
}

void hd__model_include_roots_close(include_roots *f)
{
    while (f->count > 0) free(f->at[--f->count]);
}

static bool holds(const include_roots *f, const char *real)
{
    for (int k = 0; k < f->count; k++) {
        const size_t n = strlen(f->at[k]);
        if (strncmp(real, f->at[k], n) == 0 &&
            (real[n] == '/' || (n > 0 && f->at[k][n - 1] == '/')))
            return true;
    }
    return false;
}

const char *hd__model_include_roots_text(const include_roots *f, char *text, size_t room)
{
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < f->count && used < room; k++)
        used += (size_t)snprintf(text + used, room - used, "%s%s (%s)", k > 0 ? ", " : "", f->at[k],
                                 k > 0 ? "-I" : "the kernel's own");
    return text;
}

// ---- Files --------------------------------------------------------------------------------------

// The name of an open file, without links.
static char *name_of(int file, const char *path)
{
    char link[40], real[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t n = readlink(link, real, sizeof real - 1);
    if (n <= 0) return realpath(path, NULL); // no /proc
    real[n] = 0;
    return strdup(real);
}

static char *read_all(int file, int64_t bytes)
{
    char *text = malloc((size_t)bytes + 1);
    int64_t at = 0;
    while (text != NULL && at < bytes) {
        const ssize_t got = read(file, text + at, (size_t)(bytes - at));
        if (got < 0) {
            free(text);
            return NULL;
        }
        if (got == 0) break; // it became shorter
        at += got;
    }
    if (text != NULL) text[at] = 0;
    return text;
}

static included_file read_open(const include_roots *f, int file, const char *path, char **text,
                               int64_t *length)
{
    struct stat s;
    char *real = name_of(file, path);
    const bool inside = real != NULL && holds(f, real);
    free(real);
    if (!inside) return INCLUDED_OUTSIDE;
    if (fstat(file, &s) != 0 || !S_ISREG(s.st_mode) || s.st_size > MAX_SOURCE)
        return INCLUDED_ABSENT;
    if (text == NULL) return INCLUDED_READ;
    *text = read_all(file, s.st_size);
    if (*text == NULL) return INCLUDED_ABSENT;
    *length = (int64_t)strlen(*text) < s.st_size ? (int64_t)strlen(*text) : (int64_t)s.st_size;
    return INCLUDED_READ;
}

// Names that lead away are outside, there or not: a text learns nothing of other folders.
static bool leads_away(const include_roots *f, const char *path)
{
    const char *last = strrchr(path, '/');
    char *folder = last != NULL ? strndup(path, (size_t)(last - path) + 1) : strdup("./");
    char *real = folder != NULL ? realpath(folder, NULL) : NULL;
    bool away = path[0] == '/' || strstr(path, "../") != NULL;
    if (real != NULL) {
        char *whole = malloc(strlen(real) + 2);
        if (whole != NULL) {
            strcpy(whole, real);
            strcat(whole, "/");
            away = !holds(f, whole);
        }
        free(whole);
    }
    free(real), free(folder);
    return away;
}

included_file hd__model_include_read(const include_roots *f, const char *path, char **text,
                                     int64_t *length)
{
    // Pipes would be waited for, and devices may answer to being opened.
    struct stat s;
    if (leads_away(f, path)) return INCLUDED_OUTSIDE;
    if (stat(path, &s) != 0 || !S_ISREG(s.st_mode)) return INCLUDED_ABSENT;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return INCLUDED_ABSENT;
    const included_file how = read_open(f, file, path, text, length);
    close(file);
    return how;
}
