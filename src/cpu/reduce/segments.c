// SPDX-License-Identifier: Apache-2.0
// Segmented reduction. Threads take groups of segments as they come free; a segment too long for
// one thread is deferred and reduced by all of them afterwards. Segments that all have one length
// are read as several streams.
#include "segments.h"
#include "cpu/tree/tree_worker.h"
#include "core/system/float_state.h"
#include "patterns/scan/head_flags.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/work_stealing.h"
#include "cpu/runtime/team.h"

#include <stdatomic.h>

typedef struct plan {
    hd_context *ctx;
    const hd__reduce_job *job;
    hd__cpu_tree_kernels k;
    int64_t segments, group;
    int64_t length, quarter; // of all segments, if it is one; how many lie between places
    int64_t even;            // of these, taken at a time
    int threads;
    bool plain, tiled, far;
    size_t thread_bytes, worker_bytes;
    unsigned char *memory;
    hd__cpu_long_segments deferred;
    int64_t most, deferred_max; // elements of a segment that is not set aside; segments
    atomic_llong deferred_count;
    atomic_int failed; // a group with bad offsets
} plan;

// One thread's room: offsets of a group and its long segments, results and values, and a worker.
typedef struct room {
    int64_t *offsets, *left;
    unsigned char *results, *values, *worker;
} room;

static room room_of(const plan *p, int thread)
{
    const int64_t group_max = hd__cpu_tune.segment_group_max;
    room r;
    unsigned char *memory = p->memory + (size_t)thread * p->thread_bytes;
    r.offsets = (int64_t *)memory;
    r.left = r.offsets + group_max + 8;
    r.worker = (unsigned char *)(r.left + group_max);
    r.results = r.worker + p->worker_bytes;
    r.values = r.results + hd__padded((size_t)group_max * p->job->fold.out_size);
    return r;
}

// Whether the kernel may write results of segments without another look: from elements where they
// lie, or from tiles of them that a function or an index makes.
static bool has_kernel(const plan *p)
{
    const hd__fold *f = &p->job->fold;
    return p->k.micro.segments != NULL && f->direct_in && f->direct_out && f->init == NULL &&
           hd__is_contiguous(&p->job->out);
}

// Offsets where they lie, or NULL if they must be converted.
static const int64_t *plain_offsets(const plan *p)
{
    const hd_view *v = &p->job->segments;
    return v->type == HD_I64 && hd__is_contiguous(v) ? v->data : NULL;
}

// Of offsets that nobody has checked yet.
static int64_t unchecked_length(const int64_t *offsets)
{
    return (int64_t)((uint64_t)offsets[1] - (uint64_t)offsets[0]);
}

// The length of all segments, judged by some of them; 0 if it is not one that has a kernel.
static int64_t common_length(const plan *p)
{
    const int64_t probes = hd__cpu_tune.segment_probes;
    const int64_t *offsets = plain_offsets(p), apart = p->segments / probes;
    if (!p->plain || p->k.micro.even == NULL || offsets == NULL || apart < 1) return 0;
    const int64_t n = unchecked_length(offsets);
    if (n != 8 && n != 16 && n != 32) return 0;
    for (int64_t i = 1; i < probes; i++)
        if (unchecked_length(offsets + i * apart) != n) return 0;
    return n;
}

static void select_method(plan *p)
{
    const int64_t far_elements = hd__cpu_tune.segment_far_elements;
    const int64_t group_max = hd__cpu_tune.segment_group_max;
    const hd__reduce_job *job = p->job;
    const int64_t n = job->in.n, mean = n / (p->segments > 0 ? p->segments : 1) + 1;
    p->plain = has_kernel(p) && job->in.direct;
    p->tiled = has_kernel(p) && !job->in.direct;
    p->far = p->plain && p->k.micro.upsweep_streams != NULL &&
             n >= hd__cpu_tune.segment_far_bytes / (int64_t)job->fold.element_size;
    p->length = common_length(p);
    p->quarter = p->segments / HD__STREAMS / HD__EVEN * HD__EVEN;
    p->most = !p->far                ? hd__cpu_tune.segment_long_elements
              : mean >= far_elements ? far_elements
                                     : hd__cpu_tune.segment_far_among_short;
    p->deferred_max = n / p->most + 1;
    p->group = hd__cpu_tune.segment_group_elements / (mean < p->most ? mean : p->most);
    if (p->group < 1) p->group = 1;
    if (p->group > group_max) p->group = group_max;
}

