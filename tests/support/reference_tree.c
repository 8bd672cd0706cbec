// SPDX-License-Identifier: Apache-2.0
//
// The one tree, as numerics.md defines it:
//
//     node(0, j) = x[j]      node(k, j) = node(k - 1, 2 j) op node(k - 1, 2 j + 1)
//     R(n) = left fold, largest first, of the perfect nodes that the set bits of n name
#include "reference.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const unsigned char *cell_at(const unsigned char *cells, size_t size, int64_t j)
{
    return cells + size * (size_t)j;
}

// node(k, j) for k >= 1.
static void node(const ref_monoid *m, const unsigned char *leaves, int k, int64_t j, void *out)
{
    _Alignas(16) unsigned char left[REF_MAX_CELL], right[REF_MAX_CELL];
    if (k == 1) {
        m->combine(m->self, out, cell_at(leaves, m->size, 2 * j),
                   cell_at(leaves, m->size, 2 * j + 1));
        return;
    }
    node(m, leaves, k - 1, 2 * j, left);
    node(m, leaves, k - 1, 2 * j + 1, right);
    m->combine(m->self, out, left, right);
}

void ref_tree_reduce(const ref_monoid *monoid, const void *cells, int64_t n, void *out)
{
    _Alignas(16) unsigned char sum[REF_MAX_CELL], next[REF_MAX_CELL];
    int64_t begin = 0; // elements folded so far
    assert(n >= 1 && monoid->size <= REF_MAX_CELL);
    for (int k = 62; k >= 0; k--) {
        if (!(n >> k & 1)) continue;
        if (k > 0)
            node(monoid, cells, k, begin >> k, next);
        else
            memcpy(next, cell_at(cells, monoid->size, begin), monoid->size);
        if (begin == 0)
            memcpy(out, next, monoid->size);
        else
            monoid->combine(monoid->self, out, sum, next);
        memcpy(sum, out, monoid->size);
        begin += (int64_t)1 << k;
    }
}

// ---- Scan: the same, with every node kept ---------------------------------------------------

// R(n) is R of n without its lowest set bit, and the node which that bit names. out is not cells.
static void plain_scan(const ref_monoid *monoid, const unsigned char *cells, int64_t n,
                       unsigned char *out)
{
    const size_t size = monoid->size;
    const unsigned char *level[64] = {cells}; // level[k] holds every node(k, j)
    for (int k = 1; n >> k; k++) {
        unsigned char *nodes = check_memory(size * (size_t)(n >> k));
        for (int64_t j = 0; j < n >> k; j++)
            monoid->combine(monoid->self, nodes + size * (size_t)j,
                            cell_at(level[k - 1], size, 2 * j),
                            cell_at(level[k - 1], size, 2 * j + 1));
        level[k] = nodes;
    }
    for (int64_t m = 1; m <= n; m++) {
        const int64_t lowest = m & -m, rest = m - lowest;
        const int k = __builtin_ctzll((unsigned long long)lowest);
        const unsigned char *last = cell_at(level[k], size, rest >> k);
        unsigned char *result = out + size * (size_t)(m - 1);
        if (rest == 0)
            memcpy(result, last, size);
        else
            monoid->combine(monoid->self, result, cell_at(out, size, rest - 1), last);
    }
    for (int k = 1; k < 64; k++) free((void *)level[k]);
}

// ---- Segments: pairs of a head flag (8 bytes, before) and a value ---------------------------

enum { FLAG = 8 };

static void combine_pairs(const void *self, void *out, const void *a, const void *b)
{
    const ref_monoid *inner = self;
    unsigned char *o = out;
    const unsigned char *x = a, *y = b;
    memset(o, 0, FLAG);
    o[0] = x[0] | y[0];
    if (y[0])
        memcpy(o + FLAG, y + FLAG, inner->size);
    else
        inner->combine(inner->self, o + FLAG, x + FLAG, y + FLAG);
}

void ref_tree_scan(const ref_monoid *monoid, const void *cells, int64_t n,
                   const unsigned char *heads, void *out)
{
    const size_t size = heads ? monoid->size + FLAG : monoid->size;
    const ref_monoid pairs = {size, combine_pairs, monoid};
    assert(size <= REF_MAX_CELL);
    unsigned char *result = check_memory(size * (size_t)n);
    if (!heads) {
        plain_scan(monoid, cells, n, result);
        memcpy(out, result, size * (size_t)n);
        free(result);
        return;
    }
    unsigned char *in = check_memory(size * (size_t)n);
    for (int64_t i = 0; i < n; i++) {
        unsigned char *cell = in + size * (size_t)i;
        memset(cell, 0, FLAG), cell[0] = heads[i] != 0;
        memcpy(cell + FLAG, (const unsigned char *)cells + monoid->size * (size_t)i, monoid->size);
    }
    plain_scan(&pairs, in, n, result);
    for (int64_t i = 0; i < n; i++)
        memcpy((unsigned char *)out + monoid->size * (size_t)i, result + size * (size_t)i + FLAG,
               monoid->size);
    free(in);
    free(result);
}
