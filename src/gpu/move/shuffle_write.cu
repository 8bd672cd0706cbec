// SPDX-License-Identifier: Apache-2.0
//
// shuffle_write: elements to their destinations, from indices in the order of the first bits of
// their keys. Keys differ: where some have the same first bits, a few at most, each looks for its
// rank among them by whole keys.
#include "device/kernel.cuh"

#if HK_WIDE
typedef uint64_t hk_first_bits;
#else
typedef uint32_t hk_first_bits;
#endif

// hd__shuffle_key of patterns/move/shuffle.h.
HK_FN uint64_t hk_shuffle_key(uint64_t start, int64_t i)
{
    uint64_t x = start + ((uint64_t)i + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// Where the element of index i, at destination k, goes.
HK_FN int64_t hk_rank_of(const hk_first_bits *keys, const hk_view *indices, uint64_t start,
                         int64_t n, int64_t k, int64_t i)
{
    const hk_first_bits bits = keys[k];
    const uint64_t key = hk_shuffle_key(start, i);
    int64_t destination = k;
    for (int64_t j = k - 1; j >= 0 && keys[j] == bits; j--)
        destination -= hk_shuffle_key(start, hk_bound(indices, j)) > key;
    for (int64_t j = k + 1; j < n && keys[j] == bits; j++)
        destination += hk_shuffle_key(start, hk_bound(indices, j)) < key;
    return destination;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    shuffle_write(const __grid_constant__ hk_inputs in, const hk_first_bits *keys,
                  const __grid_constant__ hk_view indices, const __grid_constant__ hk_view out,
                  uint64_t start, int64_t n)
{
    hk_begin();
    const int64_t first = (int64_t)blockIdx.x * HK_ROWS * HK_THREADS + threadIdx.x;
    int64_t i[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t k = first + r * HK_THREADS;
        i[r] = k < n ? hk_bound(&indices, k) : 0;
    }
    hk_in_0 x[HK_ROWS]; // all are requested before the first is written
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) x[r] = hk_one_0(&in, i[r]);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t k = first + r * HK_THREADS;
        if (k < n)
            hk_put(&out, hk_rank_of(keys, &indices, start, n, k, i[r]),
                   hk_result_at(&in, i[r], x[r]));
    }
}
