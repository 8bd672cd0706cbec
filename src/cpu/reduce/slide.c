// SPDX-License-Identifier: Apache-2.0
// Windows. A window's perfect nodes of 2^k elements are those of 2^(k - 1) combined two by two,
// over all windows of a block at once; the left fold of those that the set bits of the width name
// is the window's tree. Exact operators over wide windows take the two scans of van Herk 1992 and
// Gil and Werman 1993 instead: suffixes of one block of a window's width, prefixes of the next.
#include "patterns/reduce/slide.h"
#include "core/system/float_state.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/team.h"
#include "cpu/tree/tree_block.h"

typedef struct plan {
    const hd__slide_job *job;
    hd__cpu_tree_kernels k;
    bool two_scans;
    int threads;
    int64_t block, blocks; // windows at a time; blocks of a row
    size_t nodes_bytes;    // of the nodes of a block's elements
    size_t kept_bytes;     // of a node a window
    size_t read_bytes, out_bytes, thread_bytes;
    unsigned char *memory;
} plan;

// One thread's memory.
typedef struct tools {
    unsigned char *nodes[2]; // of a block and the rest of its last window, in turn
    unsigned char *kept;     // of each set bit of the width but the highest: nodes of the windows
    unsigned char *read, *out;
    int64_t *counts;
} tools;

static tools tools_of(const plan *p, int thread)
{
    unsigned char *at = p->memory + (size_t)thread * p->thread_bytes;
    tools t = {.nodes = {at, at + p->nodes_bytes}};
    t.kept = t.nodes[1] + p->nodes_bytes;
    t.read = t.kept + p->kept_bytes * (size_t)__builtin_popcountll((uint64_t)p->job->width);
    t.out = t.read + p->read_bytes;
    t.counts = (int64_t *)(void *)(t.out + p->out_bytes);
    for (int64_t i = 0; p->job->fold.counted && i < p->block; i++) t.counts[i] = p->job->width;
    return t;
}

// ---- Perfect nodes ------------------------------------------------------------------------------

// The nodes of n windows from element `start` of a row on.
static const void *windows_by_levels(const plan *p, const tools *t, const hd__reader *row,
                                     int64_t start, int64_t n)
{
    const size_t size = p->k.size;
    const int64_t width = p->job->width;
    const int top = 63 - __builtin_clzll((uint64_t)width);
    int64_t length = n + width - 1; // nodes of this level
    const unsigned char *level = hd__read(row, start, length, t->read);
    int kept = 0;
    for (int k = 0; k < top; k++) {
        if (width >> k & 1) {
            const int64_t before = width >> (k + 1) << (k + 1); // elements of larger nodes
            memcpy(t->kept + p->kept_bytes * (size_t)kept++, level + (size_t)before * size,
                   (size_t)n * size);
        }
        length -= (int64_t)1 << k;
        p->k.micro.combine(t->nodes[k & 1], level, level + ((size_t)1 << k) * size, length,
                           p->k.micro.state);
        level = t->nodes[k & 1];
    }
    if (kept == 0) return level;
    unsigned char *all = t->nodes[top & 1]; // where the next level would be
    const unsigned char *left = level;
    while (kept-- > 0) {
        p->k.micro.combine(all, left, t->kept + p->kept_bytes * (size_t)kept, n, p->k.micro.state);
        left = all;
    }
    return all;
}

// ---- Two scans ----------------------------------------------------------------------------------

static void reverse(unsigned char *to, const unsigned char *from, int64_t n, size_t size)
{
    for (int64_t i = 0; i < n; i++)
        hd__copy_node(to + (size_t)i * size, from + (size_t)(n - 1 - i) * size, size);
}

