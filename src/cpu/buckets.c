// SPDX-License-Identifier: Apache-2.0
// Partition many ways: threads own equal stretches of the sequence; each counts its buckets, the
// counts become places (of bucket 0 of the first thread, of the second, ..., of bucket 1, ...), and
// each deals its elements out.
#include "cpu/buckets.h"
#include "core/convert.h"
#include "cpu/cpu.h"
#include "cpu/isa.h"
#include "cpu/select_micro.h"

#define BLOCK 4096 // elements whose buckets are looked at together

typedef struct plan {
    const hd__partition_job *job;
    const hd__select_micro *micro;
    size_t size;
    int threads;
    size_t thread_bytes, label_bytes;
    unsigned char *memory;
    int64_t *places; // threads x ways: counts, then the next free place
    int64_t *begins; // ways
    int64_t bad;     // the first element without a bucket, or n
} plan;

// One thread's blocks of its stretch.
typedef struct member {
    plan *p;
    int64_t *places;
    int64_t at, end;
    uint32_t *buckets;
    unsigned char *elements, *labels;
} member;

static void member_init(member *m, plan *p, int thread)
{
    unsigned char *memory = p->memory + (size_t)thread * p->thread_bytes;
    const int64_t n = p->job->n;
    m->p = p;
    m->places = p->places + (int64_t)thread * p->job->ways;
    m->at = n / p->threads * thread;
    m->end = thread + 1 < p->threads ? n / p->threads * (thread + 1) : n;
    m->buckets = (void *)memory;
    m->elements = memory + hd__padded(BLOCK * sizeof *m->buckets);
    m->labels = m->elements + hd__padded(BLOCK * p->size);
}

static const void *elements_of(member *m, int64_t start, int64_t n)
{
    if (hd__is_contiguous(&m->p->job->in)) return hd__at(&m->p->job->in, start);
    hd__gather(&m->p->job->in, start, n, m->elements);
    return m->elements;
}

// Buckets as u32; returns the first bad one's place, or n. A bad one becomes bucket 0.
static int64_t read_buckets(member *m, int64_t start, int64_t n, const void *elements)
{
    const hd__labels *l = &m->p->job->labels;
    const void *labels = hd__read_labels(l, start, n, elements, m->labels);
    const uint64_t ways = (uint64_t)m->p->job->ways;
    uint64_t wide[BLOCK], bad = 0;
    hd__convert(HD_U64, wide, l->type, labels, n); // a negative one becomes greater than all
    for (int64_t i = 0; i < n; i++) {
        bad |= wide[i] >= ways;
        m->buckets[i] = wide[i] < ways ? (uint32_t)wide[i] : 0;
    }
    if (!bad) return n;
    for (int64_t i = 0; i < n; i++)
        if (wide[i] >= ways) return i;
    return n;
}

static int64_t count_stretch(member *m)
{
    const bool own = m->p->job->labels.own;
    memset(m->places, 0, (size_t)m->p->job->ways * sizeof *m->places);
    for (int64_t start = m->at; start < m->end; start += BLOCK) {
        const int64_t n = m->end - start < BLOCK ? m->end - start : BLOCK;
        const int64_t bad = read_buckets(m, start, n, own ? elements_of(m, start, n) : NULL);
        if (bad < n) return start + bad;
        for (int64_t i = 0; i < n; i++) m->places[m->buckets[i]]++;
    }
    return m->p->job->n;
}

// Counts into places.
static void place(plan *p)
{
    const int64_t ways = p->job->ways;
    int64_t sum = 0;
    for (int64_t b = 0; b < ways; b++) {
        p->begins[b] = sum;
        for (int t = 0; t < p->threads; t++) {
            const int64_t count = p->places[t * ways + b];
            p->places[t * ways + b] = sum;
            sum += count;
        }
    }
}

static int size_class(const plan *p)
{
    const hd_view *out = &p->job->out, *in = &p->job->in;
    const size_t s = p->size;
    const int k = s == 1 ? 0 : s == 2 ? 1 : s == 4 ? 2 : s == 8 ? 3 : -1;
    const bool dense = hd__is_contiguous(out) && (uintptr_t)out->data % s == 0;
    const bool aligned = !hd__is_contiguous(in) || (uintptr_t)in->data % s == 0;
    return dense && aligned && hd__is_unset(&p->job->indices) ? k : -1;
}

