// SPDX-License-Identifier: Apache-2.0
// Large random gathers by buckets: a block of indices is partitioned by the region they point into
// (of the size of L2), each region's elements are fetched together and handed back in the order of
// the indices. Every pass but the fetch streams, and the fetch finds its pages and lines near. Many
// threads have enough loads in flight without: 16 cores of a Xeon take 153 ms for 2^27 i32, 83 in
// large pages; by buckets 225.
#include "gather.h"
#include "core/system/float_state.h"
#include "buckets.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/work_stealing.h"
#include "cpu/runtime/team.h"

#define MAX_BUCKETS 256 // the most of gather_buckets_max

typedef struct plan {
    const hd__gather_job *job;
    int shift; // an index's bucket is index >> shift; bad ones come last
    int buckets;
    uint64_t bound; // the least unsigned index that is bad
    int64_t block;
    uint32_t *near; // a block of indices within their buckets
    char *values;   // a block of elements
    int64_t bad;
} plan;

#define I    int32_t
#define U    uint32_t
#define T    uint32_t
#define NAME i32_4
#include "gather_buckets.inc"
#define I    int32_t
#define U    uint32_t
#define T    uint64_t
#define NAME i32_8
#include "gather_buckets.inc"
#define I    int64_t
#define U    uint64_t
#define T    uint32_t
#define NAME i64_4
#include "gather_buckets.inc"
#define I    int64_t
#define U    uint64_t
#define T    uint64_t
#define NAME i64_8
#include "gather_buckets.inc"

typedef void run_block(plan *p, int64_t start, int64_t n);

static run_block *find_run(const hd__gather_job *job)
{
    const size_t size = hd__size_of(job->in.type);
    const bool narrow = job->index.type == HD_I32;
    if (job->map != NULL || !hd__is_contiguous(&job->in) || !hd__is_contiguous(&job->out) ||
        !hd__is_contiguous(&job->index))
        return NULL;
    if (!narrow && job->index.type != HD_I64 && job->index.type != HD_U64) return NULL;
    if (((uintptr_t)job->in.data | (uintptr_t)job->out.data) % size != 0) return NULL;
    if (size == 4) return narrow ? run_i32_4 : run_i64_4;
    if (size == 8) return narrow ? run_i32_8 : run_i64_8;
    return NULL;
}

static void make_plan(plan *p, const hd__gather_job *job, int threads)
{
    const int64_t block_min = hd__cpu_tune.gather_block_min;
    const int64_t block_max = hd__cpu_tune.gather_block_max;
    const int64_t size = (int64_t)hd__size_of(job->in.type);
    p->job = job;
    p->bad = -1;
    p->bound = (uint64_t)job->limit;
    if (job->index.type == HD_I32 && p->bound > UINT64_C(1) << 31) p->bound = UINT64_C(1) << 31;
    hd__cpu_select_buckets(job->limit, hd__cpu_tune.gather_bucket_bytes / size,
                           (int)hd__cpu_tune.gather_buckets_max, &p->shift, &p->buckets);
    const int64_t each = hd_count(job->index) / threads + threads;
    p->block = hd__cpu_tune.gather_block_total / threads;
    if (p->block > block_max) p->block = block_max;
    if (p->block < block_min) p->block = block_min;
    if (p->block > each) p->block = each;
}

hd_status hd__cpu_gather_buckets(hd_context *ctx, const hd__gather_job *job, int threads,
                                 bool *done)
{
    const int64_t n = hd__count(&job->index), size = (int64_t)hd__size_of(job->in.type);
    *done = false;
    if (n < hd__cpu_tune.gather_block_min * threads) return HD_OK;
    run_block *run = find_run(job);
    const int64_t from =
        size == 4 ? hd__cpu_tune.gather_buckets_from_4 : hd__cpu_tune.gather_buckets_from_8;
    if (run == NULL || threads > hd__cpu_tune.static_threads_max || job->limit < from ||
        job->limit > hd__cpu_tune.gather_buckets_max << 31 || n < job->limit / 8 ||
        hd__cpu_is_local(&job->index, size))
        return HD_OK;
    plan common;
    make_plan(&common, job, threads);
    const size_t near_bytes = hd__padded((size_t)common.block * sizeof(uint32_t));
    const size_t bytes = near_bytes + hd__padded((size_t)(common.block * size));
    char *memory = hd__scratch(ctx, (size_t)threads * bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    hd__cpu_advise_huge(memory, (size_t)threads * bytes);
    *done = true;
    hd__cpu_first_bad first;
    atomic_init(&first, INT64_MAX);
#pragma omp parallel num_threads(threads)
    {
        HD__FLOAT_STATE;
        const int64_t t = omp_get_thread_num(), all = omp_get_num_threads();
        plan p = common;
        p.near = (uint32_t *)(memory + (size_t)t * bytes);
        p.values = memory + (size_t)t * bytes + near_bytes;
        const int64_t begin = n / all * t, end = t + 1 < all ? n / all * (t + 1) : n;
        for (int64_t at = begin; at < end; at += p.block)
            run(&p, at, end - at < p.block ? end - at : p.block);
        hd__cpu_note_bad(&first, p.bad);
    }
    hd__cpu_report_first(job, &first);
    return HD_OK;
}
