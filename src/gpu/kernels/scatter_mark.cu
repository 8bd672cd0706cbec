// SPDX-License-Identifier: Apache-2.0
//
// scatter_mark: leaves 1 + the greatest source that goes there at each place, which was zero.
extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_mark(const __grid_constant__ hd_view index, const __grid_constant__ hd_scatter_how how,
                 hd_source *winner, uint64_t *bad)
{
    hd_begin();
    const int64_t first = (int64_t)blockIdx.x * (HD_THREADS * HD_ROWS) + threadIdx.x;
    int64_t at[HD_ROWS];
    hd_targets(&how, &index, first, at, bad);
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
        if (at[r] >= 0) hd_most_of_sources(winner + at[r], (hd_source)(first + r * HD_THREADS + 1));
}
