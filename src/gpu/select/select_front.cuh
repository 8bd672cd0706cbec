// SPDX-License-Identifier: Apache-2.0
//
// The selected elements of a chunk side by side at its front, from where they are written.
#pragma once
#include "select/select_tile.cuh"

// The selected elements to the front of the chunk, row by row: they move to the left, onto rows
// that all lanes have read.
HK_FN void hk_gather_selected(const hk_selection *c, char *chunk)
{
    hk_element *row = (hk_element *)chunk;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        hk_lane_words u;
        hk_tile_items(chunk, r * HK_ROW + hk_lane() * HK_K, u.e);
        hk_warp_barrier();
        hk_element *to = row + hk_field(c->before, r);
#pragma unroll
        for (int j = 0; j < HK_K; j++)
            if (hk_is_in(c, r, j)) *to++ = u.e[j];
        row += hk_field(c->in_row, r);
    }
}
