// SPDX-License-Identifier: Apache-2.0
//
// transpose_narrow: planes with a short axis, such as arrays of structures. A block has t.group
// places of the long axis; the side of which they are one stretch of memory (HK_NARROW: in, out, or
// both, then places are whole planes) is read or written as such, the other one row by row.
#include "device/kernel.cuh"
#include "transpose/plane.cuh"
#include "transpose/stretch.cuh"

enum { HK_NARROW_IN, HK_NARROW_OUT, HK_NARROW_BOTH };

#define HK_NARROW HK_SLICES
// ---- The rows -----------------------------------------------------------------------------------

// Row r of `places` elements: unit w of it is unit (w / HK_PARTS * rows + r) * HK_PARTS + ... of
// the stretch.
HK_FN int hk_in_stretch(int w, int r, int rows)
{
    const int k = w / HK_PARTS;
    return (k * rows + r) * HK_PARTS + (w - k * HK_PARTS);
}

HK_FN void hk_read_rows(const hk_unit *from, int64_t row, int64_t step, int rows, int places)
{
    for (int r = 0; r < rows; r++)
        for (int first = (int)threadIdx.x; first < places * HK_PARTS;
             first += HK_ROWS * HK_THREADS) {
            hk_unit x[HK_ROWS];
#pragma unroll
            for (int q = 0; q < HK_ROWS; q++) {
                const int w = first + q * HK_THREADS, k = w / HK_PARTS;
                if (k < places) x[q] = from[r * row + k * step + (w - k * HK_PARTS)];
            }
#pragma unroll
            for (int q = 0; q < HK_ROWS; q++) {
                const int w = first + q * HK_THREADS;
                if (w / HK_PARTS < places) hk_keep_unit(hk_in_stretch(w, r, rows), x[q]);
            }
        }
}

// Units of less than a word that lie together are written by words, where rows are aligned.
HK_FN void hk_write_rows(hk_unit *to, int64_t row, int64_t step, int rows, int places)
{
    const int in_word = HK_UNIT < 4 ? 4 / HK_UNIT : 1;
    const bool packs = in_word > 1 && HK_PARTS == 1 && step == 1 &&
                       (((uint64_t)to | (uint64_t)(row * HK_UNIT)) & 3) == 0;
    const int words = packs ? places / in_word : 0;
    for (int r = 0; r < rows; r++) {
        for (int k = (int)threadIdx.x; k < words; k += HK_THREADS) {
            union {
                uint32_t w[1];
                hk_unit x[HK_UNIT < 4 ? 4 / HK_UNIT : 1];
            } u;
            for (int q = 0; q < in_word; q++)
                u.x[q] = hk_kept_unit(hk_in_stretch(k * in_word + q, r, rows));
            hk_write_4(to + r * row + k * in_word, u.w);
        }
        for (int w = words * in_word * HK_PARTS + (int)threadIdx.x; w < places * HK_PARTS;
             w += HK_THREADS) {
            const int k = w / HK_PARTS;
            to[r * row + k * step + (w - k * HK_PARTS)] = hk_kept_unit(hk_in_stretch(w, r, rows));
        }
    }
}

// Whole planes, each in out as it lies there.
HK_FN void hk_write_planes(hk_unit *to, int u, int v, int planes)
{
    const int plane = u * v * HK_PARTS;
    for (int w = (int)threadIdx.x; w < planes * plane; w += HK_THREADS) {
        const int p = w / plane, rest = w - p * plane, e = rest / HK_PARTS, i = e / u;
        to[w] = hk_kept_unit(p * plane + ((e - i * u) * v + i) * HK_PARTS + (rest - e * HK_PARTS));
    }
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    transpose_narrow(const __grid_constant__ hk_transposition t)
{
    hk_begin();
    const hk_unit *in = t.in;
    hk_unit *out = t.out;
    const int64_t first = hk_plane_of(&t, blockIdx.x, t.tiles_u, &in, &out) * t.group;
    const int64_t all = HK_NARROW == HK_NARROW_BOTH ? t.tiles_v
                        : HK_NARROW == HK_NARROW_IN ? t.u.n
                                                    : t.v.n;
    const int places = hk_least(all - first, (int)t.group);
    const int u = (int)t.u.n, v = (int)t.v.n;
    const int64_t at = first * u * v * HK_PARTS; // of planes
    if (HK_NARROW == HK_NARROW_BOTH)
        hk_read_stretch(in + at, places * u * v * HK_PARTS);
    else if (HK_NARROW == HK_NARROW_IN)
        hk_read_stretch(in + first * t.u.in, places * v * HK_PARTS);
    else
        hk_read_rows(in + first * t.v.in, t.u.in, t.v.in, u, places);
    hk_block_barrier();
    if (HK_NARROW == HK_NARROW_BOTH)
        hk_write_planes(out + at, u, v, places);
    else if (HK_NARROW == HK_NARROW_IN)
        hk_write_rows(out + first * t.u.out, t.v.out, t.u.out, v, places);
    else
        hk_write_stretch(out + first * t.v.out, places * u * HK_PARTS);
}
