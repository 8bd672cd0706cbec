// SPDX-License-Identifier: Apache-2.0
// Upsweep and downsweep over one block (Blelloch 1990), by groups of eight nodes.
#include "tree_block.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/tuning.h"

// ---- Loops of an operator that brings only combine --------------------------------------------

static void up_by_combine(const hd_operator *op, size_t size, char *out, const char *in, int64_t n)
{
    _Alignas(HD__ALIGNMENT) unsigned char half[4 * HD_MAX_ELEMENT];
    for (int64_t j = 0; j < n; j++, in += 8 * size, out += size) {
        for (size_t i = 0; i < 4; i++)
            hd__combine(op, half + i * size, in + 2 * i * size, in + (2 * i + 1) * size, 1);
        hd__combine(op, half, half, half + size, 1);
        hd__combine(op, half + size, half + 2 * size, half + 3 * size, 1);
        hd__combine(op, out, half, half + size, 1);
    }
}

// One group: out[i] for i < m <= 8 of nodes in[0 .. m - 1]; base NULL: no prefix. out may be in.
static void down_one(const hd__cpu_tree_kernels *k, char *out, const char *in, const char *base,
                     int64_t m)
{
    const size_t s = k->size;
    const hd__cpu_micro *const micro = &k->micro;
    _Alignas(HD__ALIGNMENT) unsigned char x[8 * HD_MAX_ELEMENT], pair[2 * HD_MAX_ELEMENT],
        four[HD_MAX_ELEMENT];
    memcpy(x, in, (size_t)m * s);
#define NODE(i) (x + (size_t)(i)*s)
#define PUT(i, prefix, node)                                                                       \
    do {                                                                                           \
        if ((prefix) != NULL)                                                                      \
            micro->combine(out + (size_t)(i)*s, prefix, node, 1, micro->state);                    \
        else                                                                                       \
            memcpy(out + (size_t)(i)*s, node, s);                                                  \
    } while (0)
    PUT(0, base, NODE(0));
    if (m > 1) {
        micro->combine(pair, NODE(0), NODE(1), 1, micro->state);
        PUT(1, base, pair);
    }
    if (m > 2) PUT(2, out + s, NODE(2));
    if (m > 3) {
        micro->combine(pair + s, NODE(2), NODE(3), 1, micro->state);
        micro->combine(four, pair, pair + s, 1, micro->state);
        PUT(3, base, four);
    }
    if (m > 4) PUT(4, out + 3 * s, NODE(4));
    if (m > 5) {
        micro->combine(pair, NODE(4), NODE(5), 1, micro->state);
        PUT(5, out + 3 * s, pair);
    }
    if (m > 6) PUT(6, out + 5 * s, NODE(6));
    if (m > 7) {
        micro->combine(pair + s, NODE(6), NODE(7), 1, micro->state);
        micro->combine(pair, pair, pair + s, 1, micro->state);
        micro->combine(four, four, pair, 1, micro->state);
        PUT(7, base, four);
    }
#undef PUT
#undef NODE
}

static void up(const hd__cpu_tree_kernels *k, void *out, const void *in, int64_t n)
{
    if (k->micro.upsweep != NULL)
        k->micro.upsweep(out, in, n, k->micro.state);
    else
        up_by_combine(k->op, k->size, out, in, n);
}

// Full groups after the first. The last of each is the next prefix, which base[j + 1] is.
static void down(const hd__cpu_tree_kernels *k, char *out, const char *in, const char *base,
                 int64_t n)
{
    const size_t s = k->size;
    if (k->micro.downsweep != NULL) {
        k->micro.downsweep(out, in, base, n, k->micro.state);
        return;
    }
    for (int64_t j = 0; j < n; j++, out += 8 * s, in += 8 * s, base += s) {
        down_one(k, out, in, base, 7);
        hd__copy_node(out + 7 * s, base + s, s);
    }
}