static hd_status prepare(hd_context *ctx, const hd__reduce_job *job, plan *p)
{
    const int64_t group_max = hd__cpu_tune.segment_group_max;
    const int64_t n = job->in.n;
    p->ctx = ctx;
    p->job = job;
    hd__cpu_tree_kernels_of(ctx, &job->fold, &p->k);
    p->segments = job->segments.shape[0] - 1;
    select_method(p);
    p->threads = hd__cpu_threads_for(ctx, n + 2 * p->segments, job->fold.element_size);
    p->even = p->quarter / (hd__cpu_tune.chunks_per_thread * p->threads) / HD__EVEN * HD__EVEN;
    if (p->even > group_max || p->threads <= hd__cpu_tune.static_threads_max) p->even = group_max;
    if (p->even < HD__EVEN) p->even = HD__EVEN;
    p->worker_bytes = hd__cpu_worker_bytes(&p->k, &job->in);
    p->thread_bytes = p->worker_bytes + (size_t)(2 * group_max + 8) * sizeof(int64_t) +
                      hd__padded((size_t)group_max * job->fold.out_size) + (size_t)group_max * 8;
    const size_t threads_bytes = (size_t)p->threads * p->thread_bytes;
    const size_t list_bytes = hd__padded((size_t)(p->deferred_max + 1) * sizeof *p->deferred.list);
    const size_t node_bytes = p->far ? (size_t)(n / HD__STREAM_NODE + 1) * p->k.size : 0;
    p->memory = hd__scratch(ctx, threads_bytes + list_bytes + node_bytes);
    if (p->memory == NULL) return HD_ERROR_MEMORY;
    p->deferred = (hd__cpu_long_segments){
        .micro = &p->k.micro,
        .size = p->k.size,
        .in = job->in.view[0].data,
        .out = job->out.data,
        .list = (hd__cpu_long_segment *)(p->memory + threads_bytes),
        .nodes = (char *)p->memory + threads_bytes + list_bytes,
    };
    atomic_init(&p->deferred_count, 0);
    atomic_init(&p->failed, 0);
    return HD_OK;
}

// Offsets first .. first + m of the job, where they lie or converted.
static const int64_t *read_offsets(const plan *p, room r, int64_t first, int64_t m)
{
    const int64_t *plain = plain_offsets(p);
    if (plain != NULL) return plain + first;
    hd__offsets(&p->job->segments, first, m + 1, r.offsets);
    return r.offsets;
}

// One segment in one thread, into results and values.
static void reduce_one(const plan *p, hd__cpu_worker *w, int64_t begin, int64_t end, int64_t i,
                       room r)
{
    const hd__fold *f = &p->job->fold;
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    unsigned char *result = r.results + (size_t)i * f->out_size;
    unsigned char *value = r.values + (size_t)i * 8;
    if (begin == end) {
        hd__finalize_empty(f, result, value);
        return;
    }
    w->in.first = -begin; // an index counts from the start of its segment
    hd__cpu_worker_reduce(w, begin, end - begin, node);
    hd__apply_init(f, node, 1);
    hd__finalize(f, node, 1, NULL, end - begin, result, value);
}

// Segments first + left[0], ... of a group are for all threads. False if they are more than there
// are elements for, which only bad offsets make.
static bool defer(plan *p, const int64_t *offsets, int64_t first, const int64_t *left,
                  int64_t count)
{
    if (count == 0) return true;
    const int64_t at = atomic_fetch_add(&p->deferred_count, count);
    if (at + count > p->deferred_max) return false;
    for (int64_t i = 0; i < count; i++) {
        const int64_t j = left[i], begin = offsets[j];
        p->deferred.list[at + i] =
            (hd__cpu_long_segment){first + j, begin, offsets[j + 1] - begin, 0};
    }
    return true;
}

