// SPDX-License-Identifier: Apache-2.0
//
// sort_histogram (onesweep, Adinets and Merrill 2022): how often each digit comes, for all passes
// at once, in shared memory, in HK_COPIES copies, each for some lanes of every warp. The last block
// finds where digits begin and plans the passes: a digit that is the same in all keys needs none,
// nor do keys that are in order.
#include "device/kernel.cuh"
#include "device/lanes.cuh"
#include "sort/last_block.cuh"
#include "sort/order.cuh"

#define HK_COPIES    HK_ITEMS
#define HK_UNIT_KEYS ((int)(16 / sizeof(hk_bits)))

extern __shared__ uint32_t hk_digits[];

HK_FN void hk_count_digits(hk_bits x)
{
    const hk_bits y = hk_order(x);
    uint32_t first;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
        : "=r"(first)
        : "l"(hk_digits + (threadIdx.x & (HK_COPIES - 1))));
#pragma unroll
    for (int p = 0; p < (int)sizeof(hk_bits); p++) {
        const uint32_t digit = (uint32_t)(y >> (p * HK_DIGIT_BITS)) & (HK_RADIX - 1);
        asm volatile("red.relaxed.cta.shared.add.u32 [%0], 1;"
                     :
                     : "r"(first + (digit + p * HK_RADIX) * (4 * HK_COPIES))
                     : "memory");
    }
}

union hk_some_keys {
    uint32_t w[4];
    hk_bits x[HK_UNIT_KEYS];
};

// Keys `first` to `end` - 1 one by one, of which there are few.
HK_FN void hk_count_ends(const hk_sort_how *how, int64_t first, int64_t end, bool *unsorted)
{
    for (int64_t i = first + threadIdx.x; i < end; i += HK_THREADS) {
        const hk_bits x = hk_key_from(how->key_in[i]);
        hk_count_digits(x);
        if (i + 1 < how->n && hk_order(x) > hk_order(hk_key_from(how->key_in[i + 1])))
            *unsorted = true;
    }
}

// A lane's keys, in order among themselves and with the first of the lane behind; the last lane's
// neighbours are `next`.
HK_FN bool hk_is_unsorted(const hk_some_keys *k, hk_bits next)
{
    hk_bits behind = hk_order(k->x[0]);
    if (sizeof(hk_bits) == 8)
        behind = (hk_bits)hk_long_from((uint64_t)behind, (hk_lane() + 1) & 31);
    else
        behind = (hk_bits)hk_word_from((uint32_t)behind, (hk_lane() + 1) & 31);
    if (hk_lane() == 31) behind = hk_order(next);
    bool unsorted = hk_order(k->x[HK_UNIT_KEYS - 1]) > behind;
#pragma unroll
    for (int j = 1; j < HK_UNIT_KEYS; j++)
        unsorted = unsorted || hk_order(k->x[j - 1]) > hk_order(k->x[j]);
    return unsorted;
}

// Keys by 16 bytes, from an address that is a multiple of 16 on; `units` of them are there.
HK_FN void hk_count_units(const hk_sort_how *how, const hk_bits *at, int64_t units, bool *unsorted)
{
    const int64_t step = (int64_t)gridDim.x * HK_ROWS * HK_THREADS;
    const hk_bits *const end = how->key_in + how->n;
#pragma unroll 1
    for (int64_t first = (int64_t)blockIdx.x * HK_ROWS * HK_THREADS; first < units; first += step) {
        hk_some_keys k[HK_ROWS];
        hk_bits next[HK_ROWS];
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            const int64_t u = first + r * HK_THREADS + threadIdx.x;
            const hk_bits *const p = at + u * HK_UNIT_KEYS;
            if (u < units) hk_read_16(p, k[r].w);
            next[r] = hk_last_key();
            if (!HK_KNOWN && hk_lane() == 31 && p + HK_UNIT_KEYS < end)
                next[r] = hk_key_from(p[HK_UNIT_KEYS]);
        }
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            const int64_t u = first + r * HK_THREADS + threadIdx.x;
#pragma unroll
            for (int j = 0; j < HK_UNIT_KEYS; j++)
                k[r].x[j] = u < units ? hk_key_from(k[r].x[j]) : hk_last_key();
            if (!HK_KNOWN) *unsorted = hk_is_unsorted(&k[r], next[r]) || *unsorted;
            if (u >= units) continue;
#pragma unroll
            for (int j = 0; j < HK_UNIT_KEYS; j++) hk_count_digits(k[r].x[j]);
        }
    }
}

