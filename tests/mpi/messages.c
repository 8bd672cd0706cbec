// SPDX-License-Identifier: Apache-2.0
// Between the library and MPI, by the profiling interface: messages and bytes are counted, and what
// waits sleeps, where MPI polls: tests have more ranks than cores, and share these with others.
// Reductions and scans send O(log ranks) messages, a sort sends each element at most once, a
// histogram its bins.
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "mpi_test.h"

traffic sent;

// What waits polls a few times, in case the message is near, and then sleeps in between: with a
// sched_yield alone the tests took three to five times as long on two busy cores.
enum { POLLS = 8, NAP_NS = 20000 };

static int64_t size_of(MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return size;
}

static int wait_for(int code, MPI_Request *request, MPI_Status *status)
{
    const struct timespec nap = {0, NAP_NS};
    int done = 0;
    for (int polls = 0; code == MPI_SUCCESS && !done; polls++) {
        code = PMPI_Test(request, &done, status);
        if (!done && polls < POLLS) sched_yield();
        if (!done && polls >= POLLS) nanosleep(&nap, NULL);
    }
    return code;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    return wait_for(MPI_SUCCESS, request, status);
}

int MPI_Send(const void *bytes, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    MPI_Request request;
    sent.messages++;
    sent.bytes += n * size_of(type);
    const int code = PMPI_Isend(bytes, n, type, to, tag, comm, &request);
    return wait_for(code, &request, MPI_STATUS_IGNORE);
}

int MPI_Isend(const void *bytes, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    sent.messages++;
    sent.bytes += n * size_of(type);
    return PMPI_Isend(bytes, n, type, to, tag, comm, request);
}

int MPI_Recv(void *bytes, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    MPI_Request request;
    const int code = PMPI_Irecv(bytes, n, type, from, tag, comm, &request);
    return wait_for(code, &request, status);
}

static int wait_collective(int code, int64_t bytes, MPI_Request *request)
{
    sent.collectives++;
    sent.bytes += bytes;
    return wait_for(code, request, MPI_STATUS_IGNORE);
}

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;
    return wait_collective(PMPI_Iallreduce(in, out, n, type, op, comm, &request), n * size_of(type),
                           &request);
}

int MPI_Exscan(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;
    return wait_collective(PMPI_Iexscan(in, out, n, type, op, comm, &request), n * size_of(type),
                           &request);
}

int MPI_Scan(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;
    return wait_collective(PMPI_Iscan(in, out, n, type, op, comm, &request), n * size_of(type),
                           &request);
}

int MPI_Bcast(void *bytes, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    MPI_Request request;
    return wait_collective(PMPI_Ibcast(bytes, n, type, root, comm, &request), n * size_of(type),
                           &request);
}

int MPI_Allgather(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to,
                  MPI_Comm comm)
{
    MPI_Request request;
    return wait_collective(PMPI_Iallgather(in, n, type, out, m, to, comm, &request),
                           n * size_of(type), &request);
}

int MPI_Alltoall(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to,
                 MPI_Comm comm)
{
    MPI_Request request;
    return wait_collective(PMPI_Ialltoall(in, n, type, out, m, to, comm, &request),
                           n * size_of(type), &request);
}

static int log2_of(int64_t n)
{
    int k = 0;
    while (((int64_t)1 << k) < n) k++;
    return k;
}

enum { N = 100003, BINS = 100 };

static void test_folds(ranks *r, const double *x, double *y, int64_t n)
{
    const int64_t node = 8, nodes = 2 * log2_of(N), rounds = log2_of(r->ranks);
    sent = (traffic){0};
    CHECK_MPI(r, hd_mpi_reduce(r->mpi, HD_VIEW(x, n), HD_SUM, HD_VIEW(y, 1), NULL));
    CHECK(sent.messages <= 1 && sent.collectives <= 4, "%lld messages, %lld collective calls",
          (long long)sent.messages, (long long)sent.collectives);
    sent = (traffic){0};
    CHECK_MPI(r, hd_mpi_scan(r->mpi, HD_VIEW(x, n), HD_SUM, HD_VIEW(y, n), NULL));
    CHECK(sent.messages <= rounds && sent.collectives <= 4,
          "%lld messages, %lld collective calls on %d ranks", (long long)sent.messages,
          (long long)sent.collectives, r->ranks);
    CHECK(sent.bytes <= rounds * (64 + nodes * node) + 100, "%lld bytes", (long long)sent.bytes);
}

void test_messages(ranks *r)
{
    const int64_t begin = hd_mpi_even(N, r->rank, r->ranks),
                  n = hd_mpi_even(N, r->rank + 1, r->ranks) - begin;
    double *x = check_memory(8 * N), *y = check_memory(8 * N);
    int64_t bins[BINS];
    check_fill(HD_F64, x, N, CHECK_ORDINARY, 1);
    test_folds(r, x + begin, y, n);
    sent = (traffic){0};
    CHECK_MPI(r, hd_mpi_sort(r->mpi, HD_VIEW(x + begin, n), HD_VIEW(y, n), HD_NO_VALUES, NULL));
    CHECK(sent.messages <= r->ranks && sent.bytes <= 8 * n + 64 * (8 * r->ranks + 8) + 1000,
          "%lld messages, %lld bytes for %lld elements", (long long)sent.messages,
          (long long)sent.bytes, (long long)n);
    sent = (traffic){0};
    CHECK_MPI(r, hd_mpi_histogram(r->mpi, HD_VIEW(x + begin, n), HD_VIEW(bins, BINS),
                                  &(hd_histogram_options){.even = true, .lower = -1, .upper = 1}));
    CHECK(sent.messages == 0 && sent.bytes <= 8 * BINS + 200, "%lld messages, %lld bytes",
          (long long)sent.messages, (long long)sent.bytes);
    free(x), free(y);
}
