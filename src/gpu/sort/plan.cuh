// SPDX-License-Identifier: Apache-2.0
//
// The plan of a radix sort's passes, made by the last block of sort_histogram: a digit that is the
// same in all keys needs none, nor do keys that are in order. Keys of many digits may be sorted by
// the top ones alone, so many that few keys are equal in them; sort_rest brings those into order.
// How many are is estimated from the counts of the digits, as if these were independent, and
// checked by a sample.
#pragma once
#include "sort/order.cuh"

struct hk_plan {
    uint32_t active;                 // digits, a bit each
    uint32_t square[HK_PASSES_MOST]; // sums of squares of their counts; 2^30 is a constant digit's
    uint32_t pairs[HK_PASSES_MOST];  // of the sample, whose highest digit that differs is this
};

HK_FN void hk_add_to_plan(uint32_t *p, uint32_t x)
{
    asm volatile(
        "{ .reg .u64 q; cvta.to.shared.u64 q, %0; red.relaxed.cta.shared.add.u32 [q], %1; }"
        :
        : "l"(p), "r"(x)
        : "memory");
}

// Where the digits of each pass begin. All threads call these.
HK_FN void hk_find_begins(const hk_sort_how *how, hk_plan *plan, uint64_t *of_warp)
{
    hk_sort_control *const c = how->control;
    const int warp = (int)threadIdx.x / HK_WARP, first_warp = warp / 8 * 8;
    if (threadIdx.x == 0) plan->active = (1u << sizeof(hk_bits)) - 1;
    if (threadIdx.x < HK_PASSES_MOST) plan->square[threadIdx.x] = plan->pairs[threadIdx.x] = 0;
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
        if (how->together > 0) {
            const uint32_t part = (uint32_t)((own << 15) / (uint64_t)how->n);
            if (part > 0) hk_add_to_plan(plan->square + k / HK_RADIX, part * part);
        }
        if (own == (uint64_t)how->n)
            asm volatile("{ .reg .u64 q; cvta.to.shared.u64 q, %0;"
                         " red.relaxed.cta.shared.and.b32 [q], %1; }"
                         :
                         : "l"(&plan->active), "r"(~(1u << (k / HK_RADIX)))
                         : "memory");
    }
    hk_block_barrier();
}

// ---- Top digits ---------------------------------------------------------------------------------

// Bits below so many top digits that how->together keys are equal in them on average.
HK_FN int hk_estimated_rest(const hk_sort_how *how, const hk_plan *plan)
{
    float together = (float)how->n;
    int rest = 8 * (int)sizeof(hk_bits);
    while (rest > 0 && together > how->together) {
        rest -= HK_DIGIT_BITS;
        together *= (float)plan->square[rest / HK_DIGIT_BITS] * (1.0f / (1 << 30));
    }
    return rest;
}

// A key of the sample, at a pseudorandom position.
HK_FN hk_bits hk_sampled(const hk_sort_how *how, int k)
{
    uint64_t h = ((uint64_t)k + 1) * 0x9e3779b97f4a7c15ull;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93ull;
    h ^= h >> 32;
    return hk_order(hk_key_from(how->key_in[h % (uint64_t)how->n]));
}

// Bitonic sort of `count` keys in shared memory, a power of two.
HK_FN void hk_sort_sample(hk_bits *x, int count)
{
#pragma unroll 1
    for (int size = 2; size <= count; size *= 2)
#pragma unroll 1
        for (int apart = size / 2; apart > 0; apart /= 2) {
            hk_block_barrier();
            for (int t = (int)threadIdx.x; t < count / 2; t += HK_THREADS) {
                const int i = 2 * t - (t & (apart - 1));
                const hk_bits a = x[i], b = x[i + apart];
                if ((a > b) != ((i & size) == 0)) continue;
                x[i] = b;
                x[i + apart] = a;
            }
        }
}

// Counts the neighbours in the sample that differ, but not above `rest` bits.
HK_FN void hk_count_pairs(hk_plan *plan, const hk_bits *x, int count, int rest)
{
    hk_block_barrier();
    for (int k = (int)threadIdx.x; k < count - 1; k += HK_THREADS) {
        const uint64_t differ = (uint64_t)(x[k] ^ x[k + 1]);
        if (differ == 0 || differ >> rest != 0) continue;
        const uint32_t high = (uint32_t)(differ >> 32);
        const int bit = high != 0 ? 63 - hk_clz(high) : 31 - hk_clz((uint32_t)differ);
        hk_add_to_plan(plan->pairs + bit / HK_DIGIT_BITS, 1);
    }
    hk_block_barrier();
}

