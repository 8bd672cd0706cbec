// SPDX-License-Identifier: Apache-2.0
//
// expand_runs: out[i] = in[j] of the run j that i is in. A block finds the runs its tile begins and
// ends with; each thread searches between them for its first element, and again where a run ends.
#include "device/kernel.cuh"

#define HK_TILE (HK_THREADS * HK_ROWS * HK_K)

// The last run between low and high that begins at i or before; that of low does.
HK_FN int64_t hk_run_at(const int64_t *begin, int64_t low, int64_t high, int64_t i)
{
    while (low < high) {
        const int64_t middle = high - (high - low) / 2;
        if (begin[middle] <= i)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    expand_runs(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view out,
                const int64_t *begin, int64_t m, int64_t n)
{
    hk_begin();
    __shared__ int64_t run[2];
    const int64_t tile = (int64_t)blockIdx.x * HK_TILE;
    if (threadIdx.x < 2) {
        const int64_t end = tile + HK_TILE - 1;
        run[threadIdx.x] = hk_run_at(begin, 0, m - 1, threadIdx.x == 0 ? tile : end);
    }
    hk_block_barrier();
    const int64_t last = run[1];
    int64_t j = run[0];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t first = tile + (int64_t)(r * HK_THREADS + threadIdx.x) * HK_K;
        if (first >= n) return;
        j = hk_run_at(begin, j, last, first);
        hk_in_0 x[HK_K], value = hk_one_0(&in, j);
        int64_t next = j < last ? begin[j + 1] : first + HK_K;
#pragma unroll
        for (int k = 0; k < HK_K; k++) {
            if (first + k >= next && first + k < n) {
                j = hk_run_at(begin, j, last, first + k);
                value = hk_one_0(&in, j);
                next = j < last ? begin[j + 1] : first + HK_K;
            }
            x[k] = value;
        }
        if (first + HK_K <= n) {
            hk_put_run(&out, first, x);
            continue;
        }
#pragma unroll
        for (int k = 0; k < HK_K; k++)
            if (first + k < n) hk_put(&out, first + k, x[k]);
    }
}
