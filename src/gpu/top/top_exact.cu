// SPDX-License-Identifier: Apache-2.0
//
// top_exact: a radix select in one launch, where candidates are too few, too many or none: counts
// each digit of the keys whose higher ones are those of the wanted key, the highest first; counts
// the keys of each tile that come before it and those that equal it; and writes the former, and
// behind them as many that equal it as are wanted, both in the order of their indices.
//
// Blocks take tasks by ticket, a tile in a phase each. Before the first one of a phase a block
// waits until all tasks of the phase before are done. These have been taken by blocks that are at
// work and wait for nothing, as a block says what it has done before it waits: so the launch ends
// however few of its blocks are there at once.
#include "device/kernel.cuh"
#include "top/top_block.cuh"

#define HK_COPIES HK_ITEMS
#define HK_DIGITS ((int)sizeof(hk_bits))
#define HK_TALLY  HK_DIGITS
#define HK_SUMS   (HK_DIGITS + 1) // one task
#define HK_WRITES (HK_DIGITS + 2)
#define HK_ENDS   (HK_DIGITS + 3)

struct hk_exact_block {
    uint32_t digits[HK_RADIX * HK_COPIES]; // each copy for some lanes of every warp
    uint64_t long_of_warp[HK_WARPS];
    uint32_t of_warp[HK_WARPS];
    uint64_t prefix, rank; // of the wanted key: the digits that are known; among the keys with them
    uint32_t ticket;
};

struct hk_task {
    int phase;
    int64_t tile;
};

HK_FN hk_task hk_take_task(const hk_top_how *how, hk_exact_block *b)
{
    hk_block_barrier(); // all are done with the one before
    if (threadIdx.x == 0) b->ticket = hk_add_to(&how->exact->ticket, 1);
    hk_block_barrier();
    const int64_t task = b->ticket, before = (HK_TALLY + 1) * how->tiles;
    hk_task t;
    t.phase = task < before                 ? (int)(task / how->tiles)
              : task == before              ? HK_SUMS
              : task - before <= how->tiles ? HK_WRITES
                                            : HK_ENDS;
    t.tile = task < before ? task - t.phase * how->tiles : task - before - 1;
    return t;
}

// Says that so many tasks of a phase are done.
HK_FN void hk_leave_phase(const hk_top_how *how, hk_exact_block *b, int phase, uint32_t tasks)
{
    if (phase < 0) return;
    if (phase < HK_DIGITS)
        for (int k = (int)threadIdx.x; k < HK_RADIX; k += HK_THREADS) {
            uint32_t sum = 0;
#pragma unroll
            for (int j = 0; j < HK_COPIES; j++)
                sum += b->digits[k * HK_COPIES + ((j + (int)threadIdx.x) & (HK_COPIES - 1))];
            if (sum != 0) hk_add_to_long(how->exact->digits[phase] + k, sum);
        }
    hk_fence();         // unseen: the model takes what an atomic tells for ordered
    hk_block_barrier(); // unseen: what others add, they add by atomics
    if (threadIdx.x == 0) hk_add_to(how->exact->finished + phase, tasks);
}

HK_FN void hk_await_phase(const hk_top_how *how, int phase)
{
    const uint32_t tasks = phase == HK_SUMS ? 1 : (uint32_t)how->tiles;
    if (threadIdx.x == 0)
        while (hk_load_relaxed(how->exact->finished + phase) != tasks) {
        }
    hk_fence();         // unseen: as above
    hk_block_barrier(); // unseen: before the next one only sums of atomics are read
}

// The digit of a pass whose keys have the rank.
HK_FN void hk_find_digit(const hk_top_how *how, hk_exact_block *b, int pass)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    const uint64_t rank = b->rank, prefix = b->prefix;
    uint64_t own = 0;
    if (threadIdx.x < HK_RADIX) own = hk_load_relaxed_64(how->exact->digits[pass] + threadIdx.x);
    const uint64_t to = hk_long_sum_to_lane(own);
    if (hk_lane() == 31) b->long_of_warp[warp] = to;
    hk_block_barrier(); // and all have read the rank
    uint64_t before = to - own;
    for (int w = 0; w < warp; w++) before += b->long_of_warp[w];
    if (threadIdx.x < HK_RADIX && before <= rank && rank < before + own) {
        b->prefix = prefix << HK_DIGIT_BITS | threadIdx.x;
        b->rank = rank - before;
    }
    hk_block_barrier(); // unseen: few blocks find two digits, one after another
}

