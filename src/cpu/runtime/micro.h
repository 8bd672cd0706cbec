// SPDX-License-Identifier: Apache-2.0
// The contract of a micro-kernel: what an operator brings to the patterns of this backend. All
// arrays hold nodes of one type, one after another. The patterns know blocks, threads and the
// tree, and no types; a micro-kernel knows one type and one operator, and no threads.
#ifndef HEDDLE_CPU_RUNTIME_MICRO_H
#define HEDDLE_CPU_RUNTIME_MICRO_H

#include "core/operators/builtin.h"

// Perfect nodes grow by groups of this many: the sweeps below are written for it.
#define HD__TREE_ARITY     8
#define HD__SMALL_SCAN_MAX (HD__TREE_ARITY * HD__TREE_ARITY)

#define HD__STREAMS     4  // ranges read side by side
#define HD__EVEN        16 // at least the lanes of a vector
#define HD__STREAM_NODE 32

// The last argument of the first three, which only loops of users' operators read.
#define HD__STATE_UNUSED const void *state __attribute__((unused))

typedef struct hd__cpu_micro {
    const void *state; // what a user's operator was given, else NULL
    // out[i] = a[i] op b[i]; out may be a or b
    void (*combine)(void *out, const void *a, const void *b, int64_t n, const void *state);
    // out[j] = the tree over in[8 j] .. in[8 j + 7]
    void (*upsweep)(void *out, const void *in, int64_t n, const void *state);
    // the inclusive scan of 8 n nodes whose groups of 8 have the prefixes base[0] .. base[n]; out
    // may be in
    void (*downsweep)(void *out, const void *in, const void *base, int64_t n, const void *state);
    // a downsweep, and an upsweep of as many groups of another array: the one waits for memory
    // while the other works. NULL: one after the other will do
    void (*downsweep_and_upsweep)(void *out, const void *in, const void *base, int64_t n,
                                  void *ahead_out, const void *ahead);
    // the inclusive scan of a whole sequence of up to HD__SMALL_SCAN_MAX nodes; NULL: as any other
    void (*scan_small)(void *out, const void *in, int64_t n);
    // the sweeps over (head flag, value) pairs: head_flags[i] is 1 where a segment begins, else 0;
    // both NULL: none
    void (*segmented_upsweep)(void *out, uint8_t *out_heads, const void *in,
                              const uint8_t *head_flags, int64_t n);
    void (*segmented_downsweep)(void *out, const void *in, const uint8_t *head_flags,
                                const void *base, int64_t n);
    // *out = R(n) of in, n >= 1
    void (*reduce)(void *out, const void *in, int64_t n);
    // out[i] = *carry op in[0] op ... op in[i]; *carry becomes the last of them. Exact operators
    // only, else NULL. out may be in
    void (*scan)(void *out, const void *in, int64_t n, void *carry);
    // out[j] = R of in[offsets[j]] .. in[offsets[j + 1] - 1], or the operator's empty value (the
    // identity, for a sum +0), for m segments of up to `most` elements; out[j] of others is any
    // number, and their j is put into left (room for m). Returns how many they are. most is at
    // least HD__STREAM_NODE
    int64_t (*segments)(void *out, const void *in, const int64_t *offsets, int64_t m, int64_t most,
                        int64_t *left);
    // The same from HD__STREAMS places at once, `apart` segments from each other: m segments each,
    // a multiple of HD__EVEN, and all of one length: 8, 16 or 32. False, and outputs undefined, if
    // one is not; the elements read are those of m segments from where each place begins. May be
    // NULL
    bool (*even)(void *out, const void *in, const int64_t *offsets, int64_t m, int64_t apart,
                 int64_t length);
    // Nodes of HD__STREAM_NODE elements from as many places: in[s] has n times `unit` elements, a
    // multiple of HD__STREAM_NODE. May be NULL, and then so is finish
    int64_t unit;
    void (*upsweep_streams)(void *const *out, const void *const *in, int64_t n);
    // *out = R(n) of in, whose units have become nodes; there is room for those of the rest
    void (*finish)(void *out, const void *in, int64_t n, void *nodes);
} hd__cpu_micro;