// The same where nothing is asked of the order. The units of a round are asked for in the round
// before.
HK_FN void hk_read_units(const hk_bits *at, int64_t first, int64_t units, hk_some_keys *k)
{
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t u = first + r * HK_THREADS + threadIdx.x;
        if (u < units) hk_read_16(at + u * HK_UNIT_KEYS, k[r].w);
    }
}

HK_FN void hk_count_known_units(const hk_bits *at, int64_t units)
{
    const int64_t step = (int64_t)gridDim.x * HK_ROWS * HK_THREADS;
    int64_t first = (int64_t)blockIdx.x * HK_ROWS * HK_THREADS;
    hk_some_keys next[HK_ROWS];
    hk_read_units(at, first, units, next);
#pragma unroll 1
    for (; first < units; first += step) {
        hk_some_keys k[HK_ROWS];
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) k[r] = next[r];
        hk_read_units(at, first + step, units, next);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            if (first + r * HK_THREADS + threadIdx.x >= units) continue;
#pragma unroll
            for (int j = 0; j < HK_UNIT_KEYS; j++) hk_count_digits(hk_key_from(k[r].x[j]));
        }
    }
}

// ---- The last block -----------------------------------------------------------------------------

// Where the digits of each pass begin; a pass whose digit is the same everywhere is not active.
HK_FN void hk_find_begins(const hk_sort_how *how, uint32_t *active, uint64_t *of_warp)
{
    hk_sort_control *const c = how->control;
    const int warp = (int)threadIdx.x / HK_WARP, first_warp = warp / 8 * 8;
    if (threadIdx.x == 0) *active = (1u << sizeof(hk_bits)) - 1;
#pragma unroll 1
    for (int first = 0; first < (int)sizeof(hk_bits) * HK_RADIX; first += HK_THREADS) {
        const int k = first + (int)threadIdx.x;
        uint64_t own = 0;
        if (k < (int)sizeof(hk_bits) * HK_RADIX) {
            own = hk_load_relaxed_64(c->count + k);
            c->count[k] = 0;
        }
        const uint64_t to = hk_long_sum_to_lane(own);
        hk_block_barrier();
        if (hk_lane() == 31) of_warp[warp] = to;
        hk_block_barrier();
        uint64_t at = to - own;
        for (int w = first_warp; w < warp; w++) at += of_warp[w];
        if (k >= (int)sizeof(hk_bits) * HK_RADIX) continue;
        c->begin[k] = at;
        if (own == (uint64_t)how->n)
            asm volatile("{ .reg .u64 q; cvta.to.shared.u64 q, %0;"
                         " red.relaxed.cta.shared.and.b32 [q], %1; }"
                         :
                         : "l"(active), "r"(~(1u << (k / HK_RADIX)))
                         : "memory");
    }
    hk_block_barrier();
}