HK_FN void hk_count_digits(const hk_top_how *how, hk_exact_block *b, int pass, int64_t tile)
{
    const int shift = (HK_DIGITS - 1 - pass) * HK_DIGIT_BITS;
    const uint64_t prefix = b->prefix;
    hk_unit x[HK_ROWS];
    const uint32_t there = hk_load_keys(how, tile, x);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
        for (int j = 0; j < HK_UNIT_KEYS; j++) {
            const uint64_t y = (uint64_t)hk_order_of(x[r].x[j]) >> shift;
            if (y >> HK_DIGIT_BITS != prefix) continue;
            if ((there >> (r * HK_UNIT_KEYS + j) & 1) == 0) continue;
            hk_add_in_block(
                b->digits + (y & (HK_RADIX - 1)) * HK_COPIES + (threadIdx.x & (HK_COPIES - 1)), 1);
        }
}

// The keys of a tile that come before the wanted one, and those that equal it.
struct hk_marks {
    uint32_t below, equal;
};

HK_FN hk_marks hk_mark_keys(const hk_unit *x, uint32_t there, hk_bits bound)
{
    hk_marks m = {0, 0};
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
        for (int j = 0; j < HK_UNIT_KEYS; j++) {
            const hk_bits y = hk_order_of(x[r].x[j]);
            const uint32_t bit = 1u << (r * HK_UNIT_KEYS + j);
            if (y < bound) m.below |= bit;
            if (y == bound) m.equal |= bit;
        }
    m.below &= there, m.equal &= there;
    return m;
}

HK_FN uint32_t hk_counts_of(hk_marks m)
{
    return (uint32_t)(hk_popc((int)m.below) << 16 | hk_popc((int)m.equal));
}

HK_FN void hk_tally_tile(const hk_top_how *how, hk_exact_block *b, int64_t tile)
{
    hk_unit x[HK_ROWS];
    uint32_t before;
    const uint32_t there = hk_load_keys(how, tile, x);
    const uint32_t counts = hk_counts_of(hk_mark_keys(x, there, (hk_bits)b->prefix));
    const uint32_t all = hk_count_in_block(counts, b->of_warp, &before);
    if (threadIdx.x != 0) return;
    how->tile[tile].count = all >> 16;
    how->tile[tile].ties = all & 0xffff;
}

// Tiles that have none are not read.
HK_FN void hk_write_tile(const hk_top_how *how, hk_exact_block *b, int64_t number)
{
    const int64_t ties = (int64_t)b->rank + 1, less = how->k - ties;
    const hk_top_tile tile = how->tile[number];
    uint32_t before;
    if (tile.count == 0 && (tile.ties == 0 || (int64_t)tile.tie_begin >= ties)) return;
    hk_unit x[HK_ROWS];
    const uint32_t there = hk_load_keys(how, number, x);
    const hk_marks m = hk_mark_keys(x, there, (hk_bits)b->prefix);
    hk_count_in_block(hk_counts_of(m), b->of_warp, &before);
    const int64_t first = hk_first_key(how, number);
    hk_put_marked(x, m.below, first, how->candidate, how->index,
                  (int64_t)tile.begin + (before >> 16), less);
    hk_put_marked(x, m.equal, first, how->candidate, how->index,
                  less + (int64_t)tile.tie_begin + (before & 0xffff), how->k);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    top_exact(const __grid_constant__ hk_top_how how)
{
    hk_begin();
    __shared__ hk_exact_block b;
    if (how.known == 0 && how.control->exact == 0) return;
    if (threadIdx.x == 0) b.prefix = 0, b.rank = (uint64_t)how.k - 1;
    int phase = -1, known = 0;
    uint32_t tasks = 0;
#pragma unroll 1
    for (;;) {
        const hk_task t = hk_take_task(&how, &b);
        if (t.phase != phase) {
            hk_leave_phase(&how, &b, phase, tasks);
            if (t.phase == HK_ENDS) return;
            if (t.phase > 0) hk_await_phase(&how, t.phase - 1);
#pragma unroll 1
            for (; known < t.phase && known < HK_DIGITS; known++) hk_find_digit(&how, &b, known);
            for (int k = (int)threadIdx.x; k < HK_RADIX * HK_COPIES; k += HK_THREADS)
                b.digits[k] = 0;
            hk_block_barrier();
            phase = t.phase, tasks = 0;
        }
        if (phase < HK_DIGITS) {
            hk_count_digits(&how, &b, phase, t.tile);
        } else if (phase == HK_TALLY) {
            hk_tally_tile(&how, &b, t.tile);
        } else if (phase == HK_SUMS) {
            hk_sum_tiles(&how, false, b.long_of_warp);
            hk_block_barrier();
            hk_sum_tiles(&how, true, b.long_of_warp);
        } else {
            hk_write_tile(&how, &b, t.tile);
        }
        tasks++;
    }
}
