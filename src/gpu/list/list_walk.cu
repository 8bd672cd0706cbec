// SPDX-License-Identifier: Apache-2.0
//
// list_walk: every lane walks a sublist, from its first node to before the next node that begins
// one, and leaves sublist and offset with each node; a lane that is done takes the next sublist of
// its warp, and the warp the next ones of all. HK_INVERT: sublists point to the one before them,
// else to the one after; over how many nodes.
#include "device/kernel.cuh"
#include "device/lanes.cuh"
#include "list/links.cuh"

enum { HK_AT_ONCE_TAKEN = 64 }; // sublists that a warp takes

struct hk_walk {
    uint32_t sublist, at, link, length;
};

struct hk_walk_how {
    const uint32_t *starts, *is_start;
    uint64_t *words, *jumps;
    uint32_t *lengths;
    hk_list_control *control;
    int64_t count;
};

HK_FN hk_walk hk_walk_from(const hk_walk_how *how, uint32_t sublist)
{
    const uint32_t at = how->starts[sublist];
    const uint32_t link = (uint32_t)hk_load_relaxed_64(how->words + at);
    hk_store_relaxed_64(how->words + at, hk_word_of(sublist, 0));
    const hk_walk walk = {sublist, at, link, 1};
    return walk;
}

// One step; whether there was one more node.
HK_FN bool hk_walk_on(const hk_walk_how *how, hk_walk *w)
{
    if (w->link == w->at || hk_bit(how->is_start, w->link)) return false;
    w->at = w->link;
    w->link = (uint32_t)hk_load_relaxed_64(how->words + w->at);
    hk_store_relaxed_64(how->words + w->at, hk_word_of(w->sublist, w->length));
    w->length++;
    return true;
}

HK_FN void hk_walk_end(const hk_walk_how *how, const hk_walk *w)
{
    const bool last = w->link == w->at;
    const uint32_t after = last ? w->sublist : hk_high(hk_load_relaxed_64(how->words + w->link));
    how->lengths[w->sublist] = w->length | (last ? HK_LAST_SUBLIST : 0);
    if (!HK_INVERT)
        how->jumps[w->sublist] = hk_word_of(after, last ? 0 : w->length);
    else if (!last)
        how->jumps[after] = hk_word_of(w->sublist, w->length);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    list_walk(const __grid_constant__ hk_walk_how how)
{
    hk_begin();
    if (how.control->fault != 0) return;
    uint32_t next = 0, end = 0, longest = 0;
    uint64_t visited = 0;
    bool walks = false;
    hk_walk walk = {};
    while (true) {
        const uint32_t idle = hk_ballot(!walks);
        if (idle != 0 && next == end && next < how.count) {
            uint32_t taken = 0;
            if (hk_lane() == 0) taken = hk_add_to(&how.control->next, HK_AT_ONCE_TAKEN);
            next = hk_word_from(taken, 0);
            end = next + HK_AT_ONCE_TAKEN < how.count ? next + HK_AT_ONCE_TAKEN : how.count;
            if (next > end) next = end;
        }
        const uint32_t before = idle & ((1u << hk_lane()) - 1);
        const uint32_t own = next + hk_popc((int)before);
        if (!walks && own < end) {
            walk = hk_walk_from(&how, own);
            walks = true;
        }
        next = next + hk_popc((int)idle) < end ? next + hk_popc((int)idle) : end;
        if (hk_ballot(walks) == 0) break;
        if (walks && !hk_walk_on(&how, &walk)) {
            hk_walk_end(&how, &walk);
            visited += walk.length;
            longest = walk.length > longest ? walk.length : longest;
            walks = false;
        }
    }
    visited = hk_long_sum_to_lane(visited);
    if (hk_lane() == 31 && visited != 0) hk_add_to_long(&how.control->visited, visited);
    if (longest > hk_load_relaxed(&how.control->longest))
        asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;"
                     :
                     : "l"(&how.control->longest), "r"(longest)
                     : "memory");
}
