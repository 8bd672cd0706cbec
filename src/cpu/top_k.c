// SPDX-License-Identifier: Apache-2.0
// The first k in an order. Each thread goes through its part with a bound: what does not come
// before it cannot be among the first k and is passed over. The others are kept as pairs of an
// element and its position; where their buffer is full it is sorted, the first k stay, and the
// last of them is the new bound. Where k is a large part of n everything is sorted.
#include "cpu/orders.h"
#include "core/top_k.h"

#include <omp.h>

#define BLOCK 1024 // elements looked at in one call
#define LEAST 256  // of them where a buffer is nearly full; beside the k it holds

typedef struct keeper {
    const hd__top_k_job *job;
    char *pairs, *other; // of cap each
    char *elements;      // a block of a view that is not dense
    int64_t *positions;
    int64_t cap, count;
    bool bounded; // pair k - 1 is the bound
} keeper;

static int64_t cap_of(int64_t k)
{
    return k + (k > LEAST ? k : LEAST) + LEAST;
}

static size_t keeper_bytes(const hd__top_k_job *job)
{
    const hd_comparison *o = job->order;
    return 2 * hd__padded((size_t)cap_of(job->k) * o->pairs.size) +
           hd__padded(BLOCK * o->elements.size) + BLOCK * sizeof(int64_t);
}

static keeper keeper_in(const hd__top_k_job *job, char *memory)
{
    const hd_comparison *o = job->order;
    const size_t bytes = hd__padded((size_t)cap_of(job->k) * o->pairs.size);
    keeper p = {.job = job, .pairs = memory, .other = memory + bytes, .cap = cap_of(job->k)};
    p.elements = p.other + bytes;
    p.positions = (int64_t *)(void *)(p.elements + hd__padded(BLOCK * o->elements.size));
    return p;
}

// Sorts what is kept; the first k stay. Ties are in order: earlier positions came earlier.
static void shrink(keeper *p)
{
    const hd_comparison *o = p->job->order;
    o->pairs.sort(p->pairs, p->other, p->pairs, p->count);
    p->count = hd__least(p->count, p->job->k);
    p->bounded = p->count == p->job->k;
}

static void keep(keeper *p, const char *x, int64_t first, int64_t m)
{
    const hd_comparison *o = p->job->order;
    const char *bound = p->pairs + (size_t)(p->job->k - 1) * o->pairs.size;
    int64_t found = m;
    if (p->bounded) found = o->before(x, m, bound, p->positions);
    for (int64_t i = 0; i < found; i++, p->count++) {
        const int64_t at = p->bounded ? p->positions[i] : i, index = first + at;
        char *to = p->pairs + (size_t)p->count * o->pairs.size;
        memcpy(to, x + (size_t)at * o->elements.size, o->elements.size);
        memcpy(to + o->index_offset, &index, sizeof index);
    }
}

static void go_through(keeper *p, int64_t begin, int64_t end)
{
    const hd_view *in = &p->job->in;
    for (int64_t at = begin; at < end;) {
        if (p->cap - p->count < LEAST) shrink(p);
        const int64_t room = p->cap - p->count;
        const int64_t m = hd__least(hd__least(BLOCK, room), end - at);
        const char *x = hd__at(in, at);
        if (!hd__is_contiguous(in)) {
            hd__gather(in, at, m, p->elements);
            x = p->elements;
        }
        keep(p, x, at, m);
        at += m;
    }
    shrink(p);
}

// The first k of `count` sorted pairs into the outputs.
static void give(hd_context *ctx, const hd__top_k_job *job, const char *pairs, char *room)
{
    hd__take_pairs(ctx, job->order, pairs, job->k, &job->values, &job->indices, room);
}

static hd_status sort_everything(hd_context *ctx, const hd__top_k_job *job)
{
    const hd_comparison *o = job->order;
    const size_t bytes = hd__padded((size_t)job->n * o->pairs.size);
    const size_t splits = hd__padded((size_t)hd__sort_splits(job->n) * sizeof(int64_t));
    size_t other_bytes = hd__take_pairs_bytes(ctx, o);
    if (other_bytes < bytes) other_bytes = bytes;
    char *memory = hd__scratch(ctx, splits + bytes + other_bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    char *pairs = memory + splits, *other = pairs + bytes;
    hd__make_pairs(ctx, o, &job->in, job->n, 0, pairs);
    const hd__sorting s = {o, &o->pairs, pairs, pairs, other, job->n, (int64_t *)(void *)memory};
    hd__sort_all(ctx, &s);
    give(ctx, job, pairs, other);
    return HD_OK;
}

// What all threads kept, sorted together. Parts are in the order of their positions.
static void join(hd_context *ctx, const hd__top_k_job *job, keeper *part, int parts, char *room)
{
    const size_t size = job->order->pairs.size;
    char *all = room, *other = room + hd__padded((size_t)(parts * job->k) * size);
    int64_t count = 0;
    for (int t = 0; t < parts; t++) {
        memcpy(all + (size_t)count * size, part[t].pairs, (size_t)part[t].count * size);
        count += part[t].count;
    }
    job->order->pairs.sort(all, other, all, count);
    give(ctx, job, all, other);
}

hd_status hd__cpu_top_k(hd_context *ctx, const void *any, const char **why)
{
    const hd__top_k_job *job = any;
    (void)why; // never declines
    const int threads = hd__worth_threads(ctx, job->n, job->order->elements.size);
    if (cap_of(job->k) * threads > job->n / 2) return sort_everything(ctx, job);
    const size_t each = hd__padded(keeper_bytes(job));
    const size_t all = hd__padded((size_t)(threads * job->k) * job->order->pairs.size);
    size_t other = hd__take_pairs_bytes(ctx, job->order);
    if (other < all) other = all;
    const size_t keepers = hd__padded((size_t)threads * sizeof(keeper));
    char *memory = hd__scratch(ctx, keepers + (size_t)threads * each + all + other);
    if (memory == NULL) return HD_ERROR_MEMORY;
    keeper *part = (keeper *)(void *)memory;
    const int64_t share = (job->n + threads - 1) / threads;
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        keeper p = keeper_in(job, memory + keepers + (size_t)t * each);
        go_through(&p, hd__least(t * share, job->n), hd__least((t + 1) * share, job->n));
        part[t] = p;
    }
    join(ctx, job, part, threads, memory + keepers + (size_t)threads * each);
    return HD_OK;
}
