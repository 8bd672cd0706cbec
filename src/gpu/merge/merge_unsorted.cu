// SPDX-License-Identifier: Apache-2.0
//
// merge_unsorted: where merge_tiles did not get a permutation, since a or b is not sorted or the
// comparison contradicts itself: the elements of a and then those of b. Else nothing.
#include "device/kernel.cuh"
#include "merge/merge_path.cuh"
#include "sort/block_vote.cuh"

// What tiles found, one word of all or one of each.
HK_FN bool hk_are_sorted(const hk_merge_how *how)
{
    if (how->split != 0) return *how->unsorted == 0;
    bool sorted = true;
    for (int64_t k = threadIdx.x; k < how->rows * how->tiles; k += HK_THREADS)
        if (how->unsorted[k] != 0) sorted = false;
    return hk_all_of_block(sorted);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    merge_unsorted(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_merge_how how,
                   const __grid_constant__ hk_view out, const __grid_constant__ hk_view indices)
{
    hk_begin();
    if (hk_are_sorted(&how)) return;
    const int64_t all = how.na + how.nb, n = how.rows * all;
    const int64_t step = (int64_t)gridDim.x * HK_THREADS;
    for (int64_t k = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x; k < n; k += step) {
        const int64_t row = k / all, i = k - row * all;
        const hk_in_0 x =
            i < how.na ? hk_one_0(&in, row * how.na + i) : hk_one_1(&in, row * how.nb + i - how.na);
        if (HK_OUT) hk_put(&out, k, x);
        if (HK_INDICES) hk_put_index(&indices, k, i);
    }
}
