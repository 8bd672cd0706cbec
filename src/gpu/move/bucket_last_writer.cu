// SPDX-License-Identifier: Apache-2.0
//
// bucket_last_writer: as bucket_write, where an index may come twice: the last source of a
// destination stays. A block takes its bucket's sources in turns, in their order; each destination
// has the number of its last source so far.
#include "device/kernel.cuh"
#include "move/bucket.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    bucket_last_writer(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view index,
                       const __grid_constant__ hk_view out,
                       const __grid_constant__ hk_bucket_how how)
{
    hk_begin();
    extern __shared__ __align__(16) char cells[];
    if (*how.stop != 0) return;
    const hk_bucket_window w = hk_bucket_window_of(&how);
    if (w.from >= w.until) return;
    hk_in_0 *value = (hk_in_0 *)cells;
    uint32_t *last = hk_marks(&how, cells);
    for (int k = (int)threadIdx.x; k < w.count; k += HK_THREADS) last[k] = 0;
    hk_block_barrier();
#pragma unroll 1
    for (int64_t from = w.from; from < w.until; from += HK_THREADS * HK_ROWS) {
        const uint32_t number = (uint32_t)(from - w.from) + threadIdx.x + 1;
        hk_sources s;
        hk_read_sources(&in, &index, &w, from + threadIdx.x, &s);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            if (s.destination[r] >= 0)
                asm volatile("{ .reg .u64 q; cvta.to.shared.u64 q, %0;"
                             " red.relaxed.cta.shared.max.u32 [q], %1; }"
                             :
                             : "l"(last + s.destination[r]), "r"(number + r * HK_THREADS)
                             : "memory");
        hk_block_barrier();
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            if (s.destination[r] >= 0 && last[s.destination[r]] == number + r * HK_THREADS)
                value[s.destination[r]] = s.x[r];
        hk_block_barrier();
    }
    for (int k = (int)threadIdx.x; k < w.count; k += HK_THREADS)
        if (last[k] != 0) hk_put(&out, w.base + k, value[k]);
}
