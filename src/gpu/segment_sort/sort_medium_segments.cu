// SPDX-License-Identifier: Apache-2.0
//
// sort_medium_segments: a block has a unit of medium segments of one class, as many as fill it. A
// thread has HK_ROWS keys, which networks sort: steps between lanes of a warp by shuffles, between
// warps by way of shared memory. Segments with NaN among keys alone are left, marked, to a launch
// (HK_KNOWN) that keeps the order of equal keys.
#include "device/kernel.cuh"
#include "segment_sort/network.cuh"
#include "segment_sort/segments.cuh"

#define HK_STABLE (HK_VALUE_BYTES > 0 || HK_KNOWN)
#define HK_UNIT   (HK_ROWS * HK_THREADS) // keys of a block
#define HK_AT(i)  ((i) + (i) / HK_WARP)  // spreads threads that are HK_ROWS keys apart over banks

extern __shared__ __align__(16) char hk_unit_memory[]; // of HK_AT(HK_UNIT) items

#if HK_STABLE
typedef hk_indexed hk_item;
#else
typedef hk_plain hk_item;
#endif

// A thread's part of a segment: every `threads` keys from its own on; sorted, HK_ROWS of them.
struct hk_share {
    uint32_t begin;
    int length;
    int thread, threads; // of those that have the segment
    int group;           // of these in the block
};

// ---- Units --------------------------------------------------------------------------------------

// Which segment unit u has for this thread, the classes of long ones first; false: there are fewer
// units. The number of a segment in the lists is left at `at`, or -1.
HK_FN bool hk_find_share(const hk_segments_how *how, int64_t u, hk_share *share, int64_t *at)
{
#pragma unroll 1
    for (int c = HK_CLASSES - 1; c >= 0; c--) {
        const int threads = (2 * HK_SHORT << c) / HK_ROWS;
        if (threads > HK_THREADS) continue;
        const int each = HK_THREADS / threads;
        const int64_t count = how->control->medium[c], units = (count + each - 1) / each;
        if (u >= units) {
            u -= units;
            continue;
        }
        share->threads = threads;
        share->thread = (int)threadIdx.x & (threads - 1);
        share->group = (int)threadIdx.x / threads;
        const int64_t k = u * each + share->group;
        *at = k < count ? hk_list_of(how->n, c) + k : -1;
        return true;
    }
    return false;
}

HK_FN void hk_read_share(const hk_segments_how *how, int64_t at, hk_share *share)
{
    share->begin = 0;
    share->length = 0;
    if (at < 0) return;
    const hk_medium_segment m = how->medium[at];
    if (HK_KNOWN && (m.length & HK_HAS_NAN) == 0) return;
    share->begin = m.begin;
    share->length = (int)(m.length & ~HK_HAS_NAN);
}

#if HK_STABLE
HK_FN bool hk_read_items(const hk_segments_how *how, const hk_share *share, hk_item *x)
{
#pragma unroll
    for (int j = 0; j < HK_ROWS; j++) {
        const int e = j * share->threads + share->thread;
        hk_bits order = HK_LAST_ORDER;
        if (e < share->length) order = hk_order(hk_key_from(how->key_in[share->begin + e]));
        hk_make_item(order, e, &x[j]);
    }
    return false;
}
#else
// Whether there are NaN.
HK_FN bool hk_read_items(const hk_segments_how *how, const hk_share *share, hk_item *x)
{
    bool nan = false;
#pragma unroll
    for (int j = 0; j < HK_ROWS; j++) {
        const int e = j * share->threads + share->thread;
        x[j] = HK_LAST_ORDER;
        if (e >= share->length) continue;
        x[j] = hk_order(hk_key_from(how->key_in[share->begin + e]));
        nan = nan || x[j] == HK_LAST_ORDER;
    }
    return HK_FLOAT && nan;
}
#endif

// ---- Sorting ------------------------------------------------------------------------------------

// A step between threads of several warps: `partner`'s items, in their order or the other way.
HK_FN void hk_step_between(hk_item *x, int partner, bool reversed)
{
    hk_item *const shared = (hk_item *)hk_unit_memory;
    const bool lower = (int)threadIdx.x < partner;
    hk_block_barrier();
#pragma unroll
    for (int j = 0; j < HK_ROWS; j++) shared[j * HK_THREADS + (int)threadIdx.x] = x[j];
    hk_block_barrier();
    const int first = reversed ? HK_ROWS - 1 : 0, step = reversed ? -1 : 1;
#pragma unroll
    for (int j = 0; j < HK_ROWS; j++) {
        const hk_item other = shared[(first + j * step) * HK_THREADS + partner];
        x[j] = hk_keep(lower, x[j], other);
    }
}

