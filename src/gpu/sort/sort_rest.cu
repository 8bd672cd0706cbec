// SPDX-License-Identifier: Apache-2.0
//
// sort_rest: keys whose top digits are in order, in place: runs of keys that are equal in these are
// brought into the order of the other digits, stably. A block has the runs that begin in its tile;
// a key's position is where it is, less the greater keys of its run before it, plus the lesser
// behind it. A run of more than HK_RUN keys that is not in order is left, and all digits are sorted
// again. Other blocks read keys while they are moved, but only ask for their top digits, which
// stay.
#include "device/kernel.cuh"
#include "device/lanes.cuh"
#include "sort/block_vote.cuh"
#include "sort/order.cuh"

#define HK_TILE (HK_ROWS * HK_THREADS)
#define HK_MORE HK_ITEMS // rows behind the tile, in which its last run may end
#define HK_RUN  (HK_MORE * HK_THREADS)

// A tile, and the keys behind it if a run goes on there.
struct hk_rest_tile {
    hk_bits *y;    // keys in their order: [0] is the one before the tile, [1] its first
    int64_t first; // of the tile, in all
    int count;     // of keys here that the block may move
    int rest;
    bool open; // the last run goes on behind these
};

HK_FN bool hk_is_together(hk_bits a, hk_bits b, int rest)
{
    return a >> rest == b >> rest;
}

HK_FN hk_bits hk_key_at(const hk_sort_how *how, int64_t i)
{
    return (hk_bits)hk_load_relaxed_64((const uint64_t *)how->key_out + i);
}

// Whether keys i and i + 1 are of a run and out of order.
HK_FN bool hk_falls(const hk_rest_tile *t, int i)
{
    const hk_bits a = t->y[i + 1], b = t->y[i + 2];
    return a > b && hk_is_together(a, b, t->rest);
}

// How far key i moves. *again: its run is longer than those that are sorted here, and out of order.
HK_FN int hk_move_of(const hk_sort_how *how, const hk_rest_tile *t, int i, bool *again)
{
    const hk_bits y = t->y[i + 1];
    const int rest = t->rest;
    int move = 0, j = i;
    for (; j >= 0 && i - j < HK_RUN && hk_is_together(t->y[j], y, rest); j--) move -= t->y[j] > y;
    if (j < 0) { // the run begins before the tile
        const int64_t p = t->first + i;
        if (p >= HK_RUN && hk_falls(t, i) &&
            hk_is_together(hk_order(hk_key_at(how, p - HK_RUN)), y, rest))
            *again = true;
        return 0;
    }
    if (j >= HK_TILE) return 0; // it begins behind
    int k = i + 2;
    for (; k - j <= HK_RUN + 1 && k <= t->count && hk_is_together(t->y[k], y, rest); k++)
        move += t->y[k] < y;
    const bool ends = k <= t->count || !t->open;
    if (k - j - 1 <= HK_RUN && ends) return move;
    if (hk_falls(t, i)) *again = true;
    return 0;
}

// Keys `from` to `to` - 1 of the tile, at most `rows` rows of them: all loads are under way
// together.
HK_FN void hk_load_rest(const hk_sort_how *how, const hk_rest_tile *t, int from, int to, int rows)
{
    hk_bits key[HK_ROWS + 1];
    from += (int)threadIdx.x;
#pragma unroll
    for (int r = 0; r < rows; r++)
        if (from + r * HK_THREADS < to) key[r] = hk_key_at(how, t->first + from + r * HK_THREADS);
#pragma unroll
    for (int r = 0; r < rows; r++)
        if (from + r * HK_THREADS < to) t->y[from + r * HK_THREADS + 1] = hk_order(key[r]);
}

// Brings a tile's keys to shared memory.
HK_FN hk_rest_tile hk_load_rest_tile(const hk_sort_how *how, hk_bits *y, int64_t first, int rest)
{
    const int64_t left = how->n - first;
    const int own = left < HK_TILE ? (int)left : HK_TILE;
    hk_rest_tile t = {y, first, own, rest, false};
    hk_load_rest(how, &t, first > 0 ? -1 : 0, left > own ? own + 1 : own, HK_ROWS + 1);
    hk_block_barrier();
    if (left > own && hk_is_together(y[own], y[own + 1], rest)) {
        t.count = own + (left - own < HK_RUN ? (int)(left - own) : HK_RUN);
        hk_load_rest(how, &t, own + 1, left > t.count ? t.count + 1 : t.count, HK_MORE);
        hk_block_barrier();
        t.open = left > t.count && hk_is_together(y[t.count], y[t.count + 1], rest);
    }
    if (threadIdx.x == 0) { // no run begins before the first key or goes on behind the last
        if (first == 0) y[0] = (hk_bits)~y[1];
        if (left == t.count) y[t.count + 1] = (hk_bits)~y[t.count];
    }
    hk_block_barrier();
    return t;
}

HK_FN void hk_sort_rest_tile(const hk_sort_how *how, const hk_rest_tile *t)
{
    bool falls = false;
    const int count = t->count;
    for (int i = (int)threadIdx.x - 1; i < count; i += HK_THREADS) falls = hk_falls(t, i) || falls;
    if (hk_all_of_block(!falls)) return;
    int move[HK_ROWS + HK_MORE];
    hk_bits key[HK_ROWS + HK_MORE];
#if HK_VALUE_BYTES > 0
    hk_value value[HK_ROWS + HK_MORE];
#endif
    bool again = false;
#pragma unroll
    for (int r = 0; r < HK_ROWS + HK_MORE; r++) {
        const int i = r * HK_THREADS + (int)threadIdx.x;
        move[r] = i < count ? hk_move_of(how, t, i, &again) : 0;
        if (move[r] == 0) continue;
        key[r] = hk_key_at(how, t->first + i);
#if HK_VALUE_BYTES > 0
        value[r] = how->value_out[t->first + i];
#endif
    }
    if (again) hk_store_relaxed(&how->control->again, 1);
    hk_block_barrier();
#pragma unroll
    for (int r = 0; r < HK_ROWS + HK_MORE; r++) {
        if (move[r] == 0) continue;
        const int64_t to = t->first + r * HK_THREADS + (int)threadIdx.x + move[r];
        hk_store_relaxed_64((uint64_t *)how->key_out + to, (uint64_t)key[r]);
#if HK_VALUE_BYTES > 0
        how->value_out[to] = value[r];
#endif
    }
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    sort_rest(const __grid_constant__ hk_sort_how how)
{
    hk_begin();
    __shared__ hk_bits y[HK_TILE + HK_RUN + 2];
    const int rest = (int)how.control->rest;
    if (rest == 0) return;
#pragma unroll 1
    for (int64_t first = blockIdx.x * (int64_t)HK_TILE; first < how.n;
         first += gridDim.x * (int64_t)HK_TILE) {
        const hk_rest_tile tile = hk_load_rest_tile(&how, y, first, rest);
        hk_sort_rest_tile(&how, &tile);
    }
}
