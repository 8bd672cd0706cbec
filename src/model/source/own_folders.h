// SPDX-License-Identifier: Apache-2.0
//
// Files that a kernel's text may name: those of the folder it is in and of the folders the user
// gave, and what is under them. A link that leads out of them is outside.
#ifndef HEDDLE_MODEL_SOURCE_OWN_FOLDERS_H
#define HEDDLE_MODEL_SOURCE_OWN_FOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OWN_MAX_FOLDERS 65

typedef struct own_folders {
    char *at[OWN_MAX_FOLDERS]; // as the system calls them, without links; the first is the file's
    int count;
} own_folders;

// The folder of `file` and those of `more` (NULL at the end; may be NULL). false: no memory.
bool hd__model_own_folders_open(own_folders *f, const char *file, const char *const *more);
void hd__model_own_folders_close(own_folders *f);

typedef enum own_file { OWN_READ, OWN_ABSENT, OWN_OUTSIDE } own_file;

// A plain file of at most 64 MiB, with a zero behind it, for the caller to free. `text` may be
// NULL: only where it is matters. What is no plain file, or cannot be read, is absent.
own_file hd__model_own_read(const own_folders *f, const char *path, char **text, int64_t *length);

// "/home/me/kernels (the kernel's own), /home/me/include (-I)"
const char *hd__model_own_folders_text(const own_folders *f, char *text, size_t room);

#endif
