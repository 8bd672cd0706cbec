// SPDX-License-Identifier: Apache-2.0
// Reduction of segments. Threads take groups of segments as they come free; a segment too long for
// one thread is left aside and reduced by all of them afterwards.
#include "cpu/cpu.h"
#include "core/heads.h"
#include "cpu/placement.h"

#include <omp.h>
#include <stdatomic.h>

#define GROUP_ELEMENTS 32768 // about what a thread takes at a time
#define GROUP_MOST     1024 // segments at a time: their offsets and results stay in the first cache
#define LONG_ELEMENTS  (1 << 18)

typedef struct plan {
    hd_context *ctx;
    const hd__reduce_job *job;
    hd__kernels k;
    int64_t segments, group;
    int threads;
    size_t thread_bytes, worker_bytes;
    unsigned char *memory;
    int64_t *long_ones; // segments left aside
    atomic_llong long_count;
    atomic_int failed; // a group with bad offsets
} plan;

// One thread's room: offsets of a group, results and values of a group, and a worker.
typedef struct room {
    int64_t *offsets;
    unsigned char *results, *values, *worker;
} room;

static room room_of(const plan *p, int thread)
{
    room r;
    unsigned char *memory = p->memory + (size_t)thread * p->thread_bytes;
    r.offsets = (int64_t *)memory;
    r.worker = memory + (GROUP_MOST + 8) * sizeof(int64_t);
    r.results = r.worker + p->worker_bytes;
    r.values = r.results + hd__padded(GROUP_MOST * p->job->fold.out_size);
    return r;
}

static hd_status prepare(hd_context *ctx, const hd__reduce_job *job, plan *p)
{
    const int64_t n = job->in.n;
    p->ctx = ctx;
    p->job = job;
    hd__kernels_of(ctx, &job->fold, &p->k);
    p->segments = job->segments.shape[0] - 1;
    const int64_t mean = n / (p->segments > 0 ? p->segments : 1) + 1;
    p->group = GROUP_ELEMENTS / mean;
    if (p->group < 1) p->group = 1;
    if (p->group > GROUP_MOST) p->group = GROUP_MOST;
    p->threads = hd__worth_threads(ctx, n + 2 * p->segments, job->fold.element_size);
    p->worker_bytes = hd__worker_bytes(&p->k, &job->in);
    p->thread_bytes = p->worker_bytes + (GROUP_MOST + 8) * sizeof(int64_t) +
                      hd__padded(GROUP_MOST * job->fold.out_size) + GROUP_MOST * 8;
    const size_t long_bytes = (size_t)(n / LONG_ELEMENTS + 1) * sizeof(int64_t);
    p->memory = hd__scratch(ctx, (size_t)p->threads * p->thread_bytes + hd__padded(long_bytes));
    if (p->memory == NULL) return HD_ERROR_MEMORY;
    p->long_ones = (int64_t *)(p->memory + (size_t)p->threads * p->thread_bytes);
    atomic_init(&p->long_count, 0);
    atomic_init(&p->failed, 0);
    return HD_OK;
}

// Offsets first .. first + m of the job, where they lie or converted.
static const int64_t *read_offsets(const plan *p, room r, int64_t first, int64_t m)
{
    const hd_view *v = &p->job->segments;
    if (v->type == HD_I64 && hd__is_contiguous(v)) return (const int64_t *)hd__at(v, first);
    hd__offsets(v, first, m + 1, r.offsets);
    return r.offsets;
}

// Whether the kernel may write results of segments without another look.
static bool is_plain(const plan *p)
{
    const hd__fold *f = &p->job->fold;
    return p->k.micro.segments != NULL && p->job->in.direct && f->direct_out && f->init == NULL &&
           hd__is_contiguous(&p->job->out);
}

// One segment in one thread, into results and values.
static void reduce_one(const plan *p, hd__worker *w, int64_t begin, int64_t end, int64_t i, room r)
{
    const hd__fold *f = &p->job->fold;
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    unsigned char *result = r.results + (size_t)i * f->out_size;
    unsigned char *value = r.values + (size_t)i * 8;
    if (begin == end) {
        hd__lower_empty(f, result, value);
        return;
    }
    w->in.first = -begin; // an index counts from the start of its segment
    hd__worker_reduce(w, begin, end - begin, node);
    hd__apply_init(f, node, 1);
    hd__lower(f, node, 1, NULL, end - begin, result, value);
}

static void set_aside(plan *p, int64_t segment)
{
    p->long_ones[atomic_fetch_add(&p->long_count, 1)] = segment;
}

