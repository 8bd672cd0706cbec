// SPDX-License-Identifier: Apache-2.0
//
// histogram_bins: the bin of each element, for sums of weights; those outside have the number
// behind the last bin, and are counted.
#include "device/kernel.cuh"
#include "histogram/tally.cuh"

HK_FN void hk_tally_bin(const hk_histogram *h, uint32_t bin, hk_tally *t)
{
    t->outside += bin == (uint32_t)h->bins;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    histogram_bins(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_histogram h,
                   uint32_t *bin)
{
    hk_begin();
    hk_tally t = {0, 0, 0};
    const int64_t step = (int64_t)gridDim.x * HK_THREADS;
    for (int64_t i = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x; i < h.n; i += step) {
        bin[i] = hk_joint_bin(&h, hk_first_one(&in, i), hk_second_one(&in, i));
        hk_tally_bin(&h, bin[i], &t);
    }
    hk_tally_outside(&h, t.outside);
}
