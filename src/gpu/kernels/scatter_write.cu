// SPDX-License-Identifier: Apache-2.0
//
// scatter_write: out[index[i]] = in[i], where no index comes twice.
extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_write(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view index,
                  const __grid_constant__ hd_view out, const __grid_constant__ hd_scatter_how how,
                  uint64_t *bad)
{
    hd_begin();
    __shared__ uint32_t turn;
    hd_tiles t = hd_first_tile(&how, &turn);
    while (t.tile < t.count) {
        hd_ask_tile(&how, &t);
        const int64_t first = hd_first_source(&t);
        hd_place at[HD_ROWS];
        hd_in_0 x[HD_ROWS];
        hd_elements(&how, &in, first, x);
        hd_places(&how, &index, first, at, bad);
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++)
            if (at[r] != HD_NONE) hd_put(&out, at[r], x[r]);
        hd_next_tile(&how, &t, &turn);
    }
}
