// SPDX-License-Identifier: Apache-2.0
// Expansion of runs: threads sum the lengths by the block, an exclusive scan turns the sums into
// output offsets, and each thread writes chunks of the output, from the run that a binary search
// finds.
#include "patterns/select/expand.h"
#include "core/convert.h"
#include "core/system/float_state.h"
#include "patterns/select/flags.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/team.h"
#include "select_kernels.h"

HD__CPU_BRINGS(const hd__cpu_select_kernels, select_micro)

typedef struct plan {
    const hd__expand_job *job;
    const hd__cpu_select_kernels *micro;
    size_t size;
    int threads;
    int64_t blocks, chunk;
    size_t thread_bytes;
    unsigned char *memory;
    int64_t *begins; // where each block's output begins; and its end
    bool odd;        // a length is negative or beyond 2^53
    hd__cpu_affinity affinity;
} plan;

typedef struct worker {
    const plan *p;
    int64_t *lengths; // of a block
    unsigned char *raw, *values, *written;
} worker;

static size_t worker_bytes(const plan *p)
{
    const size_t block = (size_t)hd__cpu_tune.expand_block;
    return hd__padded(block * sizeof(int64_t)) * 2 + hd__padded(block * p->size) +
           hd__padded((size_t)p->chunk * p->size);
}

static void worker_init(worker *m, const plan *p, int thread)
{
    m->p = p;
    m->lengths = (void *)(p->memory + (size_t)thread * p->thread_bytes);
    const size_t block = (size_t)hd__cpu_tune.expand_block;
    m->raw = (unsigned char *)m->lengths + hd__padded(block * sizeof(int64_t));
    m->values = m->raw + hd__padded(block * sizeof(int64_t));
    m->written = m->values + hd__padded(block * p->size);
}

static int64_t block_length(const plan *p, int64_t b)
{
    const int64_t block = hd__cpu_tune.expand_block;
    const int64_t left = p->job->m - b * block;
    return left < block ? left : block;
}

static const int64_t *lengths_of(worker *m, int64_t b, int64_t n)
{
    const int64_t block = hd__cpu_tune.expand_block;
    const hd_view *v = &m->p->job->lengths;
    const void *from = m->raw;
    if (hd__is_contiguous(v))
        from = hd__at(v, b * block);
    else
        hd__gather(v, b * block, n, m->raw);
    if (v->type == HD_I64 || v->type == HD_U64) return from;
    if (v->type == HD_I32) // the usual ones in one step
        for (int64_t i = 0; i < n; i++) m->lengths[i] = ((const int32_t *)from)[i];
    else
        hd__convert(HD_I64, m->lengths, v->type, from, n);
    return m->lengths;
}

static const void *values_of(worker *m, int64_t b, int64_t n)
{
    const int64_t block = hd__cpu_tune.expand_block;
    const hd_view *v = &m->p->job->values;
    if (hd__is_contiguous(v)) return hd__at(v, b * block);
    hd__gather(v, b * block, n, m->values);
    return m->values;
}

// ---- Sums --------------------------------------------------------------------------------------

// Returns the bits of all lengths together, which tell whether one is odd.
static uint64_t sum_block(worker *m, int64_t b)
{
    const int64_t n = block_length(m->p, b);
    const int64_t *lengths = lengths_of(m, b, n);
    uint64_t sum = 0, all = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += (uint64_t)lengths[i];
        all |= (uint64_t)lengths[i];
    }
    m->p->begins[b] = (int64_t)sum;
    return all;
}

// Sums into places; odd if they are beyond what can be counted.
static void sums_to_offsets(plan *p)
{
    int64_t sum = 0;
    for (int64_t b = 0; b <= p->blocks; b++) {
        const int64_t here = b < p->blocks ? p->begins[b] : 0;
        p->begins[b] = sum;
        if (__builtin_add_overflow(sum, here, &sum)) p->odd = true;
    }
}

static void sum_together(plan *p)
{
    uint64_t all = 0;
#pragma omp parallel num_threads(p->threads) if (p->threads > 1) reduction(| : all)
    {
        HD__FLOAT_STATE;
        worker m;
        worker_init(&m, p, omp_get_thread_num());
#pragma omp for schedule(static) nowait
        for (int64_t b = 0; b < p->blocks; b++) all |= sum_block(&m, b);
    }
    p->odd = all >> 53 != 0;
    if (!p->odd) sums_to_offsets(p);
}

