// SPDX-License-Identifier: Apache-2.0
// The texts of recurrences for f32 and f64 and the orders 1, 2, 4 and 8 (recurrence_body.h).
#include "recurrence_kernels.h"
#include "algorithms/support/isa.h"
#include "algorithms/support/texts.h"

#define RECURRENCE_NAME(x, real, order)  RECURRENCE_NAMED(x, real, order)
#define RECURRENCE_NAMED(x, real, order) recurrence_##x##_##real##_##order

#define REAL     float
#define ORDER    1
#define IDENTITY IDENTITY_1
#include "recurrence_body.h"
#define ORDER    2
#define IDENTITY IDENTITY_2
#include "recurrence_body.h"
#define ORDER    4
#define IDENTITY IDENTITY_4
#include "recurrence_body.h"
#define ORDER    8
#define IDENTITY IDENTITY_8
#include "recurrence_body.h"
#undef REAL
#define REAL     double
#define ORDER    1
#define IDENTITY IDENTITY_1
#include "recurrence_body.h"
#define ORDER    2
#define IDENTITY IDENTITY_2
#include "recurrence_body.h"
#define ORDER    4
#define IDENTITY IDENTITY_4
#include "recurrence_body.h"
#define ORDER    8
#define IDENTITY IDENTITY_8
#include "recurrence_body.h"

const hd__recurrence_kernels *HD__OF_ISA(hd__recurrence_kernels)(hd_type real, int order)
{
    static const hd__recurrence_kernels *const rows[2][4] = {
        {&recurrence_row_float_1, &recurrence_row_float_2, &recurrence_row_float_4,
         &recurrence_row_float_8},
        {&recurrence_row_double_1, &recurrence_row_double_2, &recurrence_row_double_4,
         &recurrence_row_double_8}};
    int k = 0;
    while (k < 3 && 1 << k < order) k++;
    return rows[real == HD_F64][k];
}
