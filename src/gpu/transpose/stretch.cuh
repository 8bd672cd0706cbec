// SPDX-License-Identifier: Apache-2.0
//
// A stretch of memory in shared memory, by units: read and written 16 bytes at a time where it lies
// so.
#pragma once

#define HK_VECTORS HK_CONTIGUOUS // stretches lie at multiples of 16 bytes
#define HK_UNIT    ((int)sizeof(hk_unit))

extern __shared__ uint32_t hk_words[];

// A word more after 32: lanes whose words are 2, 4, 8 ... apart meet different banks.
HK_FN int hk_spread(int word)
{
    return word + word / HK_WARP;
}

union hk_unit_words {
    uint32_t w[(sizeof(hk_unit) + 3) / 4];
    hk_unit x;
};

// Unit k of the stretch.
HK_FN hk_unit *hk_short_unit(int k)
{
    return (hk_unit *)((char *)(hk_words + hk_spread(k * HK_UNIT / 4)) + k * HK_UNIT % 4);
}

HK_FN hk_unit hk_kept_unit(int k)
{
    if (HK_UNIT < 4) return *hk_short_unit(k);
    hk_unit_words u;
#pragma unroll
    for (int q = 0; q < HK_UNIT / 4; q++) u.w[q] = hk_words[hk_spread(k * HK_UNIT / 4 + q)];
    return u.x;
}

HK_FN void hk_keep_unit(int k, hk_unit x)
{
    if (HK_UNIT < 4) {
        *hk_short_unit(k) = x;
        return;
    }
    hk_unit_words u;
    u.x = x;
#pragma unroll
    for (int q = 0; q < HK_UNIT / 4; q++) hk_words[hk_spread(k * HK_UNIT / 4 + q)] = u.w[q];
}

// ---- The stretch --------------------------------------------------------------------------------

// By 16 bytes where it lies so, then by units.
HK_FN void hk_read_stretch(const hk_unit *from, int units)
{
    const int vectors = HK_VECTORS ? units * HK_UNIT / 16 : 0;
    for (int first = (int)threadIdx.x; first < vectors; first += HK_ROWS * HK_THREADS) {
        uint32_t x[HK_ROWS][4];
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            if (first + r * HK_THREADS < vectors)
                hk_read_16((const char *)from + 16 * (first + r * HK_THREADS), x[r]);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
            for (int q = 0; q < 4; q++)
                if (first + r * HK_THREADS < vectors)
                    hk_words[hk_spread(4 * (first + r * HK_THREADS) + q)] = x[r][q];
    }
    const int done = vectors * 16 / HK_UNIT;
    for (int k = done + (int)threadIdx.x; k < units; k += HK_THREADS) hk_keep_unit(k, from[k]);
}

HK_FN void hk_write_stretch(hk_unit *to, int units)
{
    const int vectors = HK_VECTORS ? units * HK_UNIT / 16 : 0;
    for (int k = (int)threadIdx.x; k < vectors; k += HK_THREADS) {
        uint32_t x[4];
#pragma unroll
        for (int q = 0; q < 4; q++) x[q] = hk_words[hk_spread(4 * k + q)];
        hk_write_16((char *)to + 16 * k, x);
    }
    const int done = vectors * 16 / HK_UNIT;
    for (int k = done + (int)threadIdx.x; k < units; k += HK_THREADS) to[k] = hk_kept_unit(k);
}
