// SPDX-License-Identifier: Apache-2.0
// Partition into far more buckets than there are elements: pairs of bucket and index are radix
// sorted, which costs by the elements, where a counter a bucket costs by the buckets.
#include "partition_buckets.h"
#include "core/convert.h"
#include "cpu/runtime/cpu.h"

#include <string.h>

#define BLOCK  256 // elements whose buckets are looked at together
#define DIGITS 256

typedef struct plan {
    const hd__partition_job *job;
    uint64_t *pairs, *sorted; // n each
    unsigned char *flags;     // scratch of a block
} plan;

// Returns the first element without a bucket, whose label is then in *bucket, or n.
static int64_t read_pairs(const plan *p, int64_t *bucket)
{
    const hd__partition_job *job = p->job;
    int64_t wide[BLOCK];
    for (int64_t at = 0; at < job->n; at += BLOCK) {
        const int64_t m = job->n - at < BLOCK ? job->n - at : BLOCK;
        hd__convert(HD_I64, wide, job->flags.type,
                    hd__read_flags(&job->flags, at, m, NULL, p->flags), m);
        for (int64_t i = 0; i < m; i++) {
            *bucket = wide[i];
            if (wide[i] < 0 || wide[i] >= job->ways) return at + i;
            p->pairs[at + i] = (uint64_t)wide[i] << 32 | (uint64_t)(at + i);
        }
    }
    return job->n;
}

// One stable pass by eight bits, from pairs to sorted, and the two change places.
static void sort_digit(plan *p, int shift)
{
    const int64_t n = p->job->n;
    int64_t offsets[DIGITS] = {0};
    for (int64_t i = 0; i < n; i++) offsets[p->pairs[i] >> shift & (DIGITS - 1)]++;
    for (int64_t k = 0, sum = 0; k < DIGITS; k++) {
        const int64_t count = offsets[k];
        offsets[k] = sum;
        sum += count;
    }
    for (int64_t i = 0; i < n; i++)
        p->sorted[offsets[p->pairs[i] >> shift & (DIGITS - 1)]++] = p->pairs[i];
    uint64_t *const kept = p->pairs;
    p->pairs = p->sorted;
    p->sorted = kept;
}

static void move(const plan *p)
{
    const hd__partition_job *job = p->job;
    _Alignas(HD__ALIGNMENT) unsigned char element[HD_MAX_ELEMENT];
    for (int64_t to = 0; to < job->n; to++) {
        const int64_t from = (int64_t)(uint32_t)p->pairs[to];
        hd__gather(&job->in, from, 1, element);
        hd__scatter(&job->out, to, 1, element);
        if (!hd__is_empty(&job->indices)) hd__put_indices(&job->indices, to, 1, &from);
    }
}

hd_status hd__cpu_partition_by_sort(hd_context *ctx, const hd__partition_job *job)
{
    const size_t each = hd__padded((size_t)job->n * sizeof(uint64_t));
    unsigned char *memory = hd__scratch(ctx, 2 * each + hd__flags_bytes(&job->flags, BLOCK));
    if (memory == NULL) return HD_ERROR_MEMORY;
    plan p = {job, (void *)memory, (void *)(memory + each), memory + 2 * each};
    int64_t bucket = 0;
    const int64_t bad = read_pairs(&p, &bucket);
    if (bad < job->n) return hd__bad_bucket(ctx, job, bad, bucket);
    for (int shift = 32; shift < 64 && (uint64_t)(job->ways - 1) << 32 >> shift != 0; shift += 8)
        sort_digit(&p, shift);
    hd__put_few_parts(job, p.pairs);
    move(&p);
    return HD_OK;
}
