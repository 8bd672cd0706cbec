// SPDX-License-Identifier: Apache-2.0
// A range goes block by block: nodes in, upsweep, prefix from the state, downsweep, outputs on
// their way out. Exact operators have one kernel instead of the two sweeps; float sums whose nodes
// are not elements or not outputs have sweeps that read the one and write the other.
#include "scan_range.h"

size_t hd__cpu_scanner_bytes(const hd__cpu_tree_kernels *k, const hd__reader *in)
{
    const int64_t block = hd__cpu_stream_block_nodes(k->size);
    const size_t n = (size_t)block + 1;
    return hd__padded(hd__reader_bytes(in, block)) +
           2 * hd__padded(hd__cpu_levels_bytes(k, block)) + 2 * hd__padded(n * k->size) +
           hd__padded(n * in->fold->out_size) + hd__padded(n * 8);
}

void hd__cpu_scanner_init(hd__cpu_scanner *s, const hd__cpu_tree_kernels *k, const hd__reader *in,
                          const hd_view *out, const hd_view *values, bool exclusive, void *memory)
{
    s->k = *k;
    s->exclusive = exclusive;
    s->block = hd__cpu_stream_block_nodes(k->size);
    const size_t n = (size_t)s->block + 1;
    s->elements = memory;
    s->levels[0] = s->elements + hd__padded(hd__reader_bytes(in, s->block));
    s->levels[1] = s->levels[0] + hd__padded(hd__cpu_levels_bytes(k, s->block));
    s->nodes_out = s->levels[1] + hd__padded(hd__cpu_levels_bytes(k, s->block));
    s->turn = 0;
    s->inits = s->nodes_out + hd__padded(n * k->size);
    s->init_count = 0;
    s->finalized = s->inits + hd__padded(n * k->size);
    s->finalized_values = s->finalized + hd__padded(n * in->fold->out_size);
    hd__cpu_scanner_move(s, in, out, values);
}

void hd__cpu_scanner_move(hd__cpu_scanner *s, const hd__reader *in, const hd_view *out,
                          const hd_view *values)
{
    const hd__fold *f = in->fold;
    s->fold = f;
    s->in = in;
    s->out = out;
    s->values = values;
    const bool plain = f->direct_out && f->init == NULL && hd__is_contiguous(out);
    s->straight = plain && !s->exclusive;
    s->shifted = plain && s->exclusive && in->direct && in->view[0].data != out->data;
    s->fused = s->k.fused;
    if (in->map != NULL || !hd__is_contiguous(&in->view[0]) || !hd__is_contiguous(out) ||
        f->init != NULL || f->value != HD_NONE || (s->exclusive && in->view[0].data == out->data))
        s->fused = NULL;
}

void hd__cpu_scan_begin(const hd__cpu_tree_kernels *k, hd__tree *tree, hd__cpu_scan_state *state)
{
    state->count = tree->count;
    state->tree = tree;
    state->known = false;
    if (!hd__cpu_scans_exactly(k)) return;
    state->tree = NULL;
    if (!hd__tree_fold(tree, state->prefix)) memcpy(state->prefix, k->identity, k->size);
}

// An exact operator's prefix may stand in the tree as any nodes that fold to it: the largest is
// the prefix, the others are nothing.
void hd__cpu_scan_end(const hd__cpu_tree_kernels *k, hd__tree *tree,
                      const hd__cpu_scan_state *state)
{
    if (!hd__cpu_scans_exactly(k)) return;
    const void *node = state->prefix;
    tree->count = state->count;
    for (int level = HD__LEVELS - 1; level >= 0; level--) {
        if (!(state->count >> level & 1)) continue;
        memcpy(hd__tree_node(tree, level), node, k->size);
        node = k->identity;
    }
}

// ---- Outputs on their way out -------------------------------------------------------------------

// init on the left of m nodes, by one call of the operator, for which it is copied m times.
static void apply_init(hd__cpu_scanner *s, unsigned char *nodes, int64_t m)
{
    const size_t size = s->k.size;
    for (; s->init_count < m; s->init_count++)
        memcpy(s->inits + (size_t)s->init_count * size, s->fold->init, size);
    s->k.micro.combine(nodes, s->inits, nodes, m, s->k.micro.state);
}

