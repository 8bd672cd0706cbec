// SPDX-License-Identifier: Apache-2.0
// An allocator of contexts that counts the bytes it has given out and not got back.
#ifndef HEDDLE_TESTS_SUPPORT_COUNTING_ALLOCATOR_H
#define HEDDLE_TESTS_SUPPORT_COUNTING_ALLOCATOR_H

#include <stdlib.h>

#include <heddle.h>

static size_t held; // bytes; calls of one thread at a time

static inline void *counting_allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory != NULL) held += bytes;
    return memory;
}

static inline void counting_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    held -= bytes;
    free(memory);
}

#define COUNTING_ALLOCATOR                                                                         \
    {                                                                                              \
        counting_allocate, counting_release, NULL                                                  \
    }

#endif
