// SPDX-License-Identifier: Apache-2.0
//
// transpose_packed: elements of one or two bytes, by words of HK_IN_WORD of them. A lane reads as
// many rows of a word and transposes this little square in registers; the tile in shared memory has
// words along out's densest axis. Rows begin at any address: words are read and written where they
// are aligned, and shifted.
#include "device/kernel.cuh"
#include "transpose/plane.cuh"

#define HK_IN_WORD (4 / (int)sizeof(hk_unit))
#define HK_SQUARES (HK_WARP / HK_WARPS) // of a lane: HK_EDGE is 32 words
#define HK_LINES   (HK_EDGE / HK_WARPS)
#define HK_ALIGNED HK_CONTIGUOUS // all rows of in begin at multiples of 4 bytes

HK_FN uint32_t hk_permute(uint32_t a, uint32_t b, uint32_t how)
{
    uint32_t x;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(how));
    return x;
}

// The bytes from `bytes` on of two words that follow each other.
HK_FN uint32_t hk_word_between(uint32_t low, uint32_t high, int bytes)
{
    uint32_t x;
    asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(x) : "r"(low), "r"(high), "r"(8 * bytes));
    return x;
}

// Word k of row i of the tile; where lanes have every HK_IN_WORD-th row, or every word of a row,
// they meet different banks.
HK_FN uint32_t *hk_tile_word(uint32_t *tile, int i, int k)
{
    return tile + i * HK_WARP + (k ^ i / HK_IN_WORD);
}

// An aligned word of memory; of its bytes those between begin and end, the others are 0.
HK_FN uint32_t hk_word_within(uint64_t at, uint64_t begin, uint64_t end)
{
    uint32_t x = 0;
    if (at >= begin && at + 4 <= end) {
        hk_read_4((const void *)at, &x);
        return x;
    }
#pragma unroll 1
    for (int b = 0; b < 4; b++)
        if (at + b >= begin && at + b < end) x |= (uint32_t) * (const uint8_t *)(at + b) << 8 * b;
    return x;
}

struct hk_square {
    uint32_t low[HK_IN_WORD], high[HK_IN_WORD]; // where rows are not aligned, two words each
};

HK_FN const hk_unit *hk_row(const hk_transposition *t, const hk_tile_position *p, int j)
{
    return p->in + j * t->u.in;
}

// How many bytes a row begins behind an aligned address.
HK_FN int hk_shift(const hk_unit *row)
{
    return HK_ALIGNED ? 0 : (int)((uint64_t)row & 3);
}

// Whether the words of all rows of a tile are elements of these rows.
HK_FN bool hk_is_inner(const hk_transposition *t, const hk_tile_position *p)
{
    const int64_t before = p->v, behind = t->v.n - p->v - HK_EDGE;
    const bool whole = p->rows == HK_EDGE && p->columns == HK_EDGE;
    return whole && (HK_ALIGNED || (!HK_IN_PLACE && before >= HK_IN_WORD && behind >= HK_IN_WORD));
}

HK_FN void hk_read_inner_square(const hk_transposition *t, const hk_tile_position *p, int k,
                                hk_square *q)
{
#pragma unroll
    for (int r = 0; r < HK_IN_WORD; r++) {
        const hk_unit *row = hk_row(t, p, k * HK_IN_WORD + r);
        const char *at = (const char *)row + 4 * hk_lane() - hk_shift(row);
        q->high[r] = 0;
        hk_read_4(at, &q->low[r]);
        if (!HK_ALIGNED) hk_read_4(at + 4, &q->high[r]);
    }
}

HK_FN void hk_read_square(const hk_transposition *t, const hk_tile_position *p, int k, hk_square *q)
{
#pragma unroll
    for (int r = 0; r < HK_IN_WORD; r++) {
        const int j = k * HK_IN_WORD + r;
        q->low[r] = q->high[r] = 0;
        if (j >= p->rows || hk_lane() * HK_IN_WORD >= p->columns) continue;
        const hk_unit *row = hk_row(t, p, j);
        const int shift = hk_shift(row);
        // In place the row's other elements are another tile's, and change.
        const hk_unit *from = HK_IN_PLACE ? row : row - p->v;
        const uint64_t begin = (uint64_t)from,
                       end = (uint64_t)(from + (HK_IN_PLACE ? p->columns : t->v.n));
        const uint64_t at = (uint64_t)row + 4 * hk_lane() - shift;
        q->low[r] = hk_word_within(at, begin, end);
        if (shift != 0) q->high[r] = hk_word_within(at + 4, begin, end);
    }
}

