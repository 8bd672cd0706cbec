// SPDX-License-Identifier: Apache-2.0
// Structures of arrays and arrays of structures: two to four numbers of one size that fill the
// structure go by kernels, anything else field by field over a block of structures that fits L1.
#include "core/reader.h"
#include "patterns/move/transpose.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/isa.h"
#include "block_copy.h"
#include "cpu/runtime/work_stealing.h"
#include "cpu/runtime/team.h"

HD__CPU_BRINGS(const hd__cpu_layout_kernels, layout_kernels)

#define BLOCK_UNIT 64 // fields of all blocks begin at a line: half as fast without

typedef struct plan {
    const hd__zip_job *job;
    size_t size;              // of a structure
    int64_t n, block;         // structures; how many at a time
    hd__cpu_unzip_row *unzip; // NULL: none for these fields
    hd__cpu_zip_row *zip;
    size_t thread_bytes;
    char *memory;
} plan;

// Whether the fields are numbers of one size that fill the structure, in order.
static bool is_even(const hd__zip_job *job, size_t size)
{
    const size_t each = hd__size_of(job->field[0].type);
    for (int k = 0; k < job->fields; k++)
        if (hd__size_of(job->field[k].type) != each || job->offset[k] != (int64_t)each * k)
            return false;
    return (size_t)job->fields * each == size && (each & (each - 1)) == 0 && each <= 8;
}

static void select_kernel(const hd_context *ctx, plan *p)
{
    const hd__zip_job *job = p->job;
    p->unzip = NULL, p->zip = NULL;
    if (job->fields < 2 || job->fields > 4 || !is_even(job, p->size)) return;
    const int log = __builtin_ctzll(hd__size_of(job->field[0].type));
    p->unzip = hd__cpu_micro_table(ctx)->layout->unzip[log][job->fields - 2];
    p->zip = hd__cpu_micro_table(ctx)->layout->zip[log][job->fields - 2];
}

// Elements at .. at + m - 1 of a view: where they lie, or a place in memory for them.
static char *stage(const hd_view *v, int64_t at, int64_t m, char **memory)
{
    if (hd__is_contiguous(v)) return (char *)(uintptr_t)hd__at(v, at);
    char *here = *memory;
    *memory += hd__padded((size_t)m * hd__size_of(v->type));
    return here;
}

static void move_fields(const plan *p, char *structures, char *const *fields, int64_t m)
{
    const hd__zip_job *job = p->job;
    for (int k = 0; k < job->fields; k++) {
        const size_t size = hd__size_of(job->field[k].type);
        const hd__cpu_block apart = {fields[k], 0, (int64_t)size};
        const hd__cpu_block together = {structures + job->offset[k], 0, (int64_t)p->size};
        if (job->unzips)
            hd__cpu_copy_block(apart, together, 1, m, size);
        else
            hd__cpu_copy_block(together, apart, 1, m, size);
    }
}

static void run_block(const plan *p, int64_t at, int64_t m, char *memory)
{
    const hd__zip_job *job = p->job;
    const hd_view *s = &job->structures;
    char *fields[HD_MAX_FIELDS], *structures = stage(s, at, m, &memory);
    const bool moved = !hd__is_contiguous(s);
    if (moved) hd__gather(s, at, m, structures);
    for (int k = 0; k < job->fields; k++) {
        fields[k] = stage(&job->field[k], at, m, &memory);
        if (!job->unzips && !hd__is_contiguous(&job->field[k]))
            hd__gather(&job->field[k], at, m, fields[k]);
    }
    if (job->unzips && p->unzip != NULL)
        p->unzip(fields, structures, m);
    else if (p->zip != NULL)
        p->zip(structures, fields, m);
    else
        move_fields(p, structures, fields, m);
    if (!job->unzips && moved) hd__scatter(s, at, m, structures);
    for (int k = 0; job->unzips && k < job->fields; k++)
        if (!hd__is_contiguous(&job->field[k])) hd__scatter(&job->field[k], at, m, fields[k]);
}

static size_t memory_of(const plan *p)
{
    size_t bytes = 0;
    if (!hd__is_contiguous(&p->job->structures)) bytes += hd__padded((size_t)p->block * p->size);
    for (int k = 0; k < p->job->fields; k++)
        if (!hd__is_contiguous(&p->job->field[k]))
            bytes += hd__padded((size_t)p->block * hd__size_of(p->job->field[k].type));
    return bytes + HD__ALIGNMENT;
}

hd_status hd__cpu_zip(hd_context *ctx, const void *any, const char **why)
{
    (void)why;
    plan p = {.job = any};
    p.n = hd_count(p.job->structures);
    p.size = hd__size_of(p.job->structures.type);
    p.block =
        (hd__cpu_tune.zip_block_bytes / (int64_t)p.size + BLOCK_UNIT - 1) / BLOCK_UNIT * BLOCK_UNIT;
    select_kernel(ctx, &p);
    const int threads = hd__cpu_threads_for(ctx, p.n, p.size);
    p.thread_bytes = memory_of(&p);
    // Nothing to stage: all of a chunk at once. Calls of 16 KiB are a third slower.
    const bool straight = p.unzip != NULL && p.thread_bytes == HD__ALIGNMENT;
    p.memory = hd__scratch(ctx, (size_t)threads * p.thread_bytes);
    if (p.memory == NULL) return HD_ERROR_MEMORY;
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, p.n, threads, straight ? BLOCK_UNIT : p.block);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        const int t = omp_get_thread_num();
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t begin, end;
        while (hd__cpu_next_chunk(&stealer, &begin, &end))
            for (int64_t at = begin, m; at < end; at += m) {
                m = straight || end - at < p.block ? end - at : p.block;
                run_block(&p, at, m, p.memory + (size_t)t * p.thread_bytes);
            }
    }
    return HD_OK;
}
