// SPDX-License-Identifier: Apache-2.0
//
// top_filter: keys that do not come after the bound, a key of the sorted sample, are candidates.
// Each tile takes room in the pool for its own, which are in the order of their indices. Where
// there is no more room nothing is written. The last block knows whether there are enough
// candidates, and not too many, and how many are in the tiles before each: else a radix select has
// the word.
#include "device/kernel.cuh"
#include "top/top_block.cuh"

HK_FN uint64_t hk_take_room(uint64_t *p, uint64_t x)
{
    uint64_t old;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(p), "l"(x)
                 : "memory");
    return old;
}

HK_FN void hk_filter_tile(const hk_top_how *how, uint32_t *of_warp, uint64_t *room)
{
    const hk_bits bound = hk_order_of(how->sample[how->bound]);
    hk_top_tile *const tile = how->tile + blockIdx.x;
    hk_unit x[HK_ROWS];
    const uint32_t there = hk_load_keys(how, blockIdx.x, x);
    uint32_t marks = 0, before;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
        for (int j = 0; j < HK_UNIT_KEYS; j++)
            if (hk_order_of(x[r].x[j]) <= bound) marks |= 1u << (r * HK_UNIT_KEYS + j);
    marks &= there;
    const uint32_t all = hk_count_in_block((uint32_t)hk_popc((int)marks), of_warp, &before);
    if (threadIdx.x == 0) {
        tile->count = all;
        if (all > 0) *room = tile->base = hk_take_room(&how->control->count, all);
    }
    if (all == 0) return;
    hk_block_barrier();
    const int64_t base = (int64_t)*room;
    if (base + all > how->room) return;
    hk_put_marked(x, marks, hk_first_key(how, blockIdx.x), how->pool_key, how->pool_index,
                  base + before, base + all);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    top_filter(const __grid_constant__ hk_top_how how)
{
    hk_begin();
    __shared__ uint32_t of_warp[HK_WARPS], is_last;
    __shared__ uint64_t room, long_of_warp[HK_WARPS];
    hk_top_control *const c = how.control;
    hk_filter_tile(&how, of_warp, &room);
    hk_fence();
    hk_block_barrier(); // unseen: thread 0 alone has written what the last block reads
    if (threadIdx.x == 0) is_last = hk_add_to(&c->done, 1) == gridDim.x - 1;
    hk_block_barrier();
    if (is_last == 0) return;
    hk_fence(); // unseen: atomics order what is read
    const uint64_t count = hk_load_relaxed_64(&c->count);
    const bool stands = count >= (uint64_t)how.k && count <= (uint64_t)how.room;
    if (stands) hk_sum_tiles(&how, false, long_of_warp);
    if (threadIdx.x == 0) c->exact = !stands;
}
