// SPDX-License-Identifier: Apache-2.0
//
// place_begins: where each part's sources begin, by search among their keys.
#include "device/kernel.cuh"
#include "move/place_parts.cuh"

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    place_begins(const __grid_constant__ hd_view index, const __grid_constant__ hd_parts_how how)
{
    hd_begin();
    if (*how.stop != 0) return;
    const int64_t step = (int64_t)gridDim.x * HD_THREADS;
    for (int64_t k = (int64_t)blockIdx.x * HD_THREADS + threadIdx.x; k <= how.parts; k += step) {
        int64_t low = 0, high = k < how.parts ? how.n : 0;
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            if (hd_part_of(&how, hd_bound(&index, middle)) < k)
                low = middle + 1;
            else
                high = middle;
        }
        how.begin[k] = k < how.parts ? low : how.n;
    }
}