// Segments first .. first + m - 1 with the worker. Returns how many are left, which have some
// result.
static int64_t reduce_by_worker(const plan *p, hd__cpu_worker *w, const int64_t *offsets,
                                int64_t first, int64_t m, room r)
{
    const hd__reduce_job *job = p->job;
    int64_t count = 0;
    for (int64_t i = 0; i < m; i++) {
        const bool is_long = offsets[i + 1] - offsets[i] > p->most;
        if (is_long) r.left[count++] = i;
        reduce_one(p, w, offsets[i], is_long ? offsets[i] + 1 : offsets[i + 1], i, r);
    }
    hd__scatter(&job->out, first, m, r.results);
    if (!hd__is_empty(&job->values)) { // packed to the element's size on the way out
        for (int64_t i = 0; i < m; i++) hd__scatter(&job->values, first + i, 1, r.values + i * 8);
    }
    return count;
}

// As many segments at a time as fit a tile: their elements are made at once, for the kernel. A
// segment beyond a tile is the worker's. Returns how many are left.
static int64_t reduce_tiles(const plan *p, hd__cpu_worker *w, const int64_t *offsets, int64_t first,
                            int64_t m, room r)
{
    room rest = r;
    int64_t count = 0;
    for (int64_t i = 0, end; i < m; i = end) {
        const int64_t begin = offsets[i];
        for (end = i; end < m && offsets[end + 1] - begin <= w->block; end++) continue;
        if (end == i) {
            end = i + 1;
            rest.left = r.left + count;
            if (reduce_by_worker(p, w, offsets + i, first + i, 1, rest) > 0) r.left[count++] = i;
            continue;
        }
        const void *tile = hd__read(&w->in, begin, offsets[end] - begin, w->elements);
        const void *origin = (const void *)((uintptr_t)tile - (uintptr_t)begin * p->k.size);
        p->k.micro.segments(p->deferred.out + (size_t)(first + i) * p->k.size, origin, offsets + i,
                            end - i, INT64_MAX, r.left + count);
    }
    return count;
}

// False, and nothing done, if the offsets of a group are not good.
static bool reduce_group(plan *p, hd__cpu_worker *w, int64_t first, int64_t m, room r)
{
    const int64_t *offsets = read_offsets(p, r, first, m);
    int64_t bad = (offsets[0] < 0) | (offsets[m] > p->job->in.n);
    for (int64_t i = 0; i < m; i++) bad |= offsets[i + 1] < offsets[i];
    if (bad) return false;
    const int64_t count = p->plain
                              ? p->k.micro.segments(p->deferred.out + (size_t)first * p->k.size,
                                                    p->deferred.in, offsets, m, p->most, r.left)
                          : p->tiled ? reduce_tiles(p, w, offsets, first, m, r)
                                     : reduce_by_worker(p, w, offsets, first, m, r);
    return defer(p, offsets, first, r.left, count);
}

static void take_segments(plan *p, hd__cpu_worker *w, int64_t first, int64_t m, room r)
{
    if (atomic_load_explicit(&p->failed, memory_order_relaxed)) return;
    if (!reduce_group(p, w, first, m, r))
        atomic_store_explicit(&p->failed, 1, memory_order_relaxed);
}

static void take_group(plan *p, hd__cpu_worker *w, int64_t g, room r)
{
    const int64_t first = g * p->group, left = p->segments - first;
    take_segments(p, w, first, left < p->group ? left : p->group, r);
}

// Segments first .. first + m - 1 of each quarter, if they are all of the one length.
static bool reduce_even(const plan *p, int64_t first, int64_t m)
{
    const int64_t *offsets = plain_offsets(p) + first;
    for (int64_t s = 0; s < HD__STREAMS; s++) {
        const int64_t begin = offsets[s * p->quarter];
        if (begin < 0 || begin > p->job->in.n || m * p->length > p->job->in.n - begin) return false;
    }
    return p->k.micro.even(p->deferred.out + (size_t)first * p->k.size, p->deferred.in, offsets, m,
                           p->quarter, p->length);
}

