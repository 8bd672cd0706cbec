// SPDX-License-Identifier: Apache-2.0
// One block of a scan: up-sweep, hand-over, down-sweep, and outputs on their way out.
#include "cpu/scan_block.h"

static size_t padded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

// Whether inclusive prefixes are outputs and lie in a row: then nothing is staged.
static bool goes_straight(const hd__fold *f, const hd_view *out, bool exclusive)
{
    return f->direct_out && f->init == NULL && !exclusive && hd__is_contiguous(out);
}

size_t hd__scan_block_bytes(const hd__kernels *k, const hd__reader *in, int64_t most)
{
    const size_t n = (size_t)most + 1;
    return padded(hd__reader_bytes(in, most)) + padded(hd__levels_bytes(k, most)) +
           2 * padded(n * k->size) + padded(n * in->fold->out_size) + padded(n * 8);
}

void hd__scan_block_init(hd__scan_block *b, const hd__kernels *k, const hd__reader *in,
                         const hd_view *out, const hd_view *values, bool exclusive, int64_t most,
                         void *memory)
{
    const size_t n = (size_t)most + 1;
    b->k = *k;
    b->fold = in->fold;
    b->in = in;
    b->out = out;
    b->values = values;
    b->exclusive = exclusive;
    b->straight = goes_straight(in->fold, out, exclusive);
    b->elements = memory;
    b->levels = b->elements + padded(hd__reader_bytes(in, most));
    b->nodes_out = b->levels + padded(hd__levels_bytes(k, most));
    b->spread = b->nodes_out + padded(n * k->size);
    b->lowered = b->spread + padded(n * k->size);
    b->lowered_values = b->lowered + padded(n * in->fold->out_size);
    if (in->fold->init != NULL)
        for (int64_t i = 0; i < most; i++)
            memcpy(b->spread + (size_t)i * k->size, in->fold->init, k->size);
}

void hd__scan_block_move(hd__scan_block *b, const hd__reader *in, const hd_view *out,
                         const hd_view *values)
{
    b->in = in;
    b->out = out;
    b->values = values;
    b->straight = goes_straight(in->fold, out, b->exclusive);
}

static bool is_power(int64_t n)
{
    return (n & (n - 1)) == 0;
}

void hd__scan_block_up(hd__scan_block *b, int64_t start, int64_t n)
{
    b->start = start;
    b->n = n;
    b->nodes = hd__read(b->in, start, n, b->elements);
    b->has_total = false;
    if (b->k.micro.scan == NULL) {
        hd__scan_up(&b->k, b->nodes, n, b->levels, &b->l);
    } else if (is_power(n) && n > HD__RADIX) {
        hd__reduce_nodes(&b->k, b->nodes, n, b->total, b->levels);
        b->has_total = true;
    }
}

// An exact operator's block that is no perfect node: pushed as the nodes it is made of.
static void push_parts(hd__scan_block *b, hd__tree *tree)
{
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    for (int64_t done = 0; done < b->n;) {
        const int level = 63 - __builtin_clzll((unsigned long long)(b->n - done));
        const char *in = (const char *)b->nodes + (size_t)done * b->k.size;
        hd__reduce_nodes(&b->k, in, (int64_t)1 << level, node, b->levels);
        hd__tree_push(tree, level, node);
        done += (int64_t)1 << level;
    }
}

void hd__scan_block_turn(hd__scan_block *b, hd__tree *tree)
{
    b->seen = tree->count;
    b->has_base = hd__tree_fold(tree, b->base);
    if (b->has_total)
        hd__tree_push(tree, __builtin_ctzll((unsigned long long)b->n), b->total);
    else if (b->k.micro.scan != NULL)
        push_parts(b, tree);
    else
        hd__push_block(&b->k, b->nodes, &b->l, tree);
    if (b->k.micro.scan == NULL) hd__tree_fold(tree, b->after);
}

static void scan_nodes(hd__scan_block *b, void *out)
{
    if (b->k.micro.scan == NULL) {
        hd__scan_down(&b->k, b->nodes, &b->l, b->has_base ? b->base : NULL, b->after, out);
        return;
    }
    if (!b->has_base) memcpy(b->base, b->k.identity, b->k.size);
    b->k.micro.scan(out, b->nodes, b->n, b->base);
}

// Lowers m staged nodes and writes them as outputs first .. first + m - 1.
static void write_out(hd__scan_block *b, unsigned char *nodes, int64_t m, int64_t first,
                      int64_t count)
{
    const hd__fold *f = b->fold;
    if (m <= 0) return;
    if (f->init != NULL) b->k.micro.combine(nodes, b->spread, nodes, m);
    const bool in_place = f->direct_out;
    if (!in_place) hd__lower(f, nodes, m, NULL, count, b->lowered, b->lowered_values);
    hd__scatter(b->out, first, m, in_place ? nodes : b->lowered);
    if (!hd__is_unset(b->values)) hd__scatter(b->values, first, m, b->lowered_values);
}

void hd__scan_block_down(hd__scan_block *b)
{
    const size_t s = b->k.size;
    if (b->straight) {
        scan_nodes(b, (char *)b->out->data + (size_t)b->start * s);
        return;
    }
    unsigned char *prefix = b->nodes_out; // prefix[0] is the base, then the inclusive prefixes
    if (b->has_base) memcpy(prefix, b->base, s);
    const bool had_base = b->has_base;
    scan_nodes(b, prefix + s);
    if (!b->exclusive) {
        write_out(b, prefix + s, b->n, b->start, b->seen + 1);
    } else if (had_base) {
        write_out(b, prefix, b->n, b->start, b->seen);
    } else { // nothing comes before element 0
        hd__lower_empty(b->fold, b->lowered, b->lowered_values);
        hd__scatter(b->out, 0, 1, b->lowered);
        if (!hd__is_unset(b->values)) hd__scatter(b->values, 0, 1, b->lowered_values);
        write_out(b, prefix + s, b->n - 1, 1, 1);
    }
}

void hd__scan_in_order(hd__scan_block *b, hd__tree *tree, int64_t start, int64_t end, int64_t most)
{
    while (start < end) { // a block may not be longer than its start is aligned
        const int64_t aligned = tree->count & -tree->count;
        int64_t n = aligned != 0 && aligned < most ? aligned : most;
        if (n > end - start) n = end - start;
        hd__scan_block_up(b, start, n);
        hd__scan_block_turn(b, tree);
        hd__scan_block_down(b);
        start += n;
    }
}
