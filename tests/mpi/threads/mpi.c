// SPDX-License-Identifier: Apache-2.0
// MPI among the threads of a process. Locks order no more than MPI promises: a message is read
// after its send began and before the wait for it returns, and written likewise. So that a wait
// that begins orders nothing, each request has a lock of its own; the world's is for beginning.
// Collective calls go by way of what each rank gives, which all ranks read between two meetings.
#include <mpi.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANKS = 64 };

// A communicator of one rank: its number, which all its ranks give to messages, comes first.
struct mpi_comm {
    int number, rank, copies;
};

struct mpi_request {
    struct mpi_request *next;
    int comm, from, to, tag;
    bool sends, done, too_long;
    char *bytes;
    int64_t n; // of a message, or of the room for one
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static struct world {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int ranks;
    struct mpi_request *first, *last; // without a partner, in their order
    int here;                         // in the meeting
    int64_t meeting;
    const void *given[MAX_RANKS];
} world = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Thread_local struct mpi_comm own; // this thread's MPI_COMM_WORLD

static void *allocate(int64_t bytes)
{
    void *memory = malloc((size_t)bytes + 1);
    if (memory == NULL) puts("MPI of threads: out of memory"), exit(1);
    return memory;
}

static int64_t size_of(MPI_Datatype type)
{
    return type <= MPI_CHAR ? 1 : type <= MPI_UINT32_T ? 4 : 8;
}

// ---- Ranks --------------------------------------------------------------------------------------

typedef struct start {
    int rank;
    void (*run)(void *);
    void *argument;
} start;

static void *begin(void *any)
{
    const start *s = any;
    own = (struct mpi_comm){0, s->rank, 0};
    s->run(s->argument);
    return NULL;
}

void mpi_run_ranks(int ranks, void (*rank)(void *), void *argument)
{
    pthread_t thread[MAX_RANKS];
    start s[MAX_RANKS];
    world.ranks = ranks;
    for (int r = 0; r < ranks; r++) {
        s[r] = (start){r, rank, argument};
        if (pthread_create(&thread[r], NULL, begin, &s[r]) != 0) puts("no thread"), exit(1);
    }
    for (int r = 0; r < ranks; r++) pthread_join(thread[r], NULL);
    if (world.first != NULL) puts("messages are left that nobody received"), exit(1);
}

MPI_Comm mpi_world(void)
{
    return &own;
}

int MPI_Initialized(int *yes)
{
    *yes = 1;
    return MPI_SUCCESS;
}

int MPI_Finalized(int *yes)
{
    *yes = 0;
    return MPI_SUCCESS;
}

int MPI_Error_string(int code, char *text, int *length)
{
    *length = snprintf(text, MPI_MAX_ERROR_STRING, "error %d", code);
    return MPI_SUCCESS;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    *rank = comm->rank;
    return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *ranks)
{
    (void)comm;
    *ranks = world.ranks;
    return MPI_SUCCESS;
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    (void)comm, (void)handler;
    return MPI_SUCCESS;
}

// Ranks duplicate in the same order, so that they count alike.
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    struct mpi_comm *c = allocate(sizeof *c);
    *c = (struct mpi_comm){1000 * (comm->number + 1) + ++comm->copies % 1000, comm->rank, 0};
    *copy = c;
    return MPI_Barrier(comm);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    const int code = MPI_Barrier(*comm);
    free(*comm);
    *comm = MPI_COMM_NULL;
    return code;
}

// ---- From rank to rank --------------------------------------------------------------------------

static bool fit(const struct mpi_request *a, const struct mpi_request *b)
{
    return a->sends != b->sends && a->comm == b->comm && a->from == b->from && a->to == b->to &&
           a->tag == b->tag;
}

// Takes the earliest partner of a request out of the list; with the lock.
static struct mpi_request *take_partner(const struct mpi_request *r)
{
    struct mpi_request *before = NULL, *k = world.first;
    while (k != NULL && !fit(k, r)) before = k, k = k->next;
    if (k == NULL) return NULL;
    *(before != NULL ? &before->next : &world.first) = k->next;
    if (world.last == k) world.last = before;
    return k;
}

static void append(struct mpi_request *r)
{
    r->next = NULL;
    *(world.last != NULL ? &world.last->next : &world.first) = r;
    world.last = r;
}

static void copy(struct mpi_request *send, struct mpi_request *receive)
{
    const int64_t n = send->n < receive->n ? send->n : receive->n;
    receive->too_long = send->n > receive->n;
    memcpy(receive->bytes, send->bytes, (size_t)n);
    receive->n = n;
}