// Float sums that have more in their nodes, or nodes wider than elements.
static void choose_sums(const hd__cpu_tree_sums *sums, const hd__fold *f, hd__cpu_tree_kernels *k)
{
    const bool more = hd__is_float_sum(f), wide = f->number == HD_F64;
    const int pairs = more && f->form != HD__SUM_SIZED, sizes = more && f->form != HD__SUM_PAIR;
    k->sum = k->sum_numbers = NULL;
    if (!more && (f->op != HD__SUM || f->form != HD__PLAIN || !wide || f->squares)) return;
    k->sum_numbers = wide ? sums->f64[pairs][sizes] : sums->f32[pairs][sizes];
    if (f->element == f->number) k->sum = k->sum_numbers;
    if (f->element == HD_F32 && wide) k->sum = sums->wide[pairs][sizes];
}

// Sums alone: no mean, no squares.
static const hd__cpu_fused_scan *fused_scan(const hd__cpu_fused_scans *scans, const hd__fold *f)
{
    const bool pairs = f->form == HD__SUM_PAIR;
    if (scans == NULL) return NULL; // a static program without scans
    if (!pairs && (f->op != HD__SUM || f->form != HD__PLAIN)) return NULL;
    if (f->divides || f->squares || (f->out != HD_F32 && f->out != HD_F64)) return NULL;
    if (f->element == HD_F32 && f->number == HD_F64) return scans->wide[pairs][f->out == HD_F64];
    if (!pairs || f->element != f->number || f->out != f->number) return NULL;
    return f->number == HD_F64 ? scans->pair_f64 : scans->pair_f32;
}

void hd__cpu_tree_kernels_of(const hd_context *ctx, const hd__fold *fold, hd__cpu_tree_kernels *k)
{
    const hd_operator *op = fold->node;
    k->op = op;
    k->size = fold->node_size;
    const hd_type type = fold->number == HD_BOOL ? HD_U8 : fold->number;
    const hd__cpu_micro *row = NULL;
    if (fold->op != HD__USER_OP && (fold->form == HD__PLAIN || fold->form == HD__SUM_PAIR))
        row = hd__cpu_micro_table(ctx)->row[fold->op][type];
    k->identity = fold->op != HD__USER_OP ? op->identity : NULL;
    choose_sums(hd__cpu_micro_table(ctx)->sums, fold, k);
    k->fused = fused_scan(hd__cpu_micro_table(ctx)->fused_scans, fold);
    k->moments =
        fold->op == HD__VARIANCE ? hd__cpu_micro_table(ctx)->moments[fold->element & 0xff] : NULL;
    k->limbs = fold->form == HD__LIMBS ? fold->number : HD_NONE;
    k->exact = &hd__cpu_micro_table(ctx)->exact;
    k->squares = NULL;
    if (fold->squares || fold->form == HD__NORM) {
        k->squares = hd__cpu_micro_table(ctx)->squares[fold->element];
        k->sums = *hd__cpu_micro_table(ctx)->row[HD__SUM][HD_F64];
    }
    if (row != NULL) {
        k->micro = *row;
        return;
    }
    k->micro = (hd__cpu_micro){
        .combine = op->combine, .upsweep = op->up, .downsweep = op->down, .state = op->state.data};
}

// The largest power of two of nodes that fit; at least a group.
static int64_t nodes_in(int64_t bytes, size_t node_size)
{
    int64_t n = HD__TREE_ARITY;
    while (2 * n * (int64_t)node_size <= bytes) n *= 2;
    return n;
}

int64_t hd__cpu_block_nodes(size_t node_size)
{
    return nodes_in(hd__cpu_tune.tree_block_bytes, node_size);
}

int64_t hd__cpu_stream_block_nodes(size_t node_size)
{
    return nodes_in(hd__cpu_tune.tree_far_block_bytes, node_size);
}

static size_t level_bytes(const hd__cpu_tree_kernels *k, int64_t n)
{
    return hd__padded(((size_t)n + 1) * k->size);
}

size_t hd__cpu_levels_bytes(const hd__cpu_tree_kernels *k, int64_t n)
{
    size_t bytes = 64;
    while (n > 0) {
        n /= HD__TREE_ARITY;
        bytes += level_bytes(k, n);
    }
    return bytes;
}

// ---- Reduce -----------------------------------------------------------------------------------

