// SPDX-License-Identifier: Apache-2.0
// hd_spmv, hd_spmv_coo: a sparse matrix times a vector, over any semiring; hd_coo_to_csr.
#ifndef HEDDLE_SPARSE_H
#define HEDDLE_SPARSE_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// A sparse matrix of R rows and C columns has n entries, in one of two forms:
//
//   CSR   (compressed sparse rows) the entries of row i are offset[i] .. offset[i + 1] - 1, each
//         with its column and its value: offset has R + 1 elements, never falling, within 0 .. n
//   COO   (coordinates) entry k is in row row[k], column column[k]; in any order, and a place may
//         come more than once: entries of a row keep the order of k
//
// Indices are of any integer type, in one dimension. Without values (HD_EMPTY) the matrix is a
// pattern: each entry stands for a one.

// How rows are reduced.
typedef enum hd_spmv_method {
    HD_SPMV_REDUCE = 0, // each row one segment of a reduction, x fetched on the way (hd_indexed)
    HD_SPMV_SCAN        // a segmented scan of all products, then its last element of each row
} hd_spmv_method;

typedef struct hd_spmv_options {
    size_t size;    // sizeof(hd_spmv_options), or 0: its size in version 0.1
    int32_t method; // hd_spmv_method
    // HD_F64: as in hd_reduce_options; by HD_SPMV_REDUCE alone
    hd_type accumulate;
    // What an entry and x make: map(value[k], x[column[k]]), or map(x[column[k]]) without values
    const hd_function *map;
} hd_spmv_options;

// y[i] = op over the entries k of row i, in their order, of value[k] * x[column[k]]: with HD_DOT a
// sum of products. Any semiring: op is its addition, .map its multiplication. Shortest paths of one
// more edge are
//
//     HD_FUNCTION(plus, float, HD_NO_SOURCE, (float, length, float, x), { return length + x; })
//     hd_spmv(ctx, offset, column, length, x, HD_MIN, y, &(hd_spmv_options){.map = plus});
//
// y has R elements, x has C. The types are those that hd_reduce takes; with HD_DOT value and x are
// of one type. Columns are in memory: hd_iota is none.
//
//   Method      HD_SPMV_REDUCE: one segmented reduction; work 2 n, steps log2 of the longest row.
//               On the cores, sums of products of one type, f32 or f64, with columns of i32 or i64
//               are a loop over the rows' trees.
//               HD_SPMV_SCAN: Blelloch 1990, "Prefix sums and their applications", 1.5; work O(n),
//               steps O(log n); it takes HD_DOT of f32 and f64, or any op with .map.
//   Aliasing    y may overlap no input.
//   Exactness   each row has the bits of hd_reduce over its products, the one tree, on every
//               backend; by HD_SPMV_SCAN those of hd_scan with segments, another grouping. A row
//               without entries is the operator's empty value (+0; of a user's its identity).
//               hd_spmv_coo has the bits of hd_spmv over the same rows.
//   Cost        reads each entry once and x where columns say. Coordinates that do not come row
//               by row are sorted first, with 24 bytes an entry of scratch; where HD_DOT of f32 or
//               f64 is computed on cores, i32 rows by counting, with 8 and 16 bytes.
//   Returns     HD_ERROR_VALUE for a column or row out of range (the text names the first entry),
//               and for offsets that fall or leave 0 .. n; HD_ERROR_SHAPE where sizes differ;
//               HD_ERROR_ARGUMENT for values with another operator than HD_DOT and no .map, and for
//               HD_DOT with one; and what hd_reduce returns.
HD_API HD__CHECKED hd_status hd_spmv(hd_context *ctx, hd_view offset, hd_view column, hd_view value,
                                     hd_view x, const hd_operator *op, hd_view y,
                                     const hd_spmv_options *options);
HD_API HD__CHECKED hd_status hd_spmv_coo(hd_context *ctx, hd_view row, hd_view column,
                                         hd_view value, hd_view x, const hd_operator *op, hd_view y,
                                         const hd_spmv_options *options);

typedef struct hd_coo_to_csr_options {
    size_t size; // sizeof(hd_coo_to_csr_options), or 0: its size in version 0.1
} hd_coo_to_csr_options;

// The CSR form of a matrix of coordinates: offset receives R + 1 offsets, column_out the columns
// row by row, and each output of values its input in the same order: HD_VALUES(value, value_out),
// any number of them. Entries of a row keep their order; what stands twice stays twice.
//
//   Method      a stable sort by row, and a search of each row in it; nothing is sorted where rows
//               never fall. Work O(n) for 32-bit rows, steps O(log n).
//   Aliasing    outputs may overlap neither inputs nor each other.
//   Exactness   values are moved as they are.
//   Cost        a sort of n integers with their indices, and each array gathered; 24 bytes an entry
//               of scratch.
//   Returns     HD_ERROR_VALUE for a row out of range (the text names the first entry), the usual
//               ones.
HD_API HD__CHECKED hd_status hd_coo_to_csr(hd_context *ctx, hd_view row, hd_view column,
                                           hd_view offset, hd_view column_out, hd_views values,
                                           const hd_coo_to_csr_options *options);

#ifdef __cplusplus
}
#endif

#endif
