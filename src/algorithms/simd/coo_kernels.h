// SPDX-License-Identifier: Apache-2.0
// Loops over coordinates of a sparse matrix in any order, in host memory, for a type of values and
// one of columns: a row of coo_kernels.c. coo_cores.c calls them, in this order, for all tasks and
// buckets of one call before the next one.
#ifndef HEDDLE_ALGORITHMS_SIMD_COO_KERNELS_H
#define HEDDLE_ALGORITHMS_SIMD_COO_KERNELS_H

#include "algorithms/support/isa.h"

enum { HD__COO_LINE = 256 }; // bytes of a bucket that are stored at once: several cache lines

// A task has a range of the coordinates, a bucket has neighbouring rows. Each task has a part of
// its own in each bucket, which begins on a line.
typedef struct hd__coordinates {
    const int32_t *row;
    const void *column, *value, *x;
    int64_t n, rows, columns, tasks, buckets;
    int shift;        // bucket = row >> shift
    int64_t *count;   // of each task: products of each bucket
    int64_t *first;   // where they begin among the items
    void *line;       // of each task: an open line of each bucket
    void *item;       // products and their rows
    int64_t *end;     // of each row: where its next product goes, and at last its end
    int64_t groups;   // of neighbouring buckets, of which one at a time is put in order
    int64_t *made_at; // of each group: where it has room for its largest bucket
    void *made;       // products in the order of their rows
    void *y;
} hd__coordinates;

typedef struct hd__coo_kernels {
    size_t item; // bytes of an item
    // Counts a task's products; false where a row or a column is out of range.
    bool (*count)(const hd__coordinates *c, int64_t task);
    // Writes them to their buckets.
    void (*distribute)(const hd__coordinates *c, int64_t task);
    // Puts each bucket of a group in the order of its rows, and adds each row up: y = the one tree
    // over its products.
    void (*reduce)(const hd__coordinates *c, int64_t group);
} hd__coo_kernels;

// The row of a type, f32 or f64, with columns of i32 or, wide, of i64.
typedef const hd__coo_kernels *hd__coo_finder(hd_type real, bool wide);

#ifdef HD_ISAS
HD_ISAS_OF(HD__ISA_DECLARE, hd__coo_finder, hd__coo_kernels)

// The same for the instruction set of a context.
static inline const hd__coo_kernels *hd__coo_kernels_of(const hd_context *ctx, hd_type real,
                                                        bool wide)
{
    static hd__coo_finder *const find[] = {HD_ISAS_OF(HD__ISA_POINT, hd__coo_kernels)};
    return find[hd__isa_of(ctx)](real, wide);
}
#else
hd__coo_finder HD__OF_ISA(hd__coo_kernels);
#endif

#endif
