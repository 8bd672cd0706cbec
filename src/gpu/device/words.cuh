// SPDX-License-Identifier: Apache-2.0
//
// Nodes between blocks travel in 64-bit words, 32 bits of the node under 32 bits of the launch's
// number, so that a word says itself whether it is there: neither fences nor counters are needed.
// Who waits, waits for blocks of lower numbers, which have begun.
#pragma once
#include "device/warp.cuh"

// A warp leaves a node for other blocks.
HK_FN void hk_publish(uint64_t *word, hk_node n, uint32_t launch)
{
    const hk_words x = hk_words_of(n);
#pragma unroll
    for (int k = 0; k < HK_NODE_WORDS; k++)
        if (hk_lane() == (k & 31)) hk_store_relaxed_64(word + k, (uint64_t)launch << 32 | x.w[k]);
}

#define HK_PATIENCE 4096

// The node at word, where it is wanted: waits for it. All lanes call. Where there is a fault, a
// block may have left without a word: nobody waits for it for long. fault: of the launch, or null.
HK_FN hk_node hk_await(const uint64_t *word, bool wanted, hk_node filler, uint32_t launch,
                       const uint32_t *fault)
{
    hk_words x = hk_words_of(filler);
    bool here = !wanted;
    for (int turns = 0;; turns++) {
        if (fault != 0 && turns >= HK_PATIENCE && hk_load_relaxed(fault) != 0) return x.node;
        if (!here) {
            here = true;
#pragma unroll
            for (int k = 0; k < HK_NODE_WORDS; k++) {
                const uint64_t w = hk_load_relaxed_64(word + k);
                x.w[k] = (uint32_t)w;
                here = here && (uint32_t)(w >> 32) == launch;
            }
        }
        if (hk_all(here)) return x.node;
    }
}
