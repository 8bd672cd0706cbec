// SPDX-License-Identifier: Apache-2.0
//
// A tile of reduce_segments: what a block has to do, found before (segment_tiles.cu) so that it can
// read its elements at once. A tile has either segments that begin in it, or a chunk of a longer
// one, or neither.
#pragma once

struct hk_share {
    int64_t from;     // the first element it takes
    int64_t first;    // segment that begins here; or the one that the chunk is of
    int32_t length;   // elements it takes
    int16_t segments; // that begin here; -1: offsets are bad
    int16_t is_long;  // whether the last of these, or the one of the chunk, is longer than a tile
};

struct hk_long {
    int64_t begin, end; // of the last segment, or of the one of the chunk
    uint32_t epoch;     // the number of the call, which nodes of chunks carry (words.cuh)
    uint32_t unused;
};

struct __attribute__((aligned(16))) hk_segment_tile {
    hk_share share;
    hk_long longer;
};

// The first is wanted at once, all of it.
HK_FN hk_share hk_read_share(const hk_segment_tile *p)
{
    union {
        uint32_t w[6];
        hk_share share;
    } u;
    hk_read_16(p, u.w);
    hk_read_8((const char *)p + 16, u.w + 4);
    return u.share;
}
