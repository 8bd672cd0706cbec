// SPDX-License-Identifier: Apache-2.0
//
// What convolutions, blurs and stencils have beyond a peer_job; `more` of the job points to it.
// Arrays are row-major (depth, height, width, channels); what lies beyond an edge is zero for
// convolutions, the image reflected ("101") for blurs.
#ifndef HEDDLE_BENCH_PEER_PEER_NEIGHBOURS_H
#define HEDDLE_BENCH_PEER_PEER_NEIGHBOURS_H

#include <stdint.h>

// CONVOLVE  out = in correlated with mask (rows x columns, anchor at the middle; mask is column
//           times row where column is not NULL)
// BLUR      Gaussian of sigma, u8
// STENCIL   the star of seven points with weight `centre` in the middle and `side` around, `steps`
//           times; points at the edges are copied. scratch: an array of the same size
typedef struct peer_neighbours {
    int64_t depth, height, width, channels;
    int64_t rows, columns;
    const float *mask, *column, *row;
    double sigma;
    float centre, side;
    int64_t steps;
    void *scratch;
} peer_neighbours;

#endif
