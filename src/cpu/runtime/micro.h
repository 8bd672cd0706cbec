// SPDX-License-Identifier: Apache-2.0
// The contract of a micro-kernel: what an operator brings to the patterns of this backend. All
// arrays hold nodes of one type, one after another. The patterns know blocks, threads and the
// tree, and no types; a micro-kernel knows one type and one operator, and no threads.
#ifndef HEDDLE_CPU_RUNTIME_MICRO_H
#define HEDDLE_CPU_RUNTIME_MICRO_H

#include "core/operators/builtin.h"

// Perfect nodes grow by groups of this many: up and down below are written for it.
#define HD__RADIX 8
#define HD__FEW   (HD__RADIX * HD__RADIX)

#define HD__STREAMS  4  // places read side by side
#define HD__EVEN     16 // at least the lanes of a vector
#define HD__FAR_NODE 32

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
    // up and down over (head, value) pairs: heads[i] is 1 where a segment begins, else 0. Both
    // NULL: none
    void (*heads_up)(void *out, uint8_t *out_heads, const void *in, const uint8_t *heads,
                     int64_t n);
    void (*heads_down)(void *out, const void *in, const uint8_t *heads, const void *base,
                       int64_t n);
    // *out = R(n) of in, n >= 1
    void (*reduce)(void *out, const void *in, int64_t n);
    // out[i] = *carry op in[0] op ... op in[i]; *carry becomes the last of them. Exact operators
    // only, else NULL. out may be in
    void (*scan)(void *out, const void *in, int64_t n, void *carry);
    // out[j] = R of in[offsets[j]] .. in[offsets[j + 1] - 1], or the operator's empty value (the
    // identity, for a sum +0), for m segments of up to `most` elements; out[j] of others is any
    // number, and their j is put into left (room for m). Returns how many they are. most is at
    // least HD__FAR_NODE
    int64_t (*segments)(void *out, const void *in, const int64_t *offsets, int64_t m, int64_t most,
                        int64_t *left);
    // The same from HD__STREAMS places at once, `apart` segments from each other: m segments each,
    // a multiple of HD__EVEN, and all of one length: 8, 16 or 32. False, and outputs undefined, if
    // one is not; the elements read are those of m segments from where each place begins. May be
    // NULL
    bool (*even)(void *out, const void *in, const int64_t *offsets, int64_t m, int64_t apart,
                 int64_t length);
    // Nodes of HD__FAR_NODE elements from as many places: in[s] has n times `unit` elements, a
    // multiple of HD__FAR_NODE. May be NULL, and then so is finish
    int64_t unit;
    void (*up_far)(void *const *out, const void *const *in, int64_t n);
    // *out = R(n) of in, whose units have become nodes; there is room for those of the rest
    void (*finish)(void *out, const void *in, int64_t n, void *nodes);
} hd__micro;

// A sum of narrow integers in 64 bits, without writing them out wide first: *out = sum of in.
typedef void hd__wide_sum(uint64_t *out, const void *in, int64_t n);

// *node = R(n) of n >= 1 elements that lie dense, for float sums whose nodes are more than that or
// wider than elements: of f32, of f64, and in f64 of f32; [whether nodes have lo][whether they have
// size].
typedef void hd__sum_of(void *node, const void *in, int64_t n);
typedef struct hd__tree_sums {
    hd__sum_of *f32[2][2], *f64[2][2], *wide[2][2]; // [0][0] only of wide
} hd__tree_sums;

// up, down and down_and_up (hd__micro) of the lowest level of a scan, for float sums whose nodes
// are not as elements lie in memory or not as outputs do: n groups of 8 dense elements in, nodes
// above them, and 8 n outputs. out may be the elements.
typedef struct hd__fused_scan {
    void (*up)(void *out, const void *elements, int64_t n);
    void (*down)(void *out, const void *elements, const void *base, int64_t n);
    void (*down_and_up)(void *out, const void *elements, const void *base, int64_t n,
                        void *ahead_out, const void *ahead);
} hd__fused_scan;

// Compensated of f32 and of f64; in f64 of f32: [whether nodes have lo][whether outputs are f64].
typedef struct hd__fused_scans {
    const hd__fused_scan *pair_f32, *pair_f64, *wide[2][2];
} hd__fused_scans;

// The nodes of a variance over groups of so many elements: hd__moments of f32, hd__wide_moments of
// f64.
#define HD__MOMENT_GROUP 64
typedef void hd__moments_of(void *out, const void *in, int64_t groups);

