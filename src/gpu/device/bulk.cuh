// SPDX-License-Identifier: Apache-2.0
//
// The elements of a block's tile in shared memory, as they lie in the input; one bulk copy brings a
// dense tile. They take no registers there while the block looks back, so that more blocks are
// under way.
#pragma once

#define HK_BULK (HK_CONTIGUOUS && __CUDA_ARCH__ >= 900)

HK_FN uint32_t hk_shared_address(const void *p)
{
    uint32_t at;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(at) : "l"(p));
    return at;
}

// ---- A lane's elements --------------------------------------------------------------------------

union hk_lane_words {
    uint32_t w[(sizeof(hk_element) * HK_K + 3) / 4];
    hk_element e[HK_K];
};

#define HK_LANE_BYTES (sizeof(hk_element) * HK_K)

// Elements i .. i + HK_K - 1 of a tile; i is a multiple of HK_K.
HK_FN void hk_tile_items(const char *tile, int i, hk_element *e)
{
    if (HK_LANE_BYTES % 16 == 0) {
        hk_lane_words u;
        const uint32_t at = hk_shared_address(tile) + i * (uint32_t)sizeof(hk_element);
#pragma unroll
        for (int k = 0; k < (int)HK_LANE_BYTES / 4; k += 4)
            asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                         : "=r"(u.w[k]), "=r"(u.w[k + 1]), "=r"(u.w[k + 2]), "=r"(u.w[k + 3])
                         : "r"(at + 4 * k)
                         : "memory");
#pragma unroll
        for (int j = 0; j < HK_K; j++) e[j] = u.e[j];
    } else {
#pragma unroll
        for (int j = 0; j < HK_K; j++) e[j] = ((const hk_element *)tile)[i + j];
    }
}

HK_FN void hk_set_tile_items(char *tile, int i, const hk_element *e)
{
#pragma unroll
    for (int j = 0; j < HK_K; j++) ((hk_element *)tile)[i + j] = e[j];
}

// ---- Bringing them ------------------------------------------------------------------------------

// One thread makes the mbarrier and begins; all wait behind a barrier of the block.
HK_FN void hk_begin_bulk(char *tile, const char *from, uint32_t bytes, uint64_t *arrival)
{
    const uint32_t at = hk_shared_address(arrival);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(at) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(at), "r"(bytes)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
        "[%3];"
        :
        : "r"(hk_shared_address(tile)), "l"(from), "r"(bytes), "r"(at)
        : "memory");
}

// Asks for bytes to come to the L2.
HK_FN void hk_fetch_bulk(const char *from, uint32_t bytes)
{
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" : : "l"(from), "r"(bytes) : "memory");
}

HK_FN void hk_await_bulk(uint64_t *arrival)
{
    uint32_t here;
    do
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;"
                     " selp.u32 %0, 1, 0, p; }"
                     : "=r"(here)
                     : "r"(hk_shared_address(arrival))
                     : "memory");
    while (here == 0);
}
