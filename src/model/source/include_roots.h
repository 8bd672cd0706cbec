// SPDX-License-Identifier: Apache-2.0
//
// Files that a kernel's text may name: those of the folder it is in and of the folders the user
// gave, and what is under them. A link that leads out of them is outside.
#ifndef HEDDLE_MODEL_SOURCE_INCLUDE_ROOTS_H
#define HEDDLE_MODEL_SOURCE_INCLUDE_ROOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_INCLUDE_ROOTS 65

typedef struct include_roots {
    char *at[MAX_INCLUDE_ROOTS]; // as the system calls them, without links; the first is the file's
    int count;
} include_roots;

// The folder of `file` and those of `more` (NULL at the end; may be NULL). false: no memory.
bool hd__model_include_roots_open(include_roots *f, const char *file, const char *const *more);
void hd__model_include_roots_close(include_roots *f);

typedef enum included_file { INCLUDED_READ, INCLUDED_ABSENT, INCLUDED_OUTSIDE } included_file;

// A plain file of at most 64 MiB, with a zero behind it, for the caller to free. `text` may be
// NULL: only where it is matters. What is no plain file, or cannot be read, is absent.
included_file hd__model_include_read(const include_roots *f, const char *path, char **text,
                                     int64_t *length);

// "/home/me/kernels (the kernel's own), /home/me/include (-I)"
const char *hd__model_include_roots_text(const include_roots *f, char *text, size_t room);

#endif
