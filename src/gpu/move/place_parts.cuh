// SPDX-License-Identifier: Apache-2.0
//
// A part of an output in shared memory, for scatter_place and place_last: sources are in the order of parts
// (sweep.cu), those of one part as they were given.
#pragma once

struct hd_parts_how {
    int64_t n, limit, parts;
    const uint64_t *stop; // nothing is done unless it is zero
    int64_t *begin;       // of each part's sources, and their end
    int32_t shift;        // bits of a place within a part
    int32_t unused;
};

// A key out of range is greater than all others, and may be among the last part's.
HD_FN int64_t hd_part_of(const hd_parts_how *how, int64_t key)
{
    const int64_t part = (int64_t)((uint64_t)key >> how->shift);
    return part < how->parts - 1 ? part : how->parts - 1;
}

// The places of a block's part.
struct hd_window {
    int64_t base, from, until; // its first place; its sources
    int count;                 // of places
};

HD_FN hd_window hd_window_of(const hd_parts_how *how)
{
    const int64_t base = (int64_t)blockIdx.x << how->shift, all = (int64_t)1 << how->shift;
    const hd_window w = {base, how->begin[blockIdx.x], how->begin[blockIdx.x + 1],
                         (int)(how->limit - base < all ? how->limit - base : all)};
    return w;
}

// Marks of a part's places lie behind its elements.
HD_FN uint32_t *hd_marks(const hd_parts_how *how, char *cells)
{
    return (uint32_t *)(cells + ((sizeof(hd_in_0) << how->shift) + 3) / 4 * 4);
}

// Sources of a thread, HD_ROWS of them a block apart: their places in the part, all asked for before the first is
// looked at; -1: there is none, or it is none of the part's.
struct hd_sources {
    hd_in_0 x[HD_ROWS];
    int place[HD_ROWS];
};

HD_FN void hd_read_sources(const hd_inputs *in, const hd_view *index, const hd_window *w,
                           int64_t first, hd_sources *s)
{
    int64_t key[HD_ROWS];
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t i = first + r * HD_THREADS;
        key[r] = -1;
        if (i >= w->until) continue;
        key[r] = hd_bound(index, i);
        s->x[r] = hd_one_0(in, i);
    }
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const uint64_t at = (uint64_t)(key[r] - w->base);
        s->place[r] = at < (uint64_t)w->count ? (int)at : -1;
    }
}
