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

typedef struct tree {
    const ref_monoid *monoid;
    const unsigned char *leaves;
    unsigned char *level[64]; // level[k] holds every node(k, j), or NULL: not kept
} tree;

static void node(const tree *t, int k, int64_t j, void *out)
{
    const size_t size = t->monoid->size;
    unsigned char left[REF_MAX_CELL], right[REF_MAX_CELL];
    if (k == 0) {
        memcpy(out, t->leaves + size * (size_t)j, size);
    } else if (t->level[k]) {
        memcpy(out, t->level[k] + size * (size_t)j, size);
    } else {
        node(t, k - 1, 2 * j, left);
        node(t, k - 1, 2 * j + 1, right);
        t->monoid->combine(t->monoid->self, out, left, right);
    }
}

static void fold(const tree *t, int64_t n, void *out)
{
    const ref_monoid *m = t->monoid;
    unsigned char sum[REF_MAX_CELL], next[REF_MAX_CELL];
    int64_t begin = 0; // elements folded so far
    for (int k = 62; k >= 0; k--) {
        if (!(n >> k & 1)) continue;
        node(t, k, begin >> k, next);
        if (begin == 0)
            memcpy(out, next, m->size);
        else
            m->combine(m->self, out, sum, next);
        memcpy(sum, out, m->size);
        begin += (int64_t)1 << k;
    }
}

void ref_tree_reduce(const ref_monoid *monoid, const void *cells, int64_t n, void *out)
{
    assert(n >= 1 && monoid->size <= REF_MAX_CELL);
    fold(&(tree){.monoid = monoid, .leaves = cells}, n, out);
}

// ---- Scan: the same, with the nodes kept ----------------------------------------------------

static void keep_levels(tree *t, int64_t n)
{
    const size_t size = t->monoid->size;
    for (int k = 1; n >> k; k++) {
        unsigned char *level = check_memory(size * (size_t)(n >> k));
        for (int64_t j = 0; j < n >> k; j++) node(t, k, j, level + size * (size_t)j);
        t->level[k] = level;
    }
}

// R(n) is R of n without its lowest set bit, and the node which that bit names.
static void plain_scan(const ref_monoid *monoid, const unsigned char *cells, int64_t n,
                       unsigned char *out)
{
    tree t = {.monoid = monoid, .leaves = cells};
    unsigned char last[REF_MAX_CELL];
    keep_levels(&t, n);
    for (int64_t m = 1; m <= n; m++) {
        const int64_t lowest = m & -m, rest = m - lowest;
        const int k = __builtin_ctzll((unsigned long long)lowest);
        unsigned char *result = out + monoid->size * (size_t)(m - 1);
        node(&t, k, rest >> k, rest == 0 ? result : last);
        if (rest != 0)
            monoid->combine(monoid->self, result, out + monoid->size * (size_t)(rest - 1), last);
    }
    for (int k = 1; k < 64; k++) free(t.level[k]);
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
    const size_t size = heads ? monoid->size + FLAG : monoid->size, skip = heads ? FLAG : 0;
    const ref_monoid pairs = {size, combine_pairs, monoid};
    assert(size <= REF_MAX_CELL);
    unsigned char *in = check_memory(size * (size_t)n), *result = check_memory(size * (size_t)n);
    for (int64_t i = 0; i < n; i++) {
        unsigned char *cell = in + size * (size_t)i;
        if (heads) memset(cell, 0, FLAG), cell[0] = heads[i] != 0;
        memcpy(cell + skip, (const unsigned char *)cells + monoid->size * (size_t)i, monoid->size);
    }
    plain_scan(heads ? &pairs : monoid, in, n, result);
    for (int64_t i = 0; i < n; i++)
        memcpy((unsigned char *)out + monoid->size * (size_t)i, result + size * (size_t)i + skip,
               monoid->size);
    free(in);
    free(result);
}
