// SPDX-License-Identifier: Apache-2.0
//
// Nodes between blocks travel in 64-bit words: 32 bits of the node, tagged by the 32 bits of the
// epoch, the number of the launch. A word shows by itself whether it was published in this launch,
// so neither fences nor counters are needed. A block waits for blocks of lower numbers alone, which
// have begun.
#pragma once
#include "device/warp.cuh"

// A warp publishes a node for other blocks.
HK_FN void hk_publish(uint64_t *word, hk_node n, uint32_t epoch)
{
    const hk_words x = hk_words_of(n);
#pragma unroll
    for (int k = 0; k < HK_NODE_WORDS; k++)
        if (hk_lane() == (k & 31)) hk_store_relaxed_64(word + k, (uint64_t)epoch << 32 | x.w[k]);
}

#define HK_PATIENCE 4096

// Polls for the node at word, where it is wanted. All lanes call. Where there is a fault, a block
// may exit without publishing: then the polling ends. fault: of the launch, or null.
HK_FN hk_node hk_await(const uint64_t *word, bool wanted, hk_node filler, uint32_t epoch,
                       const uint32_t *fault)
{
    hk_words x = hk_words_of(filler);
    bool here = !wanted;
    for (int polls = 0;; polls++) {
        if (fault != 0 && polls >= HK_PATIENCE && hk_load_relaxed(fault) != 0) return x.node;
        if (!here) {
            here = true;
#pragma unroll
            for (int k = 0; k < HK_NODE_WORDS; k++) {
                const uint64_t w = hk_load_relaxed_64(word + k);
                x.w[k] = (uint32_t)w;
                here = here && (uint32_t)(w >> 32) == epoch;
            }
        }
        if (hk_all(here)) return x.node;
    }
}
