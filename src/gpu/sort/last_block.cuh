// SPDX-License-Identifier: Apache-2.0
//
// The last block of a launch, which goes on with what atomics of all blocks have added up.
#pragma once

// Whether all other blocks have come here before. The model takes atomics of one address for
// ordered.
HK_FN bool hk_is_last_block(uint32_t *done, uint32_t *shared)
{
    hk_fence();         // unseen: only atomics come before
    hk_block_barrier(); // unseen: likewise
    if (threadIdx.x == 0) *shared = hk_add_to(done, 1) == gridDim.x - 1;
    hk_block_barrier();
    if (*shared != 0) hk_fence(); // unseen: likewise
    return *shared != 0;
}
