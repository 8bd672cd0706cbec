// SPDX-License-Identifier: Apache-2.0
//
// Device memory: allocations with addresses of their own, so that every access can be checked
// against exact edges and a wild one never touches the host. Addresses of different spaces are
// told apart by windows.
#ifndef HEDDLE_MODEL_EXEC_MEMORY_H
#define HEDDLE_MODEL_EXEC_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Generic addresses. Global ones (constants too) begin at GLOBAL_FIRST; the others are windows,
// the same for every block or thread.
#define GLOBAL_FIRST  ((uint64_t)1 << 33)
#define SHARED_WINDOW ((uint64_t)1 << 40)
#define LOCAL_WINDOW  ((uint64_t)2 << 40)
#define PARAM_WINDOW  ((uint64_t)3 << 40)
// Functions have addresses too, which nothing can be read at: number * FUNCTION_STEP from here on.
#define FUNCTION_WINDOW ((uint64_t)4 << 40)
#define FUNCTION_STEP   ((uint64_t)16)
#define WINDOW_BYTES    ((uint64_t)1 << 32)

// Within the shared window: block r of the cluster begins at (r + 1) * SHARED_OF_RANK, and the
// block's own memory is also at 0.
#define SHARED_OF_RANK ((uint64_t)1 << 24)

typedef struct allocation {
    uint64_t address;
    int64_t bytes;
    uint8_t *data;
    const char *name; // of a variable, or NULL
    int64_t number;   // in the order they were made, from 0
    bool constant;
    bool unset;   // a variable without an initial value that neither host nor kernel wrote
    bool freed;   // its place stays taken, so that late accesses are reported
    void *shadow; // what detectors keep beside it: a bit a byte that was written, or NULL: all were
    void *races;  // cells, or NULL
    int64_t host_read_at, host_read_bytes; // what the host read and nobody had written
} allocation;

typedef struct device_memory {
    allocation **all; // by address
    int32_t count, room;
    uint64_t next;
    int64_t made, live_bytes;
    void *races; // what races.c keeps of launches
    void *heap;  // heap.c
} device_memory;

// Address 0 is never given. Returns NULL without memory. Alignment 512, as CUDA's.
allocation *hd__model_device_allocate(device_memory *memory, int64_t bytes, const char *name);
// false: no such allocation begins there, or it was freed before.
bool hd__model_device_free(device_memory *memory, uint64_t address);
void hd__model_device_memory_close(device_memory *memory);

// The allocation that holds an address (also just behind its end), the last one below it otherwise,
// or NULL.
allocation *hd__model_device_find(const device_memory *memory, uint64_t address);

// From now on it is kept which bytes were written. false: no memory.
bool hd__model_memory_track(allocation *a);
// The host wrote these bytes: detectors that keep shadows learn of it.
void hd__model_memory_validate(device_memory *memory, uint64_t address, int64_t bytes);

static inline bool allocation_holds(const allocation *a, uint64_t address, int64_t bytes)
{
    return a != NULL && !a->freed && address >= a->address && bytes <= a->bytes &&
           address - a->address <= (uint64_t)(a->bytes - bytes);
}

#endif
