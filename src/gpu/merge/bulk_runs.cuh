// SPDX-License-Identifier: Apache-2.0
//
// A tile's elements of two runs come to shared memory by two bulk copies, where they lie as words
// of 16 bytes may; these take neither registers nor the L1.
#pragma once
#include "merge/staged_runs.cuh"
#include "sort/block_vote.cuh"

#if defined(__CUDA_ARCH__)
#define HK_BULK_RUNS (__CUDA_ARCH__ >= 900 && !HK_DIRECT && 16 % sizeof(hk_in_0) == 0)
#else
#define HK_BULK_RUNS 0
#endif

HK_FN uint32_t hk_shared_at(const void *p)
{
    uint32_t at;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(at) : "l"(p));
    return at;
}

// ---- By bulk copies -----------------------------------------------------------------------------

// Elements begin .. end - 1 of a run of `count` are whole words of 16 bytes.
struct hk_bulk_part {
    int begin, end;
};

HK_FN hk_bulk_part hk_bulk_part_of(const hk_in_0 *from, int count)
{
    const int size = (int)sizeof(hk_in_0), past = (int)((uint64_t)from & 15) / size;
    const int begin = past == 0 ? 0 : 16 / size - past;
    if (begin >= count) return {count, count};
    return {begin, begin + (count - begin) * size / 16 * (16 / size)};
}

HK_FN void hk_copy_bulk(hk_in_0 *to, const hk_in_0 *from, const hk_bulk_part *part, uint32_t at)
{
    if (part->begin == part->end) return;
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
        "[%3];"
        :
        : "r"(hk_shared_at(to + part->begin)), "l"(from + part->begin),
          "r"((uint32_t)((part->end - part->begin) * (int)sizeof(hk_in_0))), "r"(at)
        : "memory");
}

// The first elements of a run and its last ones, one of a thread.
HK_FN void hk_copy_ends(hk_in_0 *to, const hk_in_0 *from, const hk_bulk_part *part, int count)
{
    const int mine = (int)threadIdx.x,
              k = mine < part->begin ? mine : mine - part->begin + part->end;
    if (k < count) to[k] = from[k];
}

HK_FN void hk_begin_runs(hk_in_0 *x, const hk_in_0 *a, const hk_bulk_part *of_a, hk_in_0 *to_b,
                         const hk_in_0 *b, const hk_bulk_part *of_b, uint64_t *arrival)
{
    const uint32_t at = hk_shared_at(arrival);
    const int all = of_a->end - of_a->begin + of_b->end - of_b->begin;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(at) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(at), "r"((uint32_t)(all * (int)sizeof(hk_in_0)))
                 : "memory");
    hk_copy_bulk(x, a, of_a, at);
    hk_copy_bulk(to_b, b, of_b, at);
}

HK_FN void hk_await_runs(uint64_t *arrival)
{
    uint32_t here;
    do
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;"
                     " selp.u32 %0, 1, 0, p; }"
                     : "=r"(here)
                     : "r"(hk_shared_at(arrival))
                     : "memory");
    while (here == 0);
}

// Elements `begin` .. `end` - 1, which lie behind a's last or b's last, and are read and forgotten.
HK_FN void hk_fill_behind(hk_in_0 *x, int begin, int end, const hk_in_0 *some)
{
#pragma unroll 1
    for (int k = begin + (int)threadIdx.x; k < end; k += HK_THREADS) x[k] = *some;
}

// Both runs lie in shared memory as they do in device memory, seen from words of 16 bytes.
HK_FN hk_merge_tile hk_stage_bulk(const hk_in_0 *a, const hk_in_0 *b, int count_a, int count,
                                  char *stage, uint64_t *arrival)
{
    const int size = (int)sizeof(hk_in_0), words = 16 / size, count_b = count - count_a;
    const int past_a = (int)((uint64_t)a & 15) / size, past_b = (int)((uint64_t)b & 15) / size;
    const int end_a = past_a + count_a, begin_b = (end_a + words - 1) / words * words + past_b;
    hk_in_0 *const x = (hk_in_0 *)stage;
    const hk_bulk_part of_a = hk_bulk_part_of(a, count_a), of_b = hk_bulk_part_of(b, count_b);
    if (threadIdx.x == 0) hk_begin_runs(x + past_a, a, &of_a, x + begin_b, b, &of_b, arrival);
    hk_copy_ends(x + past_a, a, &of_a, count_a);
    hk_copy_ends(x + begin_b, b, &of_b, count_b);
    const hk_in_0 *const some = count_a > 0 ? a : b;
    hk_fill_behind(x, end_a, begin_b, some);
    hk_fill_behind(x + begin_b, count_b, count_b + HK_ROWS + 1, some);
    hk_block_barrier();
    hk_await_runs(arrival);
    return {x, count_a, count, past_a, begin_b, HK_AS_IS};
}

// ---- Either -------------------------------------------------------------------------------------

// Whether both runs begin at whole elements of words of 16 bytes.
HK_FN bool hk_fits_bulk(const hk_in_0 *a, const hk_in_0 *b)
{
    return (((uint64_t)a | (uint64_t)b) & (sizeof(hk_in_0) - 1)) == 0;
}

// The tile's keys in place of its floats, through all of its bytes; whether one is a NaN.
HK_FN bool hk_flip_staged(hk_in_0 *x, int begin, int end)
{
    bool nan = false;
#pragma unroll 4
    for (int k = begin + (int)threadIdx.x; k < end; k += HK_THREADS) {
        const hk_in_0 one = x[k];
        nan = nan || hk_is_nan(one);
        x[k] = hk_flip(one);
    }
    return nan;
}

// A tile of both runs in `stage`, as keys if that is asked for; behind a barrier. `words`: they are
// aligned to these. *nan: whether one is a NaN.
HK_FN hk_merge_tile hk_stage_tile(const hk_in_0 *a, const hk_in_0 *b, int count_a, int count,
                                  bool words, bool as_keys, char *stage, bool *nan)
{
    __shared__ __align__(8) uint64_t arrival;
    if (HK_BULK_RUNS && (words || hk_fits_bulk(a, b))) {
        hk_merge_tile t = hk_stage_bulk(a, b, count_a, count, stage, &arrival);
        if (!as_keys) return t;
        t.as = HK_AS_KEYS;
        *nan = !hk_all_of_block(
            !hk_flip_staged((hk_in_0 *)stage, t.begin_a, t.begin_b + count - count_a));
        return t;
    }
    const hk_merge_tile t = {
        (hk_in_0 *)stage, count_a, count, 0, count_a, as_keys ? HK_AS_KEYS : HK_AS_IS};
    const bool mine = hk_stage_runs(a, b, &t, words, (hk_in_0 *)stage);
    *nan = !hk_all_of_block(!mine);
    return t;
}
