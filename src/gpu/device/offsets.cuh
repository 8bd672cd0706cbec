// SPDX-License-Identifier: Apache-2.0
//
// Offsets of segments: What is wrong with them is left for the host to
// find; nothing outside of the array is read because of it.
#pragma once

enum { HD_BAD_OFFSETS = 1, HD_NO_VALUE = 2, HD_NO_ROOM = 4 };

// The first of `count` offsets that, with `rate` times its number, is at least x. All lanes call; each
// step divides what is left by 32.
HD_FN int64_t hd_first_at_least(const hd_view *offsets, int64_t count, int64_t x, int rate)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t step = (high - low + 31) / 32, at = low + hd_lane() * step + step - 1;
        const bool less = at < high && hd_bound(offsets, at) + rate * at < x;
        low += hd_popc((int)hd_ballot(less)) * step;
        if (low + step - 1 < high) high = low + step - 1;
        if (low > high) low = high;
    }
    return low;
}

// Whether offset i is below the one before it, or out of 0 .. n.
HD_FN bool hd_is_bad(const hd_view *offsets, int64_t i, int64_t n)
{
    const int64_t x = hd_bound(offsets, i);
    return x < 0 || x > n || (i > 0 && x < hd_bound(offsets, i - 1));
}
