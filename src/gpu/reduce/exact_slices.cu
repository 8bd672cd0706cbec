// SPDX-License-Identifier: Apache-2.0
//
// exact_slices: exact sums of segments, HK_ITEMS threads for each: a warp or a block. HK_IN_PLACE:
// to each the output is added that is there.
#include "device/kernel.cuh"
#include "reduce/exact_bins.cuh"

enum { HK_BAD_OFFSETS = 1 };
#define HK_TEAMS (HK_THREADS / HK_ITEMS)
#define HK_AHEAD 4 // elements a thread reads at once

struct hk_slices_how {
    int64_t n, count, room; // count: of segments, or -1: it is at count_at, and the last ends at n
    const int64_t *count_at;
    uint32_t *fault;
};

HK_FN void hk_team_barrier(void)
{
    if (HK_ITEMS == HK_WARP)
        hk_warp_barrier();
    else
        hk_block_barrier();
}

// The sum of a segment in the team's digits. What is left of whole rows may be in the bins.
HK_FN void hk_team_sum(const hk_inputs *in, int64_t begin, int64_t end, int mine, hk_bins *b,
                       hk_digits *d)
{
    hk_lane_sum sum;
    hk_lane_begin(&sum);
    int64_t i = begin;
#pragma unroll 1
    for (; i + HK_AHEAD * HK_ITEMS <= end; i += HK_AHEAD * HK_ITEMS) {
        hk_element e[HK_AHEAD];
        hk_bins_make_room(&sum, b, HK_AHEAD);
#pragma unroll
        for (int j = 0; j < HK_AHEAD; j++) e[j] = hk_item(in, i + j * HK_ITEMS + mine);
#pragma unroll
        for (int j = 0; j < HK_AHEAD; j++) hk_warp_add(&sum, e[j], b, d);
    }
#pragma unroll 1
    for (i += mine; i < end; i += HK_ITEMS) hk_lane_add(&sum, hk_item(in, i), d);
    hk_lane_end(&sum, d);
    hk_bins_tell(&sum, d);
    hk_team_barrier();
    if (d->binned == 0) return;
    hk_bins_collect(b, d, HK_ITEMS);
    hk_team_barrier();
}

HK_FN hk_node hk_node_of_digits(const hk_digits *d)
{
    hk_node n;
    int64_t carry = 0;
#pragma unroll 1
    for (int k = 0; k < HK_LIMBS; k++) {
        const int64_t low = hk_digit_of(d, 2 * k) + carry;
        const int64_t high = hk_digit_of(d, 2 * k + 1) + (low >> 32);
        n.limb[k] = (uint64_t)high << 32 | (uint32_t)low;
        carry = high >> 32;
    }
    n.flags = d->flags;
    return n;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    exact_slices(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_slices_how how,
                 const __grid_constant__ hk_view offsets, const __grid_constant__ hk_node init,
                 const __grid_constant__ hk_empty empty, const __grid_constant__ hk_view out)
{
    hk_begin();
    __shared__ hk_digits all[HK_TEAMS];
    __shared__ hk_bins bins;
    hk_digits *digits = &all[threadIdx.x / HK_ITEMS];
    const int mine = (int)threadIdx.x % HK_ITEMS;
    const int64_t known = how.count >= 0 ? how.count : how.count_at[1];
    const int64_t count = known < how.room ? known : how.room;
    const int64_t first = (int64_t)blockIdx.x * HK_TEAMS + threadIdx.x / HK_ITEMS;
    hk_bins_clear(&bins);
    hk_block_barrier();
#pragma unroll 1
    for (int64_t j = first; j < count; j += (int64_t)gridDim.x * HK_TEAMS) {
        const int64_t begin = hk_bound(&offsets, j);
        const int64_t end = how.count >= 0 || j + 1 < known ? hk_bound(&offsets, j + 1) : how.n;
        if (begin < 0 || end > how.n || end < begin) {
            if (mine == 0) hk_store_relaxed(how.fault, HK_BAD_OFFSETS);
            continue;
        }
        if (begin == end) {
            if (mine == 0 && !HK_IN_PLACE) hk_put(&out, j, empty.out);
            continue;
        }
        for (int k = mine; k < (int)(sizeof(hk_digits) / 4); k += HK_ITEMS)
            ((uint32_t *)digits)[k] = 0;
        hk_team_barrier();
        hk_team_sum(&in, begin, end, mine, &bins, digits);
        if (mine == 0) {
            hk_node n = hk_node_of_digits(digits);
#if HK_IN_PLACE
            n = hk_combine(hk_old(&out, j), n);
#endif
            hk_put(&out, j, hk_finalize(HK_HAS_INIT ? hk_combine(init, n) : n, end - begin));
        }
        hk_team_barrier();
    }
}
