// SPDX-License-Identifier: Apache-2.0
//
// Where runs of equal keys begin in a tile: of each lane's elements a bit, that of element j of row
// r being bit r x HK_K + j.
#pragma once
#include "scan/scan_lanes.cuh"

#define HK_ROW      (HK_WARP * HK_K)
#define HK_CHUNK    (HK_ROWS * HK_ROW)
#define HK_KEY_ROWS (HK_ROWS < HK_KEYS_AT_ONCE ? HK_ROWS : HK_KEYS_AT_ONCE)
#define HK_WARPS    (HK_THREADS / HK_WARP)
#define HK_TILE     ((int64_t)HK_WARPS * HK_CHUNK)

HK_FN hk_key hk_key_of_lane(hk_key key, int lane)
{
    union {
        uint32_t w[HK_KEY_WORDS];
        hk_key key;
    } x;
    x.w[HK_KEY_WORDS - 1] = 0;
    x.key = key;
#pragma unroll
    for (int k = 0; k < HK_KEY_WORDS; k++) x.w[k] = hk_word_from(x.w[k], lane);
    return x.key;
}

// Of a chunk that is whole.
HK_FN uint32_t hk_heads_of_keys(const hk_view *keys, int64_t first)
{
    uint32_t heads = 0;
    hk_key last = hk_key_at(keys, first > 0 ? first - 1 : 0); // before the row
    // Few rows at a time: elements are in registers meanwhile.
#pragma unroll
    for (int part = 0; part < HK_ROWS; part += HK_KEY_ROWS) {
        hk_key key[HK_KEY_ROWS][HK_K];
#pragma unroll
        for (int r = 0; r < HK_KEY_ROWS; r++)
            hk_keys_at(keys, first + (part + r) * HK_ROW + hk_lane() * HK_K, key[r]);
#pragma unroll
        for (int r = 0; r < HK_KEY_ROWS; r++) {
            const hk_key left = hk_key_of_lane(key[r][HK_K - 1], hk_lane() - 1);
            hk_key before = hk_lane() > 0 ? left : last;
#pragma unroll
            for (int j = 0; j < HK_K; j++) {
                if (hk_keys_differ(before, key[r][j])) heads |= 1u << ((part + r) * HK_K + j);
                before = key[r][j];
            }
            last = hk_key_of_lane(key[r][HK_K - 1], 31);
        }
    }
    return first == 0 && hk_lane() == 0 ? heads | 1 : heads;
}

// Of one that may end before.
HK_FN uint32_t hk_heads_of_some_keys(const hk_view *keys, int64_t first, int64_t n)
{
    uint32_t heads = 0;
    for (int r = 0; r < HK_ROWS; r++)
        for (int j = 0; j < HK_K; j++) {
            const int64_t i = first + r * HK_ROW + hk_lane() * HK_K + j;
            if (i >= n) continue;
            if (i == 0 || hk_keys_differ(hk_key_at(keys, i - 1), hk_key_at(keys, i)))
                heads |= 1u << (r * HK_K + j);
        }
    return heads;
}
