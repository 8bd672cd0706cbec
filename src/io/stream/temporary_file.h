// SPDX-License-Identifier: Apache-2.0
//
// A temporary file, NAME.tmp-XXXXXXXX in NAME's folder. An atomic rename makes it NAME when it is
// whole; otherwise it goes away, also when a signal ends the program (cleanup.h).
#ifndef HEDDLE_IO_STREAM_TEMPORARY_FILE_H
#define HEDDLE_IO_STREAM_TEMPORARY_FILE_H

#include <limits.h>
#include <stdbool.h>

#include "io/support/error.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

typedef struct io_temporary_file {
    int fd;
    int slot;              // in the table of cleanup.h, or -1: written directly
    const char *name;      // as the caller called it, for errors
    char target[PATH_MAX]; // where it will be: links are followed
    char path[PATH_MAX];   // where it is now
} io_temporary_file;

// Opens NAME for writing. "-" is standard output; a name that exists and is not a regular file (a
// pipe, /dev/null) is written directly. A file that exists keeps its mode, and its owner and group
// where the system allows that; a new one has 0666 less the umask. Of a symbolic link the file that
// it names is replaced, or made, and the link stays. A file that may not be written is refused.
io_status io_temporary_file_open(io_temporary_file *temporary, const char *name, io_error *error);

// Makes the file appear: flushed to the disk, then renamed. After an error it is gone.
io_status io_temporary_file_commit(io_temporary_file *temporary, io_error *error);

// Removes it. Allowed after commit, and twice.
void io_temporary_file_abandon(io_temporary_file *temporary);

#endif
