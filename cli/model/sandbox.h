// SPDX-License-Identifier: Apache-2.0
//
// The sandbox of commands that take somebody else's kernels: the work is done by a child that has
// given up files, the network and other processes, and its parent watches time and memory.
// docs/howto/untrusted-kernels.md says what that protects.
#ifndef HEDDLE_CLI_MODEL_SANDBOX_H
#define HEDDLE_CLI_MODEL_SANDBOX_H

#include "cli/args/args.h"

// Options of a command, as fields of its structure.
typedef struct sandbox_args {
    bool on, off;
    arg_int seconds, memory;
} sandbox_args;

// With its end, less than half a minute; instrumented programs take many times as long.
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANDBOX_SECONDS 280
#else
#define SANDBOX_SECONDS 28
#endif
#define SANDBOX_MEMORY 896 // MiB: with what comes between two looks, less than a gigabyte

#define SANDBOX_OPTIONS(S, field, on_help, off_help)                                               \
    ARG_FLAG(0, "sandbox", on_help, S, field.on),                                                  \
        ARG_FLAG(0, "no-sandbox", off_help, S, field.off),                                         \
        ARG_INT(0, "seconds", "N", "in the sandbox: the longest it may take (28)", S,              \
                field.seconds, 1, 86400),                                                          \
        ARG_INT(0, "memory", "MIB", "in the sandbox: the most it may use, in MiB (896)", S,        \
                field.memory, 64, INT64_C(1) << 30)

typedef struct sandbox_wish {
    const char *command;
    const sandbox_args *args;
    bool usual;               // on unless turned off
    const char *unfit;        // why it cannot be, or NULL
    const char *const *write; // files that will be written; NULL at the end; or NULL
    int given_up;             // the exit code where a limit ends it
} sandbox_wish;

// Returns true in the process that is to go on with the command, in a sandbox if there is to be
// one; false in the one that waited for it, with its exit code, or where the sandbox cannot be
// had.
bool sandbox_enter(const sandbox_wish *wish, int *code);

#endif