HK_FN void hk_sort_items(hk_item *x, int threads)
{
    hk_sort_lane<HK_ROWS>(x);
    hk_merge_lanes<HK_ROWS>(x, threads < HK_WARP ? threads : HK_WARP);
#pragma unroll 1
    for (int span = 2 * HK_WARP; span <= threads; span *= 2) {
        hk_step_between(x, (int)threadIdx.x ^ (span - 1), true);
#pragma unroll 1
        for (int d = span / 4; d >= HK_WARP; d /= 2)
            hk_step_between(x, (int)threadIdx.x ^ d, false);
        hk_merge_from<HK_ROWS>(x, HK_WARP / 2);
    }
}

// ---- Writing ------------------------------------------------------------------------------------

// Items are written by way of shared memory, so that threads beside each other write beside each
// other.
HK_FN void hk_write_items(const hk_segments_how *how, const hk_share *share, const hk_item *x)
{
    const int base = share->group * share->threads * HK_ROWS;
#if HK_STABLE
    uint32_t *const shared = (uint32_t *)hk_unit_memory;
#else
    hk_item *const shared = (hk_item *)hk_unit_memory;
#endif
    hk_block_barrier();
#pragma unroll
    for (int j = 0; j < HK_ROWS; j++) {
        const int k = base + share->thread * HK_ROWS + j;
#if HK_STABLE
        shared[HK_AT(k)] = (uint32_t)hk_index_of(x[j]);
#else
        shared[HK_AT(k)] = x[j];
#endif
    }
    hk_block_barrier();
#if HK_STABLE
    uint32_t from[HK_ROWS];
    hk_bits key[HK_ROWS];
#pragma unroll
    for (int j = 0; j < HK_ROWS; j++) {
        const int e = j * share->threads + share->thread;
        if (e >= share->length) continue;
        from[j] = share->begin + shared[HK_AT(base + e)];
        if (how->key_out != 0) key[j] = hk_key_from(how->key_in[from[j]]);
    }
    hk_block_barrier(); // key_out may be key_in
#endif
#pragma unroll
    for (int j = 0; j < HK_ROWS; j++) {
        const int e = j * share->threads + share->thread;
        if (e >= share->length) continue;
#if HK_STABLE
        if (how->key_out != 0) how->key_out[share->begin + e] = key[j];
        if (HK_VALUE_BYTES > 0) how->order[share->begin + e] = from[j];
#else
        how->key_out[share->begin + e] = hk_key_of_order((hk_bits)shared[HK_AT(base + e)]);
#endif
    }
}

// Whether any thread of the block says so.
HK_FN bool hk_any_of_block(bool yes)
{
    uint32_t any;
    asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.or.pred q, 0, p;"
                 " selp.u32 %0, 1, 0, q; }"
                 : "=r"(any)
                 : "r"((uint32_t)yes)
                 : "memory");
    return any != 0;
}

// Whether any segment of the unit has NaN; then all of them are marked.
HK_FN bool hk_leave_nan(const hk_segments_how *how, const hk_share *share, int64_t at, bool nan)
{
    if (!hk_any_of_block(nan)) return false;
    if (share->thread == 0 && at >= 0) how->medium[at].length |= HK_HAS_NAN;
    if (threadIdx.x == 0) hk_store_relaxed(&how->control->has_nan, 1);
    return true;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    sort_medium_segments(const __grid_constant__ hk_segments_how how)
{
    hk_begin();
    if (how.control->bad != 0 || (HK_KNOWN && how.control->has_nan == 0)) return;
#pragma unroll 1
    for (int64_t u = blockIdx.x;; u += gridDim.x) {
        hk_share share;
        int64_t at;
        if (!hk_find_share(&how, u, &share, &at)) return;
        hk_read_share(&how, at, &share);
        hk_item x[HK_ROWS];
        const bool nan = hk_read_items(&how, &share, x);
        if (HK_FLOAT && !HK_STABLE && hk_leave_nan(&how, &share, at, nan)) continue;
        hk_sort_items(x, share.threads);
        hk_write_items(&how, &share, x);
    }
}
