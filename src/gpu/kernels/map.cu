// SPDX-License-Identifier: Apache-2.0
//
// map_elements: out[i] = f(in0[i], in1[i], ...), or a conversion. A thread takes HD_K elements that lie
// together, in HD_ROWS rows a block apart. Inputs that all lie together come to shared memory, each by one bulk
// copy, where they take no registers while they are under way.
#define HD_TILE (HD_THREADS * HD_K * HD_ROWS)

// Outputs of a whole tile, row by row.
HD_FN void hd_map_rows(const hd_inputs *in, const hd_view *out, int64_t first)
{
    hd_element x[HD_ROWS][HD_K];
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) hd_items(in, first + r * HD_THREADS * HD_K, x[r]);
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        hd_result y[HD_K];
#pragma unroll
        for (int j = 0; j < HD_K; j++) y[j] = hd_result_of(x[r][j]);
        hd_put_run(out, first + r * HD_THREADS * HD_K, y);
    }
}

#if HD_BULK
// Elements of a tile in shared memory, each input's behind the other's.
#define HD_STAGE (HD_TILE * HD_SIZE)

// One thread asks for the elements of a tile.
HD_FN void hd_ask(const hd_inputs *in, int64_t tile, char *to, uint64_t *arrival)
{
    const int size[HD_INPUTS] = {HD_SIZES};
    hd_expect_bulk(HD_STAGE, arrival);
#pragma unroll
    for (int k = 0; k < HD_INPUTS; k++) {
        hd_copy_bulk(to, in->view[k].data + tile * HD_TILE * size[k], size[k] * HD_TILE, arrival);
        to += size[k] * HD_TILE;
    }
}

// Where they are, as inputs that are asked for the same indices.
HD_FN hd_inputs hd_here(char *at, int64_t tile)
{
    const int size[HD_INPUTS] = {HD_SIZES};
    hd_inputs here;
#pragma unroll
    for (int k = 0; k < HD_INPUTS; k++) {
        here.view[k].data = at - tile * HD_TILE * size[k];
        at += size[k] * HD_TILE;
    }
    return here;
}

// Blocks stay, and take one tile after another; the next ones are under way meanwhile.
HD_FN void hd_map_tiles(const hd_inputs *in, const hd_view *out, int64_t tiles)
{
    extern __shared__ __align__(128) char elements[];
    __shared__ uint64_t arrival[HD_STAGES];
    if (threadIdx.x == 0) {
#pragma unroll
        for (int s = 0; s < HD_STAGES; s++) {
            const int64_t tile = blockIdx.x + s * (int64_t)gridDim.x;
            hd_make_arrival(arrival + s);
            if (tile < tiles) hd_ask(in, tile, elements + s * HD_STAGE, arrival + s);
        }
    }
    hd_block_barrier();
    uint32_t turn = 0;
#pragma unroll 1
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x, turn++) {
        const int s = turn % HD_STAGES;
        char *at = elements + s * HD_STAGE;
        const hd_inputs here = hd_here(at, tile);
        hd_await_bulk(arrival + s, turn / HD_STAGES & 1);
        hd_map_rows(&here, out, tile * HD_TILE + threadIdx.x * HD_K);
        hd_block_barrier();
        const int64_t next = tile + HD_STAGES * (int64_t)gridDim.x;
        if (threadIdx.x == 0 && next < tiles) hd_ask(in, next, at, arrival + s);
    }
}
#endif

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    map_elements(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view out,
                 int64_t n)
{
    const int64_t tiles = n / HD_TILE;
#if HD_BULK
    hd_map_tiles(&in, &out, tiles);
#else
    for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x)
        hd_map_rows(&in, &out, tile * HD_TILE + threadIdx.x * HD_K);
#endif
    if (blockIdx.x != gridDim.x - 1) return;
#pragma unroll 1
    for (int64_t i = tiles * HD_TILE + threadIdx.x; i < n; i += HD_THREADS)
        hd_put(&out, i, hd_result_of(hd_item(&in, i)));
}