// Finalizes m staged nodes, the first over `count` elements, into outputs first .. first + m - 1.
static void write_out(hd__cpu_scanner *s, unsigned char *nodes, int64_t m, int64_t first,
                      int64_t count)
{
    const hd__fold *f = s->fold;
    if (m <= 0) return;
    if (f->init != NULL) apply_init(s, nodes, m);
    if (!f->direct_out) hd__finalize(f, nodes, m, NULL, count, s->finalized, s->finalized_values);
    hd__scatter(s->out, first, m, f->direct_out ? nodes : s->finalized);
    if (!hd__is_empty(s->values)) hd__scatter(s->values, first, m, s->finalized_values);
}

// prefix[0] is what came before the block (nothing if seen is 0), then the n inclusive prefixes.
static void write_block(hd__cpu_scanner *s, unsigned char *prefix, int64_t start, int64_t n,
                        int64_t seen)
{
    unsigned char *inclusive = prefix + s->k.size;
    if (!s->exclusive) {
        write_out(s, inclusive, n, start, seen + 1);
    } else if (seen > 0) {
        write_out(s, prefix, n, start, seen);
    } else { // nothing comes before element 0
        hd__finalize_empty(s->fold, s->finalized, s->finalized_values);
        hd__scatter(s->out, start, 1, s->finalized);
        if (!hd__is_empty(s->values)) hd__scatter(s->values, start, 1, s->finalized_values);
        write_out(s, inclusive, n - 1, start + 1, 1);
    }
}

// ---- Blocks -------------------------------------------------------------------------------------

// An exclusive scan of nodes where they lie into a row elsewhere: the inclusive one, one place on.
static void scan_exactly_shifted(hd__cpu_scanner *s, hd__cpu_scan_state *state, int64_t start,
                                 int64_t end)
{
    const size_t size = s->k.size;
    const char *in = hd__read(s->in, start, end - start, NULL);
    char *out = (char *)s->out->data + (size_t)start * size;
    const int64_t n = end - start;
    memcpy(out, state->prefix, size);
    if (state->count == 0) hd__finalize_empty(s->fold, out, NULL);
    s->k.micro.scan(out + size, in, n - 1, state->prefix);
    s->k.micro.combine(state->prefix, state->prefix, in + (size_t)(n - 1) * size, 1,
                       s->k.micro.state);
    state->count += n;
}

static void scan_exactly(hd__cpu_scanner *s, hd__cpu_scan_state *state, int64_t start, int64_t end)
{
    if (s->shifted) {
        scan_exactly_shifted(s, state, start, end);
        return;
    }
    const size_t size = s->k.size;
    char *straight = s->straight ? (char *)s->out->data + (size_t)start * size : NULL;
    if (straight != NULL && s->in->direct) { // nothing is staged: one block, however long
        s->k.micro.scan(straight, hd__read(s->in, start, end - start, NULL), end - start,
                        state->prefix);
        state->count += end - start;
        return;
    }
    for (int64_t n; start < end; start += n, state->count += n) {
        n = end - start < s->block ? end - start : s->block;
        const void *nodes = hd__read(s->in, start, n, s->elements);
        if (s->straight) {
            s->k.micro.scan((char *)s->out->data + (size_t)start * size, nodes, n, state->prefix);
        } else {
            memcpy(s->nodes_out, state->prefix, size);
            s->k.micro.scan(s->nodes_out + size, nodes, n, state->prefix);
            write_block(s, s->nodes_out, start, n, state->count);
        }
    }
}

// Whether the block after this one can be summed up while this one is scanned.
static bool goes_ahead(const hd__cpu_scanner *s, int64_t start, int64_t n, int64_t end)
{
    return s->k.micro.downsweep_and_upsweep != NULL && s->k.identity != NULL && s->in->direct &&
           n == s->block && start + 2 * n <= end;
}

// Adds a block to the state; base receives what came before it. Gives whether anything did.
static bool push_block(const hd__cpu_tree_kernels *k, hd__cpu_scan_state *state, const void *nodes,
                       const hd__cpu_levels *l, void *base)
{
    const bool based = state->count > 0;
    if (state->known)
        hd__copy_node(base, state->prefix, k->size); // the end of the block before
    else
        hd__tree_fold(state->tree, base);
    hd__cpu_push_block(k, nodes, l, state->tree);
    state->known = hd__tree_fold(state->tree, state->prefix);
    return based;
}

