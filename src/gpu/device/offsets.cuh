// SPDX-License-Identifier: Apache-2.0
//
// Offsets of segments. Bad offsets are reported to the host; nothing outside of the array is read
// because of them.
#pragma once

enum { HK_BAD_OFFSETS = 1, HK_NO_VALUE = 2, HK_NO_ROOM = 4 };

// The first of `count` offsets that, with `rate` times its number, is at least x. All lanes call;
// each step divides what is left by 32.
HK_FN int64_t hk_first_at_least(const hk_view *offsets, int64_t count, int64_t x, int rate)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t step = (high - low + 31) / 32, at = low + hk_lane() * step + step - 1;
        const bool less = at < high && hk_bound(offsets, at) + rate * at < x;
        low += hk_popc((int)hk_ballot(less)) * step;
        if (low + step - 1 < high) high = low + step - 1;
        if (low > high) low = high;
    }
    return low;
}

// Whether offset i is below the one before it, or out of 0 .. n.
HK_FN bool hk_is_bad(const hk_view *offsets, int64_t i, int64_t n)
{
    const int64_t x = hk_bound(offsets, i);
    return x < 0 || x > n || (i > 0 && x < hk_bound(offsets, i - 1));
}
