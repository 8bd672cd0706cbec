// SPDX-License-Identifier: Apache-2.0
//
// Scatters whose indices may come twice. The first source that comes to a destination is written at
// once, and where no other comes that was all; else the last sources of such destinations are found
// and written. What was there is kept as a word a destination from call to call, or, for many
// destinations, as bits of the call.
#include "scatter.h"

#include <string.h>

enum { SOURCE_BITS = 22 }; // as in sources.cuh

// ---- Words, kept from call to call --------------------------------------------------------------

// hk_last of sources.cuh.
typedef struct last_words {
    hd__gpu_address source, call, found, done;
} last_words;

static bool fits_words(const hd__gpu *gpu, const hd__gpu_scatter_writes *job)
{
    return job->limit <= (int64_t)gpu->tuning.scatter_words * 128 &&
           job->n >> (SOURCE_BITS - 1) == 0;
}

static hd_status write_by_words(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job)
{
    hd__gpu_kernel *write, *again; // both, before a call begins that only the second ends
    hd__gpu_address locality;
    last_words last;
    HD_TRY(hd__gpu_scatter_kernel(ctx, gpu, job, "scatter_last", &write));
    HD_TRY(hd__gpu_scatter_kernel(ctx, gpu, job, "scatter_again", &again));
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_LOCALITY, HD__GPU_LOCALITY_BYTES, &locality));
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_LAST_WRITER, 8 * (size_t)job->limit, &last.source));
    last.call = locality + HD__GPU_LOCALITY_EPOCH;
    last.found = last.call + 8;
    last.done = last.call + 12;
    const hd__gpu_kernel_inputs in = {{hd__gpu_kernel_view_of(&job->in)}};
    const hd__gpu_kernel_view index = hd__gpu_kernel_view_of(&job->index),
                              out = hd__gpu_kernel_view_of(&job->out);
    const hd__gpu_scatter_how how = {.n = job->n, .limit = job->limit};
    const void *first[] = {&in, &index, &out, &how, &job->bad, &last};
    const void *second[] = {&in, &index, &out, &how, &last};
    HD_TRY(hd__gpu_scatter_launch(ctx, gpu, job, write, &how, first, 6));
    return hd__gpu_scatter_launch(ctx, gpu, job, again, &how, second, 5);
}

// ---- Bits of a call -----------------------------------------------------------------------------

enum {
    HEAD_BYTES = 256, // found, then tickets of two launches
    TWICE = 1,        // what is left at found
    CROWDS = 4        // lanes of a warp that is nearly in order have destinations of so few words
};

static size_t bits_bytes(const hd__gpu_scatter_writes *job)
{
    return ((size_t)job->limit / 8 + 256) / 256 * 256;
}

static bool is_wide(const hd__gpu_scatter_writes *job)
{
    return job->n >> 32 != 0 || job->n == UINT32_MAX;
}

size_t hd__gpu_destination_bitmap_bytes(const hd__gpu_scatter_writes *job)
{
    return HEAD_BYTES + 2 * bits_bytes(job) + (size_t)job->limit * (is_wide(job) ? 8 : 4);
}

hd_status hd__gpu_destination_bitmap_begin(hd_context *ctx, hd__gpu *gpu,
                                           const hd__gpu_scatter_writes *job,
                                           hd__gpu_address memory,
                                           hd__gpu_destination_bitmap *bitmap)
{
    *bitmap = (hd__gpu_destination_bitmap){.found = memory,
                                           .once = memory + HEAD_BYTES,
                                           .twice = memory + HEAD_BYTES + bits_bytes(job),
                                           .last_writer = memory + HEAD_BYTES + 2 * bits_bytes(job),
                                           .way = TWICE,
                                           .wide = is_wide(job),
                                           .crowds = job->limit >> 37 != 0 ? 0 : CROWDS};
    return gpu->driver->clear(ctx, gpu->device, memory, HEAD_BYTES + 2 * bits_bytes(job));
}

static hd_status write_first(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job,
                             const hd__gpu_destination_bitmap *bitmap)
{
    hd__gpu_kernel *kernel;
    HD_TRY(hd__gpu_scatter_kernel(ctx, gpu, job, "scatter_first_writer", &kernel));
    const hd__gpu_kernel_inputs in = {{hd__gpu_kernel_view_of(&job->in)}};
    const hd__gpu_kernel_view index = hd__gpu_kernel_view_of(&job->index),
                              out = hd__gpu_kernel_view_of(&job->out);
    const hd__gpu_scatter_how how = {.n = job->n, .limit = job->limit};
    const void *arguments[] = {&in, &index, &out, &how, &job->bad, bitmap};
    return hd__gpu_scatter_launch(ctx, gpu, job, kernel, &how, arguments, 6);
}

hd_status hd__gpu_destination_bitmap_settle(hd_context *ctx, hd__gpu *gpu,
                                            const hd__gpu_scatter_writes *job,
                                            const hd__gpu_destination_bitmap *bitmap)
{
    hd__gpu_kernel *mark, *write;
    HD_TRY(hd__gpu_scatter_kernel(ctx, gpu, job, "mark_last_writer", &mark));
    HD_TRY(hd__gpu_scatter_kernel(ctx, gpu, job, "scatter_last_writer", &write));
    const hd__gpu_kernel_inputs in = {{hd__gpu_kernel_view_of(&job->in)}};
    const hd__gpu_kernel_view index = hd__gpu_kernel_view_of(&job->index),
                              out = hd__gpu_kernel_view_of(&job->out);
    hd__gpu_scatter_how how = {.n = job->n,
                               .limit = job->limit,
                               .word = bitmap->found,
                               .wanted = bitmap->way,
                               .ticket = bitmap->found + 4};
    const void *first[] = {&index, &how, &bitmap->twice, &bitmap->last_writer};
    const void *second[] = {&in, &index, &out, &how, &bitmap->twice, &bitmap->last_writer};
    HD_TRY(hd__gpu_scatter_launch(ctx, gpu, job, mark, &how, first, 4));
    how.ticket += 4;
    return hd__gpu_scatter_launch(ctx, gpu, job, write, &how, second, 6);
}

static hd_status write_by_bits(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job)
{
    hd__gpu_address memory;
    hd__gpu_destination_bitmap bitmap;
    const size_t bytes = hd__gpu_destination_bitmap_bytes(job);
    HD_TRY(hd__gpu_allocate(ctx, gpu, bytes, &memory));
    hd_status status = hd__gpu_destination_bitmap_begin(ctx, gpu, job, memory, &bitmap);
    if (status == HD_OK) status = write_first(ctx, gpu, job, &bitmap);
    if (status == HD_OK) status = hd__gpu_destination_bitmap_settle(ctx, gpu, job, &bitmap);
    hd__gpu_release(gpu, memory, bytes);
    return status;
}

hd_status hd__gpu_scatter_last_writer(hd_context *ctx, hd__gpu *gpu,
                                      const hd__gpu_scatter_writes *job)
{
    return fits_words(gpu, job) ? write_by_words(ctx, gpu, job) : write_by_bits(ctx, gpu, job);
}
