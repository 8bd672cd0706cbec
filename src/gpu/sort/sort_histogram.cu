// SPDX-License-Identifier: Apache-2.0
//
// sort_histogram (onesweep, Adinets and Merrill 2022): how often each digit comes, for all passes
// at once, in shared memory, in HK_COPIES copies, each for some lanes of every warp. The last block
// finds where digits begin and plans the passes.
#include "device/kernel.cuh"
#include "device/lanes.cuh"
#include "sort/last_block.cuh"
#include "sort/plan.cuh"

#define HK_COPIES    HK_ITEMS
#define HK_UNIT_KEYS ((int)(16 / sizeof(hk_bits)))
#define HK_SAMPLE    (HK_COPIES >= 4 ? 4096 : 1024 * HK_COPIES) // keys that fit there

extern __shared__ __align__(16) uint32_t hk_digits[];

HK_FN void hk_count_digits(hk_bits x)
{
    const hk_bits y = hk_order(x);
    uint32_t first;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
        : "=r"(first)
        : "l"(hk_digits + (threadIdx.x & (HK_COPIES - 1))));
#pragma unroll
    for (int p = 0; p < (int)sizeof(hk_bits); p++) {
        const uint32_t digit = (uint32_t)(y >> (p * HK_DIGIT_BITS)) & (HK_RADIX - 1);
        asm volatile("red.relaxed.cta.shared.add.u32 [%0], 1;"
                     :
                     : "r"(first + (digit + p * HK_RADIX) * (4 * HK_COPIES))
                     : "memory");
    }
}

union hk_some_keys {
    uint32_t w[4];
    hk_bits x[HK_UNIT_KEYS];
};

// Keys `first` to `end` - 1 one by one, of which there are few.
HK_FN void hk_count_ends(const hk_sort_how *how, int64_t first, int64_t end, bool *unsorted)
{
    for (int64_t i = first + threadIdx.x; i < end; i += HK_THREADS) {
        const hk_bits x = hk_key_from(how->key_in[i]);
        hk_count_digits(x);
        if (i + 1 < how->n && hk_order(x) > hk_order(hk_key_from(how->key_in[i + 1])))
            *unsorted = true;
    }
}

// A lane's keys, in order among themselves and with the first of the lane behind; the last lane's
// neighbours are `next`.
HK_FN bool hk_is_unsorted(const hk_some_keys *k, hk_bits next)
{
    hk_bits behind = hk_order(k->x[0]);
    if (sizeof(hk_bits) == 8)
        behind = (hk_bits)hk_long_from((uint64_t)behind, (hk_lane() + 1) & 31);
    else
        behind = (hk_bits)hk_word_from((uint32_t)behind, (hk_lane() + 1) & 31);
    if (hk_lane() == 31) behind = hk_order(next);
    bool unsorted = hk_order(k->x[HK_UNIT_KEYS - 1]) > behind;
#pragma unroll
    for (int j = 1; j < HK_UNIT_KEYS; j++)
        unsorted = unsorted || hk_order(k->x[j - 1]) > hk_order(k->x[j]);
    return unsorted;
}

// Keys by 16 bytes, from an address that is a multiple of 16 on; `units` of them are there.
HK_FN void hk_count_units(const hk_sort_how *how, const hk_bits *at, int64_t units, bool *unsorted)
{
    const int64_t step = (int64_t)gridDim.x * HK_ROWS * HK_THREADS;
    const hk_bits *const end = how->key_in + how->n;
#pragma unroll 1
    for (int64_t first = (int64_t)blockIdx.x * HK_ROWS * HK_THREADS; first < units; first += step) {
        hk_some_keys k[HK_ROWS];
        hk_bits next[HK_ROWS];
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            const int64_t u = first + r * HK_THREADS + threadIdx.x;
            const hk_bits *const p = at + u * HK_UNIT_KEYS;
            if (u < units) hk_read_16(p, k[r].w);
            next[r] = hk_last_key();
            if (!HK_KNOWN && hk_lane() == 31 && p + HK_UNIT_KEYS < end)
                next[r] = hk_key_from(p[HK_UNIT_KEYS]);
        }
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            const int64_t u = first + r * HK_THREADS + threadIdx.x;
#pragma unroll
            for (int j = 0; j < HK_UNIT_KEYS; j++)
                k[r].x[j] = u < units ? hk_key_from(k[r].x[j]) : hk_last_key();
            if (!HK_KNOWN) *unsorted = hk_is_unsorted(&k[r], next[r]) || *unsorted;
            if (u >= units) continue;
#pragma unroll
            for (int j = 0; j < HK_UNIT_KEYS; j++) hk_count_digits(k[r].x[j]);
        }
    }
}