// Squares of elements in f64: false, and anything written, where one needs to be scaled (hd__norm).
typedef bool hd__squares_of(double *out, const void *in, int64_t n);

// Up to HD__SUM_PARTS numbers whose sum is exactly that of n elements, a multiple of
// HD__SUM_PARTS_STEP and at most HD__SUM_PARTS_MOST. Returns how many there are; 0: so few do not
// hold it.
#define HD__SUM_PARTS      64
#define HD__SUM_PARTS_STEP 32
#define HD__SUM_PARTS_MOST 4096
typedef int hd__parts_of(double *parts, const void *in, int64_t n);

// The sum of the fractions of f64 of one sign and HD__BIN_EXPONENTS exponents, by halves of 32
// bits: bits >> 55 is the number of an element's bin. Subnormals count as exponent 1.
#define HD__BIN_EXPONENTS 8
#define HD__BINS          (4096 / HD__BIN_EXPONENTS)
typedef struct hd__bin {
    uint64_t low, high;
} hd__bin;

// Adds n f64, a multiple of HD__SUM_PARTS_STEP, to bins aligned to 16 bytes with room for 2^32 of
// them. Returns flags of a node (HD__LIMBS_SOME ...), all that an element that is not finite
// leaves.
typedef uint64_t hd__bin_sum(hd__bin *bins, const void *in, int64_t n);

typedef struct hd__exact_micro {
    hd__parts_of *parts[HD_TYPE_KINDS];
    hd__bin_sum *bins;
} hd__exact_micro;

// The lowest index of an extreme; for floats the first NaN, if there is one. n >= 1.
typedef int64_t hd__find_extreme(const void *in, int64_t n);

struct hd__sort_kernels;
// The transpose of a block, through a buffer: row i of `rows` is `columns` elements at in + i *
// in_step, and row j of out, at out + j * out_step, is column j of them (steps in bytes). All of
// the block is read before any of it is written. The buffer has room for HD__TURN_BUFFER bytes, the
// block has at most HD__TURN_ROWS bytes of one column and HD__TURN_COLUMNS of one row. ahead, if it
// is not NULL, is the block that comes next: its lines are fetched meanwhile.
#define HD__TURN_ROWS    256
#define HD__TURN_COLUMNS 256
#define HD__TURN_BUFFER  (HD__TURN_COLUMNS * (HD__TURN_ROWS + 64))
typedef void hd__turn(char *out, int64_t out_step, const char *in, int64_t in_step, int64_t rows,
                      int64_t columns, char *buffer, const char *ahead);

// Structures of `fields` numbers of one size to as many rows, and back; n structures.
typedef void hd__unzip_row(char *const *fields, const void *structures, int64_t n);
typedef void hd__zip_row(void *structures, char *const *fields, int64_t n);

typedef struct hd__layout_kernels {
    hd__turn *turn[5];       // elements of 1, 2, 4, 8, 16 bytes
    hd__turn *turn_lines[5]; // the same, blocks of 64 bytes of a column without the buffer, or NULL
    // [log2 of the size][number of fields - 2]: two, three and four fields
    hd__unzip_row *unzip[4][3];
    hd__zip_row *zip[4][3];
} hd__layout_kernels;
// The positions of elements that are greater (or less) than *bound, which is neither zero of a
// float type nor NaN; returns how many. Room for n of them.
typedef int64_t hd__find_beyond(const void *in, int64_t n, const void *bound, int64_t *positions);
struct hd__histogram_micro; // cpu/histogram_micro.h
struct hd__select_micro;    // cpu/select_micro.h

// One instruction set's kernels. A missing row is NULL: the operator's own loops serve.
typedef struct hd__micro_table {
    const hd__micro *row[HD__OP_COUNT][HD_TYPE_KINDS];
    hd__wide_sum *wide_sum[HD_TYPE_KINDS];
    hd__moments_of *moments[HD_TYPE_KINDS];
    const hd__tree_sums *sums;
    const hd__fused_scans *fused_scans;
    hd__squares_of *squares[HD_TYPE_KINDS];
    hd__exact_micro exact;
    hd__find_extreme *argmin[HD_TYPE_KINDS], *argmax[HD_TYPE_KINDS];
    const struct hd__sort_kernels *sort; // cpu/sort_kernels.h
    const hd__layout_kernels *layout;
    hd__find_beyond *greater[HD_TYPE_KINDS], *less[HD_TYPE_KINDS];
    const struct hd__histogram_micro *histogram;
    const struct hd__select_micro *select;
    const struct hd__neighbour_table *neighbours; // cpu/neighbours.h
} hd__micro_table;

#endif
