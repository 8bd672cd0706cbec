// SPDX-License-Identifier: Apache-2.0
//
// What the environment says of a launcher of MPI (mpirun, mpiexec, srun): this process may be one
// of several that belong together. The program heddle knows nothing else of MPI; it becomes
// heddle-mpi, which is linked with one.
#ifndef HEDDLE_CLI_SUPPORT_LAUNCHER_H
#define HEDDLE_CLI_SUPPORT_LAUNCHER_H

#include <stdbool.h>

// How many processes the launcher started together, and which one this is; 1 and 0 without one.
typedef struct launched {
    int size, rank;
} launched;
launched launcher_says(void);

// Whether this command line is for heddle-mpi: of several processes, unless HEDDLE_MPI=0, or one
// that measures an MPI.
bool launcher_wants(int argc, char **argv);

// Becomes heddle-mpi: the program beside this one, or HEDDLE_MPI. Returns an exit code if it
// cannot.
int launcher_become(char **argv);

#endif
