// SPDX-License-Identifier: Apache-2.0
//
// Nodes between blocks travel in 64-bit words, 32 bits of the node under 32 bits of the launch's number, so that a
// word says itself whether it is there: neither fences nor counters are needed. Who waits, waits for blocks of lower
// numbers, which have begun.
#pragma once
#include "device/warp.cuh"

// A warp leaves a node for other blocks.
HD_FN void hd_publish(uint64_t *word, hd_node n, uint32_t launch)
{
    const hd_words x = hd_words_of(n);
#pragma unroll
    for (int k = 0; k < HD_NODE_WORDS; k++)
        if (hd_lane() == (k & 31)) hd_store_relaxed_64(word + k, (uint64_t)launch << 32 | x.w[k]);
}

#define HD_PATIENCE 4096

// The node at word, where it is wanted: waits for it. All lanes call. Where there is a fault, a block may have left
// without a word: nobody waits for it for long. fault: of the launch, or null.
HD_FN hd_node hd_await(const uint64_t *word, bool wanted, hd_node filler, uint32_t launch,
                       const uint32_t *fault)
{
    hd_words x = hd_words_of(filler);
    bool here = !wanted;
    for (int turns = 0;; turns++) {
        if (fault != 0 && turns >= HD_PATIENCE && hd_load_relaxed(fault) != 0) return x.node;
        if (!here) {
            here = true;
#pragma unroll
            for (int k = 0; k < HD_NODE_WORDS; k++) {
                const uint64_t w = hd_load_relaxed_64(word + k);
                x.w[k] = (uint32_t)w;
                here = here && (uint32_t)(w >> 32) == launch;
            }
        }
        if (hd_all(here)) return x.node;
    }
}
