// SPDX-License-Identifier: Apache-2.0
//
// The elements of a block's tile in shared memory: a warp's chunks, rows and lanes lie there as in the
// input. One bulk copy brings a dense tile; else every lane brings its own elements, and no barrier is
// needed. They take no registers there while the block looks back, so that more blocks are under way.
#define HD_WARPS (HD_THREADS / HD_WARP)
#define HD_TILE  ((int64_t)HD_WARPS * HD_CHUNK)
#define HD_BULK  (HD_DENSE && __CUDA_ARCH__ >= 900)

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

#if HD_BULK
// One thread makes the mbarrier and begins; all wait behind a barrier of the block.
HD_FN void hd_begin_bulk(char *tile, const char *from, uint64_t *arrival)
{
    const uint32_t bytes = (uint32_t)(HD_TILE * sizeof(hd_element));
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
#endif

// A warp's chunk, of which elements past the end are those before it again: no output depends on them.
HD_FN void hd_bring_chunk(const hd_inputs *in, int64_t first, int64_t n, char *tile, int place)
{
    place += hd_lane() * HD_K;
    if (first + HD_CHUNK <= n) {
        hd_element e[HD_ROWS][HD_K];
        hd_read_chunk(in, first, e);
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++) hd_set_tile_items(tile, place + r * HD_ROW, e[r]);
        return;
    }
    first += hd_lane() * HD_K;
#pragma unroll 1
    for (int r = 0; r < HD_ROWS; r++)
#pragma unroll 1
        for (int j = 0; j < HD_K; j++) {
            const int64_t i = first + r * HD_ROW + j;
            ((hd_element *)tile)[place + r * HD_ROW + j] = hd_item(in, i < n ? i : n - 1);
        }
}

// The node of each row of a warp's chunk, in the lanes whose number mod HD_ROWS is the row's.
HD_FN hd_node hd_tile_rows(const char *tile, int place, int64_t index, uint32_t heads)
{
    hd_node t[HD_ROWS];
    index += hd_lane() * HD_K;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        hd_element e[HD_K];
        hd_tile_items(tile, place + r * HD_ROW + hd_lane() * HD_K, e);
        t[r] = hd_lane_node(e, index + r * HD_ROW, hd_heads_of_row(heads, r));
    }
    return hd_rows_of(t);
}
