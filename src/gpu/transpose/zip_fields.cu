// SPDX-License-Identifier: Apache-2.0
//
// zip_fields: fields of structures to arrays (HK_NARROW 0) and back (1; 2: structures keep what is
// no field). A block has z.group structures in shared memory; fields go one after another.
#include "device/kernel.cuh"
#include "transpose/stretch.cuh"

#define HK_NARROW HK_SLICES
#define HK_WHOLE  HK_ITEMS // units of a structure

struct hk_field {
    hk_unit *at;
    int32_t offset, units; // in a structure
};

struct hk_zip {
    hk_unit *structures;
    int64_t n, group, fields;
    hk_field field[64];
};

// Unit w of a field of all structures of the block lies so in these.
HK_FN int hk_in_structures(const hk_field *f, int w)
{
    if (f->units == 1) return w * HK_WHOLE + f->offset;
    const int k = w / f->units;
    return k * HK_WHOLE + f->offset + (w - k * f->units);
}

HK_FN void hk_read_field(const hk_field *f, int64_t first, int places)
{
    const hk_unit *from = f->at + first * f->units;
    for (int w = (int)threadIdx.x; w < places * f->units; w += HK_ROWS * HK_THREADS) {
        hk_unit x[HK_ROWS];
#pragma unroll
        for (int q = 0; q < HK_ROWS; q++)
            if (w + q * HK_THREADS < places * f->units) x[q] = from[w + q * HK_THREADS];
#pragma unroll
        for (int q = 0; q < HK_ROWS; q++)
            if (w + q * HK_THREADS < places * f->units)
                hk_keep_unit(hk_in_structures(f, w + q * HK_THREADS), x[q]);
    }
}

HK_FN void hk_write_field(const hk_field *f, int64_t first, int places)
{
    hk_unit *to = f->at + first * f->units;
    for (int w = (int)threadIdx.x; w < places * f->units; w += HK_THREADS)
        to[w] = hk_kept_unit(hk_in_structures(f, w));
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    zip_fields(const __grid_constant__ hk_zip z)
{
    hk_begin();
    const int64_t first = (int64_t)blockIdx.x * z.group;
    const int places = (int)(z.n - first < z.group ? z.n - first : z.group);
    if (HK_NARROW != 1) hk_read_stretch(z.structures + first * HK_WHOLE, places * HK_WHOLE);
    if (HK_NARROW == 2) hk_block_barrier();
    for (int k = 0; HK_NARROW != 0 && k < z.fields; k++) hk_read_field(&z.field[k], first, places);
    hk_block_barrier();
    if (HK_NARROW != 0) hk_write_stretch(z.structures + first * HK_WHOLE, places * HK_WHOLE);
    for (int k = 0; HK_NARROW == 0 && k < z.fields; k++) hk_write_field(&z.field[k], first, places);
}
