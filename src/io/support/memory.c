// SPDX-License-Identifier: Apache-2.0
//
// Aligned memory with a switch for tests of what happens when there is none.
#include "memory.h"

#include <stdlib.h>

int64_t io_allocations_left = -1;

void *io_allocate(size_t bytes)
{
    const size_t alignment = 64;
    if (io_allocations_left == 0) return NULL;
    if (io_allocations_left > 0) io_allocations_left--;
    if (bytes > SIZE_MAX - alignment) return NULL;
    return aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
}
