// SPDX-License-Identifier: Apache-2.0
// The one tree as a binary counter of partial nodes: node k waits where bit k of the count is set.
// docs/numerics.md draws it. The carry of the public API is such a counter.
#ifndef HD__TREE_H
#define HD__TREE_H

#include "heddle.h"

#include <string.h>

#define HD__LEVELS 63

typedef struct hd__tree {
    const hd_operator *op;
    size_t size;         // of a node
    int64_t count;       // elements in the tree
    unsigned char *node; // HD__LEVELS of them
} hd__tree;

static inline void *hd__tree_node(const hd__tree *t, int level)
{
    return t->node + (size_t)level * t->size;
}

// Adds a perfect node over 2^level elements; the count must be a multiple of 2^level.
static inline void hd__tree_push(hd__tree *t, int level, const void *node)
{
    int k = level;
    if (!(t->count >> k & 1)) {
        memcpy(hd__tree_node(t, k), node, t->size);
    } else {
        const void *right = node;
        for (; t->count >> k & 1; k++) {
            t->op->combine(hd__tree_node(t, k), hd__tree_node(t, k), right, 1);
            right = hd__tree_node(t, k);
        }
        memcpy(hd__tree_node(t, k), right, t->size);
    }
    t->count += (int64_t)1 << level;
}

// R(count): the left fold of the waiting nodes, largest first. False, and nothing written, if
// there are none.
static inline bool hd__tree_fold(const hd__tree *t, void *out)
{
    bool any = false;
    const int top = t->count > 0 ? 63 - __builtin_clzll((unsigned long long)t->count) : -1;
    for (int k = top; k >= 0; k--) {
        if (!(t->count >> k & 1)) continue;
        if (any)
            t->op->combine(out, out, hd__tree_node(t, k), 1);
        else
            memcpy(out, hd__tree_node(t, k), t->size);
        any = true;
    }
    return any;
}

struct hd_carry {
    hd__tree tree;
    const hd_operator *asked; // what the first call used: later ones must agree
    hd_type element, out;
    bool scans;
    size_t bytes;
};

#endif