HK_FN void hk_keep_square(const hk_transposition *t, const hk_tile_position *p, const hk_square *q,
                          int k, uint32_t *tile)
{
    uint32_t x[4], y[4]; // rows, columns
#pragma unroll
    for (int r = 0; r < HK_IN_WORD; r++)
        x[r] = hk_word_between(q->low[r], q->high[r], hk_shift(hk_row(t, p, k * HK_IN_WORD + r)));
    if (HK_IN_WORD == 2) {
        y[0] = hk_permute(x[0], x[1], 0x5410);
        y[1] = hk_permute(x[0], x[1], 0x7632);
    } else {
        const uint32_t a = hk_permute(x[0], x[1], 0x5140), b = hk_permute(x[2], x[3], 0x5140);
        const uint32_t c = hk_permute(x[0], x[1], 0x7362), d = hk_permute(x[2], x[3], 0x7362);
        y[0] = hk_permute(a, b, 0x5410);
        y[1] = hk_permute(a, b, 0x7632);
        y[2] = hk_permute(c, d, 0x5410);
        y[3] = hk_permute(c, d, 0x7632);
    }
#pragma unroll
    for (int i = 0; i < HK_IN_WORD; i++) *hk_tile_word(tile, hk_lane() * HK_IN_WORD + i, k) = y[i];
}

HK_FN void hk_read_tile(const hk_transposition *t, const hk_tile_position *p, uint32_t *tile)
{
    const int first = (int)threadIdx.x / HK_WARP;
    hk_square q[HK_SQUARES];
    if (!hk_is_inner(t, p)) {
#pragma unroll 1
        for (int s = 0; s < HK_SQUARES; s++) {
            hk_read_square(t, p, s * HK_WARPS + first, &q[0]);
            hk_keep_square(t, p, &q[0], s * HK_WARPS + first, tile);
        }
        return;
    }
#pragma unroll
    for (int s = 0; s < HK_SQUARES; s++) hk_read_inner_square(t, p, s * HK_WARPS + first, &q[s]);
#pragma unroll
    for (int s = 0; s < HK_SQUARES; s++) hk_keep_square(t, p, &q[s], s * HK_WARPS + first, tile);
}

// A row of `bytes` bytes to an address that is `shift` bytes behind an aligned one: whole words,
// then the bytes before the first and behind the last.
HK_FN void hk_write_row(uint32_t *tile, int i, int bytes, char *to)
{
    const int shift = (int)((uint64_t)to & 3), at = 4 * hk_lane() - shift;
    uint32_t x = *hk_tile_word(tile, i, hk_lane());
    if (shift != 0) {
        const uint32_t before = *hk_tile_word(tile, i, hk_lane() > 0 ? hk_lane() - 1 : 0);
        x = hk_word_between(before, x, 4 - shift);
    }
    if (at >= 0 && at + 4 <= bytes) hk_write_4(to + at, &x);
    const int words = (bytes + shift) / 4 * 4 - shift, head = shift != 0 ? 4 - shift : 0;
    const int tail = words < head ? head : words;
    const int b = hk_lane() < 4 ? hk_lane() : tail + hk_lane() - 4;
    if (hk_lane() < 8 && b < bytes && (hk_lane() >= 4 || b < head))
        to[b] = (char)(*hk_tile_word(tile, i, b / 4) >> 8 * (b % 4));
}

HK_FN void hk_write_tile(const hk_transposition *t, const hk_tile_position *p, uint32_t *tile)
{
#pragma unroll
    for (int r = 0; r < HK_LINES; r++) {
        const int i = r * HK_WARPS + (int)threadIdx.x / HK_WARP;
        if (i < p->columns)
            hk_write_row(tile, i, p->rows * (int)sizeof(hk_unit), (char *)(p->out + i * t->v.out));
    }
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    transpose_packed(const __grid_constant__ hk_transposition t)
{
    hk_begin();
    __shared__ uint32_t tile[(1 + HK_IN_PLACE) * HK_EDGE * HK_WARP];
    uint32_t *other = tile + HK_IN_PLACE * HK_EDGE * HK_WARP;
    hk_tile_position a, b;
    const bool two = hk_tile_positions_of(&t, blockIdx.x, &a, &b);
    hk_read_tile(&t, &a, tile);
    if (two) hk_read_tile(&t, &b, other);
    hk_block_barrier();
    hk_write_tile(&t, &a, tile);
    if (two) hk_write_tile(&t, &b, other);
}
