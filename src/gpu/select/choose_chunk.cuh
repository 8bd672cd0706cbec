// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a warp's chunk are chosen, by labels or as heads of runs.
#pragma once
#include "device/bulk.cuh"
#include "select/choice.cuh"

HD_FN void hd_set_row(hd_choice *c, int r, uint32_t bits)
{
    c->mask[r * HD_K / 32] |= bits << (r * HD_K % 32);
}

// ---- Labels that say nothing of elements, and are known before these are here --------------------

// So many rows are asked for at once.
#define HD_LABELS     ((int)(64 / (sizeof(hd_label) * HD_K)))
#define HD_LABEL_ROWS (HD_LABELS < 1 ? 1 : HD_LABELS < HD_ROWS ? HD_LABELS : HD_ROWS)
// One by one, fewer: eight rows of four at once cost a partition spilled registers, on everyone's way.
#define HD_SOME_ROWS (HD_LABEL_ROWS < 4 ? HD_LABEL_ROWS : 4)

HD_FN void hd_choose_by_labels(const hd_inputs *in, int64_t first, hd_choice *c)
{
    hd_element e[HD_K] = {};
#pragma unroll
    for (int part = 0; part < HD_ROWS; part += HD_LABEL_ROWS) {
        hd_label l[HD_LABEL_ROWS][HD_K];
#pragma unroll
        for (int q = 0; q < HD_LABEL_ROWS; q++)
            hd_label_run(in, first + (part + q) * HD_ROW + hd_lane() * HD_K, e, l[q]);
#pragma unroll
        for (int q = 0; q < HD_LABEL_ROWS; q++) hd_set_row(c, part + q, hd_row_labels(l[q]));
    }
}

// The same of a chunk that may end early. It stays a loop, apart from the way that all others take: what is asked
// for under a condition, one after another, would be a part of that.
HD_FN void hd_choose_some_by_labels(const hd_inputs *in, int64_t first, int64_t n, hd_choice *c)
{
#pragma unroll 1
    for (int part = (int)hd_opaque(0); part < HD_ROWS; part += HD_SOME_ROWS) {
        hd_label l[HD_SOME_ROWS][HD_K];
#pragma unroll
        for (int q = 0; q < HD_SOME_ROWS; q++)
            hd_some_labels(in, 0, first + (part + q) * HD_ROW + hd_lane() * HD_K, n, l[q]);
#pragma unroll
        for (int q = 0; q < HD_SOME_ROWS; q++) {
            const int64_t at = first + (part + q) * HD_ROW + hd_lane() * HD_K;
            const uint32_t bits = hd_bits_before(hd_row_labels(l[q]), at, n);
#pragma unroll
            for (int w = 0; w < HD_MASKS; w++)
                if ((part + q) * HD_K / 32 == w) c->mask[w] |= bits << ((part + q) * HD_K % 32);
        }
    }
}

// ---- Elements that are here ----------------------------------------------------------------------

HD_FN void hd_choose_whole(const hd_inputs *in, const hd_element *chunk, int64_t first,
                           hd_element before, hd_choice *c)
{
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int i = r * HD_ROW + hd_lane() * HD_K;
        hd_element e[HD_K];
        hd_tile_items((const char *)chunk, i, e);
        if (HD_HEADS) {
            hd_element left = hd_element_from(e[HD_K - 1], (hd_lane() + 31) & 31);
            if (hd_lane() == 0) {
                const hd_element end = left; // of this row
                left = before;
                before = end;
            }
            hd_set_row(c, r, hd_row_heads(e, left, first + i));
        } else {
            hd_label l[HD_K];
            hd_label_run(in, first + i, e, l);
            hd_set_row(c, r, hd_row_labels(l));
        }
    }
}

HD_FN void hd_choose_some(const hd_inputs *in, const hd_element *chunk, int64_t first, int64_t n,
                          hd_element before, hd_choice *c)
{
#pragma unroll
    for (int w = 0; w < HD_MASKS; w++)
#pragma unroll 1
        for (int r = 0; r < HD_ROWS / HD_MASKS; r++) {
            const int i = (w * (HD_ROWS / HD_MASKS) + r) * HD_ROW + hd_lane() * HD_K;
            const hd_element left = HD_HEADS && i > 0 ? chunk[i - 1] : before;
            c->mask[w] |= hd_some_bits(in, chunk + i, left, first + i, n) << (r * HD_K);
        }
}

// Tells which elements of a warp's chunk are chosen, and how many. `before` is the element before the chunk.
HD_FN uint32_t hd_choose(const hd_inputs *in, const hd_element *chunk, int64_t first, int64_t n,
                         bool whole, hd_element before, hd_choice *c)
{
#pragma unroll
    for (int w = 0; w < HD_MASKS; w++) c->mask[w] = 0;
    if (HD_EARLY && whole)
        hd_choose_by_labels(in, first, c);
    else if (HD_EARLY)
        hd_choose_some_by_labels(in, first, n, c);
    else if (whole)
        hd_choose_whole(in, chunk, first, before, c);
    else
        hd_choose_some(in, chunk, first, n, before, c);
    return hd_rank(c);
}
