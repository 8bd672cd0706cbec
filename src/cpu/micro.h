// SPDX-License-Identifier: Apache-2.0
// The contract of a micro-kernel: what an operator brings to the patterns of this backend. All
// arrays hold nodes of one type, one after another. The patterns know blocks, threads and the
// tree, and no types; a micro-kernel knows one type and one operator, and no threads.
#ifndef HD__MICRO_H
#define HD__MICRO_H

#include "core/builtin.h"

// Perfect nodes grow by groups of this many: up and down below are written for it.
#define HD__RADIX 8
#define HD__FEW   (HD__RADIX * HD__RADIX)

typedef struct hd__micro {
    // out[i] = a[i] op b[i]; out may be a or b
    void (*combine)(void *out, const void *a, const void *b, int64_t n);
    // out[j] = the tree over in[8 j] .. in[8 j + 7]
    void (*up)(void *out, const void *in, int64_t n);
    // the inclusive scan of 8 n nodes whose groups of 8 have the prefixes base[0] .. base[n]; out
    // may be in
    void (*down)(void *out, const void *in, const void *base, int64_t n);
    // down, and at the same time up of as many groups of another array: the one waits for memory
    // while the other works. NULL: one after the other will do
    void (*down_and_up)(void *out, const void *in, const void *base, int64_t n, void *ahead_out,
                        const void *ahead);
    // the inclusive scan of a whole sequence of up to HD__FEW nodes; NULL: as any other
    void (*scan_few)(void *out, const void *in, int64_t n);
    // *out = R(n) of in, n >= 1
    void (*reduce)(void *out, const void *in, int64_t n);
    // out[i] = *carry op in[0] op ... op in[i]; *carry becomes the last of them. Exact operators
    // only, else NULL. out may be in
    void (*scan)(void *out, const void *in, int64_t n, void *carry);
    // out[j] = R of in[offsets[j]] .. in[offsets[j + 1] - 1], or the operator's empty value (the
    // identity, for a sum +0)
    void (*segments)(void *out, const void *in, const int64_t *offsets, int64_t m);
} hd__micro;

// A sum of narrow integers in 64 bits, without writing them out wide first: *out = sum of in.
typedef void hd__wide_sum(uint64_t *out, const void *in, int64_t n);

// The lowest index of an extreme; for floats the first NaN, if there is one. n >= 1.
typedef int64_t hd__find_extreme(const void *in, int64_t n);

// One instruction set's kernels. A missing row is NULL: the operator's own loops serve.
typedef struct hd__micro_table {
    const hd__micro *row[HD__OP_COUNT][HD_TYPE_KINDS];
    hd__wide_sum *wide_sum[HD_TYPE_KINDS];
    hd__find_extreme *argmin[HD_TYPE_KINDS], *argmax[HD_TYPE_KINDS];
    const struct hd__neighbour_table *neighbours; // cpu/neighbours.h
} hd__micro_table;

#endif