// Any size, any layout, with indices.
static void deal_one_by_one(member *m, int64_t start, int64_t n, const unsigned char *elements)
{
    const hd__partition_job *job = m->p->job;
    const size_t size = m->p->size;
    for (int64_t i = 0; i < n; i++) {
        const int64_t to = m->places[m->buckets[i]]++, from = start + i;
        if (hd__is_contiguous(&job->out))
            memcpy((char *)job->out.data + to * (int64_t)size, elements + (size_t)i * size, size);
        else
            hd__scatter(&job->out, to, 1, elements + (size_t)i * size);
        if (!hd__is_unset(&job->indices)) hd__put_indices(&job->indices, to, 1, &from);
    }
}

static void deal_stretch(member *m)
{
    const plan *p = m->p;
    const int k = size_class(p);
    for (int64_t start = m->at; start < m->end; start += BLOCK) {
        const int64_t n = m->end - start < BLOCK ? m->end - start : BLOCK;
        const void *elements = elements_of(m, start, n);
        read_buckets(m, start, n, p->job->labels.own ? elements : NULL);
        if (k >= 0)
            p->micro->deal[k](p->job->out.data, elements, m->buckets, n, m->places);
        else
            deal_one_by_one(m, start, n, elements);
    }
}

// By stretches, not by threads: OpenMP may give fewer threads than asked for.
static void deal_together(plan *p)
{
    int64_t bad = p->job->n;
#pragma omp parallel for num_threads(p->threads) if (p->threads > 1) schedule(static)              \
    reduction(min                                                                                  \
              : bad)
    for (int t = 0; t < p->threads; t++) {
        member m;
        member_init(&m, p, t);
        const int64_t mine = count_stretch(&m);
        bad = mine < bad ? mine : bad;
    }
    p->bad = bad;
    if (bad < p->job->n) return;
    place(p);
#pragma omp parallel for num_threads(p->threads) if (p->threads > 1) schedule(static)
    for (int t = 0; t < p->threads; t++) {
        member m;
        member_init(&m, p, t);
        deal_stretch(&m);
    }
}

static hd_status name_bad(hd_context *ctx, plan *p)
{
    member m;
    int64_t bucket;
    member_init(&m, p, 0);
    const void *label = hd__read_labels(&p->job->labels, p->bad, 1, NULL, m.labels);
    hd__convert(HD_I64, &bucket, p->job->labels.type, label, 1);
    return hd__bad_bucket(ctx, p->job, p->bad, bucket);
}

// More threads than this would spend their time on counts.
static int threads_for(hd_context *ctx, const hd__partition_job *job, size_t size)
{
    const int most = hd__worth_threads(ctx, job->n, 2 * size);
    const int64_t worth = job->n / (4 * job->ways) + 1;
    return worth < most ? (int)worth : most;
}

hd_status hd__cpu_partition_buckets(hd_context *ctx, const hd__partition_job *job)
{
    plan p = {.job = job, .micro = ctx->isa->table->select, .size = hd__size_of(job->in.type)};
    p.threads = threads_for(ctx, job, p.size);
    p.thread_bytes = hd__padded(BLOCK * sizeof(uint32_t)) + hd__padded(BLOCK * p.size) +
                     hd__labels_bytes(&job->labels, BLOCK);
    const size_t own = (size_t)p.threads * p.thread_bytes;
    const size_t ways = (size_t)job->ways * sizeof(int64_t);
    p.memory = hd__scratch(ctx, own + (size_t)(p.threads + 1) * ways);
    if (p.memory == NULL) return HD_ERROR_MEMORY;
    p.begins = (void *)(p.memory + own);
    p.places = p.begins + job->ways;
    deal_together(&p);
    if (p.bad < job->n) return name_bad(ctx, &p);
    hd__put_parts(job, p.begins);
    return HD_OK;
}
