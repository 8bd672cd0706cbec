// SPDX-License-Identifier: Apache-2.0
// Several reductions of the same elements: a chunk, an aligned power of two, is reduced by each
// operator while it is in the cache, so that memory is read once. Along an axis the same is done
// with slabs of rows, and with groups of segments. The nodes are those of the fixed tree, so the
// bits are those of hd_reduce.
#include "patterns/reduce/reduce_many.h"
#include "core/system/float_state.h"
#include "cpu/reduce/reduce.h"
#include "cpu/runtime/affinity.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/team.h"
#include "cpu/runtime/work_stealing.h"
#include "cpu/tree/tree_worker.h"
#include "patterns/scan/head_flags.h"

// One after another: for inputs that stay in the cache anyway.
static hd_status reduce_in_turn(hd_context *ctx, const hd__reduce_job *each, int64_t count)
{
    const char *why;
    for (int64_t k = 0; k < count; k++) HD_TRY(hd__cpu_reduce(ctx, &each[k], &why));
    return HD_OK;
}

// ---- Everything ---------------------------------------------------------------------------------

// How one operator reduces a chunk of elements that lie after each other.
typedef struct result {
    hd__cpu_tree_kernels k;
    hd__cpu_wide_sum *sum;      // or NULL
    hd__cpu_find_extreme *find; // or NULL
    size_t worker_at, nodes_at; // offsets in a thread's memory, and in the nodes of all chunks
} result;

typedef struct plan {
    const hd__reduce_many_job *job;
    const result *results;
    int threads;
    bool dense;
    int64_t n, chunk, chunks; // whole chunks; the rest is one thread's
    size_t tile_bytes, thread_bytes, nodes_bytes, tree_bytes;
    unsigned char *memory, *nodes, *pending; // of threads; of chunks; of one tree
} plan;

static void choose_kernels(hd_context *ctx, const hd__reduce_job *job, result *r)
{
    const hd__cpu_isa_kernels *table = hd__cpu_micro_table(ctx);
    const hd__fold *f = &job->fold;
    const hd_type type = f->element & 0xff;
    hd__cpu_tree_kernels_of(ctx, f, &r->k);
    r->sum = hd__cpu_sums_wide(f) ? table->wide_sum[type] : NULL;
    r->find = f->form != HD__ARG    ? NULL
              : f->op == HD__ARGMIN ? table->argmin[type]
                                    : table->argmax[type];
}

// The elements of a chunk as a reader of their own.
static void chunk_reader(const hd__reduce_job *job, const void *elements, int64_t start, int64_t n,
                         hd__reader *in)
{
    in->map = NULL;
    in->n = n;
    in->first = start;
    in->inputs = 1;
    in->view[0] = hd_view_of(job->fold.element, elements, n);
    hd__finish_reader(in, &job->fold, false);
}

// The node of n elements from `start` on, n a power of two or the whole input.
static void reduce_chunk(const plan *p, int64_t k, const void *elements, int64_t start, int64_t n,
                         unsigned char *mine, void *node)
{
    const result *r = &p->results[k];
    const hd__reduce_job *job = &p->job->each[k];
    if (r->sum != NULL) {
        r->sum(node, elements, n);
    } else if (r->find != NULL) {
        const int64_t at = r->find(elements, n);
        hd__load_nodes(&job->fold, (const char *)elements + (size_t)at * job->fold.element_size, 1,
                       start + at, node);
    } else {
        hd__reader in;
        hd__cpu_worker w;
        chunk_reader(job, elements, start, n, &in);
        hd__cpu_worker_init(&w, &r->k, &in, mine + r->worker_at);
        hd__cpu_worker_reduce(&w, 0, n, node);
    }
}

static const void *elements_of(const plan *p, int64_t start, int64_t n, unsigned char *mine)
{
    return hd__read_elements(&p->job->each[0].in, start, n, mine);
}

