// SPDX-License-Identifier: Apache-2.0
//
// The chunks of a long input, read ahead by a thread of its own while the last one is worked on.
#ifndef HEDDLE_CLI_RUN_READ_AHEAD_H
#define HEDDLE_CLI_RUN_READ_AHEAD_H

#include <pthread.h>
#include <semaphore.h>

#include "io/reader.h"

// Elements in a chunk: a power of two keeps chunks in step with the tree, and 2^20 is enough to
// make the cost of starting threads vanish.
#define CHUNK_ELEMENTS ((int64_t)1 << 20)
enum { CHUNKS_AHEAD = 2 };

typedef struct chunks {
    io_reader *reader;
    void *buffer[CHUNKS_AHEAD];
    int64_t count[CHUNKS_AHEAD];
    io_error error; // the reading thread's, once it has ended
    io_status status;
    sem_t empty, full;
    pthread_t thread;
    int turn; // the buffer that comes next
    bool held, running, threaded;
} chunks;

// Begins to read. Without memory: an error and nothing to close.
io_status chunks_open(chunks *p, io_reader *reader, io_error *error);

// The next chunk, good until the next call; *count is 0 at the end.
io_status chunks_next(chunks *p, const void **data, int64_t *count, io_error *error);

// Also stops a reading that is not at its end.
void chunks_close(chunks *p);

#endif
