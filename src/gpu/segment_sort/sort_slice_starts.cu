// SPDX-License-Identifier: Apache-2.0
//
// sort_slice_starts: where the row or segment of each element begins, for elements in some order;
// of an element outside of all segments where it is itself. Bad offsets are reported.
#include "device/kernel.cuh"
#include "device/offsets.cuh"

#if HK_WIDE
typedef uint64_t hk_index;
#else
typedef uint32_t hk_index;
#endif

// slice_starts of slice_order.c.
struct hk_slice_starts {
    int64_t n, length; // of a row; 0: segments
    int64_t offsets;
    const hk_index *order;
    hk_index *start;
    uint32_t *fault;
};

// Wherever offsets that are bad lead, nothing but they is read.
HK_FN int64_t hk_segment_start(const hk_view *offsets, int64_t count, int64_t i)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (hk_bound(offsets, middle) <= i)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 || low == count ? i : hk_bound(offsets, low - 1);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    sort_slice_starts(const __grid_constant__ hk_view offsets,
                      const __grid_constant__ hk_slice_starts how)
{
    hk_begin();
    const int64_t step = (int64_t)gridDim.x * HK_THREADS;
    const int64_t first = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    for (int64_t k = first; k < how.n; k += step) {
        const int64_t i = (int64_t)how.order[k];
        how.start[k] = (hk_index)(how.length > 0 ? i / how.length * how.length
                                                 : hk_segment_start(&offsets, how.offsets, i));
    }
    for (int64_t k = first; how.length == 0 && k < how.offsets; k += step)
        if (hk_is_bad(&offsets, k, how.n)) hk_store_relaxed(how.fault, HK_BAD_OFFSETS);
}
