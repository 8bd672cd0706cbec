// SPDX-License-Identifier: Apache-2.0
// Reduction and scan of strided rows (along axis 0 of a matrix, say): a strip of neighbouring rows
// goes through the tree side by side, each node of the counter a strip wide, so that memory is read
// in order.
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/team.h"
#include "cpu/tree/tree_block.h"
#include "core/system/float_state.h"

// The axes after `axis` hold this many elements, next to each other in every input.
static int64_t inner_size(const hd__reader *in, int32_t axis)
{
    int64_t size = 1;
    for (int d = axis + 1; d < in->view[0].ndim; d++) size *= in->view[0].shape[d];
    for (int k = 0; k < in->inputs; k++) {
        const hd_view *v = &in->view[k];
        int64_t step = 1;
        for (int d = v->ndim - 1; d > axis; d--) {
            if (v->space != HD_HOST || (v->stride[d] != step && v->shape[d] > 1)) return 0;
            step *= v->shape[d];
        }
    }
    return size;
}

bool hd__cpu_has_strided_rows(const hd__reader *in, int32_t axis)
{
    return inner_size(in, axis) >= hd__cpu_tune.strided_rows_min;
}

// A strip: `width` rows beginning at inner position `at` of outer block `outer`.
typedef struct strip {
    const hd__reader *in;
    hd__cpu_tree_kernels k;
    int64_t length, inner; // elements of a row; rows side by side
    int64_t first;         // flat index of element 0 of the strip's first row
    int64_t width;
    const char *ready; // where nodes lie as they are: element 0 of the first row, and the step
    int64_t step;      // in bytes to element 1; else NULL
    unsigned char *elements, *node, *prefix, *work; // node and prefix: HD__LEVELS strips each
    size_t bytes;                                   // of a strip
} strip;

static int64_t strip_width(size_t node_size, int64_t inner)
{
    const int64_t bytes = hd__cpu_tune.strided_strip_bytes;
    const int64_t most = bytes / (int64_t)node_size > 0 ? bytes / (int64_t)node_size : 1;
    return most < inner ? most : inner;
}

static const void *strip_row(const strip *s, int64_t i)
{
    if (s->ready != NULL) return s->ready + i * s->step;
    return hd__read(s->in, s->first + i * s->inner, s->width, s->elements);
}

// Adds row i to the counter, which holds i rows, and gives the node it ended up in.
static unsigned char *strip_push(strip *s, int64_t i)
{
    const void *x = strip_row(s, i);
    int level = 0;
    for (; i >> level & 1; level++) {
        unsigned char *left = s->node + (size_t)level * s->bytes;
        s->k.micro.combine(left, left, x, s->width, s->k.micro.state);
        x = left;
    }
    unsigned char *node = s->node + (size_t)level * s->bytes;
    memcpy(node, x, (size_t)s->width * s->k.size);
    return node;
}

// Everything a walk over strips shares.
typedef struct plan {
    const hd__reader *in;
    const hd__fold *fold;
    hd__cpu_tree_kernels k;
    int32_t axis;
    int64_t length, inner, width, strips_across, strips;
    size_t strip_bytes, thread_bytes;
    int threads;
    unsigned char *memory;
} plan;

static hd_status prepare(hd_context *ctx, const hd__reader *in, int32_t axis, size_t out_size,
                         plan *p)
{
    p->in = in;
    p->fold = in->fold;
    hd__cpu_tree_kernels_of(ctx, in->fold, &p->k);
    p->axis = axis;
    p->length = in->view[0].shape[axis];
    p->inner = inner_size(in, axis);
    p->width = strip_width(p->k.size, p->inner);
    p->strips_across = (p->inner + p->width - 1) / p->width;
    p->strips = in->n / (p->length * p->inner) * p->strips_across;
    p->threads = hd__cpu_threads_for(ctx, in->n, hd__cpu_element_cost(in));
    p->strip_bytes = hd__padded((size_t)p->width * p->k.size);
    const size_t out_bytes = hd__padded((size_t)p->width * out_size);
    p->thread_bytes = hd__padded(hd__reader_bytes(in, p->width)) +
                      (2 * HD__LEVELS + 2) * p->strip_bytes + out_bytes;
    p->memory = hd__scratch(ctx, (size_t)p->threads * p->thread_bytes);
    return p->memory != NULL ? HD_OK : HD_ERROR_MEMORY;
}

static void begin_strip(const plan *p, int64_t number, strip *s)
{
    const int64_t outer = number / p->strips_across, across = number % p->strips_across * p->width;
    unsigned char *memory = p->memory + (size_t)omp_get_thread_num() * p->thread_bytes;
    s->in = p->in;
    s->k = p->k;
    s->length = p->length;
    s->inner = p->inner;
    s->first = outer * p->length * p->inner + across;
    s->width = p->inner - across < p->width ? p->inner - across : p->width;
    s->bytes = p->strip_bytes;
    s->node = memory;
    s->prefix = s->node + HD__LEVELS * s->bytes;
    s->work = s->prefix + HD__LEVELS * s->bytes;
    s->ready = NULL;
    if (p->in->map == NULL && p->fold->direct_in) {
        const hd_view row = hd__row_of(&p->in->view[0], p->axis, outer * p->inner + across);
        s->ready = row.data;
        s->step = row.stride[0] * (int64_t)p->k.size;
    }
    s->elements = memory + p->thread_bytes - hd__padded(hd__reader_bytes(p->in, p->width));
}