// One block of `width` windows, or the first n of them: window i is the suffix of the block from i
// on and the first i elements of the next.
static const void *windows_by_scans(const plan *p, const tools *t, const hd__reader *row,
                                    int64_t start, int64_t n)
{
    const size_t size = p->k.size;
    const int64_t width = p->job->width;
    _Alignas(HD__ALIGNMENT) unsigned char carry[HD_MAX_ELEMENT];
    const unsigned char *in = hd__read(row, start, n + width - 1, t->read);
    reverse(t->nodes[0], in, width, size);
    memcpy(carry, p->k.identity, size);
    p->k.micro.scan(t->nodes[0], t->nodes[0], width, carry);
    reverse(t->nodes[1], t->nodes[0] + (size_t)(width - n) * size, n, size);
    if (n == 1) return t->nodes[1];
    memcpy(carry, p->k.identity, size);
    p->k.micro.scan(t->nodes[0], in + (size_t)width * size, n - 1, carry);
    p->k.micro.combine(t->nodes[1] + size, t->nodes[1] + size, t->nodes[0], n - 1,
                       p->k.micro.state);
    return t->nodes[1];
}

// ---- Blocks -------------------------------------------------------------------------------------

static void do_block(const plan *p, const tools *t, int64_t block)
{
    const hd__slide_job *job = p->job;
    const hd__fold *f = &job->fold;
    const int64_t r = block / p->blocks, start = block % p->blocks * p->block;
    const int64_t left = job->count - start, n = left < p->block ? left : p->block;
    hd__reader row;
    hd__row_reader(&job->in, job->axis, r, &row);
    const hd_view out = hd__row_of(&job->out, job->axis, r);
    const void *nodes = (p->two_scans ? windows_by_scans : windows_by_levels)(p, t, &row, start, n);
    if (f->direct_out) {
        hd__scatter(&out, start, n, nodes);
        return;
    }
    hd__finalize(f, nodes, n, t->counts, 0, t->out, NULL);
    hd__scatter(&out, start, n, t->out);
}

// Whether any grouping, and any order, has the same bits, and windows are so wide that it pays.
static bool takes_two_scans(const plan *p)
{
    return p->k.micro.scan != NULL && p->k.identity != NULL && p->job->fold.op != HD__USER_OP &&
           p->job->width >= hd__cpu_tune.slide_two_scans;
}

static void prepare(hd_context *ctx, const hd__slide_job *job, plan *p)
{
    const hd__fold *f = &job->fold;
    p->job = job;
    hd__cpu_tree_kernels_of(ctx, f, &p->k);
    p->two_scans = takes_two_scans(p);
    p->block = hd__cpu_block_nodes(p->k.size);
    if (p->block < 2 * job->width) p->block = 2 * job->width;
    if (p->two_scans) p->block = job->width;
    if (p->block > job->count) p->block = job->count;
    p->blocks = (job->count + p->block - 1) / p->block;
    const int64_t elements = p->block + job->width - 1, blocks = p->blocks * job->rows;
    p->nodes_bytes = hd__padded((size_t)elements * p->k.size);
    p->kept_bytes = hd__padded((size_t)p->block * p->k.size);
    p->read_bytes = hd__padded(hd__reader_bytes(&job->in, elements));
    p->out_bytes = hd__padded((size_t)p->block * f->out_size);
    p->thread_bytes = 2 * p->nodes_bytes + p->read_bytes + p->out_bytes +
                      p->kept_bytes * (size_t)__builtin_popcountll((uint64_t)job->width) +
                      (f->counted ? hd__padded((size_t)p->block * sizeof(int64_t)) : 0);
    p->threads = hd__cpu_threads_for(ctx, job->in.n, 4 * hd__cpu_element_cost(&job->in));
    if (p->threads > blocks) p->threads = (int)blocks;
}

hd_status hd__cpu_slide(hd_context *ctx, const void *any, const char **why)
{
    plan p;
    (void)why; // never declines
    prepare(ctx, any, &p);
    p.memory = hd__scratch(ctx, (size_t)p.threads * p.thread_bytes);
    if (p.memory == NULL) return HD_ERROR_MEMORY;
    const int64_t blocks = p.blocks * p.job->rows;
#pragma omp parallel num_threads(p.threads) if (p.threads > 1)
    {
        HD__FLOAT_STATE;
        const tools t = tools_of(&p, omp_get_thread_num());
#pragma omp for schedule(dynamic, 1)
        for (int64_t b = 0; b < blocks; b++) do_block(&p, &t, b);
    }
    return HD_OK;
}