static void complete(struct mpi_request *r)
{
    pthread_mutex_lock(&r->lock);
    r->done = true;
    pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

// Whoever comes second copies.
static int post(struct mpi_request wanted, MPI_Request *request)
{
    struct mpi_request *r = allocate(sizeof *r);
    *r = wanted;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
    *request = r;
    pthread_mutex_lock(&world.lock);
    struct mpi_request *partner = take_partner(r);
    if (partner == NULL) append(r);
    pthread_mutex_unlock(&world.lock);
    if (partner == NULL) return MPI_SUCCESS;
    copy(r->sends ? r : partner, r->sends ? partner : r);
    complete(partner);
    complete(r);
    return MPI_SUCCESS;
}

int MPI_Isend(const void *bytes, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return post((struct mpi_request){.comm = comm->number,
                                     .from = comm->rank,
                                     .to = to,
                                     .tag = tag,
                                     .sends = true,
                                     .bytes = (char *)(uintptr_t)bytes,
                                     .n = n * size_of(type)},
                request);
}

int MPI_Irecv(void *bytes, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return post((struct mpi_request){.comm = comm->number,
                                     .from = from,
                                     .to = comm->rank,
                                     .tag = tag,
                                     .bytes = bytes,
                                     .n = n * size_of(type)},
                request);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct mpi_request *r = *request;
    if (r == MPI_REQUEST_NULL) return MPI_SUCCESS;
    pthread_mutex_lock(&r->lock);
    while (!r->done) pthread_cond_wait(&r->changed, &r->lock);
    pthread_mutex_unlock(&r->lock);
    const int code = r->too_long ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    if (status != MPI_STATUS_IGNORE) *status = (MPI_Status){r->from, r->tag, code, r->n};
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->changed);
    free(r);
    *request = MPI_REQUEST_NULL;
    return code;
}

int MPI_Send(const void *bytes, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    MPI_Request request;
    MPI_Isend(bytes, n, type, to, tag, comm, &request);
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int MPI_Recv(void *bytes, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    MPI_Request request;
    MPI_Irecv(bytes, n, type, from, tag, comm, &request);
    return MPI_Wait(&request, status);
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *n)
{
    *n = (int)(status->bytes / size_of(type));
    return MPI_SUCCESS;
}

// ---- Collective calls ---------------------------------------------------------------------------

int MPI_Barrier(MPI_Comm comm)
{
    (void)comm;
    pthread_mutex_lock(&world.lock);
    const int64_t meeting = world.meeting;
    if (++world.here == world.ranks) {
        world.here = 0;
        world.meeting++;
        pthread_cond_broadcast(&world.changed);
    }
    while (world.meeting == meeting) pthread_cond_wait(&world.changed, &world.lock);
    pthread_mutex_unlock(&world.lock);
    return MPI_SUCCESS;
}

// All ranks see what each gives, until they meet again.
static void give(MPI_Comm comm, const void *bytes)
{
    world.given[comm->rank] = bytes;
    MPI_Barrier(comm);
}

int MPI_Bcast(void *bytes, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    give(comm, bytes);
    if (comm->rank != root) memcpy(bytes, world.given[root], (size_t)(n * size_of(type)));
    return MPI_Barrier(comm);
}

static uint64_t read_number(const void *from, int64_t i, MPI_Datatype type)
{
    int32_t narrow;
    uint64_t number;
    if (size_of(type) == 8) return memcpy(&number, (const char *)from + 8 * i, 8), number;
    if (size_of(type) == 1) return ((const unsigned char *)from)[i];
    memcpy(&narrow, (const char *)from + 4 * i, 4);
    return (uint64_t)(int64_t)narrow;
}

static void write_number(void *to, int64_t i, MPI_Datatype type, uint64_t number)
{
    const uint32_t narrow = (uint32_t)number;
    if (size_of(type) == 8)
        memcpy((char *)to + 8 * i, &number, 8);
    else if (size_of(type) == 1)
        ((unsigned char *)to)[i] = (unsigned char)number;
    else
        memcpy((char *)to + 4 * i, &narrow, 4);
}

static uint64_t combine(MPI_Op op, uint64_t a, uint64_t b)
{
    if (op == MPI_SUM) return a + b;
    if (op == MPI_BOR) return a | b;
    const bool less = (int64_t)a < (int64_t)b;
    return less == (op == MPI_MIN) ? a : b;
}

// out = those of ranks first .. last - 1 combined, of which there is one at least.
static int fold(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                int last)
{
    const int64_t bytes = n * size_of(type);
    void *mine = allocate(bytes);
    memcpy(mine, in == MPI_IN_PLACE ? out : in, (size_t)bytes);
    give(comm, mine);
    for (int64_t i = 0; i < n && last > 0; i++) {
        uint64_t sum = read_number(world.given[0], i, type);
        for (int r = 1; r < last; r++) sum = combine(op, sum, read_number(world.given[r], i, type));
        write_number(out, i, type, sum);
    }
    MPI_Barrier(comm);
    free(mine);
    return MPI_SUCCESS;
}

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return fold(in, out, n, type, op, comm, world.ranks);
}

int MPI_Scan(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return fold(in, out, n, type, op, comm, comm->rank + 1);
}

int MPI_Exscan(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return fold(in, out, n, type, op, comm, comm->rank);
}

int MPI_Allgather(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to,
                  MPI_Comm comm)
{
    const int64_t bytes = n * size_of(type);
    (void)m, (void)to;
    give(comm, in);
    for (int r = 0; r < world.ranks; r++)
        memcpy((char *)out + r * bytes, world.given[r], (size_t)bytes);
    return MPI_Barrier(comm);
}

int MPI_Alltoall(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to,
                 MPI_Comm comm)
{
    const int64_t bytes = n * size_of(type);
    (void)m, (void)to;
    give(comm, in);
    for (int r = 0; r < world.ranks; r++)
        memcpy((char *)out + r * bytes, (const char *)world.given[r] + comm->rank * bytes,
               (size_t)bytes);
    return MPI_Barrier(comm);
}
