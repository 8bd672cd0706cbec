// SPDX-License-Identifier: Apache-2.0
// One thread's reduction of a slice of any reader: in place where nodes are contiguous, else block
// by block through scratch.
#include "cpu/runtime/cpu.h"
#include "cpu/tree/tree_worker.h"
#include "cpu/tree/superaccumulator.h"

size_t hd__cpu_worker_bytes(const hd__cpu_tree_kernels *k, const hd__reader *in)
{
    if (k->limbs != HD_NONE)
        return hd__padded(hd__elements_bytes(in, hd__cpu_tune.exact_block)) + hd__cpu_limbs_bytes();
    const int64_t block = hd__cpu_block_nodes(k->size);
    return hd__padded(hd__reader_bytes(in, block)) + hd__padded(hd__cpu_levels_bytes(k, block)) +
           hd__padded(HD__LEVELS * k->size);
}

void hd__cpu_worker_init(hd__cpu_worker *w, const hd__cpu_tree_kernels *k, const hd__reader *in,
                         void *memory)
{
    w->k = *k;
    w->in = *in;
    w->block = hd__cpu_block_nodes(k->size);
    w->elements = memory;
    if (k->limbs != HD_NONE) {
        w->waiting = w->elements + hd__padded(hd__elements_bytes(in, hd__cpu_tune.exact_block));
        hd__cpu_limbs_clear(w->waiting);
        return;
    }
    w->levels = w->elements + hd__padded(hd__reader_bytes(in, w->block));
    w->waiting = w->levels + hd__padded(hd__cpu_levels_bytes(k, w->block));
}

// The node of m elements, a power of two; of many, by way of the moments of groups.
static void reduce_moments_of(hd__cpu_worker *w, int64_t start, int64_t m, void *node)
{
    const void *nodes = w->elements;
    if (m < HD__MOMENT_GROUP)
        nodes = hd__read(&w->in, start, m, w->elements);
    else
        w->k.moments(w->elements, hd__at(&w->in.view[0], start), m /= HD__MOMENT_GROUP);
    hd__cpu_reduce_nodes(&w->k, nodes, m, node, w->levels);
}

// A variance of elements that are contiguous: the perfect nodes of the tree, as many elements at a
// time as have a block of groups.
static void reduce_moments(hd__cpu_worker *w, int64_t start, int64_t n, void *node)
{
    hd__tree tree = {w->k.op, w->k.size, 0, w->waiting};
    for (int64_t done = 0, m; done < n; done += m) {
        m = n - done < w->block * HD__MOMENT_GROUP ? n - done : w->block * HD__MOMENT_GROUP;
        const int level = 63 - __builtin_clzll((unsigned long long)m);
        m = (int64_t)1 << level;
        reduce_moments_of(w, start + done, m, node);
        hd__tree_push(&tree, level, node);
    }
    hd__tree_fold(&tree, node);
}

// m elements of any kind, at most a block: what they become, then their sum.
static void reduce_numbers_of(hd__cpu_worker *w, int64_t start, int64_t m, void *node)
{
    w->k.sum_numbers(node, hd__read_numbers(&w->in, start, m, w->elements), m);
}

static bool lies_dense(const hd__reader *in)
{
    return in->map == NULL && hd__is_contiguous(&in->view[0]);
}

// A slice of more than a block: whole blocks, then the perfect nodes of the rest.
static void reduce_by_blocks(hd__cpu_worker *w, int64_t start, int64_t n, void *node,
                             void (*reduce)(hd__cpu_worker *, int64_t, int64_t, void *))
{
    hd__tree tree = {w->k.op, w->k.size, 0, w->waiting};
    for (int64_t done = 0; done < n;) {
        const int64_t left = n - done;
        const int level =
            63 - __builtin_clzll((unsigned long long)(left < w->block ? left : w->block));
        reduce(w, start + done, (int64_t)1 << level, node);
        hd__tree_push(&tree, level, node);
        done += (int64_t)1 << level;
    }
    hd__tree_fold(&tree, node);
}

// An exact sum, in any order.
static void reduce_limbs(hd__cpu_worker *w, int64_t start, int64_t n, void *node)
{
    const int64_t block = lies_dense(&w->in) ? n : hd__cpu_tune.exact_block;
    _Alignas(HD__ALIGNMENT) unsigned char part[sizeof(hd__limbs_wide)];
    for (int64_t at = 0; at < n; at += block) {
        const int64_t m = n - at < block ? n - at : block;
        const void *elements = hd__read_elements(&w->in, start + at, m, w->elements);
        hd__cpu_limbs_sum(w->k.limbs, w->in.fold->element, elements, m, at > 0 ? part : node,
                          w->k.exact, w->waiting);
        if (at > 0) hd__combine(w->k.op, node, node, part, 1);
    }
}

// The squares of m elements where none needs to be scaled: then they are the nodes, or the middle
// of them, and other sums are zero.
static bool reduce_squares(hd__cpu_worker *w, int64_t start, int64_t m, void *node)
{
    double *squares = (double *)w->elements, sum;
    if (!lies_dense(&w->in)) return false;
    if (!w->k.squares(squares, hd__at(&w->in.view[0], start), m)) return false;
    w->k.sums.reduce(&sum, squares, m);
    if (w->k.size == sizeof sum)
        *(double *)node = sum;
    else
        *(hd__norm *)node = (hd__norm){0, sum, 0};
    return true;
}

static void reduce_nodes_of(hd__cpu_worker *w, int64_t start, int64_t m, void *node)
{
    if (w->k.squares != NULL && reduce_squares(w, start, m, node)) return;
    hd__cpu_reduce_nodes(&w->k, hd__read(&w->in, start, m, w->elements), m, node, w->levels);
}

void hd__cpu_worker_reduce(hd__cpu_worker *w, int64_t start, int64_t n, void *node)
{
    if (w->k.limbs != HD_NONE) {
        reduce_limbs(w, start, n, node);
        return;
    }
    if (w->k.sum != NULL && lies_dense(&w->in)) {
        w->k.sum(node, hd__at(&w->in.view[0], start), n);
        return;
    }
    if (w->k.sum_numbers != NULL) {
        if (n <= w->block)
            reduce_numbers_of(w, start, n, node);
        else
            reduce_by_blocks(w, start, n, node, reduce_numbers_of);
        return;
    }
    if (w->k.moments != NULL && n >= HD__MOMENT_GROUP && lies_dense(&w->in)) {
        reduce_moments(w, start, n, node);
        return;
    }
    if (w->in.direct || n <= w->block)
        reduce_nodes_of(w, start, n, node);
    else
        reduce_by_blocks(w, start, n, node, reduce_nodes_of);
}

hd_status hd__cpu_store_result(hd_context *ctx, const hd__reduce_job *job, void *node,
                               int64_t count, int64_t slot)
{
    const hd__fold *f = &job->fold;
    _Alignas(HD__ALIGNMENT) unsigned char result[HD_MAX_ELEMENT], value[16];
    if (count > 0) {
        hd__apply_init(f, node, 1);
        hd__finalize(f, node, 1, NULL, count, result, value);
    } else if (!hd__finalize_empty(f, result, value)) {
        return hd__fail(ctx, HD_ERROR_VALUE,
                        "hd_reduce: result %lld has no elements and operator %s no identity",
                        (long long)slot, f->asked->name);
    }
    hd__scatter(&job->out, slot, 1, result);
    if (!hd__is_empty(&job->values)) hd__scatter(&job->values, slot, 1, value);
    return HD_OK;
}