static void reduce_chunks(const plan *p)
{
    hd__cpu_affinity affinity;
    hd__cpu_affinity_begin(&affinity);
    hd__cpu_ranges ranges;
    hd__cpu_ranges_init(&ranges, p->chunks, p->threads, 1);
#pragma omp parallel num_threads(p->threads) if (p->threads > 1)
    {
        HD__FLOAT_STATE;
        hd__cpu_affinity_spread(&affinity);
        unsigned char *mine = p->memory + (size_t)omp_get_thread_num() * p->thread_bytes;
        hd__cpu_stealer stealer = hd__cpu_stealer_of(&ranges);
        int64_t c, end;
        while (hd__cpu_next_chunk(&stealer, &c, &end))
            for (; c < end; c++) {
                const int64_t start = c * p->chunk;
                const void *elements = elements_of(p, start, p->chunk, mine);
                for (int64_t k = 0; k < p->job->count; k++)
                    reduce_chunk(p, k, elements, start, p->chunk, mine,
                                 p->nodes + p->results[k].nodes_at +
                                     (size_t)c * p->results[k].k.size);
            }
    }
}

// The rest, less than a chunk, as perfect nodes, largest first; all operators take each.
static void reduce_rest(const plan *p)
{
    int64_t node = p->chunks;
    for (int64_t at = p->chunks * p->chunk, m; at < p->n; at += m, node++) {
        m = (int64_t)1 << (63 - __builtin_clzll((unsigned long long)(p->n - at)));
        const void *elements = elements_of(p, at, m, p->memory);
        for (int64_t k = 0; k < p->job->count; k++) {
            const result *r = &p->results[k];
            reduce_chunk(p, k, elements, at, m, p->memory,
                         p->nodes + r->nodes_at + (size_t)node * r->k.size);
        }
    }
}

// The tree of the nodes of one operator, in order.
static hd_status fold_nodes(hd_context *ctx, const plan *p, int64_t k)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    const result *r = &p->results[k];
    const unsigned char *nodes = p->nodes + r->nodes_at;
    hd__tree tree = {r->k.op, r->k.size, 0, p->pending};
    for (int64_t at = 0; at < p->n; nodes += r->k.size) {
        const int64_t left = p->n - at;
        const int64_t m = left >= p->chunk
                              ? p->chunk
                              : (int64_t)1 << (63 - __builtin_clzll((unsigned long long)left));
        hd__tree_push(&tree, __builtin_ctzll((unsigned long long)m), nodes);
        at += m;
    }
    hd__tree_fold(&tree, node);
    return hd__cpu_store_result(ctx, &p->job->each[k], node, p->n, 0);
}

// Where each operator's memory is: a thread's tile of elements, then a worker each.
static void lay_out(hd_context *ctx, plan *p, result *results)
{
    hd__reader in;
    size_t largest = 0;
    p->tile_bytes = p->dense ? 0 : hd__padded(hd__elements_bytes(&p->job->each[0].in, p->chunk));
    p->thread_bytes = p->tile_bytes;
    p->nodes_bytes = 0;
    for (int64_t k = 0; k < p->job->count; k++) {
        result *r = &results[k];
        choose_kernels(ctx, &p->job->each[k], r);
        chunk_reader(&p->job->each[k], NULL, 0, p->chunk, &in);
        r->worker_at = p->thread_bytes;
        p->thread_bytes += hd__padded(hd__cpu_worker_bytes(&r->k, &in));
        r->nodes_at = p->nodes_bytes;
        p->nodes_bytes += hd__padded((size_t)(p->chunks + HD__LEVELS) * r->k.size);
        if (r->k.size > largest) largest = r->k.size;
    }
    p->tree_bytes = hd__padded(HD__LEVELS * largest);
}

