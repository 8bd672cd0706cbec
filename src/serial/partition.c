// SPDX-License-Identifier: Apache-2.0
// Partition as it is defined: the elements of bucket 0 in their order, then those of bucket 1, and
// so on.
#include "core/convert.h"
#include "patterns/select/partition.h"
#include "serial.h"

#include <stdlib.h>
#include <string.h>

// The bucket of element i; not one of 0 .. ways - 1 where the bucket is bad.
static int64_t bucket_of(const hd__partition_job *job, int64_t i)
{
    _Alignas(HD__ALIGNMENT) unsigned char scratch[(HD_MAX_INPUTS + 1) * HD_MAX_ELEMENT];
    int64_t bucket;
    if (!job->buckets) return hd__is_chosen(&job->flags, i) ? 0 : 1;
    hd__convert(HD_I64, &bucket, job->flags.type, hd__read_flags(&job->flags, i, 1, NULL, scratch),
                1);
    return bucket;
}

// kept receives the bucket of each element where a function tells it, which is asked once: it might
// answer otherwise the next time. Else it is NULL.
static hd_status count_parts(hd_context *ctx, const hd__partition_job *job, int64_t *begins,
                             uint32_t *kept)
{
    memset(begins, 0, (size_t)job->ways * sizeof *begins);
    for (int64_t i = 0; i < job->n; i++) {
        const int64_t bucket = bucket_of(job, i);
        if (bucket < 0 || bucket >= job->ways) return hd__bad_bucket(ctx, job, i, bucket);
        if (kept != NULL) kept[i] = (uint32_t)bucket;
        begins[bucket]++;
    }
    for (int64_t k = 0, sum = 0; k < job->ways; k++) {
        const int64_t count = begins[k];
        begins[k] = sum;
        sum += count;
    }
    return HD_OK;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Few elements for many ways: in the order of their buckets, and among equals of their indices.
static hd_status partition_small(hd_context *ctx, const hd__partition_job *job)
{
    _Alignas(HD__ALIGNMENT) unsigned char element[HD_MAX_ELEMENT];
    uint64_t *pairs = hd__scratch(ctx, ((size_t)job->n + 1) * sizeof *pairs);
    if (pairs == NULL) return HD_ERROR_MEMORY;
    for (int64_t i = 0; i < job->n; i++) {
        const int64_t bucket = bucket_of(job, i);
        if (bucket < 0 || bucket >= job->ways) return hd__bad_bucket(ctx, job, i, bucket);
        pairs[i] = (uint64_t)bucket << 32 | (uint64_t)i;
    }
    qsort(pairs, (size_t)job->n, sizeof *pairs, compare);
    hd__put_few_parts(job, pairs);
    for (int64_t to = 0; to < job->n; to++) {
        const int64_t i = (int64_t)(uint32_t)pairs[to];
        hd__gather(&job->in, i, 1, element);
        hd__scatter(&job->out, to, 1, element);
        if (!hd__is_empty(&job->indices)) hd__put_indices(&job->indices, to, 1, &i);
    }
    return HD_OK;
}

hd_status hd__serial_partition(hd_context *ctx, const void *any, const char **why)
{
    const hd__partition_job *job = any;
    _Alignas(HD__ALIGNMENT) unsigned char element[HD_MAX_ELEMENT];
    (void)why; // never declines
    if (hd__has_few(job)) return partition_small(ctx, job);
    const size_t kept_bytes = job->flags.in.map != NULL ? (size_t)job->n * sizeof(uint32_t) : 0;
    int64_t *begins = hd__scratch(ctx, (size_t)job->ways * sizeof *begins + kept_bytes);
    if (begins == NULL) return HD_ERROR_MEMORY;
    uint32_t *kept = kept_bytes > 0 ? (uint32_t *)(begins + job->ways) : NULL;
    HD_TRY(count_parts(ctx, job, begins, kept));
    hd__put_parts(job, begins);
    for (int64_t i = 0; i < job->n; i++) {
        const int64_t to = begins[kept != NULL ? kept[i] : bucket_of(job, i)]++;
        hd__gather(&job->in, i, 1, element);
        hd__scatter(&job->out, to, 1, element);
        if (!hd__is_empty(&job->indices)) hd__put_indices(&job->indices, to, 1, &i);
    }
    return HD_OK;
}
