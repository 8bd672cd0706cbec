// SPDX-License-Identifier: Apache-2.0
//
// Where runs of equal keys begin in a tile: of each lane's elements a bit, that of element j of row r being bit
// r x HD_K + j.
#pragma once
#include "scan/scan_lanes.cuh"

#define HD_ROW      (HD_WARP * HD_K)
#define HD_CHUNK    (HD_ROWS * HD_ROW)
#define HD_KEY_ROWS (HD_ROWS < HD_KEYS_AT_ONCE ? HD_ROWS : HD_KEYS_AT_ONCE)
#define HD_WARPS    (HD_THREADS / HD_WARP)
#define HD_TILE     ((int64_t)HD_WARPS * HD_CHUNK)

HD_FN hd_key hd_key_of_lane(hd_key key, int lane)
{
    union {
        uint32_t w[HD_KEY_WORDS];
        hd_key key;
    } x;
    x.w[HD_KEY_WORDS - 1] = 0;
    x.key = key;
#pragma unroll
    for (int k = 0; k < HD_KEY_WORDS; k++) x.w[k] = hd_word_from(x.w[k], lane);
    return x.key;
}

// Of a chunk that is whole.
HD_FN uint32_t hd_heads_of_keys(const hd_view *keys, int64_t first)
{
    uint32_t heads = 0;
    hd_key last = hd_key_at(keys, first > 0 ? first - 1 : 0); // before the row
    // Few rows at a time: elements are in registers meanwhile.
#pragma unroll
    for (int part = 0; part < HD_ROWS; part += HD_KEY_ROWS) {
        hd_key key[HD_KEY_ROWS][HD_K];
#pragma unroll
        for (int r = 0; r < HD_KEY_ROWS; r++)
            hd_keys_at(keys, first + (part + r) * HD_ROW + hd_lane() * HD_K, key[r]);
#pragma unroll
        for (int r = 0; r < HD_KEY_ROWS; r++) {
            const hd_key left = hd_key_of_lane(key[r][HD_K - 1], hd_lane() - 1);
            hd_key before = hd_lane() > 0 ? left : last;
#pragma unroll
            for (int j = 0; j < HD_K; j++) {
                if (hd_keys_differ(before, key[r][j])) heads |= 1u << ((part + r) * HD_K + j);
                before = key[r][j];
            }
            last = hd_key_of_lane(key[r][HD_K - 1], 31);
        }
    }
    return first == 0 && hd_lane() == 0 ? heads | 1 : heads;
}

// Of one that may end before.
HD_FN uint32_t hd_heads_of_some_keys(const hd_view *keys, int64_t first, int64_t n)
{
    uint32_t heads = 0;
    for (int r = 0; r < HD_ROWS; r++)
        for (int j = 0; j < HD_K; j++) {
            const int64_t i = first + r * HD_ROW + hd_lane() * HD_K + j;
            if (i >= n) continue;
            if (i == 0 || hd_keys_differ(hd_key_at(keys, i - 1), hd_key_at(keys, i)))
                heads |= 1u << (r * HD_K + j);
        }
    return heads;
}