// The bits that sort_rest is to sort. sample: memory of `count` keys.
HK_FN int hk_plan_rest(const hk_sort_how *how, hk_plan *plan, hk_bits *sample, int count)
{
    int rest = hk_estimated_rest(how, plan);
    if (rest == 8 * (int)sizeof(hk_bits)) rest -= HK_DIGIT_BITS;
    if (rest == 0 || (plan->active & ((1u << rest / HK_DIGIT_BITS) - 1)) == 0) return 0;
    const float expected = how->together * (float)count * (float)count / 2 / (float)how->n;
    const uint32_t most = 2 + (uint32_t)(4 * expected);
    for (int k = (int)threadIdx.x; k < count; k += HK_THREADS) sample[k] = hk_sampled(how, k);
    hk_sort_sample(sample, count);
    hk_count_pairs(plan, sample, count, rest);
    uint32_t pairs = 0;
    for (int d = 0; d < rest / HK_DIGIT_BITS; d++) pairs += plan->pairs[d];
    for (; rest > 0 && pairs > most; rest -= HK_DIGIT_BITS)
        pairs -= plan->pairs[rest / HK_DIGIT_BITS - 1];
    return (plan->active & ((1u << rest / HK_DIGIT_BITS) - 1)) == 0 ? 0 : rest;
}

// ---- The plan -----------------------------------------------------------------------------------

// The passes that move elements: those of active digits, and a copy where a number of passes is
// wanted that these do not make. Where some digits are left to sort_rest, more passes lie ready,
// which sort all digits of what the passes before have written.
HK_FN void hk_plan_passes(const hk_sort_how *how, uint32_t active, int rest)
{
    hk_sort_control *const c = how->control;
    if (hk_load_relaxed(&c->unsorted) == 0) active = 0;
    if (active == 0) rest = 0;
    hk_store_relaxed(&c->unsorted, 0);
    active &= ~((1u << rest / HK_DIGIT_BITS) - 1);
    c->rest = (uint32_t)rest;
    c->again = 0;
    const int moves = hk_popc((int)active);
    const bool indices = how->value_in == 0 && how->value_out != 0; // they are always written
    const bool copies = how->in_place ? moves % 2 != 0 || (moves == 0 && indices) : moves == 0;
    int left = moves + copies;
    uint8_t from = HK_FROM_IN;
    for (int p = copies ? -1 : 0, k = 0; k < HK_AGAIN; p++) {
        hk_sort_pass pass = {HK_PASS_SKIPPED, 0, 0, 0, 0, {0, 0, 0}};
        if (left > 0) {
            if (p >= 0 && (active >> p & 1) == 0) continue;
            left--;
            pass.does = p < 0 ? HK_PASS_COPIES : HK_PASS_SORTS;
            pass.digit = (uint8_t)(p < 0 ? 0 : p);
            pass.from = from;
            pass.to = left % 2 == 0 ? HK_IN_OUT : HK_IN_SPARE;
            pass.last = left == 0 && rest == 0;
            from = pass.to;
        }
        c->ticket[k] = 0;
        c->pass[k++] = pass;
    }
    for (int p = 0; p < (int)sizeof(hk_bits); p++) { // an even number, where there is a rest
        const hk_sort_pass pass = {(uint8_t)(rest > 0 ? HK_PASS_SORTS : HK_PASS_SKIPPED),
                                   (uint8_t)p,
                                   (uint8_t)(p % 2 == 0 ? HK_IN_OUT : HK_IN_SPARE),
                                   (uint8_t)(p % 2 == 0 ? HK_IN_SPARE : HK_IN_OUT),
                                   p == (int)sizeof(hk_bits) - 1,
                                   {0, 0, 0}};
        c->ticket[HK_AGAIN + p] = 0;
        c->pass[HK_AGAIN + p] = pass;
    }
}

// Each pass has an epoch of its own. After the last one words are cleared, once in a long time.
HK_FN void hk_take_epochs(const hk_sort_how *how, uint32_t *clears)
{
    hk_sort_control *const c = how->control;
    if (threadIdx.x == 0) {
        *clears = c->epoch + 2 * HK_ALL_PASSES >= 1u << HK_EPOCH_BITS;
        c->epoch = *clears ? 1 : c->epoch + HK_ALL_PASSES;
        c->done = 0;
    }
    hk_block_barrier();
    if (*clears == 0) return;
    for (int64_t k = threadIdx.x; k < how->words; k += HK_THREADS) how->word[k] = 0;
}