// One block whose start is aligned in its sequence to a power of two of at least n. `ready`: its
// first level was filled while the block before was scanned. Gives whether the next one's is.
static bool scan_by_tree(hd__cpu_scanner *s, hd__cpu_scan_state *state, int64_t start, int64_t n,
                         int64_t end, bool ready)
{
    _Alignas(HD__ALIGNMENT) unsigned char base[HD_MAX_ELEMENT];
    const hd__cpu_tree_kernels *k = &s->k;
    hd__cpu_levels *now = &s->sums[s->turn], *next = &s->sums[1 - s->turn];
    const void *nodes = hd__read(s->in, start, n, s->elements), *ahead = NULL;
    if (!ready) hd__cpu_levels_init(k, n, s->levels[s->turn], now);
    hd__cpu_scan_upsweep(k, nodes, ready, now);
    const bool based = push_block(k, state, nodes, now, base);
    if (goes_ahead(s, start, n, end)) {
        ahead = hd__read(s->in, start + n, n, NULL);
        hd__cpu_levels_init(k, n, s->levels[1 - s->turn], next);
    }
    // An exclusive scan is the inclusive one, one place on; what follows the range is not ours.
    const bool shifted = s->shifted && based && start + n < end;
    char *out = (char *)s->out->data + (size_t)start * k->size;
    if (shifted) memcpy(out, base, k->size);
    out = s->straight ? out : shifted ? out + k->size : (char *)s->nodes_out + k->size;
    hd__cpu_scan_downsweep(k, nodes, now, based ? base : NULL, state->prefix, out, ahead, next);
    if (!s->straight && !shifted) {
        if (based) memcpy(s->nodes_out, base, k->size);
        write_block(s, s->nodes_out, start, n, state->count);
    }
    state->count += n;
    if (ahead != NULL) s->turn = 1 - s->turn;
    return ahead != NULL;
}

// An exclusive scan is the inclusive one, one place on, so the last output of a block is the first
// of the next: the last element of a range is left to scan_by_tree.
static int64_t fused_end(const hd__cpu_scanner *s, int64_t end)
{
    return s->exclusive ? end - 1 : end;
}

// The same of n elements, a multiple of HD__TREE_ARITY, that are contiguous.
static bool scan_fused(hd__cpu_scanner *s, hd__cpu_scan_state *state, int64_t start, int64_t n,
                       int64_t end, bool ready)
{
    _Alignas(HD__ALIGNMENT) unsigned char base[HD_MAX_ELEMENT], top[HD_MAX_ELEMENT];
    const hd__cpu_tree_kernels *k = &s->k;
    hd__cpu_levels *now = &s->sums[s->turn], *next = &s->sums[1 - s->turn];
    const int64_t groups = n / HD__TREE_ARITY;
    const char *elements = hd__at(&s->in->view[0], start);
    char *out = (char *)s->out->data + (size_t)start * s->fold->out_size;
    if (!ready) {
        hd__cpu_levels_init(k, n, s->levels[s->turn], now);
        s->fused->upsweep(now->node[1] + k->size, elements, groups);
    }
    hd__cpu_scan_upsweep(k, NULL, true, now);
    const bool based = push_block(k, state, NULL, now, base);
    if (s->exclusive) {
        if (based)
            hd__finalize(s->fold, base, 1, NULL, state->count, out, NULL);
        else
            hd__finalize_empty(s->fold, out, NULL);
        out += s->fold->out_size;
    }
    const void *prefix = hd__cpu_levels_downsweep(k, now, based ? base : NULL, state->prefix, top);
    const bool goes_on = n == s->block && start + 2 * n <= fused_end(s, end);
    if (goes_on) {
        hd__cpu_levels_init(k, n, s->levels[1 - s->turn], next);
        s->fused->downsweep_and_upsweep(out, elements, prefix, groups, next->node[1] + k->size,
                                        elements + (size_t)n * s->fold->element_size);
        s->turn = 1 - s->turn;
    } else {
        s->fused->downsweep(out, elements, prefix, groups);
    }
    state->count += n;
    return goes_on;
}

void hd__cpu_scan_range(hd__cpu_scanner *s, hd__cpu_scan_state *state, int64_t start, int64_t end)
{
    if (hd__cpu_scans_exactly(&s->k)) {
        if (start < end) scan_exactly(s, state, start, end);
        return;
    }
    bool ready = false;
    for (int64_t n; start < end; start += n) {
        const int64_t aligned = state->count & -state->count;
        n = aligned != 0 && aligned < s->block ? aligned : s->block;
        if (n > end - start) n = end - start;
        const int64_t most = fused_end(s, end) - start,
                      fused = (n < most ? n : most) & -HD__TREE_ARITY;
        if (s->fused != NULL && fused > 0)
            ready = scan_fused(s, state, start, n = fused, end, ready);
        else
            ready = scan_by_tree(s, state, start, n, end, ready);
    }
}