static hd_status prepare(hd_context *ctx, plan *p, result *results)
{
    const hd__reduce_job *first = &p->job->each[0];
    const int64_t size = (int64_t)first->fold.element_size;
    const int64_t least = hd__cpu_tune.reduce_chunk_min;
    p->results = results;
    p->n = first->in.n;
    p->dense = first->in.map == NULL && hd__is_contiguous(&first->in.view[0]);
    p->chunk = hd__cpu_tune.reduce_many_chunk_bytes;
    while (p->chunk * size > hd__cpu_tune.reduce_many_chunk_bytes && p->chunk > least)
        p->chunk /= 2;
    p->chunks = p->n / p->chunk;
    p->threads = 1;
    for (int64_t k = 0; k < p->job->count; k++) {
        const int wish = hd__cpu_threads_for(ctx, p->n, hd__cpu_element_cost(&p->job->each[k].in));
        if (wish > p->threads) p->threads = wish;
    }
    lay_out(ctx, p, results);
    p->memory =
        hd__scratch(ctx, (size_t)p->threads * p->thread_bytes + p->nodes_bytes + p->tree_bytes);
    if (p->memory == NULL) return HD_ERROR_MEMORY;
    p->nodes = p->memory + (size_t)p->threads * p->thread_bytes;
    p->pending = p->nodes + p->nodes_bytes;
    return HD_OK;
}

static hd_status reduce_everything(hd_context *ctx, const hd__reduce_many_job *job)
{
    result results[HD_MAX_RESULTS];
    plan p = {.job = job};
    HD_TRY(prepare(ctx, &p, results));
    reduce_chunks(&p);
    reduce_rest(&p);
    for (int64_t k = 0; k < job->count; k++) HD_TRY(fold_nodes(ctx, &p, k));
    return HD_OK;
}

// ---- Along an axis ------------------------------------------------------------------------------

// The axis that slabs are cut along: the one of the largest steps but that of the rows; -1: none.
static int32_t slab_axis(const hd_view *v, int32_t rows)
{
    int32_t best = -1;
    uint64_t furthest = 0;
    for (int32_t k = 0; k < v->ndim; k++) {
        const int64_t step = v->stride[k];
        const uint64_t far = step < 0 ? 0 - (uint64_t)step : (uint64_t)step;
        if (k == rows || v->shape[k] < 2 || (best >= 0 && far <= furthest)) continue;
        best = k;
        furthest = far;
    }
    return best;
}

static void cut(hd_view *v, int32_t axis, int64_t begin, int64_t count)
{
    *v = hd_slice(*v, axis, begin, count, 1);
}

static void cut_job(const hd__reduce_job *whole, int32_t axis, int64_t begin, int64_t count,
                    hd__reduce_job *job)
{
    *job = *whole;
    for (int k = 0; k < job->in.inputs; k++)
        if (job->in.view[k].space != HD_IMPLICIT) cut(&job->in.view[k], axis, begin, count);
    job->in.n = whole->in.n / whole->in.view[0].shape[axis] * count;
    job->in.fold = &job->fold;
    cut(&job->out, axis - (axis > whole->axis), begin, count);
}

static hd_status reduce_slabs(hd_context *ctx, const hd__reduce_many_job *job, int32_t axis,
                              int64_t count)
{
    const char *why;
    hd__reduce_job slab;
    const int64_t end = job->each[0].in.view[0].shape[axis];
    for (int64_t at = 0; at < end; at += count)
        for (int64_t k = 0; k < job->count; k++) {
            cut_job(&job->each[k], axis, at, end - at < count ? end - at : count, &slab);
            HD_TRY(hd__cpu_reduce(ctx, &slab, &why));
        }
    return HD_OK;
}

// Rows of which too few fit the caches are read once an operator.
static hd_status reduce_rows(hd_context *ctx, const hd__reduce_many_job *job)
{
    const hd__reduce_job *first = &job->each[0];
    const int32_t axis = slab_axis(&first->in.view[0], first->axis);
    const int64_t room = hd__cpu_tune.reduce_many_slab_bytes * ctx->threads;
    bool implicit = axis < 0 || first->in.n == 0;
    for (int k = 0; k < first->in.inputs; k++) implicit |= first->in.view[k].space == HD_IMPLICIT;
    if (implicit) return reduce_in_turn(ctx, job->each, job->count);
    const int64_t each = first->in.n / first->in.view[0].shape[axis];
    const int64_t count = room / (int64_t)first->fold.element_size / each;
    if (count < 1) return reduce_in_turn(ctx, job->each, job->count);
    return reduce_slabs(ctx, job, axis, count);
}

