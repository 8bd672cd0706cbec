// SPDX-License-Identifier: Apache-2.0
//
// sort_fill: keys of 8 and 16 bits without values are equal where they have the same order, so they
// are written from the counts alone. A block finds the keys of its stretch of the output by search,
// and brings where they begin to shared memory; a thread writes 16 bytes at once.
#include "device/kernel.cuh"
#include "device/lanes.cuh"
#include "sort/order.cuh"

#define HK_UNIT_KEYS ((int)(16 / sizeof(hk_bits)))
#define HK_BINS      (1 << (8 * sizeof(hk_bits)))
#define HK_BINS_MOST 2048 // of a block in shared memory
#define HK_TILE      (HK_ROWS * HK_THREADS * HK_UNIT_KEYS)

struct hk_fill_how {
    int64_t n;
    hk_bits *out;
    const uint64_t *begin; // of each key in the order of keys
};

// The key whose order is y.
HK_FN hk_bits hk_key_of_order(uint32_t y)
{
    return (hk_bits)((HK_DESCENDING ? ~y : y) ^ (HK_SIGNED ? HK_SIGN : 0));
}

// The last bin that begins at i or before it, by a warp.
HK_FN int hk_bin_by_warp(const uint64_t *begin, int64_t i)
{
    int low = 0;
#pragma unroll 1
    for (int step = HK_BINS / HK_WARP; step > 0; step /= HK_WARP) {
        const int k = low + hk_lane() * step;
        const uint32_t lanes = hk_ballot(k < HK_BINS && (int64_t)begin[k < HK_BINS ? k : 0] <= i);
        low += (31 - hk_clz(lanes)) * step; // lane 0 is always among them
        if (step > 1 && step < HK_WARP) step = HK_WARP;
    }
    return low;
}

// The same among bins low to high - 1.
HK_FN int hk_bin_of(const uint32_t *begin, int low, int high, uint32_t i)
{
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (begin[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#define HK_WORD_KEYS (HK_UNIT_KEYS / 4)
#define HK_KEY_BITS  (8 * (int)sizeof(hk_bits))

HK_FN void hk_write_unit(const hk_fill_how *how, int64_t i, const uint32_t *w)
{
    if (i >= 0 && i + HK_UNIT_KEYS <= how->n) {
        hk_write_16(how->out + i, w);
        return;
    }
#pragma unroll
    for (int j = 0; j < HK_UNIT_KEYS; j++)
        if (i + j >= 0 && i + j < how->n)
            how->out[i + j] = (hk_bits)(w[j / HK_WORD_KEYS] >> j % HK_WORD_KEYS * HK_KEY_BITS);
}

// Keys j of a unit, one after another.
HK_FN void hk_set_key(uint32_t *w, int j, hk_bits key)
{
    const uint32_t bits = (uint32_t)key << j % HK_WORD_KEYS * HK_KEY_BITS;
    w[j / HK_WORD_KEYS] = j % HK_WORD_KEYS == 0 ? bits : w[j / HK_WORD_KEYS] | bits;
}

// The unit that begins `within` the tile, in bin `from` or later; most have keys of one bin. The
// bin of its first key.
HK_FN int hk_unit_of_block(const uint32_t *begin, int low, int from, int bins, uint32_t within,
                           uint32_t *w)
{
    int bin = from;
    if (begin[bin + 1] <= within) bin = hk_bin_of(begin, bin + 1, bins, within);
    const int first = bin;
    if (begin[bin + 1] >= within + HK_UNIT_KEYS) {
        const uint32_t key = hk_key_of_order((uint32_t)(low + bin));
#pragma unroll
        for (int k = 0; k < 4; k++) w[k] = key * (sizeof(hk_bits) == 1 ? 0x01010101u : 0x00010001u);
        return first;
    }
#pragma unroll
    for (int j = 0; j < HK_UNIT_KEYS; j++) {
        while (begin[bin + 1] <= within + j) bin++;
        hk_set_key(w, j, hk_key_of_order((uint32_t)(low + bin)));
    }
    return first;
}

// The same where there are more bins than shared memory has room for: each key is searched for.
HK_FN void hk_unit_of_device(const uint64_t *begin, int low, int bins, int64_t i, uint32_t *w)
{
#pragma unroll
    for (int j = 0; j < HK_UNIT_KEYS; j++) {
        int least = low, most = low + bins;
        while (most - least > 1) {
            const int middle = (least + most) / 2;
            if ((int64_t)begin[middle] <= i + j)
                least = middle;
            else
                most = middle;
        }
        hk_set_key(w, j, hk_key_of_order((uint32_t)least));
    }
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    sort_fill(const __grid_constant__ hk_fill_how how)
{
    hk_begin();
    __shared__ uint32_t begin[HK_BINS_MOST + 1]; // from the tile's first key on
    __shared__ int ends[2];
    const int64_t off = ((int64_t)how.out & 15) / (int64_t)sizeof(hk_bits);
    const int64_t first = (int64_t)blockIdx.x * HK_TILE - off;
    const int warp = (int)threadIdx.x / HK_WARP;
    if (warp < 2) {
        int64_t i = warp == 0 ? first : first + HK_TILE - 1;
        i = i < 0 ? 0 : i < how.n ? i : how.n - 1;
        const int bin = hk_bin_by_warp(how.begin, i);
        if (hk_lane() == 0) ends[warp] = bin;
    }
    hk_block_barrier();
    const int low = ends[0], bins = ends[1] - low + 1;
    const bool held = bins <= HK_BINS_MOST;
    for (int k = (int)threadIdx.x; k < bins && held; k += HK_THREADS) {
        const int64_t at = (int64_t)how.begin[low + k] - first;
        begin[k] = at < 0 ? 0 : (uint32_t)at;
    }
    if (threadIdx.x == 0 && held) begin[bins] = ~0u;
    hk_block_barrier();
    int bin = 0;
#pragma unroll 1
    for (int r = 0; r < HK_ROWS; r++) {
        const int u = r * HK_THREADS + (int)threadIdx.x;
        const int64_t i = first + (int64_t)u * HK_UNIT_KEYS;
        if (i >= how.n) return;
        uint32_t w[4];
        if (held)
            bin = hk_unit_of_block(begin, low, bin, bins, (uint32_t)u * HK_UNIT_KEYS, w);
        else
            hk_unit_of_device(how.begin, low, bins, i, w);
        hk_write_unit(&how, i, w);
    }
}
