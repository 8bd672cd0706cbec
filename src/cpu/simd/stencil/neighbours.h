// SPDX-License-Identifier: Apache-2.0
// The kernels of convolve.c, stencil.c and blur.c, for the table in neighbours.c.
#ifndef HEDDLE_CPU_SIMD_STENCIL_NEIGHBOURS_H
#define HEDDLE_CPU_SIMD_STENCIL_NEIGHBOURS_H

#include "cpu/stencil/neighbours.h"
#include "cpu/simd/vec.h"

void HD__NAME(mask_f32)(const hd__cpu_mask_rows *m);
void HD__NAME(mask_f64)(const hd__cpu_mask_rows *m);
void HD__NAME(weighted_f32)(const hd__cpu_mask_offset_rows *t);
void HD__NAME(weighted_f64)(const hd__cpu_mask_offset_rows *t);
void HD__NAME(edges_f32)(const hd__cpu_edge_points *e);
void HD__NAME(edges_f64)(const hd__cpu_edge_points *e);
void HD__NAME(star_f32)(const hd__cpu_star_rows *s);
void HD__NAME(star_f64)(const hd__cpu_star_rows *s);
void HD__NAME(blur_column_u8)(const hd__cpu_blur_rows *b, const uint8_t *const *in, uint16_t *out);
void HD__NAME(blur_row_u8)(const hd__cpu_blur_rows *b, const uint16_t *in, uint8_t *out);

#endif
