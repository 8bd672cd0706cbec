// SPDX-License-Identifier: Apache-2.0
//
// Splits of the rows that a merge is asked for, which may lie anyhow.
#pragma once
#include "merge/merge_path.cuh"
#include "merge/split_search.cuh"

struct hk_path {
    const hk_inputs *in;
    int64_t a, b; // where the rows begin
};

HK_FN bool hk_crosses(const hk_path *p, int64_t d, int64_t i)
{
    return hk_before(hk_one_1(p->in, p->b + d - 1 - i), hk_one_0(p->in, p->a + i));
}

// a's elements among the first d of a row, or of all of it, found by groups of 2^bits lanes.
HK_FN int64_t hk_split_of(const hk_inputs *in, const hk_merge_how *how, int64_t row, int64_t d,
                          int bits)
{
    const hk_path path = {in, row * how->na, row * how->nb};
    if (d > how->na + how->nb) d = how->na + how->nb;
    return hk_search_path(&path, d, d > how->nb ? d - how->nb : 0, d < how->na ? d : how->na, bits);
}
