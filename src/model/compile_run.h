// SPDX-License-Identifier: Apache-2.0
//
// Programs run by the library: no shell, a private folder for their files, a limit of time.
#ifndef HD_MODEL_COMPILE_RUN_H
#define HD_MODEL_COMPILE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The path of a program: itself if it has a slash, else as PATH finds it. false: it is not there.
bool hd__find_program(const char *name, char *path, size_t room);

// A folder of its own under TMPDIR or /tmp, with the files that were made in it.
typedef struct work_folder {
    char path[512];
    char *made[64]; // files, and folders before what is in them
    int count;
} work_folder;
bool hd__folder_open(work_folder *f);
void hd__folder_close(work_folder *f); // removes all of it
// The path of a file in it, which will be removed; its folders are made. NULL: no.
const char *hd__folder_file(work_folder *f, const char *name);
bool hd__folder_write(work_folder *f, const char *name, const char *text);

// Runs a program whose output goes to a file. Its exit status, or -1: it could not be run, or was
// ended after so many seconds (*late).
int hd__run_program(const char *path, char *const *arguments, const char *output, int seconds,
                    bool *late);

#endif
