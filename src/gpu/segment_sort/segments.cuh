// SPDX-License-Identifier: Apache-2.0
//
// Sorts of segments, of three classes: short ones, up to HK_SHORT keys, are sorted by a warp or a
// part of one (sort_short_segments), medium ones by a block or a part of one
// (sort_medium_segments), large ones by radix passes over tiles of their own (sort_large_digits,
// sort_large_pass). sort_short_segments, which looks at all offsets, lists the others. Rows are
// segments of one length.
#pragma once
#include "device/lanes.cuh"
#include "sort/order.cuh"

#define HK_SHORT   256
#define HK_CLASSES 8 // of medium ones: up to 512, 1024, ... keys

// What the launches of one call share. sort_segment_tiles clears it.
struct hk_segments_control {
    uint64_t large;   // how many there are, times 2^40, and tiles of theirs
    uint32_t bad;     // offsets are bad: nothing more is sorted
    uint32_t has_nan; // of medium ones that are left, marked, for the launch that keeps their order
    uint32_t medium[HK_CLASSES];
    uint32_t ticket[HK_PASSES_MOST]; // of tiles, for each pass
};

#define HK_LARGE_TILES ((1ull << 40) - 1)

struct hk_medium_segment {
    uint32_t begin, length; // HK_HAS_NAN may be set
};

#define HK_HAS_NAN (1u << 31)

struct hk_large_segment {
    uint32_t begin, end, tile, unused; // the first of its tiles
};

// segments_how of sort_segments.c.
struct hk_segments_how {
    int64_t n, offsets, segments, tiles; // tiles of sort_short_segments
    const hk_bits *key_in;
    hk_bits *key_out; // 0: only their order is wanted
    uint32_t *order;  // which keys come out; where HK_VALUE_BYTES > 0
    hk_bits *key_spare;
    uint32_t *order_spare;
    int64_t *first; // segment of each tile
    hk_segments_control *control;
    hk_medium_segment *medium; // a list for each class
    hk_large_segment *large;
    uint32_t *tile_segment; // the large segment of each tile
    uint32_t *count;        // of digits, HK_RADIX for each pass of each large segment
    uint64_t *word;         // that tiles publish, HK_RADIX each
    uint32_t *fault;
    int64_t medium_most;      // keys of a medium segment
    int64_t large_room;       // large segments that there can be
    int64_t large_tiles_room; // and tiles of theirs
    int32_t large_tile;       // keys of a tile
    int32_t pass, passes;     // passes may be one more than the key has digits
};

// The class of a medium segment: 0 up to 512 keys, 1 up to 1024, ...
HK_FN int hk_class_of(uint32_t length)
{
    return 31 - hk_clz((length - 1) / HK_SHORT);
}

// Segments that a class has room for, and where its list begins.
HK_FN int64_t hk_room_of(int64_t n, int c)
{
    return n / ((int64_t)HK_SHORT << c) + 1;
}

HK_FN int64_t hk_list_of(int64_t n, int c)
{
    int64_t at = 0;
    for (int k = 0; k < c; k++) at += hk_room_of(n, k);
    return at;
}
