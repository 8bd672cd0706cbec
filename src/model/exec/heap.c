// SPDX-License-Identifier: Apache-2.0
// The heap of kernels: chunks in the order of their addresses; one that was given back goes to the
// next who asks for as much.
#include "heap.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct heap_chunk {
    int64_t at, bytes; // in the heap
    bool taken;
} heap_chunk;

typedef struct heap {
    pthread_mutex_t lock;
    allocation *memory;
    heap_chunk *chunks;
    int32_t count, room, given; // given: chunks that were given back
    int64_t used;
} heap;

bool hd__model_heap_open(device_memory *memory)
{
    if (memory->heap != NULL) return true;
    heap *h = calloc(1, sizeof *h);
    if (h == NULL) return false;
    h->memory = hd__model_device_allocate(memory, HEAP_BYTES, "the heap of kernels");
    if (h->memory == NULL || !hd__model_memory_track(h->memory)) {
        free(h);
        return false;
    }
    pthread_mutex_init(&h->lock, NULL);
    memory->heap = h;
    return true;
}

void hd__model_heap_close(device_memory *memory)
{
    heap *h = memory->heap;
    if (h == NULL) return;
    pthread_mutex_destroy(&h->lock);
    free(h->chunks);
    free(h);
    memory->heap = NULL;
}

static heap_chunk *again(heap *h, int64_t bytes)
{
    for (int32_t k = 0; h->given > 0 && k < h->count; k++)
        if (!h->chunks[k].taken && h->chunks[k].bytes == bytes) {
            h->given--;
            return &h->chunks[k];
        }
    return NULL;
}

static heap_chunk *fresh(heap *h, int64_t bytes)
{
    if (bytes > HEAP_BYTES - h->used) return NULL;
    if (h->count == h->room) {
        const int32_t room = h->room > 0 ? 2 * h->room : 256;
        heap_chunk *larger = realloc(h->chunks, (size_t)room * sizeof *larger);
        if (larger == NULL) return NULL;
        h->chunks = larger, h->room = room;
    }
    heap_chunk *p = &h->chunks[h->count++];
    *p = (heap_chunk){.at = h->used, .bytes = bytes};
    h->used += bytes;
    return p;
}

uint64_t hd__model_heap_take(device_memory *memory, uint64_t bytes)
{
    heap *h = memory->heap;
    if (h == NULL || bytes == 0 || bytes > (uint64_t)HEAP_BYTES) return 0;
    const int64_t wish = ((int64_t)bytes + 15) / 16 * 16;
    pthread_mutex_lock(&h->lock);
    heap_chunk *p = again(h, wish);
    if (p == NULL) p = fresh(h, wish);
    const uint64_t address = p != NULL ? h->memory->address + (uint64_t)p->at : 0;
    if (p != NULL) p->taken = true;
    pthread_mutex_unlock(&h->lock);
    return address;
}

bool hd__model_heap_give(device_memory *memory, uint64_t address)
{
    heap *h = memory->heap;
    bool done = false;
    if (h == NULL) return false;
    pthread_mutex_lock(&h->lock);
    const int64_t at = (int64_t)(address - h->memory->address);
    int32_t low = 0, high = h->count; // the first chunk that begins above is in low .. high
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (h->chunks[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && h->chunks[low - 1].at == at && h->chunks[low - 1].taken) {
        h->chunks[low - 1].taken = false;
        h->given++;
        done = true;
    }
    pthread_mutex_unlock(&h->lock);
    return done;
}
