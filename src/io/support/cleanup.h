// SPDX-License-Identifier: Apache-2.0
//
// Temporary files that must not outlive the program: paths that a signal handler removes. Code that
// makes a temporary file notes its path before it creates it and forgets it once the file has its
// final name or is removed:
//
//     const int slot = io_remove_on_signal(path);
//     ... create, write, unlink(path) ...
//     io_remove_forget(slot);
//
// What to do about signals is the program's business: see cli/support/signals.c.
#ifndef HEDDLE_IO_SUPPORT_CLEANUP_H
#define HEDDLE_IO_SUPPORT_CLEANUP_H

// How many paths can be noted at the same time.
#define IO_REMOVE_MAX 32

// Notes a file, or a folder that will be empty then. Returns its place in the table, or -1: the
// table is full or the path too long. Safe in threads.
int io_remove_on_signal(const char *path);

// Forgets it; -1 is allowed.
void io_remove_forget(int slot);

// Removes all that this process has noted: files, then folders. Safe in a signal handler, after
// which the program must end. In a child process after fork() it does nothing.
void io_remove_all(void);

#endif
