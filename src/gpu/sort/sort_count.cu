// SPDX-License-Identifier: Apache-2.0
//
// sort_count: how often each key of 16 bits comes, in counters of 16 bits in shared memory, two a
// word. A round adds less than 2^15 to any of them, and whoever brings one to 2^15 moves that many
// to device memory before the round ends, so that none overflows. The last block finds where each
// key begins in the output.
#include "device/kernel.cuh"
#include "device/lanes.cuh"
#include "sort/last_block.cuh"
#include "sort/order.cuh"

#define HK_UNIT_KEYS ((int)(16 / sizeof(hk_bits)))
#define HK_HALF_BINS (1 << 15)
#define HK_CARRY     (1u << 15)

extern __shared__ uint32_t hk_counters[];

union hk_some_keys {
    uint32_t w[4];
    hk_bits x[HK_UNIT_KEYS];
};

struct hk_count_how {
    int64_t n;
    const hk_bits *keys;
    uint64_t *count; // two counts each; zero between launches
    uint64_t *begin; // of each key; and the number of all
    uint32_t *done;
};

// More keys of one value.
HK_FN void hk_count_value(const hk_count_how *how, uint32_t value, uint32_t more)
{
    uint32_t *const word = hk_counters + (value & (HK_HALF_BINS - 1));
    const uint32_t at = value >> 15 << 4; // bits
    const uint32_t old = hk_add_in_block(word, more << at) >> at & 0xffff;
    if (((old ^ (old + more)) & HK_CARRY) == 0) return;
    hk_add_in_block(word, 0u - (HK_CARRY << at));
    hk_add_to_long(how->count + (value & (HK_HALF_BINS - 1)), (uint64_t)HK_CARRY << (2 * at));
}

// Equal keys that follow each other are counted first.
HK_FN void hk_count_unit(const hk_count_how *how, const hk_some_keys *k)
{
    uint32_t value = hk_order(hk_key_from(k->x[0])), more = 1;
#pragma unroll
    for (int j = 1; j < HK_UNIT_KEYS; j++) {
        const uint32_t next = hk_order(hk_key_from(k->x[j]));
        if (next != value) {
            hk_count_value(how, value, more);
            more = 0;
        }
        value = next;
        more++;
    }
    hk_count_value(how, value, more);
}

HK_FN void hk_read_units(const hk_bits *at, int64_t first, int64_t units, hk_some_keys *k)
{
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t u = first + r * HK_THREADS + threadIdx.x;
        if (u < units) hk_read_16(at + u * HK_UNIT_KEYS, k[r].w);
    }
}

// The units of a round are asked for in the round before.
HK_FN void hk_count_units(const hk_count_how *how, const hk_bits *at, int64_t units)
{
    const int64_t step = (int64_t)gridDim.x * HK_ROWS * HK_THREADS;
    int64_t first = (int64_t)blockIdx.x * HK_ROWS * HK_THREADS;
    hk_some_keys next[HK_ROWS];
    hk_read_units(at, first, units, next);
#pragma unroll 1
    for (; first < units; first += step) {
        hk_some_keys k[HK_ROWS];
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) k[r] = next[r];
        hk_read_units(at, first + step, units, next);
        hk_block_barrier(); // redundant: but for counters, which overflow without rounds
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            if (first + r * HK_THREADS + threadIdx.x < units) hk_count_unit(how, &k[r]);
    }
}

// Keys `first` to `end` - 1, less than a unit.
HK_FN void hk_count_ends(const hk_count_how *how, int64_t first, int64_t end)
{
    const int64_t i = first + threadIdx.x;
    if (i < end) hk_count_value(how, hk_order(hk_key_from(how->keys[i])), 1);
}

// A thread has so many words of both halves of the counts.
#define HK_WORDS (HK_HALF_BINS / HK_THREADS)

HK_FN void hk_begin_values(const hk_count_how *how, uint64_t *of_warp)
{
    const int warp = (int)threadIdx.x / HK_WARP, first = (int)threadIdx.x * HK_WORDS;
    uint64_t own = 0; // counts of both halves beside each other
#pragma unroll 8
    for (int k = 0; k < HK_WORDS; k++) own += hk_load_relaxed_64(how->count + first + k);
    uint64_t at = hk_long_sum_to_lane(own) - own, all = 0;
    if (hk_lane() == 31) of_warp[warp] = at + own;
    hk_block_barrier();
    for (int w = 0; w < HK_WARPS; w++) {
        if (w < warp) at += of_warp[w];
        all += of_warp[w];
    }
    at += all << 32; // the high half comes behind the low one
#pragma unroll 8
    for (int k = 0; k < HK_WORDS; k++) {
        const uint64_t count = hk_load_relaxed_64(how->count + first + k);
        how->count[first + k] = 0;
        how->begin[first + k] = (uint32_t)at;
        how->begin[HK_HALF_BINS + first + k] = at >> 32;
        at += count;
    }
    if (threadIdx.x == 0) {
        how->begin[2 * HK_HALF_BINS] = (uint64_t)how->n;
        *how->done = 0;
    }
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    sort_count(const __grid_constant__ hk_count_how how)
{
    hk_begin();
    __shared__ uint32_t is_last;
    __shared__ uint64_t of_warp[HK_WARPS];
    for (int k = (int)threadIdx.x; k < HK_HALF_BINS; k += HK_THREADS) hk_counters[k] = 0;
    hk_block_barrier();
    const int64_t off = (16 - ((int64_t)how.keys & 15)) % 16 / (int64_t)sizeof(hk_bits);
    const int64_t head = off < how.n ? off : how.n, units = (how.n - head) / HK_UNIT_KEYS;
    if (blockIdx.x == 0) {
        hk_count_ends(&how, 0, head);
        hk_count_ends(&how, head + units * HK_UNIT_KEYS, how.n);
    }
    hk_count_units(&how, how.keys + head, units);
    hk_block_barrier();
    for (int k = (int)threadIdx.x; k < HK_HALF_BINS; k += HK_THREADS) {
        const uint32_t two = hk_counters[k];
        if (two != 0) hk_add_to_long(how.count + k, (uint64_t)(two >> 16) << 32 | (two & 0xffff));
    }
    if (!hk_is_last_block(how.done, &is_last)) return;
    hk_begin_values(&how, of_warp);
}
