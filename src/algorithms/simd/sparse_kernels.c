// SPDX-License-Identifier: Apache-2.0
// The loops of sparse matrices for f32 and f64, columns and offsets of 32 and 64 bits
// (sparse_body.h).
#include "sparse_kernels.h"

#define SPARSE_NAME(x, real, index, offset)  SPARSE_NAMED(x, real, index, offset)
#define SPARSE_NAMED(x, real, index, offset) sparse_##x##_##real##_##index##_##offset

#define REAL     float
#define INDEX    int32_t
#define UNSIGNED uint32_t
#define OFFSET   int32_t
#include "sparse_body.h"
#undef OFFSET
#define OFFSET int64_t
#include "sparse_body.h"
#undef INDEX
#undef UNSIGNED
#define INDEX    int64_t
#define UNSIGNED uint64_t
#include "sparse_body.h"
#undef REAL
#define REAL double
#include "sparse_body.h"
#undef INDEX
#undef UNSIGNED
#define INDEX    int32_t
#define UNSIGNED uint32_t
#include "sparse_body.h"
#undef OFFSET
#define OFFSET int32_t
#include "sparse_body.h"

const hd__sparse_kernels *HD__OF_ISA(hd__sparse_kernels)(hd_type real, bool wide, bool far)
{
    static const hd__sparse_kernels *const rows[2][3] = {
        {&sparse_row_float_int32_t_int32_t, &sparse_row_float_int32_t_int64_t,
         &sparse_row_float_int64_t_int64_t},
        {&sparse_row_double_int32_t_int32_t, &sparse_row_double_int32_t_int64_t,
         &sparse_row_double_int64_t_int64_t}};
    return rows[real == HD_F64][wide ? 2 : far ? 1 : 0];
}
