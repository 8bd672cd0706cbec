// SPDX-License-Identifier: Apache-2.0
//
// The job of heddle-mpi: its ranks, and the one error that they share.
//
// A command is a sequence of local steps, any of which may fail on one rank, and of collective
// ones. Before a collective step stands a checkpoint, ranks_agree; a rank that fails returns at
// once, up to the checkpoint behind every command. Whichever two checkpoints they are, ranks meet
// there, learn of the failure and leave. A collective step of libheddle-mpi agrees by itself.
#ifndef HEDDLE_CLI_MPI_RANKS_H
#define HEDDLE_CLI_MPI_RANKS_H

#include <heddle_mpi.h>

#include "cli/args/args.h"
#include "cli/run/workspace.h"

typedef struct job {
    int rank, size;
    hd_mpi *mpi;
    workspace w; // this rank's context and arrays
} job;

// A command over ranks. Like those of one process it returns an exit code; what it opened is
// closed behind it.
typedef int ranks_command(job *r, int argc, char **argv);

// From now on texts of errors are kept, for rank 0 to print. ranks_end is the last checkpoint: the
// exit code of all, after rank 0 has printed the text.
void ranks_begin(job *r);
int ranks_end(job *r, int code);

// Collective: EXIT_DONE if all ranks come with that, else the code of the lowest that does not.
int ranks_agree(const job *r, int code);

// Whether ranks have agreed on a failure: then no collective step may follow.
bool ranks_failed(void);

// Bytes that rank 0 has, on all of them. Collective; a failure of MPI is a text and an exit code.
int ranks_tell(const job *r, void *bytes, size_t size);

// Turns what MPI returned for what is said here into an exit code.
int ranks_mpi_failed(const char *command, int code, const char *what);

// Opens a context with this rank's share of the cores, and joins the ranks. Collective.
int ranks_open(job *r, const char *command, const context_options *options);
void ranks_close(job *r);

// A call of libheddle-mpi, which all ranks make or none: a checkpoint, the call, its exit code.
int ranks_call(job *r, hd_status status);
#define RANKS_CALL(r, expression)                                                                  \
    do {                                                                                           \
        EXIT_TRY(ranks_agree(r, EXIT_DONE));                                                       \
        workspace_begin(&(r)->w);                                                                  \
        EXIT_TRY(ranks_call(r, expression));                                                       \
    } while (0)

// An option that the command does not take over ranks.
typedef struct ranks_option {
    bool given;
    const char *name;
} ranks_option;
int ranks_refuse(const char *command, const ranks_option *options, size_t count);
#define RANKS_REFUSE(command, ...)                                                                 \
    ranks_refuse(command, (const ranks_option[]){__VA_ARGS__},                                     \
                 sizeof(const ranks_option[]){__VA_ARGS__} / sizeof(ranks_option))

#endif
