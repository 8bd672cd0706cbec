// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into heddle-mpi: rank HEDDLE_KILL_RANK is killed where HEDDLE_KILL_AT says, in the n-th
// MPI_Allreduce ("allreduce 9") or in the middle of its n-th write of a file ("write 1").
#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Whether this call of this rank is the one.
static int is_it(const char *what, int *calls)
{
    const char *rank = getenv("HEDDLE_KILL_RANK"), *at = getenv("HEDDLE_KILL_AT");
    char wanted[32];
    int number, mine;
    if (rank == NULL || at == NULL || sscanf(at, "%31s %d", wanted, &number) != 2) return 0;
    if (strcmp(wanted, what) != 0 || ++*calls != number) return 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &mine);
    return mine == atoi(rank);
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    static int calls;
    if (is_it("allreduce", &calls)) raise(SIGKILL);
    return PMPI_Allreduce(from, to, count, type, op, comm);
}

int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void *bytes, int count,
                      MPI_Datatype type, MPI_Status *status)
{
    static int calls;
    const int it = is_it("write", &calls);
    const int code = PMPI_File_write_at(file, offset, bytes, it ? count / 2 : count, type, status);
    if (it) raise(SIGKILL);
    return code;
}
