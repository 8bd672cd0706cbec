// SPDX-License-Identifier: Apache-2.0
//
// difference_elements: out[i] = f(in[i], in[i - inner]), where rows of the axis have `inner`
// elements between neighbours and `period` from one to the next. A thread takes HK_K elements that
// lie together, in HK_ROWS rows a block apart.
#include "device/kernel.cuh"

#define HK_TILE (HK_THREADS * HK_K * HK_ROWS)

struct hk_rows {
    int64_t n, inner, period;
};

HK_FN hk_result hk_difference_of(const hk_inputs *in, hk_in_0 x, int64_t i, bool first,
                                 const hk_rows *rows, const hk_in_0 *before)
{
#if HK_HAS_INIT
    return hk_difference(x, first ? *before : hk_one_0(in, i - rows->inner));
#else
    return first ? hk_first(x) : hk_difference(x, hk_one_0(in, i - rows->inner));
#endif
}

// What an element's index leaves in its row: below `inner` it is the first.
HK_FN int64_t hk_in_row(const hk_rows *rows, int64_t i)
{
    return HK_SLICES ? i % rows->period : i;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    difference_elements(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view out,
                        const __grid_constant__ hk_rows rows,
                        const __grid_constant__ hk_in_0 before)
{
    hk_begin();
    const int64_t tile = (int64_t)blockIdx.x * HK_TILE, begin = tile + threadIdx.x * HK_K;
    if (tile + HK_TILE <= rows.n) {
        hk_in_0 x[HK_ROWS][HK_K];
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) hk_run_0(&in, begin + r * HK_THREADS * HK_K, x[r]);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            hk_result y[HK_K];
            const int64_t i = begin + r * HK_THREADS * HK_K;
            int64_t at = hk_in_row(&rows, i);
#pragma unroll
            for (int j = 0; j < HK_K; j++) {
                const bool first = at < rows.inner;
                if (HK_SLICES || j == 0)
                    y[j] = hk_difference_of(&in, x[r][j], i + j, first, &rows, &before);
                else
                    y[j] = hk_difference(x[r][j], x[r][j - 1]);
                at++;
                if (HK_SLICES && at == rows.period) at = 0;
            }
            hk_put_run(&out, i, y);
        }
        return;
    }
#pragma unroll 1
    for (int64_t i = tile + threadIdx.x; i < rows.n; i += HK_THREADS)
        hk_put(&out, i,
               hk_difference_of(&in, hk_one_0(&in, i), i, hk_in_row(&rows, i) < rows.inner, &rows,
                                &before));
}
