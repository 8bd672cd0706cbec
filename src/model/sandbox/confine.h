// SPDX-License-Identifier: Apache-2.0
//
// What a process gives up for good before it looks at somebody else's text: files by Landlock,
// system calls by seccomp. Both are Linux's, need no privileges, and hold for every child. Where
// the kernel has one of them not, the other still works.
#ifndef HEDDLE_MODEL_SANDBOX_CONFINE_H
#define HEDDLE_MODEL_SANDBOX_CONFINE_H

#include <stdbool.h>

typedef struct confined_files {
    bool read_all;            // every file may be read and run, as far as the user may
    const char *const *read;  // files, and folders with all in them; NULL at the end; or NULL
    const char *const *write; // the same, to be read and written
} confined_files;

// From here on other files cannot be opened, changed, made or removed; no TCP connections, no
// signals to processes outside. false: the kernel has no Landlock, or it is off.
bool hd__model_confine_files(const confined_files *f);

// From here on no sockets, no tracing or reading of other processes, no namespaces, mounts, modes
// or owners of files; `files`: nor may any file be written, made, renamed or removed. false: no
// seccomp.
bool hd__model_confine_calls(bool files);

#endif
