// SPDX-License-Identifier: Apache-2.0
//
// A tile of reduce_segments: what a block has to do, found before (parts.cu) so that it can read its elements
// at once. A tile has either segments that begin in it, or a chunk of a longer one, or neither.
struct __attribute__((aligned(16))) hd_part {
    int64_t from;       // the first element it takes
    int64_t first;      // segment that begins here; or the one that the chunk is of
    int64_t begin, end; // of the segment that is longer than a tile
    int64_t chunk;      // of it, that begins here; -1: there is no such segment
    int32_t length;     // elements it takes
    int32_t segments;   // that begin here, the last is that of the chunk, if any; -1: bad offsets
};
