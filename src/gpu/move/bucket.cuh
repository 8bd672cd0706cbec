// SPDX-License-Identifier: Apache-2.0
//
// A bucket of an output in shared memory, for bucket_write and bucket_last_writer: sources are in
// the order of buckets (sort/radix_pass.cu), those of one bucket as they were given.
#pragma once

struct hk_bucket_how {
    int64_t n, limit, buckets;
    const uint64_t *stop; // nothing is done unless it is zero
    int64_t *begin;       // of each bucket's sources, and their end
    int32_t shift;        // bits of a destination within a bucket
    int32_t unused;
};

// A key out of range is greater than all others, and may be among the last bucket's.
HK_FN int64_t hk_bucket_of(const hk_bucket_how *how, int64_t key)
{
    const int64_t bucket = (int64_t)((uint64_t)key >> how->shift);
    return bucket < how->buckets - 1 ? bucket : how->buckets - 1;
}

// The destinations of a block's bucket.
struct hk_bucket_window {
    int64_t base, from, until; // its first destination; its sources
    int count;                 // of destinations
};

HK_FN hk_bucket_window hk_bucket_window_of(const hk_bucket_how *how)
{
    const int64_t base = (int64_t)blockIdx.x << how->shift, all = (int64_t)1 << how->shift;
    const hk_bucket_window w = {base, how->begin[blockIdx.x], how->begin[blockIdx.x + 1],
                                (int)(how->limit - base < all ? how->limit - base : all)};
    return w;
}

// Marks of a bucket's destinations lie behind its elements.
HK_FN uint32_t *hk_marks(const hk_bucket_how *how, char *cells)
{
    return (uint32_t *)(cells + ((sizeof(hk_in_0) << how->shift) + 3) / 4 * 4);
}

// Sources of a thread, HK_ROWS of them a block apart: their destinations in the bucket, all
// requested before the first is looked at; -1: there is none, or it is none of the bucket's.
struct hk_sources {
    hk_in_0 x[HK_ROWS];
    int destination[HK_ROWS];
};

HK_FN void hk_read_sources(const hk_inputs *in, const hk_view *index, const hk_bucket_window *w,
                           int64_t first, hk_sources *s)
{
    int64_t key[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t i = first + r * HK_THREADS;
        key[r] = -1;
        if (i >= w->until) continue;
        key[r] = hk_bound(index, i);
        s->x[r] = hk_one_0(in, i);
    }
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const uint64_t at = (uint64_t)(key[r] - w->base);
        s->destination[r] = at < (uint64_t)w->count ? (int)at : -1;
    }
}
