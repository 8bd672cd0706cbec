// SPDX-License-Identifier: Apache-2.0
//
// Where a diagonal crosses the merge path, found by a group of lanes: each step probes a place for
// every lane at once, so that few trips to memory follow one another. The kernel that includes this
// says what the two rows are.
#pragma once

struct hk_path;
// Whether b's element d - 1 - i comes before a's element i.
HK_FN bool hk_crosses(const hk_path *p, int64_t d, int64_t i);

// How many of a's elements are among the first d, from `low` to `high`. All lanes of a warp call,
// in groups of 2^bits that ask the same. Any order gives a number in this range.
HK_FN int64_t hk_search_path(const hk_path *p, int64_t d, int64_t low, int64_t high, int bits)
{
    const int lanes = 1 << bits, lane = hk_lane() & (lanes - 1), first = hk_lane() - lane;
    const uint32_t group = (HK_ALL >> (32 - lanes)) << first;
    while (!hk_all(low >= high)) {
        const int64_t each = (high - low + lanes - 1) >> bits, i = low + (lane + 1) * each - 1;
        const bool before = low < high && i < high && !hk_crosses(p, d, i);
        const int passed = hk_popc((int)(hk_ballot(before) & group));
        if (low >= high) continue;
        low += passed * each;
        if (low + each - 1 < high) high = low + each - 1;
    }
    return low;
}
