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
// Brings the elements of a tile, and says where they are: as inputs that are asked for the same indices.
HD_FN void hd_bring(const hd_inputs *in, int64_t tile, char *to, uint64_t *arrival, hd_inputs *here)
{
    const int size[HD_INPUTS] = {HD_SIZES};
    uint32_t bytes = 0;
#pragma unroll
    for (int k = 0; k < HD_INPUTS; k++) bytes += size[k] * HD_TILE;
    if (threadIdx.x == 0) hd_expect_bulk(bytes, arrival);
#pragma unroll
    for (int k = 0; k < HD_INPUTS; k++) {
        if (threadIdx.x == 0)
            hd_copy_bulk(to, in->view[k].data + tile * size[k], size[k] * HD_TILE, arrival);
        here->view[k].data = to - tile * size[k];
        to += size[k] * HD_TILE;
    }
    hd_block_barrier();
    hd_await_bulk(arrival);
}
#endif

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    map_elements(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view out,
                 int64_t n)
{
    const int64_t tile = (int64_t)blockIdx.x * HD_TILE, first = tile + threadIdx.x * HD_K;
    if (tile + HD_TILE <= n) {
#if HD_BULK
        extern __shared__ __align__(128) char elements[];
        __shared__ uint64_t arrival;
        hd_inputs here;
        hd_bring(&in, tile, elements, &arrival, &here);
        hd_map_rows(&here, &out, first);
#else
        hd_map_rows(&in, &out, first);
#endif
        return;
    }
#pragma unroll 1
    for (int64_t i = tile + threadIdx.x; i < n; i += HD_THREADS)
        hd_put(&out, i, hd_result_of(hd_item(&in, i)));
}
