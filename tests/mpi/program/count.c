// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into heddle-mpi: counts what each pattern of heddle bench --mpi sends in its last call,
// between MPI_Pcontrol(K) and MPI_Pcontrol(0). At the end rank 0 writes to HEDDLE_COUNTS a line for
// each pattern: collective calls, messages and bytes of the rank that has most of each.
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERNS = 16 };
typedef struct counts {
    long long collectives, messages, bytes;
} counts;

static counts of[PATTERNS];
static int now; // 0: none

int MPI_Pcontrol(const int level, ...)
{
    now = level > 0 && level < PATTERNS ? level : 0;
    if (now) memset(&of[now], 0, sizeof of[now]);
    return MPI_SUCCESS;
}

static void add_message(int bytes, int to, MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    if (to != rank) of[now].messages++, of[now].bytes += bytes;
}

int MPI_Send(const void *from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    if (now) add_message(n, to, comm);
    return PMPI_Send(from, n, type, to, tag, comm);
}

int MPI_Isend(const void *from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (now) add_message(n, to, comm);
    return PMPI_Isend(from, n, type, to, tag, comm, request);
}

int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    of[now].collectives++;
    return PMPI_Allreduce(from, to, n, type, op, comm);
}

int MPI_Bcast(void *bytes, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    of[now].collectives++;
    return PMPI_Bcast(bytes, n, type, root, comm);
}

int MPI_Exscan(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    of[now].collectives++;
    return PMPI_Exscan(from, to, n, type, op, comm);
}

int MPI_Scan(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    of[now].collectives++;
    return PMPI_Scan(from, to, n, type, op, comm);
}

int MPI_Allgather(const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other,
                  MPI_Comm comm)
{
    of[now].collectives++;
    return PMPI_Allgather(from, n, type, to, m, other, comm);
}

int MPI_Alltoall(const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other,
                 MPI_Comm comm)
{
    of[now].collectives++;
    return PMPI_Alltoall(from, n, type, to, m, other, comm);
}

int MPI_Finalize(void)
{
    counts most[PATTERNS];
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Reduce(of, most, 3 * PATTERNS, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    FILE *out = rank == 0 ? fopen(getenv("HEDDLE_COUNTS"), "w") : NULL;
    for (int k = 1; out != NULL && k < PATTERNS; k++)
        fprintf(out, "%lld %lld %lld\n", most[k].collectives, most[k].messages, most[k].bytes);
    if (out != NULL) fclose(out);
    return PMPI_Finalize();
}