static void take_even(plan *p, hd__cpu_worker *w, int64_t g, room r)
{
    const int64_t first = g * p->even, left = p->quarter - first;
    const int64_t m = left < p->even ? left : p->even;
    if (reduce_even(p, first, m)) return;
    for (int64_t s = 0; s < HD__STREAMS; s++) take_segments(p, w, s * p->quarter + first, m, r);
}

static void reduce_groups_alone(plan *p, int64_t groups)
{
    const room r = room_of(p, 0);
    hd__cpu_worker w;
    hd__cpu_worker_init(&w, &p->k, &p->job->in, r.worker);
    for (int64_t g = 0; g < groups; g++) take_group(p, &w, g, r);
}

// One thread's part of a parallel region.
static void reduce_groups_together(plan *p, int64_t groups, hd__cpu_ranges *even)
{
    const room r = room_of(p, omp_get_thread_num());
    hd__cpu_worker w;
    hd__cpu_worker_init(&w, &p->k, &p->job->in, r.worker);
    if (p->length > 0) {
#pragma omp single nowait
        take_segments(p, &w, HD__STREAMS * p->quarter, p->segments - HD__STREAMS * p->quarter, r);
        hd__cpu_stealer stealer = hd__cpu_stealer_of(even);
        int64_t g, end;
        while (hd__cpu_next_chunk(&stealer, &g, &end))
            for (; g < end; g++) take_even(p, &w, g, r);
#pragma omp barrier
    } else {
#pragma omp for schedule(dynamic, 4)
        for (int64_t g = 0; g < groups; g++) take_group(p, &w, g, r);
    }
    const int64_t count = atomic_load(&p->deferred_count);
    if (p->far && count > 0 && !atomic_load(&p->failed))
        hd__cpu_reduce_long_segments(&p->deferred, count);
}

static void reduce_groups(plan *p)
{
    const int64_t groups = (p->segments + p->group - 1) / p->group;
    if (p->threads == 1 && !p->far && p->length == 0) {
        reduce_groups_alone(p, groups);
        return;
    }
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
    hd__cpu_ranges even;
    if (p->length > 0)
        hd__cpu_ranges_init(&even, (p->quarter + p->even - 1) / p->even, p->threads, 1);
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        HD__FLOAT_STATE;
        if (p->threads > 1) hd__cpu_affinity_spread(&affinity);
        reduce_groups_together(p, groups, &even);
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

static hd_status reduce_long(hd_context *ctx, const hd__reduce_job *job,
                             const hd__cpu_long_segment *s)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    hd__reader in;
    segment_reader(&job->in, s->begin, s->begin + s->n, &in);
    HD_TRY(hd__cpu_reduce_parallel(ctx, &job->fold, &in, NULL, node));
    return hd__cpu_store_result(ctx, job, node, in.n, s->segment);
}

hd_status hd__cpu_reduce_segments(hd_context *ctx, const hd__reduce_job *job)
{
    plan p;
    HD_TRY(hd__check_empty_segments(ctx, job));
    HD_TRY(prepare(ctx, job, &p));
    reduce_groups(&p);
    if (atomic_load(&p.failed))
        return hd__check_all_offsets(ctx, "hd_reduce", &job->segments, job->in.n); // says what
    const int64_t count = p.far ? 0 : atomic_load(&p.deferred_count);
    if (count == 0) return HD_OK;
    // The list lies in the scratch that the next reductions will use.
    const size_t bytes = (size_t)count * sizeof *p.deferred.list;
    hd__cpu_long_segment *list = hd__allocate(ctx, bytes);
    if (list == NULL) return HD_ERROR_MEMORY;
    memcpy(list, p.deferred.list, bytes);
    hd_status status = HD_OK;
    for (int64_t i = 0; i < count && status == HD_OK; i++) status = reduce_long(ctx, job, list + i);
    hd__release(ctx, list, bytes);
    return status;
}