static void fold_strip(const strip *s, unsigned char *out)
{
    bool any = false;
    for (int level = HD__LEVELS - 1; level >= 0; level--) {
        if (!(s->length >> level & 1)) continue;
        const unsigned char *node = s->node + (size_t)level * s->bytes;
        if (any)
            s->k.micro.combine(out, out, node, s->width, s->k.micro.state);
        else
            memcpy(out, node, (size_t)s->width * s->k.size);
        any = true;
    }
}

// init on the left of a strip of nodes; `spread` is room for a strip of init.
static void apply_init(const hd__fold *f, const strip *s, unsigned char *nodes,
                       unsigned char *spread)
{
    if (f->init == NULL) return;
    for (int64_t i = 0; i < s->width; i++)
        memcpy(spread + (size_t)i * s->k.size, f->init, s->k.size);
    s->k.micro.combine(nodes, spread, nodes, s->width, s->k.micro.state);
}

// Every node of a strip is over the same number of elements.
static void lower_strip(const hd__fold *f, const strip *s, const unsigned char *nodes,
                        int64_t count, unsigned char *out)
{
    if (!f->divides) {
        hd__finalize(f, nodes, s->width, NULL, count, out, NULL);
        return;
    }
    for (int64_t i = 0; i < s->width; i++)
        hd__finalize(f, nodes + (size_t)i * s->k.size, 1, NULL, count,
                     out + (size_t)i * f->out_size, NULL);
}

hd_status hd__cpu_reduce_strided_rows(hd_context *ctx, const hd__reduce_job *job)
{
    plan p;
    HD_TRY(prepare(ctx, &job->in, job->axis, job->fold.out_size, &p));
    hd_view out = job->out;
#pragma omp parallel for num_threads(p.threads) schedule(dynamic) if (p.threads > 1)
    for (int64_t number = 0; number < p.strips; number++) {
        HD__FLOAT_STATE;
        strip s;
        begin_strip(&p, number, &s);
        for (int64_t i = 0; i < s.length; i++) strip_push(&s, i);
        fold_strip(&s, s.work);
        apply_init(&job->fold, &s, s.work, s.work + s.bytes);
        lower_strip(&job->fold, &s, s.work, s.length, s.work + 2 * s.bytes);
        const int64_t outer = number / p.strips_across;
        hd__scatter(&out, outer * p.inner + number % p.strips_across * p.width, s.width,
                    s.work + 2 * s.bytes);
    }
    return HD_OK;
}

// The scan of a strip. When the count reaches m, R(m) is kept for every level below m's lowest
// bit: it is the prefix of the node that next fills that level. Two combines a row.
static void scan_strip(const hd__scan_job *job, strip *s)
{
    const hd__fold *f = &job->fold;
    const size_t size = (size_t)s->width * s->k.size;
    const unsigned char *before[HD__LEVELS] = {NULL}; // R where the node of a level began
    unsigned char *result = s->work, *spread = s->work + s->bytes, *out = s->work + 2 * s->bytes;
    if (job->exclusive)
        for (int64_t c = 0; c < s->width; c++)
            hd__finalize_empty(f, out + (size_t)c * f->out_size, NULL);
    for (int64_t i = 0; i < s->length; i++) {
        const int64_t row = s->first + i * s->inner;
        // The row is read before its place is written: in and out may be one.
        const unsigned char *node = strip_push(s, i);
        if (job->exclusive) hd__scatter(&job->out, row, s->width, out);
        const int lowest = __builtin_ctzll((unsigned long long)(i + 1));
        if (before[lowest] != NULL)
            s->k.micro.combine(result, before[lowest], node, s->width, s->k.micro.state);
        else
            memcpy(result, node, size);
        unsigned char *kept = s->prefix + (size_t)lowest * s->bytes;
        if (lowest > 0) memcpy(kept, result, size);
        for (int level = 0; level < lowest; level++) before[level] = kept;
        apply_init(f, s, result, spread);
        lower_strip(f, s, result, i + 1, out);
        if (!job->exclusive) hd__scatter(&job->out, row, s->width, out);
    }
}

hd_status hd__cpu_scan_strided_rows(hd_context *ctx, const hd__scan_job *job)
{
    plan p;
    HD_TRY(prepare(ctx, &job->in, job->axis, job->fold.out_size, &p));
#pragma omp parallel for num_threads(p.threads) schedule(dynamic) if (p.threads > 1)
    for (int64_t number = 0; number < p.strips; number++) {
        HD__FLOAT_STATE;
        strip s;
        begin_strip(&p, number, &s);
        scan_strip(job, &s);
    }
    return HD_OK;
}
