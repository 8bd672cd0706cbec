// SPDX-License-Identifier: Apache-2.0
//
// Matrix Market files (Boisvert, Pozo and Remington 1996, "The Matrix Market exchange formats"):
// sparse matrices by coordinates, dense ones by columns, as text.
//
//     %%MatrixMarket matrix coordinate real general
//     % any number of comments
//     3 3 2                   rows, columns, entries
//     1 1 4.5                 row and column count from 1
//     3 2 -1
//
// The second word is coordinate or array, the third real, integer or pattern (without values), the
// fourth general, symmetric or skew-symmetric: of these the file has the lower triangle, and the
// other one is filled in. Complex matrices are refused.
#ifndef HEDDLE_IO_TABLES_MATRIX_MARKET_H
#define HEDDLE_IO_TABLES_MATRIX_MARKET_H

#include "io/stream/bytes.h"

// Entries in the order of the file, an entry of the other triangle behind its mirror image. Rows
// and columns count from 0. A place may come more than once.
typedef struct io_matrix {
    int64_t rows, columns, count;
    int64_t *row, *column;
    double *value; // NULL: a pattern
    bool integers; // every value is one, and exact
} io_matrix;

// Loads a file ("-": standard input). After an error there is nothing to release, but it is
// allowed; so it is of zeros.
io_status io_matrix_load(io_matrix *matrix, const char *name, io_error *error);
io_status io_matrix_load_memory(io_matrix *matrix, const char *name, const void *memory,
                                size_t length, io_error *error);
void io_matrix_release(io_matrix *matrix);

#endif