// The passes that move elements: those of active digits, and a copy where a number of passes is
// wanted that these do not make.
HK_FN void hk_plan_passes(const hk_sort_how *how, uint32_t active)
{
    hk_sort_control *const c = how->control;
    if (hk_load_relaxed(&c->unsorted) == 0) active = 0;
    hk_store_relaxed(&c->unsorted, 0);
    int moves = hk_popc((int)active);
    const bool indices = how->value_in == 0 && how->value_out != 0; // they are always written
    bool copies = how->in_place ? moves % 2 != 0 || (moves == 0 && indices) : moves == 0;
    if (copies) moves++;
    uint8_t from = HK_FROM_IN;
    for (int p = 0; p < how->passes; p++) {
        hk_sort_pass pass = {HK_PASS_SKIPPED, 0, 0, 0};
        const bool sorts = active >> p & 1;
        if (sorts || copies) {
            if (!sorts) copies = false;
            moves--;
            pass.does = sorts ? HK_PASS_SORTS : HK_PASS_COPIES;
            pass.from = from;
            pass.to = moves % 2 == 0 ? HK_IN_OUT : HK_IN_SPARE;
            pass.last = moves == 0;
            from = pass.to;
        }
        c->pass[p] = pass;
    }
}

// Each pass has an epoch of its own. After the last one words are cleared, once in a long time.
HK_FN void hk_take_epochs(const hk_sort_how *how, uint32_t *clears)
{
    hk_sort_control *const c = how->control;
    if (threadIdx.x == 0) {
        *clears = c->epoch + HK_PASSES_MOST + 2 >= 1u << HK_EPOCH_BITS;
        c->epoch = *clears ? 1 : c->epoch + HK_PASSES_MOST + 2;
        c->done = 0;
    }
    hk_block_barrier();
    if (*clears == 0) return;
    for (int64_t k = threadIdx.x; k < how->words; k += HK_THREADS) how->word[k] = 0;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    sort_histogram(const __grid_constant__ hk_sort_how how)
{
    hk_begin();
    __shared__ uint32_t is_last, active;
    __shared__ uint64_t of_warp[HK_WARPS];
    hk_sort_control *const c = how.control;
    for (int k = (int)threadIdx.x; k < (int)sizeof(hk_bits) * HK_RADIX * HK_COPIES; k += HK_THREADS)
        hk_digits[k] = 0;
    hk_block_barrier();
    bool unsorted = false;
    const int64_t off = (16 - ((int64_t)how.key_in & 15)) % 16 / (int64_t)sizeof(hk_bits);
    const int64_t head = off < how.n ? off : how.n, units = (how.n - head) / HK_UNIT_KEYS;
    if (blockIdx.x == 0) {
        hk_count_ends(&how, 0, head, &unsorted);
        hk_count_ends(&how, head + units * HK_UNIT_KEYS, how.n, &unsorted);
    }
    if (HK_KNOWN)
        hk_count_known_units(how.key_in + head, units);
    else
        hk_count_units(&how, how.key_in + head, units, &unsorted);
    const int64_t tail = head + units * HK_UNIT_KEYS;
    if (blockIdx.x == 0 && threadIdx.x == 0 && tail > 0 && tail < how.n)
        unsorted =
            hk_order(hk_key_from(how.key_in[tail - 1])) > hk_order(hk_key_from(how.key_in[tail])) ||
            unsorted;
    if (hk_ballot(unsorted) != 0 && hk_lane() == 0) hk_store_relaxed(&c->unsorted, 1);
    hk_block_barrier();
    for (int k = (int)threadIdx.x; k < (int)sizeof(hk_bits) * HK_RADIX; k += HK_THREADS) {
        uint32_t sum = 0;
#pragma unroll
        for (int j = 0; j < HK_COPIES; j++)
            sum += hk_digits[k * HK_COPIES + ((j + (int)threadIdx.x) & (HK_COPIES - 1))];
        if (sum != 0) hk_add_to_long(c->count + k, sum);
    }
    if (!hk_is_last_block(&c->done, &is_last)) return;
    hk_find_begins(&how, &active, of_warp);
    if (HK_KNOWN) {
        if (threadIdx.x == 0) {
            c->done = 0;
            hk_store_relaxed(&c->unsorted, 0);
        }
        return;
    }
    if (threadIdx.x == 0) hk_plan_passes(&how, active);
    hk_take_epochs(&how, &is_last);
}