// Segments first .. first + m - 1, none of them long.
static void reduce_short(plan *p, hd__worker *w, const int64_t *offsets, int64_t first, int64_t m,
                         room r)
{
    const hd__reduce_job *job = p->job;
    if (m <= 0) return;
    if (is_plain(p)) {
        char *out = (char *)job->out.data + (size_t)first * job->fold.out_size;
        p->k.micro.segments(out, job->in.view[0].data, offsets, m);
        return;
    }
    for (int64_t i = 0; i < m; i++) reduce_one(p, w, offsets[i], offsets[i + 1], i, r);
    hd__scatter(&job->out, first, m, r.results);
    if (!hd__is_unset(&job->values)) { // packed to the element's size on the way out
        for (int64_t i = 0; i < m; i++) hd__scatter(&job->values, first + i, 1, r.values + i * 8);
    }
}

// A group is cut at its long segments. False, and nothing done, if its offsets are not good.
static bool reduce_group(plan *p, hd__worker *w, int64_t first, int64_t m, room r)
{
    const int64_t *offsets = read_offsets(p, r, first, m);
    int64_t bad = (offsets[0] < 0) | (offsets[m] > p->job->in.n), any_long = 0;
    for (int64_t i = 0; i < m; i++) {
        bad |= offsets[i + 1] < offsets[i];
        any_long |= (uint64_t)offsets[i + 1] - (uint64_t)offsets[i] > LONG_ELEMENTS;
    }
    if (bad) return false;
    int64_t from = 0;
    for (int64_t i = 0; any_long && i < m; i++) {
        if (offsets[i + 1] - offsets[i] <= LONG_ELEMENTS) continue;
        reduce_short(p, w, offsets + from, first + from, i - from, r);
        set_aside(p, first + i);
        from = i + 1;
    }
    reduce_short(p, w, offsets + from, first + from, m - from, r);
    return true;
}

static void take_group(plan *p, hd__worker *w, int64_t g, room r)
{
    if (atomic_load_explicit(&p->failed, memory_order_relaxed)) return;
    const int64_t first = g * p->group, left = p->segments - first;
    if (!reduce_group(p, w, first, left < p->group ? left : p->group, r))
        atomic_store_explicit(&p->failed, 1, memory_order_relaxed);
}

static void reduce_groups_alone(plan *p, int64_t groups)
{
    const room r = room_of(p, 0);
    hd__worker w;
    hd__worker_init(&w, &p->k, &p->job->in, r.worker);
    for (int64_t g = 0; g < groups; g++) take_group(p, &w, g, r);
}

static void reduce_groups_together(plan *p, int64_t groups)
{
    hd__placement placement;
    hd__placement_begin(&placement);
#pragma omp parallel num_threads(p->threads)
    {
        hd__placement_settle(&placement);
        const room r = room_of(p, omp_get_thread_num());
        hd__worker w;
        hd__worker_init(&w, &p->k, &p->job->in, r.worker);
#pragma omp for schedule(dynamic, 4)
        for (int64_t g = 0; g < groups; g++) take_group(p, &w, g, r);
    }
}

// The segment as a reader of its own.
static void segment_reader(const hd__reader *in, int64_t begin, int64_t end, hd__reader *out)
{
    *out = *in;
    for (int k = 0; k < in->inputs; k++)
        out->view[k] = hd_slice(in->view[k], 0, begin, end - begin, 1);
    out->n = end - begin;
    out->first = 0;
}

static hd_status reduce_long(hd_context *ctx, const hd__reduce_job *job, int64_t segment)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    int64_t bounds[2];
    hd__reader in;
    hd__offsets(&job->segments, segment, 2, bounds);
    segment_reader(&job->in, bounds[0], bounds[1], &in);
    HD_TRY(hd__parallel_reduce(ctx, &job->fold, &in, NULL, node));
    return hd__store_result(ctx, job, node, in.n, segment);
}

hd_status hd__cpu_reduce_segments(hd_context *ctx, const hd__reduce_job *job)
{
    plan p;
    HD_TRY(hd__check_empty_segments(ctx, job));
    HD_TRY(prepare(ctx, job, &p));
    const int64_t groups = (p.segments + p.group - 1) / p.group;
    if (p.threads > 1)
        reduce_groups_together(&p, groups);
    else
        reduce_groups_alone(&p, groups);
    if (atomic_load(&p.failed))
        return hd__check_all_offsets(ctx, "hd_reduce", &job->segments, job->in.n); // says what
    const int64_t count = atomic_load(&p.long_count);
    if (count == 0) return HD_OK;
    // The list lies in the scratch that the next reductions will use.
    const size_t bytes = (size_t)count * sizeof(int64_t);
    int64_t *list = hd__allocate(ctx, bytes);
    if (list == NULL) return HD_ERROR_MEMORY;
    memcpy(list, p.long_ones, bytes);
    hd_status status = HD_OK;
    for (int64_t i = 0; i < count && status == HD_OK; i++) status = reduce_long(ctx, job, list[i]);
    hd__release(ctx, list, bytes);
    return status;
}
