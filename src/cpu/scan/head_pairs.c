// SPDX-License-Identifier: Apache-2.0
// Upsweep and downsweep over pairs, a level at a time.
#include "head_pairs.h"

// Level k has n >> k pairs; the inclusive prefixes of a level need one more, for the base.
size_t hd__cpu_pairs_bytes(size_t size, int64_t n)
{
    size_t bytes = 2 * hd__padded(((size_t)n / 2 + 2) * size);
    for (int64_t m = n; m > 0; m /= 2)
        bytes += hd__padded(((size_t)m + 1) * size) + hd__padded((size_t)m);
    return bytes;
}

void hd__cpu_pairs_layout(size_t size, int64_t n, void *memory, hd__cpu_pair_levels *l)
{
    unsigned char *at = memory;
    l->left = at;
    at += hd__padded(((size_t)n / 2 + 2) * size);
    l->right = at;
    at += hd__padded(((size_t)n / 2 + 2) * size);
    int32_t level = 0;
    for (int64_t m = n; m > 0; m /= 2, level++) {
        l->value[level] = at + size; // one slot is free before
        at += hd__padded(((size_t)m + 1) * size);
        l->head[level] = at;
        at += hd__padded((size_t)m);
    }
}

// to[i] = from[2 i] for i < n.
static void take_every_second(void *to, const void *from, int64_t n, size_t size)
{
    if (size == 4)
        for (int64_t i = 0; i < n; i++) ((uint32_t *)to)[i] = ((const uint32_t *)from)[2 * i];
    else if (size == 8)
        for (int64_t i = 0; i < n; i++) ((uint64_t *)to)[i] = ((const uint64_t *)from)[2 * i];
    else
        for (int64_t i = 0; i < n; i++)
            memcpy((char *)to + (size_t)i * size, (const char *)from + (size_t)(2 * i) * size,
                   size);
}

// to[2 i] = from[i] for i < n.
static void put_every_second(void *to, const void *from, int64_t n, size_t size)
{
    if (size == 4)
        for (int64_t i = 0; i < n; i++) ((uint32_t *)to)[2 * i] = ((const uint32_t *)from)[i];
    else if (size == 8)
        for (int64_t i = 0; i < n; i++) ((uint64_t *)to)[2 * i] = ((const uint64_t *)from)[i];
    else
        for (int64_t i = 0; i < n; i++)
            memcpy((char *)to + (size_t)(2 * i) * size, (const char *)from + (size_t)i * size,
                   size);
}

// value[i] = other[i] where head[i * step]. Numbers are selected by masks: heads are as random to a
// branch predictor as the data.
#define CHOOSE(T)                                                                                  \
    do {                                                                                           \
        T *v = value;                                                                              \
        const T *o = other;                                                                        \
        for (int64_t i = 0; i < n; i++) {                                                          \
            const T mask = (T) - (T)(head[i * step] != 0);                                         \
            v[i] = (o[i] & mask) | (v[i] & ~mask);                                                 \
        }                                                                                          \
    } while (0)

static void choose(void *value, const void *other, const uint8_t *head, int64_t step, int64_t n,
                   size_t size)
{
    if (size == 4)
        CHOOSE(uint32_t);
    else if (size == 8)
        CHOOSE(uint64_t);
    else
        for (int64_t i = 0; i < n; i++)
            if (head[i * step])
                memcpy((char *)value + (size_t)i * size, (const char *)other + (size_t)i * size,
                       size);
}

void hd__cpu_pairs_upsweep(const hd__cpu_tree_kernels *k, hd__cpu_pair_levels *l)
{
    const size_t s = k->size;
    l->top = 0;
    while (l->n[l->top] >= 2) {
        const int32_t below = l->top++;
        const int64_t m = l->n[l->top] = l->n[below] / 2;
        const uint8_t *head = l->head[below];
        take_every_second(l->left, l->value[below], m, s);
        take_every_second(l->right, l->value[below] + s, m, s);
        k->micro.combine(l->value[l->top], l->left, l->right, m, k->micro.state);
        choose(l->value[l->top], l->right, head + 1, 2, m, s);
        uint8_t *above = l->head[l->top];
        for (int64_t j = 0; j < m; j++) above[j] = head[2 * j] | head[2 * j + 1];
    }
}

// Level `level` from the inclusive prefixes of the one above (with the base before them): odd
// places take those, even places add one pair to the prefix before.
static void down_level(const hd__cpu_tree_kernels *k, hd__cpu_pair_levels *l, int32_t level,
                       const unsigned char *above)
{
    const size_t s = k->size;
    const int64_t n = l->n[level], evens = (n + 1) / 2;
    unsigned char *value = l->value[level];
    take_every_second(l->right, value, evens, s);
    k->micro.combine(l->left, above, l->right, evens, k->micro.state);
    choose(l->left, l->right, l->head[level], 2, evens, s);
    put_every_second(value, l->left, evens, s);
    put_every_second(value + s, above + s, n / 2, s);
}

void hd__cpu_pairs_downsweep(const hd__cpu_tree_kernels *k, hd__cpu_pair_levels *l,
                             const void *base, const void *after)
{
    const size_t s = k->size;
    _Alignas(HD__ALIGNMENT) unsigned char top[HD_MAX_ELEMENT];
    memcpy(top, base, s);
    const unsigned char *above = top;
    for (int32_t level = l->top; level >= 0; level--) {
        down_level(k, l, level, above);
        unsigned char *value = l->value[level];
        if (l->n[level] << level == l->n[0])
            memcpy(value + (size_t)(l->n[level] - 1) * s, after, s);
        memcpy(value - s, base, s);
        above = value - s;
    }
}

void hd__cpu_pair_push(hd__cpu_pair_tree *t, int level, bool head, const void *value)
{
    hd__tree *tree = &t->tree;
    _Alignas(HD__ALIGNMENT) unsigned char node[HD_MAX_ELEMENT];
    int k = level;
    memcpy(node, value, tree->size);
    for (; tree->count >> k & 1; k++) {
        if (!head) hd__combine(tree->op, node, hd__tree_node(tree, k), node, 1);
        head |= t->head[k];
    }
    memcpy(hd__tree_node(tree, k), node, tree->size);
    t->head[k] = head;
    tree->count += (int64_t)1 << level;
}

void hd__cpu_pair_push_block(hd__cpu_pair_tree *t, const hd__cpu_tree_kernels *k,
                             const hd__cpu_pair_levels *l)
{
    for (int32_t level = l->top; level >= 0; level--) {
        if (!(l->n[level] & 1)) continue; // its last pair is part of one above
        const int64_t last = l->n[level] - 1;
        hd__cpu_pair_push(t, level, l->head[level][last] != 0,
                          l->value[level] + (size_t)last * k->size);
    }
}

bool hd__cpu_pair_fold(const hd__cpu_pair_tree *t, void *out)
{
    const hd__tree *tree = &t->tree;
    bool any = false;
    for (int k = HD__LEVELS - 1; k >= 0; k--) {
        if (!(tree->count >> k & 1)) continue;
        if (any && !t->head[k])
            hd__combine(tree->op, out, out, hd__tree_node(tree, k), 1);
        else
            memcpy(out, hd__tree_node(tree, k), tree->size);
        any = true;
    }
    return any;
}
