// SPDX-License-Identifier: Apache-2.0
//
// Words of nodes and of pointer jumping, and what the kernels of one call share.
#pragma once

struct hk_list_control {
    uint32_t fault;   // what is no list or no forest was met
    uint32_t lists;   // nodes that none links to
    uint32_t next;    // the first sublist that no warp has taken
    uint32_t longest; // sublist
    uint64_t visited; // nodes
    uint32_t steps;   // of jumping that found something to do, and the one that did not
    uint32_t unused;
    uint32_t moved[64]; // by step: whether a node points further than before
};

// A node: its link, or, once it is visited, its offset in its sublist; above 32 bits the sublist of
// a visited node and of one that begins a sublist. A jump: the node or sublist pointed to, and the
// number of nodes up to it.
HK_FN uint64_t hk_word_of(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

HK_FN uint32_t hk_high(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

#define HK_NO_NODE 0xffffffffffffffffull

// A bit of the length of a list's last sublist.
#define HK_LAST_SUBLIST 0x80000000u

HK_FN bool hk_bit(const uint32_t *bits, int64_t i)
{
    return (bits[i >> 5] >> (i & 31) & 1) != 0;
}

// Link i of n: another node, i itself at an end; -1: a bad one. minus_one: what -1 is read as.
HK_FN int64_t hk_link_at(const hk_view *next, int64_t i, int64_t n, int64_t minus_one)
{
    const int64_t link = hk_bound(next, i);
    return link >= 0 && link < n ? link : link == minus_one ? i : -1;
}
