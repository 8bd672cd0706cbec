// SPDX-License-Identifier: Apache-2.0
#include "counted_memory.h"

#include <stdlib.h>

static void *allocate(void *user, size_t size, size_t alignment)
{
    counted_memory *l = user;
    if (l->calls++ == l->fail_at) return NULL;
    l->alive++;
    l->bytes += (long long)size;
    if (l->bytes > l->most) l->most = l->bytes;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t size)
{
    counted_memory *l = user;
    l->alive--;
    l->bytes -= (long long)size;
    free(memory);
}

void open_counted(counted_memory *counts, hd_context **ctx, hd_mpi **mpi)
{
    *counts = (counted_memory){.fail_at = -1};
    CHECK_OK(*ctx, hd_open(ctx, &(hd_context_options){.backend = HD_CPU,
                                                      .threads = 1,
                                                      .allocator = {allocate, release, counts}}));
    CHECK_OK(*ctx, hd_mpi_open(mpi, *ctx, MPI_COMM_WORLD));
}

void close_counted(const counted_memory *counts, hd_context *ctx, hd_mpi *mpi)
{
    hd_mpi_close(mpi);
    hd_close(ctx);
    CHECK(counts->alive == 0, "%lld blocks lost", counts->alive);
}