// A sum of narrow integers in 64 bits, without writing them out wide first: *out = sum of in.
typedef void hd__cpu_wide_sum(uint64_t *out, const void *in, int64_t n);

// *node = R(n) of n >= 1 elements that lie dense, for float sums whose nodes are more than that or
// wider than elements: of f32, of f64, and in f64 of f32; [whether nodes have lo][whether they have
// size].
typedef void hd__cpu_sum_of(void *node, const void *in, int64_t n);
typedef struct hd__cpu_tree_sums {
    hd__cpu_sum_of *f32[2][2], *f64[2][2], *wide[2][2]; // [0][0] only of wide
} hd__cpu_tree_sums;

// The sweeps of hd__cpu_micro over the lowest level of a scan, for float sums
// whose nodes are not as elements lie in memory or not as outputs do: n groups of 8 dense elements
// in, nodes above them, and 8 n outputs. out may be the elements.
typedef struct hd__cpu_fused_scan {
    void (*upsweep)(void *out, const void *elements, int64_t n);
    void (*downsweep)(void *out, const void *elements, const void *base, int64_t n);
    void (*downsweep_and_upsweep)(void *out, const void *elements, const void *base, int64_t n,
                                  void *ahead_out, const void *ahead);
} hd__cpu_fused_scan;

// Compensated of f32 and of f64; in f64 of f32: [whether nodes have lo][whether outputs are f64].
typedef struct hd__cpu_fused_scans {
    const hd__cpu_fused_scan *pair_f32, *pair_f64, *wide[2][2];
} hd__cpu_fused_scans;

// The nodes of a variance over groups of so many elements: hd__moments of f32, hd__wide_moments of
// f64.
#define HD__MOMENT_GROUP 64
typedef void hd__cpu_moments_of(void *out, const void *in, int64_t groups);

// Squares of elements in f64: false, and anything written, where one needs to be scaled (hd__norm).
typedef bool hd__cpu_squares_of(double *out, const void *in, int64_t n);

// Up to HD__EXPANSION_MAX numbers whose sum is exactly that of n elements, a multiple of
// HD__EXPANSION_STEP and at most HD__EXPANSION_ELEMENTS_MAX. Returns how many there are; 0: so few
// do not hold it.
#define HD__EXPANSION_MAX          64
#define HD__EXPANSION_STEP         32
#define HD__EXPANSION_ELEMENTS_MAX 4096
typedef int hd__cpu_expansion_of(double *expansion, const void *in, int64_t n);

// The sum of the fractions of f64 of one sign and HD__BIN_EXPONENTS exponents, by halves of 32
// bits: bits >> 55 is the number of an element's bin. Subnormals count as exponent 1.
#define HD__BIN_EXPONENTS 8
#define HD__BINS          (4096 / HD__BIN_EXPONENTS)
typedef struct hd__cpu_bin {
    uint64_t low, high;
} hd__cpu_bin;

// Adds n f64, a multiple of HD__EXPANSION_STEP, to bins aligned to 16 bytes with room for 2^32 of
// them. Returns flags of a node (HD__LIMBS_SOME ...), all that an element that is not finite
// leaves.
typedef uint64_t hd__cpu_bin_sum(hd__cpu_bin *bins, const void *in, int64_t n);

typedef struct hd__cpu_exact_kernels {
    hd__cpu_expansion_of *expansion[HD_TYPE_KINDS];
    hd__cpu_bin_sum *bins;
} hd__cpu_exact_kernels;

// The lowest index of an extreme; for floats the first NaN, if there is one. n >= 1.
typedef int64_t hd__cpu_find_extreme(const void *in, int64_t n);

