// SPDX-License-Identifier: Apache-2.0
//
// Programs run by the library over texts that somebody else wrote: no shell, no files on disk,
// limits on time, memory and output, and an end with the process that started them.
#ifndef HEDDLE_MODEL_SANDBOX_CHILD_H
#define HEDDLE_MODEL_SANDBOX_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The path of a program: itself if it has a slash, else as PATH finds it. false: it is not there.
bool hd__model_find_program(const char *name, char *path, size_t room);

// ---- Files that have no name --------------------------------------------------------------------

// A file in memory (or on disk, without a name, where the system has none of those): gone with its
// last descriptor, however the process ends. -1: none could be made.
int hd__model_nameless_file(void);
bool hd__model_nameless_write(int file, const void *data, size_t bytes);
// All of it, with a zero behind it, for the caller to free; NULL: no memory, or more than `most`.
char *hd__model_nameless_read(int file, size_t most, size_t *bytes);

// ---- Children -----------------------------------------------------------------------------------

typedef struct child_limits {
    int32_t seconds; // on the clock, and of one core
    int64_t memory;  // bytes
} child_limits;

// The limits of a compiler: 20 s and 768 MiB, or HEDDLE_COMPILE_SECONDS and HEDDLE_COMPILE_MEMORY
// (MiB). They leave a quarter of a gigabyte to the process that waits.
child_limits hd__model_compile_limits(void);
#define HD_CHILD_OUTPUT ((size_t)64 << 20) // the most that a child writes to a file

typedef struct child_plan {
    const char *path;
    char *const *arguments;
    const int *files; // become 0, 1, 2, ...; the child has no others
    int file_count;
    child_limits limits;
} child_plan;

typedef struct child {
    int pid; // 0: none
    double end;
    child_limits limits;
} child;

typedef enum child_end {
    CHILD_EXITED,
    CHILD_CRASHED,
    CHILD_LATE,
    CHILD_LARGE,
    CHILD_LOST
} child_end;

typedef struct child_result {
    child_end end;
    int code; // the exit status, or the signal
} child_result;

// false: it could not be started.
bool hd__model_child_start(const child_plan *plan, child *c);
// Waits for its end, or ends it where it goes past a limit.
child_result hd__model_child_wait(child *c);
child_result hd__model_child_run(const child_plan *plan);

// What became of a child that did not exit: "was ended after 20 s (HEDDLE_COMPILE_SECONDS)".
const char *hd__model_child_trouble(const child_result *r, const child_limits *l, char *text,
                                    size_t room);

#endif
