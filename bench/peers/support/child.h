// SPDX-License-Identifier: Apache-2.0
//
// A peer in a child process: Python runs a script that lies beside the plug-in. Data goes through
// files in memory that have no name (memfd), so nothing is ever left behind; turns go by lines over
// a socket: one is said, one is answered.
#ifndef HEDDLE_BENCH_PEERS_SUPPORT_CHILD_H
#define HEDDLE_BENCH_PEERS_SUPPORT_CHILD_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#define CHILD_PATH 64 // room for /proc/PID/fd/N

typedef struct peer_child {
    pid_t pid;
    FILE *say, *hear;
    char why[256]; // it could not be started
} peer_child;

// Starts the first Python (HEDDLE_PYTHON, else of the path, else the system's) whose script says a
// line that begins with `hello`; 0: none did, and c->why says why. argument may be NULL.
int child_start(peer_child *c, const char *script, const char *argument, const char *hello);
void child_stop(peer_child *c);

// Says a line and reads the answer; 0 if the child is gone. And whether the answer is "ok ...".
int child_ask(peer_child *c, const char *line, char *answer, size_t size);
int child_ask_ok(peer_child *c, const char *line);

// Bytes of an element of a PEER_ type.
size_t child_type_size(int32_t type);

// A file in memory with these bytes (or none: NULL), or -1. The child opens it by the path.
int child_file(char path[CHILD_PATH], const void *bytes, size_t count);
void child_read(int fd, void *bytes, size_t count);

#endif
