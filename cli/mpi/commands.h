// SPDX-License-Identifier: Apache-2.0
//
// The commands of heddle-mpi: each has the options and the help of its namesake of heddle, a
// function, and a row in commands.def.
#ifndef HEDDLE_CLI_MPI_COMMANDS_H
#define HEDDLE_CLI_MPI_COMMANDS_H

#include "ranks.h"

#define RANKS_COMMAND(name)                                                                        \
    extern const arg_spec name##_spec;                                                             \
    ranks_command ranks_##name;
#include "commands.def"
#undef RANKS_COMMAND

#endif
