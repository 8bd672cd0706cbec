// SPDX-License-Identifier: Apache-2.0
//
// Bitonic networks (Batcher 1968) over items in registers: a lane has n of them, and groups of 2,
// 4, ... 32 lanes sort theirs together, item j of lane l being number l * n + j. A merge begins by
// comparing a run with the other one reversed, so that every step of all lanes has
// the lesser item on the lower side. An item is a key's order or, where equal keys must keep their
// order, that and its number below it.
#pragma once
#include "device/lanes.cuh"
#include "sort/order.cuh"

struct hk_long_item {
    uint64_t order;
    uint32_t index;
};

HK_FN bool hk_is_less(uint32_t a, uint32_t b)
{
    return a < b;
}

HK_FN bool hk_is_less(uint64_t a, uint64_t b)
{
    return a < b;
}

HK_FN bool hk_is_less(const hk_long_item &a, const hk_long_item &b)
{
    return a.order < b.order || (a.order == b.order && a.index < b.index);
}

HK_FN uint32_t hk_item_from(uint32_t x, int distance)
{
    return hk_word_from_xor(x, distance);
}

HK_FN uint64_t hk_item_from(uint64_t x, int distance)
{
    return hk_long_from_xor(x, distance);
}

HK_FN hk_long_item hk_item_from(const hk_long_item &x, int distance)
{
    const hk_long_item y = {hk_long_from_xor(x.order, distance),
                            hk_word_from_xor(x.index, distance)};
    return y;
}

// ---- Items of keys ------------------------------------------------------------------------------

// Number `index` of a segment, less than 2^16, and the item of a key.
template <int bytes> struct hk_items;
template <> struct hk_items<1> {
    typedef uint32_t plain, indexed;
};
template <> struct hk_items<2> {
    typedef uint32_t plain, indexed;
};
template <> struct hk_items<4> {
    typedef uint32_t plain;
    typedef uint64_t indexed;
};
template <> struct hk_items<8> {
    typedef uint64_t plain;
    typedef hk_long_item indexed;
};
typedef hk_items<sizeof(hk_bits)>::plain hk_plain;
typedef hk_items<sizeof(hk_bits)>::indexed hk_indexed;

HK_FN void hk_make_item(hk_bits order, int index, uint32_t *item)
{
    *item = (uint32_t)order << 16 | (uint32_t)index;
}

HK_FN void hk_make_item(hk_bits order, int index, uint64_t *item)
{
    *item = (uint64_t)order << 32 | (uint32_t)index;
}

HK_FN void hk_make_item(hk_bits order, int index, hk_long_item *item)
{
    item->order = order;
    item->index = (uint32_t)index;
}

HK_FN int hk_index_of(uint32_t item)
{
    return (int)(item & 0xffff);
}

HK_FN int hk_index_of(uint64_t item)
{
    return (int)(uint32_t)item;
}

HK_FN int hk_index_of(const hk_long_item &item)
{
    return (int)item.index;
}

// The key that hk_order made y of, but for NaN.
HK_FN hk_bits hk_key_of_order(hk_bits y)
{
    if (HK_DESCENDING) y = (hk_bits)~y;
    if (HK_FLOAT) return (hk_bits)(y ^ ((y & HK_SIGN) != 0 ? HK_SIGN : (hk_bits) ~(hk_bits)0));
    return HK_SIGNED ? (hk_bits)(y ^ HK_SIGN) : y;
}

#define HK_LAST_ORDER ((hk_bits) ~(hk_bits)0) // of NaN, where keys are floats

// ---- Networks -----------------------------------------------------------------------------------

template <class item> HK_FN void hk_exchange(item &low, item &high)
{
    const bool swap = hk_is_less(high, low);
    const item least = swap ? high : low;
    high = swap ? low : high;
    low = least;
}

template <int n, class item> HK_FN void hk_merge_lane(item *x)
{
#pragma unroll
    for (int d = n / 2; d > 0; d /= 2)
#pragma unroll
        for (int j = 0; j < n; j++)
            if ((j & d) == 0) hk_exchange(x[j], x[j + d]);
}

template <int n, class item> HK_FN void hk_sort_lane(item *x)
{
#pragma unroll
    for (int span = 2; span <= n; span *= 2) {
#pragma unroll
        for (int j = 0; j < n; j++)
            if ((j & (span - 1)) < span / 2) hk_exchange(x[j], x[j ^ (span - 1)]);
#pragma unroll
        for (int d = span / 4; d > 0; d /= 2)
#pragma unroll
            for (int j = 0; j < n; j++)
                if ((j & d) == 0) hk_exchange(x[j], x[j + d]);
    }
}

// The lesser of two on the lower side, else the greater.
template <class item> HK_FN item hk_keep(bool lower, const item &mine, const item &other)
{
    return hk_is_less(other, mine) == lower ? other : mine;
}

// What is left of a merge when lanes `distance` apart are next.
template <int n, class item> HK_FN void hk_merge_from(item *x, int distance)
{
#pragma unroll 1
    for (int d = distance; d > 0; d /= 2) {
        const bool lower = (hk_lane() & d) == 0;
#pragma unroll
        for (int j = 0; j < n; j++) x[j] = hk_keep(lower, x[j], hk_item_from(x[j], d));
    }
    hk_merge_lane<n>(x);
}

// Each lane's items are in order; so are then those of each group of lanes, of which there are
// `lanes`, a power of two. All lanes call.
template <int n, class item> HK_FN void hk_merge_lanes(item *x, int lanes)
{
#pragma unroll 1
    for (int span = 2; span <= lanes; span *= 2) {
        const bool lower = (hk_lane() & (span / 2)) == 0;
#pragma unroll
        for (int j = 0; j < n / 2; j++) {
            const item a = hk_item_from(x[n - 1 - j], span - 1), b = hk_item_from(x[j], span - 1);
            x[j] = hk_keep(lower, x[j], a);
            x[n - 1 - j] = hk_keep(lower, x[n - 1 - j], b);
        }
        hk_merge_from<n>(x, span / 4);
    }
}
