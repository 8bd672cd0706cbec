// SPDX-License-Identifier: Apache-2.0
//
// The commands of the program: each has a function and a row in commands.def. A new command is a
// file of its own and a row there.
#ifndef HEDDLE_CLI_COMMAND_H
#define HEDDLE_CLI_COMMAND_H

#include "cli/args/args.h"
#include "cli/support/exit.h"

typedef struct command {
    const char *name;
    const arg_spec *spec;              // options, help text, example
    int (*run)(int argc, char **argv); // argv[0] is the command's name; returns an exit code
} command;

// NAME_spec and command_NAME of every command.
#define GROUP(title)
#define COMMAND(name)                                                                              \
    extern const arg_spec name##_spec;                                                             \
    int command_##name(int argc, char **argv);
#include "commands.def"
#undef COMMAND
#undef GROUP

#endif
