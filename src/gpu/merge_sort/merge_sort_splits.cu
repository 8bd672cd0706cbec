// SPDX-License-Identifier: Apache-2.0
//
// merge_sort_splits: how many elements of a pair's first run come before each tile.
#include "device/kernel.cuh"
#include "merge_sort/runs.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    merge_sort_splits(const __grid_constant__ hk_runs_how how, int64_t items)
{
    hk_begin();
    const int64_t tile = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (tile == 0) *how.unsorted = 0;
    if (tile >= how.tiles) return;
    const int64_t pair = 2 * how.run, first = tile * items / pair * pair, d = tile * items - first;
    const int64_t left = how.n - first, na = left < how.run ? left : how.run;
    const int64_t nb = left - na < how.run ? left - na : how.run;
    const hk_in_0 *const a = how.from + first, *const b = a + na;
    int64_t low = d > nb ? d - nb : 0, high = d < na ? d : na;
    while (low < high) {
        const int64_t i = low + (high - low) / 2;
        if (hk_before(b[d - 1 - i], a[i]))
            high = i;
        else
            low = i + 1;
    }
    how.split[tile] = low;
}
