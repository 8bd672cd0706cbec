// SPDX-License-Identifier: Apache-2.0
//
// Reading ahead: one thread fills buffers, the other empties them, two semaphores between them.
#include "read_ahead.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "io/support/memory.h"

// Where it is interrupted by a signal it waits on.
static void await(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0 && errno == EINTR) continue;
}

// Fills one buffer; false at the end and after an error.
static bool fill(chunks *p, int k)
{
    p->count[k] = 0;
    p->status = io_reader_next(p->reader, p->buffer[k], CHUNK_ELEMENTS, &p->count[k], &p->error);
    return p->status == IO_OK && p->count[k] > 0;
}

static void *read_ahead(void *user)
{
    chunks *p = user;
    bool more = true;
    for (int k = 0; more; k = (k + 1) % CHUNKS_AHEAD) {
        await(&p->empty);
        more = fill(p, k);
        sem_post(&p->full);
    }
    return NULL;
}

// Signals go to the main thread: the reader is born with all blocked but those of its own mistakes.
static bool start(chunks *p)
{
    static const int own[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT};
    sigset_t all, old;
    sigfillset(&all);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) sigdelset(&all, own[k]);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    const bool started = pthread_create(&p->thread, NULL, read_ahead, p) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return started;
}

io_status chunks_open(chunks *p, io_reader *reader, io_error *error)
{
    const size_t element = hd_type_size(reader->header.dtype.type);
    const int64_t most =
        reader->count >= 0 && reader->count < CHUNK_ELEMENTS ? reader->count : CHUNK_ELEMENTS;
    *p = (chunks){.reader = reader};
    for (int k = 0; k < CHUNKS_AHEAD; k++) {
        p->buffer[k] = io_allocate((size_t)most * element);
        if (p->buffer[k] != NULL) continue;
        chunks_close(p);
        return io_fail(error, IO_MEMORY, "%s: no memory for chunks of %lld elements",
                       reader->source.name, (long long)most);
    }
    sem_init(&p->empty, 0, CHUNKS_AHEAD);
    sem_init(&p->full, 0, 0);
    // What fits in one chunk, or a machine that gives no thread, is read when asked for.
    p->threaded = p->running = most == CHUNK_ELEMENTS && start(p);
    return IO_OK;
}

io_status chunks_next(chunks *p, const void **data, int64_t *count, io_error *error)
{
    const int k = p->turn;
    if (p->held && p->threaded) sem_post(&p->empty);
    if (p->threaded)
        await(&p->full);
    else
        fill(p, k);
    p->held = true;
    p->turn = (k + 1) % CHUNKS_AHEAD;
    *data = p->buffer[k];
    *count = p->count[k];
    if (*count > 0) return IO_OK;
    *error = p->error; // the thread is past its end: what it left may be read
    return p->status;
}

void chunks_close(chunks *p)
{
    if (p->running) {
        pthread_cancel(p->thread); // it may be waiting for a pipe that never speaks again
        pthread_join(p->thread, NULL);
    }
    if (p->reader != NULL && p->buffer[CHUNKS_AHEAD - 1] != NULL) {
        sem_destroy(&p->empty);
        sem_destroy(&p->full);
    }
    for (int k = 0; k < CHUNKS_AHEAD; k++) free(p->buffer[k]);
    *p = (chunks){.reader = NULL};
}
