// SPDX-License-Identifier: Apache-2.0
// The layer between the library and MPI. What waits sleeps in between, where MPI polls: tests have
// more ranks than cores, and share these with others. A message that is held back is a generalized
// request of MPI's; it leaves when it is due, while this rank is in any call of MPI, behind those
// to the same rank before it.
#include "profiling.h"

#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "device_aware.h"

traffic sent;

static struct layer {
    bool delays, dies;
    uint64_t state;        // of random numbers, each rank's own
    uint64_t common_state; // the same on all ranks
} layer;

void delay_messages(uint64_t seed)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    layer.delays = true;
    layer.common_state = seed;
    layer.state = seed + 1 + (uint64_t)rank;
}

void stop_delays(void)
{
    layer.delays = false;
}

void die_at_next_message(void)
{
    layer.dies = true;
}

// ---- Time ---------------------------------------------------------------------------------------

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void sleep_for(int64_t ns)
{
    const struct timespec nap = {ns / 1000000000, ns % 1000000000};
    nanosleep(&nap, NULL);
}

static bool one_in(int64_t n)
{
    return layer.delays && check_below(&layer.state, n) == 0;
}

// Mostly about as long as a message takes, now and then much longer.
static int64_t draw_delay(void)
{
    return check_below(&layer.state, one_in(16) ? 3000000 : 150000);
}

static void begin_late(void)
{
    if (one_in(4)) sleep_for(draw_delay());
}

// ---- Messages that are held back ----------------------------------------------------------------

typedef struct held {
    struct held *next;
    const void *bytes;
    int n, to, tag;
    MPI_Datatype type;
    MPI_Comm comm;
    int64_t due;
    bool left, waits;         // sent; until it is received
    MPI_Request real, public; // MPI's, and what the caller waits for
} held;

static held *queue;

