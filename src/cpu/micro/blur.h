// SPDX-License-Identifier: Apache-2.0
// The blurs of blur.c, for the table in neighbours.c.
#ifndef HD__MICRO_BLUR_H
#define HD__MICRO_BLUR_H

#include "cpu/neighbours.h"
#include "vec.h"

void HD__NAME(blur_column_u8)(const hd__blur_rows *b, const uint8_t *const *in, uint16_t *out);
void HD__NAME(blur_column_u16)(const hd__blur_rows *b, const uint16_t *const *in, uint16_t *out);
void HD__NAME(blur_row_u8)(const hd__blur_rows *b, const uint16_t *in, uint8_t *out);
void HD__NAME(blur_row_u16)(const hd__blur_rows *b, const uint16_t *in, uint16_t *out);

#endif