struct hd__cpu_sort_kernels;
struct hd__cpu_merge_kernels;
// The transpose of a block, through a buffer: row i of `rows` is `columns` elements at in + i *
// in_step, and row j of out, at out + j * out_step, is column j of them (steps in bytes). All of
// the block is read before any of it is written. The buffer has room for HD__TRANSPOSE_BUFFER
// bytes, the block has at most HD__TRANSPOSE_ROWS bytes of one column and HD__TRANSPOSE_COLUMNS of
// one row. ahead, if it is not NULL, is the block that comes next: its lines are fetched meanwhile.
#define HD__TRANSPOSE_ROWS    256
#define HD__TRANSPOSE_COLUMNS 256
#define HD__TRANSPOSE_BUFFER  (HD__TRANSPOSE_COLUMNS * (HD__TRANSPOSE_ROWS + 64))
typedef void hd__cpu_block_transpose(char *out, int64_t out_step, const char *in, int64_t in_step,
                                     int64_t rows, int64_t columns, char *buffer,
                                     const char *ahead);

// Structures of `fields` numbers of one size to as many rows, and back; n structures.
typedef void hd__cpu_unzip_row(char *const *fields, const void *structures, int64_t n);
typedef void hd__cpu_zip_row(void *structures, char *const *fields, int64_t n);

typedef struct hd__cpu_layout_kernels {
    hd__cpu_block_transpose *transpose[5]; // elements of 1, 2, 4, 8, 16 bytes
    // the same; blocks of 64 bytes of a column go without the buffer. May be NULL
    hd__cpu_block_transpose *transpose_lines[5];
    // [log2 of the size][number of fields - 2]: two, three and four fields
    hd__cpu_unzip_row *unzip[4][3];
    hd__cpu_zip_row *zip[4][3];
} hd__cpu_layout_kernels;
// The positions of elements that are greater (or less) than *bound, which is neither zero of a
// float type nor NaN; returns how many. Room for n of them.
typedef int64_t hd__cpu_find_beyond(const void *in, int64_t n, const void *bound,
                                    int64_t *positions);
struct hd__cpu_histogram_kernels; // cpu/histogram/histogram_kernels.h
struct hd__cpu_select_kernels;    // cpu/select/select_kernels.h
struct hd__cpu_order_kernels;     // cpu/select/order_kernels.h
struct hd__cpu_nth_kernels;       // cpu/sort/nth_kernels.h
struct hd__cpu_random_kernels;    // cpu/move/random_kernels.h

// One instruction set's kernels. A missing row is NULL: the operator's own loops serve.
typedef struct hd__cpu_isa_kernels {
    const hd__cpu_micro *row[HD__OP_COUNT][HD_TYPE_KINDS];
    hd__cpu_wide_sum *wide_sum[HD_TYPE_KINDS];
    hd__cpu_moments_of *moments[HD_TYPE_KINDS];
    const hd__cpu_tree_sums *sums;
    const hd__cpu_fused_scans *fused_scans;
    hd__cpu_squares_of *squares[HD_TYPE_KINDS];
    hd__cpu_exact_kernels exact;
    hd__cpu_find_extreme *argmin[HD_TYPE_KINDS], *argmax[HD_TYPE_KINDS];
    const struct hd__cpu_sort_kernels *sort; // cpu/sort/sort_kernels.h
    const hd__cpu_layout_kernels *layout;
    hd__cpu_find_beyond *greater[HD_TYPE_KINDS], *less[HD_TYPE_KINDS];
    const struct hd__cpu_histogram_kernels *histogram;
    const struct hd__cpu_select_kernels *select;
    const struct hd__cpu_order_kernels *order;
    const struct hd__cpu_nth_kernels *nth;
    const struct hd__cpu_random_kernels *random;
    const struct hd__cpu_neighbour_table *neighbours; // cpu/stencil/neighbours.h
    const struct hd__cpu_merge_kernels *merge;        // cpu/sort/merge_kernels.h
} hd__cpu_isa_kernels;

#endif
