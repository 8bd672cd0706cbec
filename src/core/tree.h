// SPDX-License-Identifier: Apache-2.0
// The fixed reduction tree as a binary counter of pending partials: node k is pending where bit k
// of the count is set. numerics.md draws it. The carry of the public API is such a counter.
#ifndef HEDDLE_CORE_TREE_H
#define HEDDLE_CORE_TREE_H

#include "heddle.h"

#include <string.h>

#define HD__LEVELS 63

typedef uint32_t hd__word32 __attribute__((may_alias, aligned(1)));
typedef uint64_t hd__word64 __attribute__((may_alias, aligned(1)));

// Copies one node: numbers without a call, which would cost more than the copy.
static inline void hd__copy_node(void *to, const void *from, size_t size)
{
    if (size == 4)
        *(hd__word32 *)to = *(const hd__word32 *)from;
    else if (size == 8)
        *(hd__word64 *)to = *(const hd__word64 *)from;
    else
        memcpy(to, from, size);
}

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
        hd__copy_node(hd__tree_node(t, k), node, t->size);
    } else {
        const void *right = node;
        for (; t->count >> k & 1; k++) {
            t->op->combine(hd__tree_node(t, k), hd__tree_node(t, k), right, 1, t->op->state.data);
            right = hd__tree_node(t, k);
        }
        hd__copy_node(hd__tree_node(t, k), right, t->size);
    }
    t->count += (int64_t)1 << level;
}

// R(count): the left fold of the pending partials, largest first. False, and nothing written, if
// there are none.
static inline bool hd__tree_fold(const hd__tree *t, void *out)
{
    bool any = false;
    const int top = t->count > 0 ? 63 - __builtin_clzll((unsigned long long)t->count) : -1;
    for (int k = top; k >= 0; k--) {
        if (!(t->count >> k & 1)) continue;
        if (any)
            t->op->combine(out, out, hd__tree_node(t, k), 1, t->op->state.data);
        else
            hd__copy_node(out, hd__tree_node(t, k), t->size);
        any = true;
    }
    return any;
}

// Over the elements first .. first + n - 1 of a sequence, as the largest aligned nodes there are:
// rising in size up to `start`, falling from there on. The rising ones are the head; the others are
// a tree of their own, as `start` is a multiple of every size in it. A carry from the beginning of
// the sequence has no head.
struct hd_carry {
    hd__tree tree;
    const hd_operator *asked; // what the first call used: later ones must agree
    hd_type element, out, number;
    size_t bytes;
    int64_t first, start;
    uint64_t heads;      // bit k: the head has a node over 2^k elements
    unsigned char *head; // HD__LEVELS nodes, behind those of the tree
    hd_carry *peaks;     // of a monotone scan: the carry of its running maximum; else NULL
    hd_operator own;     // with the state that the carry was begun with
};

#endif
