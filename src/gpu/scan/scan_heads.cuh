// SPDX-License-Identifier: Apache-2.0
//
// The head flags of a scan's tile, from wherever its segments are described: offsets (HK_PAIRS 1),
// keys (HK_PAIRS 2), or nowhere, for a scan of everything (HK_PAIRS 0).
#pragma once
#include "scan/key_heads.cuh"
#include "scan/offset_heads.cuh"

#if HK_PAIRS
struct hk_heads_from {
    hk_view view; // offsets or keys
    hk_heads_how how;
    uint32_t *fault;
};
#else
struct hk_heads_from {
    uint32_t unused;
};
#endif

// The heads of this warp's chunk, a bit for each element of a lane; `tiles` are whole. All threads
// call.
#if HK_PAIRS == 1
HK_FN uint32_t hk_heads_of_chunk(const hk_heads_from *from, int64_t n, int64_t tiles)
{
    __shared__ uint32_t bits[HK_TILE / 32];
    __shared__ int64_t where;
    if (from->how.check && hk_share_is_bad(&from->view, from->how.count, n))
        hk_store_relaxed(from->fault, HK_BAD_OFFSETS);
    hk_mark_heads(&from->view, &from->how, blockIdx.x * HK_TILE, n, bits, &where);
    return hk_heads_of_bits(bits, (int)threadIdx.x / HK_WARP);
}
#elif HK_PAIRS == 2
HK_FN uint32_t hk_heads_of_chunk(const hk_heads_from *from, int64_t n, int64_t tiles)
{
    const int64_t first = blockIdx.x * HK_TILE + (int)threadIdx.x / HK_WARP * HK_CHUNK;
    return blockIdx.x < tiles ? hk_heads_of_keys(&from->view, first)
                              : hk_heads_of_some_keys(&from->view, first, n);
}
#else
HK_FN uint32_t hk_heads_of_chunk(const hk_heads_from *from, int64_t n, int64_t tiles)
{
    return 0;
}
#endif
