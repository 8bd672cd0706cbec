// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a warp's chunk are selected, by flags or as heads of runs.
#pragma once
#include "device/bulk.cuh"
#include "select/selection.cuh"

HK_FN void hk_set_row(hk_selection *c, int r, uint32_t bits)
{
    c->mask[r * HK_K / 32] |= bits << (r * HK_K % 32);
}

// ---- Flags that say nothing of elements, and are known before these are here --------------------

// So many rows are requested at once.
#define HK_FLAGS     ((int)(64 / (sizeof(hk_flag) * HK_K)))
#define HK_FLAG_ROWS (HK_FLAGS < 1 ? 1 : HK_FLAGS < HK_ROWS ? HK_FLAGS : HK_ROWS)
// One by one, fewer: eight rows of four at once cost a partition spilled registers, on everyone's
// way.
#define HK_SOME_ROWS (HK_FLAG_ROWS < 4 ? HK_FLAG_ROWS : 4)

HK_FN void hk_select_by_flags(const hk_inputs *in, int64_t first, hk_selection *c)
{
    hk_element e[HK_K] = {};
#pragma unroll
    for (int part = 0; part < HK_ROWS; part += HK_FLAG_ROWS) {
        hk_flag l[HK_FLAG_ROWS][HK_K];
#pragma unroll
        for (int q = 0; q < HK_FLAG_ROWS; q++)
            hk_flag_run(in, first + (part + q) * HK_ROW + hk_lane() * HK_K, e, l[q]);
#pragma unroll
        for (int q = 0; q < HK_FLAG_ROWS; q++) hk_set_row(c, part + q, hk_row_flags(l[q]));
    }
}

// The same of a chunk that may end early. It stays a loop, apart from the way that all others take:
// what is requested under a condition, one after another, would be a part of that.
HK_FN void hk_select_some_by_flags(const hk_inputs *in, int64_t first, int64_t n, hk_selection *c)
{
#pragma unroll 1
    for (int part = (int)hk_opaque(0); part < HK_ROWS; part += HK_SOME_ROWS) {
        hk_flag l[HK_SOME_ROWS][HK_K];
#pragma unroll
        for (int q = 0; q < HK_SOME_ROWS; q++)
            hk_some_flags(in, 0, first + (part + q) * HK_ROW + hk_lane() * HK_K, n, l[q]);
#pragma unroll
        for (int q = 0; q < HK_SOME_ROWS; q++) {
            const int64_t at = first + (part + q) * HK_ROW + hk_lane() * HK_K;
            const uint32_t bits = hk_bits_before(hk_row_flags(l[q]), at, n);
#pragma unroll
            for (int w = 0; w < HK_MASKS; w++)
                if ((part + q) * HK_K / 32 == w) c->mask[w] |= bits << ((part + q) * HK_K % 32);
        }
    }
}

// ---- Elements that are here ---------------------------------------------------------------------

HK_FN void hk_select_whole(const hk_inputs *in, const hk_element *chunk, int64_t first,
                           hk_element before, hk_selection *c)
{
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int i = r * HK_ROW + hk_lane() * HK_K;
        hk_element e[HK_K];
        hk_tile_items((const char *)chunk, i, e);
        if (HK_HEADS) {
            hk_element left = hk_element_from(e[HK_K - 1], (hk_lane() + 31) & 31);
            if (hk_lane() == 0) {
                const hk_element end = left; // of this row
                left = before;
                before = end;
            }
            hk_set_row(c, r, hk_row_heads(e, left, first + i));
        } else {
            hk_flag l[HK_K];
            hk_flag_run(in, first + i, e, l);
            hk_set_row(c, r, hk_row_flags(l));
        }
    }
}

HK_FN void hk_select_some(const hk_inputs *in, const hk_element *chunk, int64_t first, int64_t n,
                          hk_element before, hk_selection *c)
{
#pragma unroll
    for (int w = 0; w < HK_MASKS; w++)
#pragma unroll 1
        for (int r = 0; r < HK_ROWS / HK_MASKS; r++) {
            const int i = (w * (HK_ROWS / HK_MASKS) + r) * HK_ROW + hk_lane() * HK_K;
            const hk_element left = HK_HEADS && i > 0 ? chunk[i - 1] : before;
            c->mask[w] |= hk_some_bits(in, chunk + i, left, first + i, n) << (r * HK_K);
        }
}

// Tells which elements of a warp's chunk are selected, and how many. `before` is the element before
// the chunk.
HK_FN uint32_t hk_select_chunk(const hk_inputs *in, const hk_element *chunk, int64_t first,
                               int64_t n, bool whole, hk_element before, hk_selection *c)
{
#pragma unroll
    for (int w = 0; w < HK_MASKS; w++) c->mask[w] = 0;
    if (HK_EARLY && whole)
        hk_select_by_flags(in, first, c);
    else if (HK_EARLY)
        hk_select_some_by_flags(in, first, n, c);
    else if (whole)
        hk_select_whole(in, chunk, first, before, c);
    else
        hk_select_some(in, chunk, first, n, before, c);
    return hk_rank(c);
}
