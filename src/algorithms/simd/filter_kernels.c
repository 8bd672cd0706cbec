// SPDX-License-Identifier: Apache-2.0
// The texts of filters for f32 and f64 and the orders 1, 2, 4 and 8 (filter_body.h), and the powers
// of a filter's matrix.
#include "filter_kernels.h"

#include <string.h>

#include "algorithms/support/isa.h"
#include "algorithms/support/texts.h"
#include "core/system/float_state.h"

// Blocks that run together: as many as hide a step's latency, but for orders whose states fill the
// registers.
enum { FILTER_TOGETHER = 2 };

#define FILTER_NAME(x, real, order)  FILTER_NAMED(x, real, order)
#define FILTER_NAMED(x, real, order) filter_##x##_##real##_##order

// r = a b, matrices of order k by rows; r is neither of them.
static void times(int k, const double *a, const double *b, double *r)
{
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++) sum += a[i * k + l] * b[l * k + j];
            r[i * k + j] = sum;
        }
}

enum { SIDE = HD__FILTER_ORDER * HD__FILTER_ORDER };

// Step: d[j] = d[j + 1] - a[j + 1] d[0]. power[0] is 16 of them, power[1] 128.
static void hd__filter_powers(const hd__section *section, int k, double power[2][SIDE])
{
    double m[SIDE] = {0}, next[SIDE];
    for (int j = 0; j < k; j++) {
        m[j * k] = -section->a[j + 1];
        if (j + 1 < k) m[j * k + j + 1] = 1;
    }
    for (int doubled = 0; doubled < 7; doubled++) {
        if (doubled == 4) memcpy(power[0], m, sizeof m);
        times(k, m, m, next);
        memcpy(m, next, sizeof m);
    }
    memcpy(power[1], m, sizeof m);
}

#define REAL     float
#define ORDER    1
#define IDENTITY IDENTITY_1
#include "filter_body.h"
#define ORDER    2
#define IDENTITY IDENTITY_2
#include "filter_body.h"
#define ORDER    4
#define IDENTITY IDENTITY_4
#include "filter_body.h"
#define ORDER    8
#define IDENTITY IDENTITY_8
#include "filter_body.h"
#undef REAL
#define REAL     double
#define ORDER    1
#define IDENTITY IDENTITY_1
#include "filter_body.h"
#define ORDER    2
#define IDENTITY IDENTITY_2
#include "filter_body.h"
#define ORDER    4
#define IDENTITY IDENTITY_4
#include "filter_body.h"
#define ORDER    8
#define IDENTITY IDENTITY_8
#include "filter_body.h"

const hd__filter_kernels *HD__OF_ISA(hd__filter_kernels)(hd_type real, int order)
{
    static const hd__filter_kernels *const rows[2][4] = {
        {&filter_row_float_1, &filter_row_float_2, &filter_row_float_4, &filter_row_float_8},
        {&filter_row_double_1, &filter_row_double_2, &filter_row_double_4, &filter_row_double_8}};
    int k = 0;
    while (k < 3 && 1 << k < order) k++;
    return rows[real == HD_F64][k];
}
