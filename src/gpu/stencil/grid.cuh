// SPDX-License-Identifier: Apache-2.0
//
// Arrays as kernels of neighbourhoods see them: batches of (z, y, x), whose border goes on for
// ever, with the bits of src/patterns/stencil/grid.c. Channels that lie together are part of x,
// which then has HK_CHANNELS elements a pixel; others are a batch axis.
#pragma once

// hd_border.
#define HK_REPLICATE 2
#define HK_REFLECT   3
#define HK_SYMMETRIC 4
#define HK_WRAP      5
#define HK_KEEP      7

struct hk_axis {
    int64_t n, in, out; // length; elements from one to the next
};

struct hk_grid {
    const hk_in *in;
    hk_out *out;
    hk_axis z, y, x;
    uint64_t beyond;                                      // one hk_value: what lies outside
    hk_axis batch[HK_BATCH_AXES > 0 ? HK_BATCH_AXES : 1]; // the last one runs fastest
};

// The index that stands for i: 0 .. n - 1, or -1 where the border has a value of its own.
HK_FN int64_t hk_border_index(int64_t i, int64_t n)
{
    if (i >= 0 && i < n) return i;
#if HK_BORDER == HK_REPLICATE
    return i < 0 ? 0 : n - 1;
#elif HK_BORDER == HK_WRAP
    return (i % n + n) % n;
#elif HK_BORDER == HK_SYMMETRIC
    const int64_t r = (i % (2 * n) + 2 * n) % (2 * n);
    return r < n ? r : 2 * n - 1 - r;
#elif HK_BORDER == HK_REFLECT
    if (n == 1) return 0;
    const int64_t period = 2 * (n - 1), r = (i % period + period) % period;
    return r < n ? r : period - r;
#else
    return -1;
#endif
}

// The same of element e of a row of pixels of HK_CHANNELS elements.
HK_FN int64_t hk_element_index(int64_t e, int64_t n)
{
    if (e >= 0 && e < n) return e;
    if (HK_CHANNELS == 1) return hk_border_index(e, n);
    const int64_t pixel = (e + (e < 0) - (e < 0 ? HK_CHANNELS : 0)) / HK_CHANNELS;
    const int64_t x = hk_border_index(pixel, n / HK_CHANNELS);
    return x < 0 ? -1 : x * HK_CHANNELS + (e - pixel * HK_CHANNELS);
}

// Moves in and out to a batch.
HK_FN void hk_batch_at(const hk_grid *g, int64_t batch, const hk_in **in, hk_out **out)
{
#pragma unroll
    for (int k = HK_BATCH_AXES - 1; k >= 0; k--) {
        const int64_t next = batch / g->batch[k].n, i = batch - next * g->batch[k].n;
        *in += i * g->batch[k].in;
        *out += i * g->batch[k].out;
        batch = next;
    }
}

// What lies outside, as elements are read.
HK_FN hk_value hk_beyond(const hk_grid *g)
{
    return hk_outside(&g->beyond);
}
