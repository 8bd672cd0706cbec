// SPDX-License-Identifier: Apache-2.0
//
// scatter_claim: the first source that comes to a place is written; whether others come as well is left in the
// claims.
extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_claim(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view index,
                  const __grid_constant__ hd_view out, const __grid_constant__ hd_scatter_how how,
                  uint64_t *bad, const __grid_constant__ hd_claims claims)
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
        hd_drop_last(&how, &index, first, at);
#pragma unroll
        for (int r = 0; r < HD_ROWS; r += HD_CLAIMS) hd_claim(&claims, at + r);
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++)
            if (at[r] != HD_NONE) hd_put(&out, at[r], x[r]);
        hd_next_tile(&how, &t, &turn);
    }
}
