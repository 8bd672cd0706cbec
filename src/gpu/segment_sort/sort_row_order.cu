// SPDX-License-Identifier: Apache-2.0
//
// sort_row_order: indices of rows in order, counted from the start of each row instead of that of
// all.
#include "device/kernel.cuh"

#if HK_WIDE
typedef uint64_t hk_index;
#else
typedef uint32_t hk_index;
#endif

struct hk_rows {
    int64_t n, length; // of a row
    const hk_index *order;
    hk_index *out;
};

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    sort_row_order(const __grid_constant__ hk_rows rows)
{
    hk_begin();
    const int64_t step = (int64_t)gridDim.x * HK_THREADS;
    for (int64_t i = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x; i < rows.n; i += step)
        rows.out[i] = rows.order[i] - (hk_index)(i / rows.length * rows.length);
}