// ---- Output ------------------------------------------------------------------------------------

// The block in which output `at` lies: the last that begins there or before.
static int64_t block_at(const plan *p, int64_t at)
{
    int64_t low = 0, high = p->blocks;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (p->begins[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int64_t repeat_any(unsigned char *out, const unsigned char *values, size_t size,
                          const int64_t *lengths, int64_t m, int64_t room)
{
    int64_t done = 0;
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < lengths[j] && done < room; i++, done++)
            memcpy(out + (size_t)done * size, values + (size_t)j * size, size);
    return done;
}

static int64_t repeat(const plan *p, void *out, const void *values, const int64_t *lengths,
                      int64_t m, int64_t room)
{
    const size_t s = p->size;
    const int k = s == 1 ? 0 : s == 2 ? 1 : s == 4 ? 2 : s == 8 ? 3 : -1;
    if (k >= 0 && (uintptr_t)out % s == 0 && (uintptr_t)values % s == 0)
        return p->micro->repeat[k](out, values, lengths, m, room);
    return repeat_any(out, values, s, lengths, m, room);
}

// Writes outputs begin .. end - 1 to `out`.
static void write_chunk(worker *m, int64_t begin, int64_t end, unsigned char *out)
{
    const plan *p = m->p;
    int64_t b = block_at(p, begin), done = 0;
    for (int64_t skip = begin - p->begins[b]; begin + done < end; b++, skip = 0) {
        const int64_t n = block_length(p, b), room = end - begin - done;
        const int64_t *lengths = lengths_of(m, b, n);
        const unsigned char *values = values_of(m, b, n);
        int64_t j = 0;
        while (j < n && skip >= lengths[j]) skip -= lengths[j++];
        if (j == n) continue;
        if (skip > 0) { // what is left of the run the chunk begins in
            const int64_t left = lengths[j] - skip;
            done += repeat(p, out + (size_t)done * p->size, values + (size_t)j * p->size, &left, 1,
                           room);
            j++;
        }
        done += repeat(p, out + (size_t)done * p->size, values + (size_t)j * p->size, lengths + j,
                       n - j, end - begin - done);
    }
}

static void write_together(plan *p, int64_t total)
{
    const hd_view *out = &p->job->out;
    const int64_t chunks = (total + p->chunk - 1) / p->chunk;
    hd__cpu_affinity_begin(&p->affinity);
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        HD__FLOAT_STATE;
        if (p->threads > 1) hd__cpu_affinity_spread(&p->affinity);
        worker m;
        worker_init(&m, p, omp_get_thread_num());
#pragma omp for schedule(dynamic) nowait
        for (int64_t k = 0; k < chunks; k++) {
            const int64_t begin = k * p->chunk;
            const int64_t end = total - begin < p->chunk ? total : begin + p->chunk;
            const bool dense = hd__is_contiguous(out);
            write_chunk(&m, begin, end,
                        dense ? (unsigned char *)(uintptr_t)hd__at(out, begin) : m.written);
            if (!dense) hd__scatter(out, begin, end - begin, m.written);
        }
    }
}

hd_status hd__cpu_expand(hd_context *ctx, const void *any, const char **why)
{
    const int64_t block = hd__cpu_tune.expand_block;
    const hd__expand_job *job = any;
    (void)why; // never declines
    plan p = {.job = job,
              .micro = hd__cpu_micro_table(ctx)->select,
              .size = hd__size_of(job->values.type)};
    const int64_t most = job->m > hd_count(job->out) ? job->m : hd_count(job->out);
    p.threads = hd__cpu_threads_for(ctx, most, p.size);
    p.blocks = (job->m + block - 1) / block;
    p.chunk = hd__cpu_tune.expand_chunk_bytes / (int64_t)p.size;
    p.thread_bytes = worker_bytes(&p);
    const size_t own = (size_t)p.threads * p.thread_bytes;
    p.memory = hd__scratch(ctx, own + (size_t)(p.blocks + 1) * sizeof *p.begins);
    if (p.memory == NULL) return HD_ERROR_MEMORY;
    p.begins = (void *)(p.memory + own);
    sum_together(&p);
    if (p.odd) return hd__sum_lengths(ctx, job);
    *job->count = p.begins[p.blocks];
    HD_TRY(hd__check_expansion(ctx, job));
    if (*job->count > 0) write_together(&p, *job->count);
    return HD_OK;
}