static int tell_nothing(void *extra, MPI_Status *status)
{
    (void)extra;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int free_nothing(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel_nothing(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

static int leave(held *h)
{
    h->left = true;
    return h->waits ? PMPI_Issend(h->bytes, h->n, h->type, h->to, h->tag, h->comm, &h->real)
                    : PMPI_Isend(h->bytes, h->n, h->type, h->to, h->tag, h->comm, &h->real);
}

static bool is_behind_another(const held *h)
{
    for (const held *k = queue; k != h; k = k->next)
        if (k->to == h->to && !k->left) return true;
    return false;
}

// Sends what is due, or everything to a rank, or (-1) to all, and lets go of what has been sent.
static int move_queue(bool all, int to)
{
    int code = MPI_SUCCESS, done;
    const int64_t time = now();
    for (held **at = &queue; *at != NULL && code == MPI_SUCCESS;) {
        held *h = *at;
        const bool leaves = h->due <= time || (all && (to < 0 || to == h->to));
        if (!h->left && leaves && !is_behind_another(h)) code = leave(h);
        done = 0;
        if (h->left && code == MPI_SUCCESS) code = PMPI_Test(&h->real, &done, MPI_STATUS_IGNORE);
        if (done && code == MPI_SUCCESS) code = PMPI_Grequest_complete(h->public);
        if (done) {
            *at = h->next;
            free(h);
        } else {
            at = &h->next;
        }
    }
    return code;
}

static int hold_back(const void *bytes, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                     MPI_Request *request)
{
    held *h = check_memory(sizeof *h), **end = &queue;
    *h = (held){.bytes = bytes, .n = n, .to = to, .tag = tag, .type = type, .comm = comm};
    h->due = now() + draw_delay();
    h->waits = one_in(2);
    while (*end != NULL) end = &(*end)->next;
    *end = h;
    const int code = PMPI_Grequest_start(tell_nothing, free_nothing, cancel_nothing, NULL, request);
    h->public = *request;
    return code;
}

// ---- Waiting ------------------------------------------------------------------------------------

// What waits polls a few times, in case the message is near, and then sleeps in between: with a
// sched_yield alone the tests took three to five times as long on two busy cores.
enum { POLLS = 8, NAP_NS = 20000 };

static int wait_for(int code, MPI_Request *request, MPI_Status *status)
{
    int done = 0;
    const MPI_Request begun = *request; // MPI clears it
    for (int polls = 0; code == MPI_SUCCESS && !done; polls++) {
        if (queue != NULL) code = move_queue(false, 0);
        if (code == MPI_SUCCESS) code = PMPI_Test(request, &done, status);
        if (!done && polls < POLLS) sched_yield();
        if (!done && polls >= POLLS) sleep_for(NAP_NS);
    }
    if (done) end_message(&begun);
    return code;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    return wait_for(MPI_SUCCESS, request, status);
}

// ---- From rank to rank --------------------------------------------------------------------------

static int64_t size_of(MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return size;
}

static void count_message(int64_t bytes)
{
    if (layer.dies) raise(SIGKILL);
    sent.messages++;
    sent.bytes += bytes;
    if (bytes > sent.longest) sent.longest = bytes;
}

static int begin_send(const void *bytes, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    if (one_in(2)) return hold_back(bytes, n, type, to, tag, comm, request);
    const int code = queue != NULL ? move_queue(true, to) : MPI_SUCCESS;
    if (code != MPI_SUCCESS) return code;
    return one_in(2) ? PMPI_Issend(bytes, n, type, to, tag, comm, request)
                     : PMPI_Isend(bytes, n, type, to, tag, comm, request);
}

int MPI_Isend(const void *bytes, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    const int64_t size = n * size_of(type);
    count_message(size);
    const int code = begin_send(begin_message(bytes, size), n, type, to, tag, comm, request);
    tie_to_request(request);
    return code;
}

int MPI_Send(const void *bytes, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    MPI_Request request;
    const int code = MPI_Isend(bytes, n, type, to, tag, comm, &request);
    return wait_for(code, &request, MPI_STATUS_IGNORE);
}

int MPI_Irecv(void *bytes, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    begin_late();
    sent.received++;
    const int code =
        PMPI_Irecv(begin_receipt(bytes, n * size_of(type)), n, type, from, tag, comm, request);
    tie_to_request(request);
    return code;
}

int MPI_Recv(void *bytes, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    MPI_Request request;
    const int code = MPI_Irecv(bytes, n, type, from, tag, comm, &request);
    return wait_for(code, &request, status);
}

// ---- Collective calls ---------------------------------------------------------------------------

// Some begin late, some only when all ranks have come.
static int begin_collective(int64_t bytes, MPI_Comm comm)
{
    MPI_Request request;
    sent.collectives++;
    sent.collective_bytes += bytes;
    begin_late();
    if (!layer.delays || check_below(&layer.common_state, 4) > 0) return MPI_SUCCESS;
    const int code = PMPI_Ibarrier(comm, &request);
    return wait_for(code, &request, MPI_STATUS_IGNORE);
}

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;
    int code = begin_collective(n * size_of(type), comm);
    if (code == MPI_SUCCESS) code = PMPI_Iallreduce(in, out, n, type, op, comm, &request);
    return wait_for(code, &request, MPI_STATUS_IGNORE);
}

int MPI_Exscan(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;
    int code = begin_collective(n * size_of(type), comm);
    if (code == MPI_SUCCESS) code = PMPI_Iexscan(in, out, n, type, op, comm, &request);
    return wait_for(code, &request, MPI_STATUS_IGNORE);
}

int MPI_Scan(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request;
    int code = begin_collective(n * size_of(type), comm);
    if (code == MPI_SUCCESS) code = PMPI_Iscan(in, out, n, type, op, comm, &request);
    return wait_for(code, &request, MPI_STATUS_IGNORE);
}

int MPI_Bcast(void *bytes, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    MPI_Request request;
    int code = begin_collective(n * size_of(type), comm);
    if (code == MPI_SUCCESS) code = PMPI_Ibcast(bytes, n, type, root, comm, &request);
    return wait_for(code, &request, MPI_STATUS_IGNORE);
}

int MPI_Allgather(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to,
                  MPI_Comm comm)
{
    MPI_Request request;
    int code = begin_collective(n * size_of(type), comm);
    if (code == MPI_SUCCESS) code = PMPI_Iallgather(in, n, type, out, m, to, comm, &request);
    return wait_for(code, &request, MPI_STATUS_IGNORE);
}

int MPI_Alltoall(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to,
                 MPI_Comm comm)
{
    MPI_Request request;
    int code = begin_collective(n * size_of(type), comm);
    if (code == MPI_SUCCESS) code = PMPI_Ialltoall(in, n, type, out, m, to, comm, &request);
    return wait_for(code, &request, MPI_STATUS_IGNORE);
}

// These block: nobody must wait for what is held back here.
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    const int code = move_queue(true, -1);
    return code != MPI_SUCCESS ? code : PMPI_Comm_dup(comm, copy);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    const int code = move_queue(true, -1);
    return code != MPI_SUCCESS ? code : PMPI_Comm_free(comm);
}
