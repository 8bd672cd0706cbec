// SPDX-License-Identifier: Apache-2.0
//
// scatter_winners: the sources that scatter_mark left at their places are written.
extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_winners(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view index,
                    const __grid_constant__ hd_view out, const __grid_constant__ hd_scatter_how how,
                    const hd_source *winner)
{
    hd_begin();
    const int64_t first = (int64_t)blockIdx.x * (HD_THREADS * HD_ROWS) + threadIdx.x;
    int64_t at[HD_ROWS];
    hd_targets(&how, &index, first, at, 0);
    hd_source most[HD_ROWS];
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) most[r] = at[r] >= 0 ? winner[at[r]] : 0;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t i = first + r * HD_THREADS;
        if (at[r] >= 0 && most[r] == (hd_source)(i + 1)) hd_put(&out, at[r], hd_one_0(&in, i));
    }
}
