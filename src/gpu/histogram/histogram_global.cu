// SPDX-License-Identifier: Apache-2.0
//
// histogram_global: counts in device memory, for more bins than shared memory has room for.
// Elements of one bin that follow each other are counted first.
#include "device/kernel.cuh"
#include "histogram/tally.cuh"

HK_FN void hk_tally_bin(const hk_histogram *h, uint32_t bin, hk_tally *t)
{
    if (bin == (uint32_t)h->bins) {
        t->outside++;
        return;
    }
    if (bin != t->bin) {
        if (t->count != 0) hk_add_to_long(h->counts + t->bin, t->count);
        t->bin = bin;
        t->count = 0;
    }
    t->count++;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    histogram_global(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_histogram h)
{
    hk_begin();
    hk_tally t = {0, 0, 0};
    hk_tally_tiles(&in, &h, blockIdx.x, gridDim.x, &t);
    if (t.count != 0) hk_add_to_long(h.counts + t.bin, t.count);
    hk_tally_outside(&h, t.outside);
}
