// SPDX-License-Identifier: Apache-2.0
// Short messages from rank to rank, and exchanges of any number of bytes, where MPI's counts are
// int: in chunks.
#include "direct.h"

#include <limits.h>
#include <stdlib.h>

enum { TAG = 17 };

hd_status hd__mpi_begin_send(hd_mpi *m, const void *bytes, int64_t n, int to, MPI_Request *request)
{
    return hd__mpi_status(m, MPI_Isend(bytes, (int)n, MPI_BYTE, to, TAG, m->comm, request));
}

hd_status hd__mpi_wait(hd_mpi *m, MPI_Request *request)
{
    return hd__mpi_status(m, MPI_Wait(request, MPI_STATUS_IGNORE));
}

hd_status hd__mpi_receive(hd_mpi *m, void *bytes, int64_t room, int from, int64_t *n)
{
    MPI_Status how;
    int k = 0;
    hd_status status =
        hd__mpi_status(m, MPI_Recv(bytes, (int)room, MPI_BYTE, from, TAG, m->comm, &how));
    if (status == HD_OK) status = hd__mpi_status(m, MPI_Get_count(&how, MPI_BYTE, &k));
    *n = status == HD_OK ? k : 0;
    return status;
}

// ---- Everybody to everybody ---------------------------------------------------------------------

// One exchange: its messages, at most two a rank and chunk, and where each rank's elements begin.
typedef struct exchange {
    hd_mpi *m;
    MPI_Request *request;
    int count;
    int64_t *from, *to; // in bytes, ranks + 1 of them each
} exchange;

static size_t chunks_of(const hd_mpi *m, int64_t bytes)
{
    return (size_t)(bytes / m->chunk + (bytes % m->chunk > 0));
}

static int post(exchange *x, bool receives, char *bytes, int64_t n, int rank)
{
    int code = MPI_SUCCESS;
    for (int64_t at = 0; at < n && code == MPI_SUCCESS; at += x->m->chunk) {
        MPI_Request *r = &x->request[x->count];
        const int k = (int)(n - at < x->m->chunk ? n - at : x->m->chunk);
        code = receives ? MPI_Irecv(bytes + at, k, MPI_BYTE, rank, TAG, x->m->comm, r)
                        : MPI_Isend(bytes + at, k, MPI_BYTE, rank, TAG, x->m->comm, r);
        x->count += code == MPI_SUCCESS;
    }
    return code;
}

static int post_rank(exchange *x, bool receives, const void *bytes, int rank)
{
    const int64_t *at = receives ? x->to : x->from, n = at[rank + 1] - at[rank];
    return n > 0 ? post(x, receives, (char *)(uintptr_t)bytes + at[rank], n, rank) : MPI_SUCCESS;
}

// What stays here is copied, and what MPI reads and writes is ready.
static hd_status prepare(const exchange *x, hd_view from, hd_view to)
{
    hd_mpi *m = x->m;
    const int64_t at = x->to[m->rank];
    hd_status status =
        hd__mpi_copy_bytes(m, to, at, from, x->from[m->rank], x->to[m->rank + 1] - at);
    if (status == HD_OK) status = hd__mpi_settle(m, &from);
    return status != HD_OK || from.space == HD_DEVICE ? status : hd__mpi_settle(m, &to);
}

// With the others, first to and from the next one, then the one after.
static hd_status run(exchange *x, const void *from, void *to)
{
    hd_mpi *m = x->m;
    int code = MPI_SUCCESS;
    for (int d = 1; d < m->ranks && code == MPI_SUCCESS; d++) {
        code = post_rank(x, true, to, (m->rank - d + m->ranks) % m->ranks);
        if (code == MPI_SUCCESS) code = post_rank(x, false, from, (m->rank + d) % m->ranks);
    }
    for (int k = 0; k < x->count; k++) { // not MPI_Waitall: MPICH's gives a warning of gcc 12's
        const int ended = MPI_Wait(&x->request[k], MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS) code = ended;
    }
    return hd__mpi_status(m, code);
}

// Where each rank's elements begin, and how many messages they are.
static size_t lay_out(const hd_mpi *m, size_t size, const int64_t *count, int64_t *at)
{
    size_t messages = 0;
    at[0] = 0;
    for (int r = 0; r < m->ranks; r++) {
        at[r + 1] = at[r] + count[r] * (int64_t)size;
        messages += chunks_of(m, at[r + 1] - at[r]);
    }
    return messages;
}

hd_status hd__mpi_exchange_all(hd_mpi *m, hd_status status, size_t size, hd_view from,
                               const int64_t *give, hd_view to, const int64_t *take)
{
    if (status != HD_OK) return hd__mpi_agree(m, status);
    exchange x = {m, NULL, 0, calloc((size_t)m->ranks + 1, 8), calloc((size_t)m->ranks + 1, 8)};
    if (x.from != NULL && x.to != NULL) {
        const size_t messages = lay_out(m, size, give, x.from) + lay_out(m, size, take, x.to) + 1;
        if (messages < INT_MAX) x.request = malloc(messages * sizeof *x.request);
    }
    if (x.request == NULL)
        status = hd__mpi_fail(m, HD_ERROR_MEMORY, "could not allocate the list of messages");
    if (status == HD_OK) status = prepare(&x, from, to);
    status = hd__mpi_agree(m, status); // nobody begins where one cannot
    if (status == HD_OK) status = run(&x, from.data, to.data);
    free(x.request), free(x.from), free(x.to);
    return status;
}

hd_status hd__mpi_exchange(hd_mpi *m, size_t size, hd_view from, const int64_t *give, hd_view to,
                           const int64_t *take)
{
    return hd__mpi_exchange_all(m, HD_OK, size, from, give, to, take);
}

hd_status hd__mpi_counts(hd_mpi *m, hd_status status, const int64_t *mine, int64_t *theirs)
{
    status = hd__mpi_agree(m, status);
    if (status != HD_OK) return status;
    return hd__mpi_status(m, MPI_Alltoall(mine, 1, MPI_INT64_T, theirs, 1, MPI_INT64_T, m->comm));
}
