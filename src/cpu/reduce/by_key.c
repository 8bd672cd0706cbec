// SPDX-License-Identifier: Apache-2.0
// Reduction by key: head flags of runs of equal keys become offsets, and offsets are segments.
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/team.h"
#include "core/system/float_state.h"
#include "patterns/scan/head_flags.h"
#include "patterns/select/equal_keys.h"

// Threads own equal ranges of keys; the first pass counts heads, the second writes them.
typedef struct plan {
    const hd__reduce_job *job;
    int threads;
    size_t thread_bytes;
    unsigned char *memory;
    int64_t counts[1025]; // heads in each range, then where each begins
} plan;

static void walk_range(const plan *p, int t, int64_t *count, int64_t *offsets)
{
    const int64_t block = hd__cpu_tune.by_key_block;
    const int64_t n = p->job->in.n;
    const int64_t begin = n / p->threads * t,
                  end = t + 1 < p->threads ? n / p->threads * (t + 1) : n;
    uint8_t *head_flags = p->memory + (size_t)t * p->thread_bytes;
    int64_t found = 0;
    for (int64_t at = begin; at < end; at += block) {
        const int64_t m = end - at < block ? end - at : block;
        hd__key_head_flags(&p->job->keys, p->job->comparison, at, m, head_flags,
                           head_flags + block);
        if (offsets == NULL) {
            for (int64_t i = 0; i < m; i++) found += head_flags[i];
        } else {
            for (int64_t i = 0; i < m; i++) { // without a branch: the next head overwrites
                offsets[found] = at + i;
                found += head_flags[i];
            }
        }
    }
    *count = found;
}

// A range writes one past its heads: each gets its own place for that, and the last is mended.
static void write_offsets(plan *p, int64_t *offsets, int64_t runs)
{
#pragma omp parallel for num_threads(p->threads) schedule(static) if (p->threads > 1)
    for (int t = 0; t < p->threads; t++) {
        HD__FLOAT_STATE;
        int64_t count;
        walk_range(p, t, &count, offsets + p->counts[t] + t);
    }
    for (int t = 1; t < p->threads; t++) // close the gaps of one
        memmove(offsets + p->counts[t], offsets + p->counts[t] + t,
                (size_t)(p->counts[t + 1] - p->counts[t]) * sizeof *offsets);
    offsets[runs] = p->job->in.n;
}

static int64_t count_runs(plan *p)
{
#pragma omp parallel for num_threads(p->threads) schedule(static) if (p->threads > 1)
    for (int t = 0; t < p->threads; t++) {
        HD__FLOAT_STATE;
        walk_range(p, t, &p->counts[t], NULL);
    }
    int64_t runs = 0;
    for (int t = 0; t <= p->threads; t++) {
        const int64_t here = t < p->threads ? p->counts[t] : 0;
        p->counts[t] = runs;
        runs += here;
    }
    return runs;
}

static void copy_keys(const hd__reduce_job *job, const int64_t *offsets, int64_t runs)
{
    _Alignas(HD__ALIGNMENT) unsigned char key[HD_MAX_ELEMENT];
    if (hd__is_empty(&job->keys_out)) return;
    for (int64_t j = 0; j < runs; j++) {
        hd__gather(&job->keys, offsets[j], 1, key);
        hd__scatter(&job->keys_out, j, 1, key);
    }
}

hd_status hd__cpu_reduce_by_key(hd_context *ctx, const hd__reduce_job *job)
{
    const int64_t block = hd__cpu_tune.by_key_block;
    plan p;
    p.job = job;
    p.threads = hd__cpu_threads_for(ctx, job->in.n, hd__size_of(job->keys.type));
    p.thread_bytes = hd__padded((size_t)block + (size_t)(block + 1) * hd__size_of(job->keys.type));
    p.memory = hd__scratch(ctx, (size_t)p.threads * p.thread_bytes);
    if (p.memory == NULL) return HD_ERROR_MEMORY;
    const int64_t runs = job->in.n > 0 ? count_runs(&p) : 0;
    if (job->runs != NULL) *job->runs = runs;
    HD_TRY(hd__check_runs(ctx, job, runs));
    if (runs == 0) return HD_OK;
    const size_t bytes = (size_t)(runs + 1 + p.threads) * sizeof(int64_t);
    int64_t *offsets = hd__allocate(ctx, bytes);
    if (offsets == NULL) return HD_ERROR_MEMORY;
    write_offsets(&p, offsets, runs);
    copy_keys(job, offsets, runs);
    hd__reduce_job as_segments = *job;
    as_segments.slices = HD__SEGMENTS;
    as_segments.segments = HD_VIEW(offsets, runs + 1);
    const hd_status status = hd__cpu_reduce_segments(ctx, &as_segments);
    hd__release(ctx, offsets, bytes);
    return status;
}