// Element i of an array that may not be given.
static const char *at(const void *base, int64_t i, size_t size)
{
    return base == NULL ? NULL : (const char *)base + i * (int64_t)size;
}

// Folds the rest of a level, fewer than eight nodes, onto *out: four, two, one.
static bool fold_rest(const hd__cpu_tree_kernels *k, const char *rest, int64_t m, void *out,
                      bool any)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[2 * HD_MAX_ELEMENT];
    const size_t s = k->size;
    for (int64_t step = 4; step > 0; step /= 2) {
        if (!(m & step)) continue;
        hd__copy_node(node, rest, s);
        if (step >= 2) k->micro.combine(node, rest, rest + s, 1, k->micro.state);
        if (step == 4) {
            k->micro.combine(node + s, rest + 2 * s, rest + 3 * s, 1, k->micro.state);
            k->micro.combine(node, node, node + s, 1, k->micro.state);
        }
        if (any)
            k->micro.combine(out, out, node, 1, k->micro.state);
        else
            hd__copy_node(out, node, s);
        any = true;
        rest += (size_t)step * s;
    }
    return any;
}

// R of a block of up to one block's nodes, folded onto *out where that holds a prefix already:
// the block's nodes are smaller than any before them, so they fold on one by one, largest first.
static void fold_levels(const hd__cpu_tree_kernels *k, const void *in, const hd__cpu_levels *l,
                        void *out, bool any)
{
    for (int32_t level = l->top; level >= 0; level--) {
        const char *node = level > 0 ? (const char *)l->node[level] + k->size : in;
        const int64_t rest = l->n[level] % HD__TREE_ARITY;
        any = fold_rest(k, at(node, l->n[level] - rest, k->size), rest, out, any);
    }
}

static void reduce_block(const hd__cpu_tree_kernels *k, const void *in, int64_t n, void *out,
                         bool any, void *memory)
{
    hd__cpu_levels l;
    hd__cpu_levels_init(k, n, memory, &l);
    hd__cpu_scan_upsweep(k, in, false, &l);
    fold_levels(k, in, &l, out, any);
}

void hd__cpu_reduce_nodes(const hd__cpu_tree_kernels *k, const void *in, int64_t n, void *out,
                          void *levels)
{
    if (k->micro.reduce != NULL) {
        k->micro.reduce(out, in, n);
        return;
    }
    const int64_t block = hd__cpu_block_nodes(k->size);
    if (n <= block) {
        reduce_block(k, in, n, out, false, levels);
        return;
    }
    _Alignas(HD__ALIGNMENT) unsigned char waiting[HD__LEVELS * HD_MAX_ELEMENT],
        node[HD_MAX_ELEMENT];
    hd__tree tree = {k->op, k->size, 0, waiting};
    const int log2 = __builtin_ctzll((unsigned long long)block);
    int64_t done = 0;
    for (; done + block <= n; done += block) {
        reduce_block(k, at(in, done, k->size), block, node, false, levels);
        hd__tree_push(&tree, log2, node);
    }
    hd__tree_fold(&tree, out);
    if (done < n) reduce_block(k, at(in, done, k->size), n - done, out, true, levels);
}

// ---- Scan -------------------------------------------------------------------------------------

void hd__cpu_levels_init(const hd__cpu_tree_kernels *k, int64_t n, void *memory, hd__cpu_levels *l)
{
    unsigned char *free_memory = memory;
    l->n[0] = n;
    l->node[0] = NULL;
    l->top = 0;
    while (l->n[l->top] >= HD__TREE_ARITY) {
        const int64_t m = l->n[l->top] / HD__TREE_ARITY;
        l->top++;
        l->n[l->top] = m;
        l->node[l->top] = free_memory;
        free_memory += level_bytes(k, m);
    }
}

void hd__cpu_scan_upsweep(const hd__cpu_tree_kernels *k, const void *in, bool done,
                          hd__cpu_levels *l)
{
    const char *below = in;
    for (int32_t level = 1; level <= l->top; level++) {
        unsigned char *node = l->node[level] + k->size;
        if (level > 1 || !done) up(k, node, below, l->n[level]);
        below = (const char *)node;
    }
}

