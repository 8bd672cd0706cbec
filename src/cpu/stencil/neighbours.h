// SPDX-License-Identifier: Apache-2.0
// The contract of the micro-kernels of convolution, blur and stencils: weighted sums of rows that
// lie one after another in memory, borders already resolved. One table an instruction set.
#ifndef HEDDLE_CPU_STENCIL_NEIGHBOURS_H
#define HEDDLE_CPU_STENCIL_NEIGHBOURS_H

#include "patterns/stencil/blur.h"

// Output rows that are best asked for at once, as they share what they load; by masks of one column
// and 3 or 5 rows more of them.
#define HD__ROWS_AT_ONCE 4
#define HD__DOWN_AT_ONCE 16

// out[o][x] = sum over i, j of mask[i * columns + j] * in[o + i][x + j * step], for o < outs and
// x < n: fused multiply-adds from -0 on, in row-major order. Behind the mask HD__MASK_PAD elements
// can be read.
#define HD__MASK_PAD 4
typedef struct hd__cpu_mask_rows {
    void *const *out;
    int64_t outs;
    const void *const *in; // outs + rows - 1 rows
    const void *mask;
    int64_t rows, columns, step, n;
    const void *const *ahead; // `outs` rows that will be needed next, or NULL
} hd__cpu_mask_rows;

// out[x] = sum over t of weight[t] * in[t][x].
typedef struct hd__cpu_mask_offset_rows {
    void *out;
    const void *const *in;
    const void *weight;
    int64_t count, n;
} hd__cpu_mask_offset_rows;

// The star of seven points over a plane: out[y][x] = weight[0] * in[z - 1] + weight[1] * in[y - 1]
// + weight[2] * in[x - 1] + weight[3] * in + weight[4] * in[x + 1] + weight[5] * in[y + 1] +
// weight[6]
// * in[z + 1], fused in this order. Pitches are in elements.
#define HD__STAR_MIN 128 // eight of the widest vectors of f32
typedef struct hd__cpu_star_rows {
    void *out;
    const void *before, *middle, *after; // planes, at the first output
    const void *weight;
    int64_t in_pitch, out_pitch;
    int64_t rows, n; // n at least HD__STAR_MIN
    // What the points before and after the rows get: of each row a value, or NULL.
    const void *left, *right;
    int64_t end_pitch;
} hd__cpu_star_rows;

// Points near the ends of a row, whose neighbours may lie beyond: neighbour t of point e, channel
// c, is row[t][index[e * count + t] * channels + c], or *beyond where the index is HD__BEYOND.
#define HD__BEYOND INT64_MIN
typedef struct hd__cpu_edge_points {
    void *out; // points x channels
    const void *const *row;
    const int64_t *index;
    const void *weight, *beyond;
    int64_t count, points, channels;
} hd__cpu_edge_points;

typedef struct hd__cpu_sum_kernels {
    void (*mask)(const hd__cpu_mask_rows *m);
    void (*weighted)(const hd__cpu_mask_offset_rows *t);
    void (*edges)(const hd__cpu_edge_points *e);
    void (*star)(const hd__cpu_star_rows *s);
} hd__cpu_sum_kernels;

// Blur of u8 by whole weights that are the same to both sides, 2^15 in all.
typedef struct hd__cpu_blur_rows {
    const uint16_t *weight; // [0 .. radius], and a zero behind them
    int64_t radius, n;
    int64_t step; // rows' pass: elements from pixel to pixel
} hd__cpu_blur_rows;

typedef struct hd__cpu_blur_kernels {
    // out[x] = the rounded sum over k of weight[|k - radius|] * in[k][x], in a form of the
    // instruction set's own
    void (*column_u8)(const hd__cpu_blur_rows *b, const uint8_t *const *in, uint16_t *out);
    // out[x] = the same of in[x + k * step]
    void (*row_u8)(const hd__cpu_blur_rows *b, const uint16_t *in, uint8_t *out);
} hd__cpu_blur_kernels;

typedef struct hd__cpu_neighbour_table {
    hd__cpu_sum_kernels f32, f64;
    hd__cpu_blur_kernels blur;
    // f32 to u8 and u16, rounded to even and clamped: what images are summed as
    void (*narrow_u8)(uint8_t *to, const float *from, int64_t n);
    void (*narrow_u16)(uint16_t *to, const float *from, int64_t n);
} hd__cpu_neighbour_table;

#endif
