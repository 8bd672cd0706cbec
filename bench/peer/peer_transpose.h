// SPDX-License-Identifier: Apache-2.0
//
// What PEER_TRANSPOSE needs: out[j * rows + i] = in[i * columns + j]. Structures of three numbers
// to arrays are a matrix of three columns, arrays to structures one of three rows.
#ifndef HEDDLE_BENCH_PEER_PEER_TRANSPOSE_H
#define HEDDLE_BENCH_PEER_PEER_TRANSPOSE_H

#include <stdint.h>

typedef struct peer_transpose {
    int64_t rows, columns;
} peer_transpose;

#endif