void hd__cpu_push_block(const hd__cpu_tree_kernels *k, const void *in, const hd__cpu_levels *l,
                        hd__tree *tree)
{
    const size_t s = k->size;
    for (int32_t level = l->top; level >= 0; level--) {
        const char *first = level > 0 ? (const char *)l->node[level] + s : in;
        int64_t rest = l->n[level] % HD__TREE_ARITY;
        const char *x = at(first, l->n[level] - rest, s);
        for (; rest > 0; rest--, x += s) hd__tree_push(tree, 3 * level, x);
    }
}

// One level: its nodes become their inclusive prefixes. prefix[0] is the base (where there is
// one) and prefix[j + 1] the prefix at the end of group j. At the top there are no full groups.
static void scan_level(const hd__cpu_tree_kernels *k, const char *in, int64_t n, const char *prefix,
                       bool has_base, char *out)
{
    const size_t s = k->size;
    const int64_t groups = n / HD__TREE_ARITY, rest = n % HD__TREE_ARITY;
    int64_t first = 0;
    if (!has_base && groups > 0) { // the first group has no prefix
        down_one(k, out, in, NULL, 7);
        hd__copy_node(out + 7 * s, prefix + s, s);
        first = 1;
    }
    if (groups > first)
        down(k, out + (size_t)(8 * first) * s, in + (size_t)(8 * first) * s,
             prefix + (size_t)first * s, groups - first);
    const bool based = has_base || groups > 0;
    if (rest > 0)
        down_one(k, out + (size_t)(8 * groups) * s, in + (size_t)(8 * groups) * s,
                 based ? prefix + (size_t)groups * s : NULL, rest);
}

// A level that ends with the block ends at `after`: the fold may merge with nodes before the block.
static void end_level(const hd__cpu_tree_kernels *k, const hd__cpu_levels *l, int32_t level,
                      const void *after, char *out)
{
    hd__copy_node(out + (size_t)(l->n[level] - 1) * k->size, after, k->size);
}

const void *hd__cpu_levels_downsweep(const hd__cpu_tree_kernels *k, hd__cpu_levels *l,
                                     const void *base, const void *after, void *top)
{
    const size_t s = k->size;
    const void *start = base != NULL ? base : k->identity;
    const char *prefix = top; // above the highest level: the base alone
    if (start != NULL) hd__copy_node(top, start, s);
    for (int32_t level = l->top; level > 0; level--) {
        char *node = (char *)l->node[level];
        const bool whole = l->n[level] << 3 * level == l->n[0];
        if (!(whole && l->n[level] == 1))
            scan_level(k, node + s, l->n[level], prefix, start != NULL, node + s);
        if (whole) end_level(k, l, level, after, node + s);
        if (start != NULL) hd__copy_node(node, start, s);
        prefix = node;
    }
    return prefix;
}

void hd__cpu_scan_downsweep(const hd__cpu_tree_kernels *k, const void *in, hd__cpu_levels *l,
                            const void *base, const void *after, void *out, const void *ahead,
                            hd__cpu_levels *ahead_levels)
{
    const size_t s = k->size;
    _Alignas(HD__ALIGNMENT) unsigned char top[HD_MAX_ELEMENT];
    const char *prefix = hd__cpu_levels_downsweep(k, l, base, after, top);
    if (ahead != NULL)
        k->micro.downsweep_and_upsweep(out, in, prefix, l->n[1], ahead_levels->node[1] + s, ahead);
    else
        scan_level(k, in, l->n[0], prefix, base != NULL || k->identity != NULL, out);
    end_level(k, l, 0, after, out);
}

void hd__cpu_scan_small(const hd__cpu_tree_kernels *k, const void *in, int64_t n, void *out,
                        void *memory)
{
    _Alignas(HD__ALIGNMENT) unsigned char after[HD_MAX_ELEMENT];
    hd__cpu_levels l;
    hd__cpu_levels_init(k, n, memory, &l);
    hd__cpu_scan_upsweep(k, in, false, &l);
    fold_levels(k, in, &l, after, false);
    hd__cpu_scan_downsweep(k, in, &l, NULL, after, out, NULL, NULL);
}
