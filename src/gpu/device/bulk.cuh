// SPDX-License-Identifier: Apache-2.0
//
// The elements of a block's tile in shared memory, as they lie in the input; one bulk copy brings a dense
// tile. They take no registers there while the block looks back, so that more blocks are under way.
#pragma once

#define HD_BULK (HD_DENSE && __CUDA_ARCH__ >= 900)

HD_FN uint32_t hd_shared_address(const void *p)
{
    uint32_t at;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(at) : "l"(p));
    return at;
}

// ---- A lane's elements ---------------------------------------------------------------------------

union hd_lane_words {
    uint32_t w[(sizeof(hd_element) * HD_K + 3) / 4];
    hd_element e[HD_K];
};

#define HD_LANE_BYTES (sizeof(hd_element) * HD_K)

// Elements i .. i + HD_K - 1 of a tile; i is a multiple of HD_K.
HD_FN void hd_tile_items(const char *tile, int i, hd_element *e)
{
    if (HD_LANE_BYTES % 16 == 0) {
        hd_lane_words u;
        const uint32_t at = hd_shared_address(tile) + i * (uint32_t)sizeof(hd_element);
#pragma unroll
        for (int k = 0; k < (int)HD_LANE_BYTES / 4; k += 4)
            asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                         : "=r"(u.w[k]), "=r"(u.w[k + 1]), "=r"(u.w[k + 2]), "=r"(u.w[k + 3])
                         : "r"(at + 4 * k)
                         : "memory");
#pragma unroll
        for (int j = 0; j < HD_K; j++) e[j] = u.e[j];
    } else {
#pragma unroll
        for (int j = 0; j < HD_K; j++) e[j] = ((const hd_element *)tile)[i + j];
    }
}

HD_FN void hd_set_tile_items(char *tile, int i, const hd_element *e)
{
#pragma unroll
    for (int j = 0; j < HD_K; j++) ((hd_element *)tile)[i + j] = e[j];
}

// ---- Bringing them -------------------------------------------------------------------------------

// One thread makes the mbarrier and begins; all wait behind a barrier of the block.
HD_FN void hd_begin_bulk(char *tile, const char *from, uint32_t bytes, uint64_t *arrival)
{
    const uint32_t at = hd_shared_address(arrival);
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
        : "r"(hd_shared_address(tile)), "l"(from), "r"(bytes), "r"(at)
        : "memory");
}

// Asks for bytes to come to the L2.
HD_FN void hd_fetch_bulk(const char *from, uint32_t bytes)
{
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" : : "l"(from), "r"(bytes) : "memory");
}

HD_FN void hd_await_bulk(uint64_t *arrival)
{
    uint32_t here;
    do
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;"
                     " selp.u32 %0, 1, 0, p; }"
                     : "=r"(here)
                     : "r"(hd_shared_address(arrival))
                     : "memory");
    while (here == 0);
}