// The same where nothing is asked of the order. The units of a round are asked for in the round
// before.
HK_FN void hk_read_units(const hk_bits *at, int64_t first, int64_t units, hk_some_keys *k)
{
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t u = first + r * HK_THREADS + threadIdx.x;
        if (u < units) hk_read_16(at + u * HK_UNIT_KEYS, k[r].w);
    }
}

HK_FN void hk_count_known_units(const hk_bits *at, int64_t units)
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
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            if (first + r * HK_THREADS + threadIdx.x >= units) continue;
#pragma unroll
            for (int j = 0; j < HK_UNIT_KEYS; j++) hk_count_digits(hk_key_from(k[r].x[j]));
        }
    }
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    sort_histogram(const __grid_constant__ hk_sort_how how)
{
    hk_begin();
    __shared__ uint32_t is_last;
    __shared__ hk_plan plan;
    __shared__ uint64_t of_warp[HK_WARPS];
    hk_sort_control *const c = how.control;
    for (int k = (int)threadIdx.x; k < (int)sizeof(hk_bits) * HK_RADIX * HK_COPIES; k += HK_THREADS)
        hk_digits[k] = 0;
    hk_block_barrier();
    bool unsorted = false;
    const int64_t off = (16 - ((int64_t)how.key_in & 15)) % 16 / (int64_t)sizeof(hk_bits);
    const int64_t head = off < how.n ? off : how.n, units = (how.n - head) / HK_UNIT_KEYS;
    if (blockIdx.x == 0) {
        hk_count_ends(&how, 0, head, &unsorted);
        hk_count_ends(&how, head + units * HK_UNIT_KEYS, how.n, &unsorted);
    }
    if (HK_KNOWN)
        hk_count_known_units(how.key_in + head, units);
    else
        hk_count_units(&how, how.key_in + head, units, &unsorted);
    const int64_t tail = head + units * HK_UNIT_KEYS;
    if (blockIdx.x == 0 && threadIdx.x == 0 && tail > 0 && tail < how.n)
        unsorted =
            hk_order(hk_key_from(how.key_in[tail - 1])) > hk_order(hk_key_from(how.key_in[tail])) ||
            unsorted;
    if (hk_ballot(unsorted) != 0 && hk_lane() == 0) hk_store_relaxed(&c->unsorted, 1);
    hk_block_barrier();
    for (int k = (int)threadIdx.x; k < (int)sizeof(hk_bits) * HK_RADIX; k += HK_THREADS) {
        uint32_t sum = 0;
#pragma unroll
        for (int j = 0; j < HK_COPIES; j++)
            sum += hk_digits[k * HK_COPIES + ((j + (int)threadIdx.x) & (HK_COPIES - 1))];
        if (sum != 0) hk_add_to_long(c->count + k, sum);
    }
    if (!hk_is_last_block(&c->done, &is_last)) return;
    hk_find_begins(&how, &plan, of_warp);
    if (HK_KNOWN) {
        if (threadIdx.x == 0) {
            c->done = 0;
            hk_store_relaxed(&c->unsorted, 0);
        }
        return;
    }
    int rest = 0;
    if (sizeof(hk_bits) == 8 && how.together > 0)
        rest = hk_plan_rest(&how, &plan, (hk_bits *)hk_digits, HK_SAMPLE);
    if (threadIdx.x == 0) hk_plan_passes(&how, plan.active, rest);
    hk_take_epochs(&how, &is_last);
}
