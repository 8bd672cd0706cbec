// SPDX-License-Identifier: Apache-2.0
// The calls of MPI that libheddle-mpi makes, for ranks that are threads of one process: what a
// sanitizer cannot see through a library that is not instrumented it sees here. A message is
// copied by either rank's thread, as late as its requests allow. No wildcards, one world.
#ifndef HEDDLE_TESTS_MPI_THREADS_MPI_H
#define HEDDLE_TESTS_MPI_THREADS_MPI_H

#include <stdint.h>

typedef struct mpi_comm *MPI_Comm;
typedef struct mpi_request *MPI_Request;
typedef enum MPI_Datatype {
    MPI_BYTE,
    MPI_CHAR,
    MPI_INT,
    MPI_UINT32_T,
    MPI_INT64_T,
    MPI_UINT64_T
} MPI_Datatype;
typedef enum MPI_Op { MPI_SUM, MPI_MIN, MPI_MAX, MPI_BOR } MPI_Op;
typedef enum MPI_Errhandler { MPI_ERRORS_RETURN, MPI_ERRORS_ARE_FATAL } MPI_Errhandler;
typedef struct MPI_Status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int64_t bytes;
} MPI_Status;

#define MPI_COMM_NULL     ((MPI_Comm)0)
#define MPI_COMM_WORLD    (mpi_world())
#define MPI_REQUEST_NULL  ((MPI_Request)0)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_IN_PLACE      ((void *)1)
enum { MPI_SUCCESS = 0, MPI_ERR_TRUNCATE = 15, MPI_MAX_ERROR_STRING = 64 };

MPI_Comm mpi_world(void);

// Runs rank(argument) on so many threads, each a rank of MPI_COMM_WORLD, until all return.
void mpi_run_ranks(int ranks, void (*rank)(void *), void *argument);

int MPI_Initialized(int *yes);
int MPI_Finalized(int *yes);
int MPI_Error_string(int code, char *text, int *length);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *ranks);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);

int MPI_Isend(const void *bytes, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request);
int MPI_Irecv(void *bytes, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Send(const void *bytes, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Recv(void *bytes, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status);
int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *n);

int MPI_Barrier(MPI_Comm comm);
int MPI_Bcast(void *bytes, int n, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Scan(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Exscan(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Allgather(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to,
                  MPI_Comm comm);
int MPI_Alltoall(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to,
                 MPI_Comm comm);

#endif