// ---- Segments -----------------------------------------------------------------------------------

enum { GROUP_SEGMENTS = 1 << 16 }; // offsets of a group are copied

// Where the group of segments from j on ends: at most so many elements, but one segment at least.
static int64_t group_end(const hd_view *segments, int64_t j, int64_t elements)
{
    const int64_t all = segments->shape[0] - 1;
    int64_t begin, at, low = j + 1, high = all - j < GROUP_SEGMENTS ? all : j + GROUP_SEGMENTS;
    hd__offsets(segments, j, 1, &begin);
    while (low < high) { // offsets never fall
        const int64_t middle = high - (high - low) / 2;
        hd__offsets(segments, middle, 1, &at);
        if (at - begin <= elements)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// Segments j .. end - 1 as a job of their elements alone.
static void cut_segments(const hd__reduce_job *whole, int64_t j, int64_t end, int64_t begin,
                         const int64_t *offsets, hd__reduce_job *job)
{
    const int64_t n = offsets[end - j];
    *job = *whole;
    for (int k = 0; k < job->in.inputs; k++)
        job->in.view[k] = hd_slice(job->in.view[k], 0, n > 0 ? begin : 0, n, 1);
    job->in.n = n;
    hd__finish_reader(&job->in, &job->fold, false);
    job->segments = HD_VIEW(offsets, end - j + 1);
    cut(&job->out, 0, j, end - j);
}

static hd_status reduce_group(hd_context *ctx, const hd__reduce_many_job *job, int64_t j,
                              int64_t end, int64_t *offsets)
{
    const char *why;
    hd__reduce_job part;
    hd__offsets(&job->each[0].segments, j, end - j + 1, offsets);
    const int64_t begin = offsets[0];
    for (int64_t k = 0; k <= end - j; k++) offsets[k] -= begin;
    for (int64_t k = 0; k < job->count; k++) {
        cut_segments(&job->each[k], j, end, begin, offsets, &part);
        HD_TRY(hd__cpu_reduce(ctx, &part, &why));
    }
    return HD_OK;
}

static hd_status reduce_segments(hd_context *ctx, const hd__reduce_many_job *job)
{
    const hd__reduce_job *first = &job->each[0];
    const int64_t all = first->segments.shape[0] - 1;
    const int64_t room =
        hd__cpu_tune.reduce_many_slab_bytes * ctx->threads / (int64_t)first->fold.element_size;
    const size_t bytes =
        ((size_t)(all < GROUP_SEGMENTS ? all : GROUP_SEGMENTS) + 1) * sizeof(int64_t);
    int64_t *offsets = hd__allocate(ctx, bytes); // the reductions need the scratch
    hd_status status = offsets != NULL ? HD_OK : HD_ERROR_MEMORY;
    for (int64_t j = 0, end; j < all && status == HD_OK; j = end) {
        end = group_end(&first->segments, j, room);
        status = reduce_group(ctx, job, j, end, offsets);
    }
    if (offsets != NULL) hd__release(ctx, offsets, bytes);
    return status;
}

hd_status hd__cpu_reduce_many(hd_context *ctx, const void *any, const char **why)
{
    const hd__reduce_many_job *job = any;
    const hd__reduce_job *first = &job->each[0];
    (void)why; // never declines
    HD_TRY(hd__check_many_segments(ctx, job->each, job->count));
    const int64_t few = hd__cpu_tune.reduce_many_from_bytes / (int64_t)first->fold.element_size;
    if (job->count == 1 || (first->in.n <= few && first->in.map == NULL) || first->in.n == 0)
        return reduce_in_turn(ctx, job->each, job->count);
    if (first->slices == HD__SEGMENTS) return reduce_segments(ctx, job);
    return first->slices == HD__ROWS ? reduce_rows(ctx, job) : reduce_everything(ctx, job);
}
