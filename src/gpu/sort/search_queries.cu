// SPDX-License-Identifier: Apache-2.0
//
// search_queries: how many elements of a row come before each query (HK_RIGHT: do not come after
// it), by halving. A thread has HK_ROWS queries whose loads are under way together: all halve the
// same lengths. Where the queries of a block rise, those between the positions of its first and its
// last one are all that can matter; if they fit, they are brought to shared memory.
#include "device/kernel.cuh"
#include "sort/block_vote.cuh"

#define HK_RIGHT     HK_INVERT
#define HK_BACKWARDS HK_BOTH
#define HK_TILE      (HK_ROWS * HK_THREADS)

#if HK_WIDE
typedef int64_t hk_position;
#else
typedef int32_t hk_position;
#endif

struct hk_search_how {
    int64_t n, m, rows; // elements and queries of a row
};

HK_FN bool hk_before(const hk_in_0 &a, const hk_in_0 &b)
{
    return HK_BACKWARDS ? hk_function(b, a) : hk_function(a, b);
}

// Whether an element is among those that are counted for a query.
HK_FN bool hk_counts(const hk_in_0 &x, const hk_in_0 &query)
{
    return HK_RIGHT ? !hk_before(query, x) : hk_before(x, query);
}

// Elements of memory, or those that a block has brought.
struct hk_sorted {
    const hk_inputs *in;
    int64_t first;
    const hk_in_0 *staged;
};

HK_FN hk_in_0 hk_sorted_at(const hk_sorted *s, int64_t i)
{
    return s->staged != 0 ? s->staged[i] : hk_one_0(s->in, s->first + i);
}

// Positions of `count` queries among length elements: base[r] .. base[r] + length before, and the
// position then.
HK_FN void hk_halve(const hk_sorted *s, const hk_in_0 *query, hk_position *base, hk_position length,
                    int count)
{
#pragma unroll 1
    while (length > 1) {
        const hk_position half = length / 2;
#pragma unroll
        for (int r = 0; r < count; r++)
            if (hk_counts(hk_sorted_at(s, base[r] + half - 1), query[r])) base[r] += half;
        length -= half;
    }
    if (length == 0) return;
#pragma unroll
    for (int r = 0; r < count; r++)
        if (hk_counts(hk_sorted_at(s, base[r]), query[r])) base[r]++;
}

HK_FN hk_position hk_position_of(const hk_sorted *s, hk_in_0 query, int64_t n)
{
    hk_position at = 0;
    hk_halve(s, &query, &at, (hk_position)n, 1);
    return at;
}

// Whether no query of a block's tile comes before the one before it: all threads are here.
HK_FN bool hk_rises(const hk_inputs *in, const hk_in_0 *query, int64_t first, int64_t all)
{
    bool rises = true;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t j = first + r * HK_THREADS;
        const bool last = r == HK_ROWS - 1 && threadIdx.x == HK_THREADS - 1;
        if (!last && j + 1 < all) rises = rises && !hk_before(hk_one_1(in, j + 1), query[r]);
    }
    return hk_all_of_block(rises);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    search_queries(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_search_how how,
                   const __grid_constant__ hk_view out)
{
    hk_begin();
    __shared__ __align__(16) char stage[HK_STAGE_BYTES];
    __shared__ hk_position ends[2];
    const int64_t all = how.rows * how.m, tile = (int64_t)blockIdx.x * HK_TILE;
    const int64_t first = tile + threadIdx.x;
    const int64_t row = how.rows > 1 ? tile / how.m : 0;
    const int64_t end = tile + HK_TILE < all ? tile + HK_TILE : all;
    hk_in_0 query[HK_ROWS];
    hk_position base[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t j = first + r * HK_THREADS;
        query[r] = hk_one_1(&in, j < all ? j : all - 1);
        base[r] = 0;
    }
    hk_sorted sorted = {&in, row * how.n, 0};
    if (end <= (row + 1) * how.m) { // of one row
        hk_position from = 0, length = (hk_position)how.n;
        if (hk_rises(&in, query, first, all)) {
            if (threadIdx.x % HK_WARP == 0 && threadIdx.x / HK_WARP < 2)
                ends[threadIdx.x / HK_WARP] = hk_position_of(
                    &sorted, hk_one_1(&in, threadIdx.x == 0 ? tile : end - 1), how.n);
            hk_block_barrier();
            from = ends[0];
            length = ends[1] - from;
            sorted.first += from;
            if (length > 0 && (int64_t)length * (int64_t)sizeof(hk_in_0) <= HK_STAGE_BYTES) {
                hk_in_0 *const staged = (hk_in_0 *)stage;
                for (int i = (int)threadIdx.x; i < length; i += HK_THREADS)
                    staged[i] = hk_one_0(&in, sorted.first + i);
                hk_block_barrier();
                sorted.staged = staged;
            }
        }
        if (length > 0) hk_halve(&sorted, query, base, length, HK_ROWS);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            if (first + r * HK_THREADS < all)
                hk_put_index(&out, first + r * HK_THREADS, from + base[r]);
        return;
    }
#pragma unroll 1
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t j = first + r * HK_THREADS;
        if (j >= all) return;
        sorted.first = j / how.m * how.n;
        hk_put_index(&out, j, hk_position_of(&sorted, hk_one_1(&in, j), how.n));
    }
}
