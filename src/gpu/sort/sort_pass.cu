// SPDX-License-Identifier: Apache-2.0
//
// sort_pass: one digit of everything, a tile of sort_tile.cuh a block; or a copy, where the plan of
// the passes wants one. HK_TICKETS: a few blocks take tiles by ticket, which is slower, but ends
// sooner where the pass is not needed.
#include "device/kernel.cuh"
#include "sort/sort_tile.cuh"

#define HK_TICKETS HK_KNOWN

HK_FN hk_sides hk_sides_of(const hk_sort_how *how, hk_sort_pass pass)
{
    hk_sides s;
    s.key = pass.from == HK_FROM_IN  ? how->key_in
            : pass.from == HK_IN_OUT ? how->key_out
                                     : how->key_spare;
    s.value = pass.from == HK_FROM_IN  ? how->value_in
              : pass.from == HK_IN_OUT ? how->value_out
                                       : how->value_spare;
    s.key_to = pass.to == HK_IN_OUT ? how->key_out : how->key_spare;
    s.value_to = pass.to == HK_IN_OUT ? how->value_out : how->value_spare;
    if (pass.last && !how->keeps_keys) s.key_to = 0;
    s.iota = pass.from == HK_FROM_IN && how->value_in == 0;
    return s;
}

// A whole tile has all its loads under way at once.
HK_FN void hk_copy_whole_tile(const hk_sides *s, int64_t first)
{
    first += threadIdx.x;
    if (s->key_to != 0) {
        hk_bits key[HK_ROWS];
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) key[r] = s->key[first + r * HK_THREADS];
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) s->key_to[first + r * HK_THREADS] = hk_key_from(key[r]);
    }
#if HK_VALUE_BYTES > 0
    hk_value value[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) value[r] = hk_value_at(s, first + r * HK_THREADS);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) s->value_to[first + r * HK_THREADS] = value[r];
#endif
}

HK_FN void hk_copy_tile(const hk_sides *s, int64_t first, int valid)
{
    if (valid == HK_TILE) {
        hk_copy_whole_tile(s, first);
        return;
    }
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < valid; k += HK_THREADS) {
        if (s->key_to != 0) s->key_to[first + k] = hk_key_from(s->key[first + k]);
        if (HK_VALUE_BYTES > 0) s->value_to[first + k] = hk_value_at(s, first + k);
    }
}

// The next tile of the block, which is not there behind the last one. All know the ticket before it
// by the barriers of its tile, for what takes tickets does not copy.
HK_FN int64_t hk_next_tile(hk_sort_control *control, int pass, uint32_t *ticket)
{
    if (threadIdx.x == 0) *ticket = hk_add_to(control->ticket + pass, 1);
    hk_block_barrier();
    return *ticket;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    sort_pass(const __grid_constant__ hk_sort_how how)
{
    hk_begin();
    hk_sort_control *const control = how.control;
    hk_sort_tile *const shared = (hk_sort_tile *)hk_tile_memory;
    const hk_sort_pass pass = control->pass[how.pass];
    if (pass.does == HK_PASS_SKIPPED || (how.pass >= HK_AGAIN && control->again == 0)) return;
    const hk_sides sides = hk_sides_of(&how, pass);
    const uint64_t tag = hk_tag_of(control->epoch + (uint32_t)how.pass);
    int64_t number = blockIdx.x;
    if (HK_TICKETS) number = hk_next_tile(control, how.pass, &shared->ticket);
#pragma unroll 1
    while (number * HK_TILE < how.n) {
        const hk_tile_at at = hk_tile_of(how.n, number);
        if (pass.does == HK_PASS_COPIES) {
            hk_copy_tile(&sides, at.first, at.valid);
        } else {
            uint64_t begin = 0;
            if (at.is_first && threadIdx.x < HK_RADIX)
                begin = control->begin[pass.digit * HK_RADIX + threadIdx.x];
            hk_pass_tile(shared, &sides, at, how.word, begin, pass.digit * HK_DIGIT_BITS, tag);
        }
        if (!HK_TICKETS) return;
        number = hk_next_tile(control, how.pass, &shared->ticket);
    }
}
