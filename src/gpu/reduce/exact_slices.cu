// SPDX-License-Identifier: Apache-2.0
//
// exact_slices: exact sums of segments, HD_ITEMS threads for each: a warp or a block.
#include "device/kernel.cuh"
#include "reduce/exact_bins.cuh"

enum { HD_BAD_OFFSETS = 1 };
#define HD_TEAMS (HD_THREADS / HD_ITEMS)
#define HD_AHEAD 4 // elements a thread reads at once

struct hd_slices_how {
    int64_t n, count, room; // count: of segments, or -1: it is at count_at, and the last ends at n
    const int64_t *count_at;
    uint32_t *fault;
};

HD_FN void hd_team_barrier(void)
{
    if (HD_ITEMS == HD_WARP)
        hd_warp_barrier();
    else
        hd_block_barrier();
}

// The sum of a segment in the team's digits. What is left of whole rows may be in the bins.
HD_FN void hd_team_sum(const hd_inputs *in, int64_t begin, int64_t end, int mine, hd_bins *b,
                       hd_digits *d)
{
    hd_lane_sum sum;
    hd_lane_begin(&sum);
    int64_t i = begin;
#pragma unroll 1
    for (; i + HD_AHEAD * HD_ITEMS <= end; i += HD_AHEAD * HD_ITEMS) {
        hd_element e[HD_AHEAD];
        hd_bins_make_room(&sum, b, HD_AHEAD);
#pragma unroll
        for (int j = 0; j < HD_AHEAD; j++) e[j] = hd_item(in, i + j * HD_ITEMS + mine);
#pragma unroll
        for (int j = 0; j < HD_AHEAD; j++) hd_warp_add(&sum, e[j], b, d);
    }
#pragma unroll 1
    for (i += mine; i < end; i += HD_ITEMS) hd_lane_add(&sum, hd_item(in, i), d);
    hd_lane_end(&sum, d);
    hd_bins_tell(&sum, d);
    hd_team_barrier();
    if (d->binned == 0) return;
    hd_bins_collect(b, d, HD_ITEMS);
    hd_team_barrier();
}

HD_FN hd_node hd_node_of_digits(const hd_digits *d)
{
    hd_node n;
    int64_t carry = 0;
#pragma unroll 1
    for (int k = 0; k < HD_LIMBS; k++) {
        const int64_t low = hd_digit_of(d, 2 * k) + carry;
        const int64_t high = hd_digit_of(d, 2 * k + 1) + (low >> 32);
        n.limb[k] = (uint64_t)high << 32 | (uint32_t)low;
        carry = high >> 32;
    }
    n.flags = d->flags;
    return n;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS, HD_BLOCKS)
    exact_slices(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_slices_how how,
                 const __grid_constant__ hd_view offsets, const __grid_constant__ hd_node init,
                 const __grid_constant__ hd_empty empty, const __grid_constant__ hd_view out)
{
    hd_begin();
    __shared__ hd_digits all[HD_TEAMS];
    __shared__ hd_bins bins;
    hd_digits *digits = &all[threadIdx.x / HD_ITEMS];
    const int mine = (int)threadIdx.x % HD_ITEMS;
    const int64_t known = how.count >= 0 ? how.count : how.count_at[1];
    const int64_t count = known < how.room ? known : how.room;
    const int64_t first = (int64_t)blockIdx.x * HD_TEAMS + threadIdx.x / HD_ITEMS;
    hd_bins_clear(&bins);
    hd_block_barrier();
#pragma unroll 1
    for (int64_t j = first; j < count; j += (int64_t)gridDim.x * HD_TEAMS) {
        const int64_t begin = hd_bound(&offsets, j);
        const int64_t end = how.count >= 0 || j + 1 < known ? hd_bound(&offsets, j + 1) : how.n;
        if (begin < 0 || end > how.n || end < begin) {
            if (mine == 0) hd_store_relaxed(how.fault, HD_BAD_OFFSETS);
            continue;
        }
        if (begin == end) {
            if (mine == 0) hd_put(&out, j, empty.out);
            continue;
        }
        for (int k = mine; k < (int)(sizeof(hd_digits) / 4); k += HD_ITEMS)
            ((uint32_t *)digits)[k] = 0;
        hd_team_barrier();
        hd_team_sum(&in, begin, end, mine, &bins, digits);
        if (mine == 0) {
            const hd_node n = hd_node_of_digits(digits);
            hd_put(&out, j, hd_lower(HD_HAS_INIT ? hd_combine(init, n) : n, end - begin));
        }
        hd_team_barrier();
    }
}
