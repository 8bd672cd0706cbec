// SPDX-License-Identifier: Apache-2.0
// Loops of sparse matrices over host memory, for a type of values and one of columns: a row of
// sparse_kernels.c. sparse_cores.c calls them.
#ifndef HEDDLE_ALGORITHMS_SIMD_SPARSE_KERNELS_H
#define HEDDLE_ALGORITHMS_SIMD_SPARSE_KERNELS_H

#include "algorithms/support/isa.h"

enum {
    HD__SPARSE_NODE = 4096,    // entries of a node of the tree of a long row
    HD__SPARSE_LONG = 8 * 4096 // a longer row is many tasks
};

// y[i] = the one tree over value[k] * x[column[k]], each rounded, for k from offset[i] up to
// offset[i + 1]. Offsets and columns are the caller's: they are looked at as they are read.
typedef struct hd__sparse_matrix {
    const void *offset, *column, *value, *x;
    int64_t entries, columns;
    void *y;
} hd__sparse_matrix;

typedef struct hd__sparse_kernels {
    // Rows begin .. end - 1 that are not long; returns how many are, whose offsets and columns are
    // good, too. -1: an offset or a column is out of range, and y is anything.
    int64_t (*rows)(const hd__sparse_matrix *m, int64_t begin, int64_t end);
    // Of a long row of n entries from `first` on: node[j] = the node over HD__SPARSE_NODE of them,
    // from j times as many on; then the row from them, and from the last entries, which fill none.
    void (*nodes)(const hd__sparse_matrix *m, int64_t first, int64_t begin, int64_t end,
                  void *node);
    void (*long_row)(const hd__sparse_matrix *m, int64_t row, int64_t first, int64_t n,
                     const void *node);
    int64_t (*offset_of)(const hd__sparse_matrix *m, int64_t i);
} hd__sparse_kernels;

// The row of a type, f32 or f64, with columns of i32 or, wide, of i64, and offsets of i32 or, far,
// of i64; wide ones have those alone.
typedef const hd__sparse_kernels *hd__sparse_finder(hd_type real, bool wide, bool far);

#ifdef HD_ISAS
HD_ISAS_OF(HD__ISA_DECLARE, hd__sparse_finder, hd__sparse_kernels)

// The same for the instruction set of a context.
static inline const hd__sparse_kernels *hd__sparse_kernels_of(const hd_context *ctx, hd_type real,
                                                              bool wide, bool far)
{
    static hd__sparse_finder *const find[] = {HD_ISAS_OF(HD__ISA_POINT, hd__sparse_kernels)};
    return find[hd__isa_of(ctx)](real, wide, far);
}
#else
hd__sparse_finder HD__OF_ISA(hd__sparse_kernels);
#endif

#endif
