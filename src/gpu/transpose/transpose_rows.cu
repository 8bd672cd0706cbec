// SPDX-License-Identifier: Apache-2.0
//
// transpose_rows: where in and out are densest along the same axis, rows of t.u.n elements are
// copied one by one, each by t.tiles_v lanes, a power of two up to a warp. The lanes of a row take
// HK_ROWS units each at once.
#include "device/kernel.cuh"
#include "transpose/plane.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    transpose_rows(const __grid_constant__ hk_transposition t)
{
    hk_begin();
    const int64_t lanes = t.tiles_v, thread = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    const int64_t number = thread / lanes;
    const hk_unit *in = t.in;
    hk_unit *out = t.out;
    if (number >= t.group) return; // so many strips of rows
    const int64_t strip = hk_plane_of(&t, number, t.tiles_u, &in, &out);
    const int64_t first = strip * lanes * HK_ROWS + (thread & (lanes - 1));
    const int64_t n = t.u.n * HK_PARTS;
    hk_unit x[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t w = first + r * lanes, j = w / HK_PARTS;
        if (w < n) x[r] = in[j * t.u.in + (w - j * HK_PARTS)];
    }
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t w = first + r * lanes, j = w / HK_PARTS;
        if (w < n) out[j * t.u.out + (w - j * HK_PARTS)] = x[r];
    }
}
