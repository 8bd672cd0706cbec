// SPDX-License-Identifier: Apache-2.0
//
// place_last: as scatter_place, where an index may come twice: the last source of a place stays. A block takes its part's
// sources in turns, in their order; each place has the number of its last source so far.
#include "device/kernel.cuh"
#include "move/place_parts.cuh"

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    place_last(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view index,
               const __grid_constant__ hd_view out, const __grid_constant__ hd_parts_how how)
{
    hd_begin();
    extern __shared__ __align__(16) char cells[];
    if (*how.stop != 0) return;
    const hd_window w = hd_window_of(&how);
    if (w.from >= w.until) return;
    hd_in_0 *value = (hd_in_0 *)cells;
    uint32_t *last = hd_marks(&how, cells);
    for (int k = (int)threadIdx.x; k < w.count; k += HD_THREADS) last[k] = 0;
    hd_block_barrier();
#pragma unroll 1
    for (int64_t turn = w.from; turn < w.until; turn += HD_THREADS * HD_ROWS) {
        const uint32_t number = (uint32_t)(turn - w.from) + threadIdx.x + 1;
        hd_sources s;
        hd_read_sources(&in, &index, &w, turn + threadIdx.x, &s);
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++)
            if (s.place[r] >= 0)
                asm volatile("{ .reg .u64 q; cvta.to.shared.u64 q, %0;"
                             " red.relaxed.cta.shared.max.u32 [q], %1; }"
                             :
                             : "l"(last + s.place[r]), "r"(number + r * HD_THREADS)
                             : "memory");
        hd_block_barrier();
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++)
            if (s.place[r] >= 0 && last[s.place[r]] == number + r * HD_THREADS)
                value[s.place[r]] = s.x[r];
        hd_block_barrier();
    }
    for (int k = (int)threadIdx.x; k < w.count; k += HD_THREADS)
        if (last[k] != 0) hd_put(&out, w.base + k, value[k]);
}
