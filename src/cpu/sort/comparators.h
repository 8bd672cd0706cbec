// SPDX-License-Identifier: Apache-2.0
// What the patterns of order share: merging and merge sort with all threads, and pairs of a key and
// its index. They know blocks and threads; the loops of a comparison know its type.
#ifndef HEDDLE_CPU_SORT_COMPARATORS_H
#define HEDDLE_CPU_SORT_COMPARATORS_H

#include "patterns/sort/comparisons.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/progress.h"
#include "merge_kernels.h"

static inline int64_t hd__min_of(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

// memcpy of nothing may not have a null pointer.
static inline void hd__copy(char *to, const char *from, size_t bytes)
{
    if (bytes > 0) memcpy(to, from, bytes);
}

// ---- One thread (merge_chains.c, run_sort.c, side_by_side.c) --------------------------------

// How many of the first k elements of a stable merge are a's.
int64_t hd__cpu_split_at(const char *a, int64_t na, const char *b, int64_t nb, int64_t k,
                         const hd_comparison *order, size_t size);
// out = the stable merge of a and b, which may not overlap it.
void hd__cpu_merge_two(const hd_comparison *order, const hd__order_loops *loops, char *out,
                       const char *a, int64_t na, const char *b, int64_t nb);
// One pass of a merge sort: runs of a length become runs of twice that.
void hd__cpu_merge_runs(const hd_comparison *order, const hd__order_loops *loops, char *out,
                        const char *in, int64_t n, int64_t run);
// out = in sorted; other: room for n elements; in may be out or other.
void hd__cpu_sort_run(const hd_comparison *order, const hd__order_loops *loops, char *out,
                      char *other, const char *in, int64_t n);
// out[j] = how many elements of x come before query j (right: do not come after it).
void hd__cpu_search_all(const hd_comparison *order, const char *x, int64_t n, const char *queries,
                        int64_t m, bool right, int64_t *out);

// ---- Threads ---------------------------------------------------------------------------------

// Threads that n elements are worth where each takes some dozen steps. Without a context, here and
// below, the calling thread works alone, as inside a parallel region.
int hd__cpu_comparison_threads(const hd_context *ctx, int64_t n, size_t size);

// ---- Merging (merge_path.c) ----------------------------------------------------------------

// a[0 .. na - 1] and b[0 .. nb - 1] merged into out; and so on in steps of na + nb elements of a, b
// and out until there are n, so that one call is a pass of a merge sort (b = a + na then, and
// na = nb a power of two).
typedef struct hd__cpu_merge_pass {
    const hd_comparison *order;
    const hd__order_loops *loops;
    const char *a, *b;
    int64_t na, nb, n;
    char *out;
    int64_t *split; // room for hd__cpu_merge_chunks(n, na + nb) positions
    // NULL: it reports nothing; stopped: out is any memory. It is `share` thousandths of the call,
    // after `first` others
    hd__cpu_progress *progress;
    int64_t first, share;
    // Where the elements are integers in their own order; NULL: they are not
    hd__cpu_merge_integers *integers;
    uint64_t flip;
} hd__cpu_merge_pass;

// A part of a pass by one thread: hd__cpu_merge_two, or the same by vectors.
void hd__cpu_merge_part(const hd__cpu_merge_pass *m, char *out, const char *a, int64_t na,
                        const char *b, int64_t nb);

int64_t hd__cpu_merge_chunks(int64_t n, int64_t both);
// Inside a parallel region, by all its threads; ends with a barrier.
void hd__cpu_merge_in_team(const hd__cpu_merge_pass *m);

// ---- Sorting (merge_sort.c) ------------------------------------------------------------------

// to = from sorted, n >= 1; other has room for n elements, split for hd__cpu_merge_sort_splits(n)
// positions. from may be to.
typedef struct hd__cpu_merge_sorting {
    const hd_comparison *order;
    const hd__order_loops *loops; // its elements' or its pairs'
    const char *from;
    char *to, *other;
    int64_t n;
    int64_t *split;
    hd__cpu_progress *progress; // NULL: it reports nothing; stopped: `to` is any memory
} hd__cpu_merge_sorting;

int64_t hd__cpu_merge_sort_splits(int64_t n);
void hd__cpu_merge_sort(const hd_context *ctx, const hd__cpu_merge_sorting *s);

// ---- Pairs (key_index_pairs.c) ------------------------------------------------------------------

// pair[i] = (element i of the view, first + step * i), i < n.
void hd__cpu_make_pairs(const hd_context *ctx, const hd_comparison *order, const hd_view *v,
                        int64_t n, int64_t first, int64_t step, char *pairs);

// The elements and the positions, less `base`, of sorted pairs into views, each of which may be
// empty. room: for pair_block (tuning.def) elements and positions of each thread of the context.
size_t hd__cpu_take_pairs_bytes(const hd_context *ctx, const hd_comparison *order);
void hd__cpu_take_pairs(const hd_context *ctx, const hd_comparison *order, const char *pairs,
                        int64_t n, int64_t base, const hd_view *elements, const hd_view *positions,
                        char *room);

static inline int64_t hd__cpu_pair_index(const hd_comparison *order, const char *pairs, int64_t i)
{
    int64_t index;
    memcpy(&index, pairs + (size_t)i * order->pairs.size + order->index_offset, sizeof index);
    return index;
}

// to[i] = from[index of pair i], where positions from `cut` on are second[position - cut] (of a
// merge; cut = INT64_MAX: there is none). Through room, of n elements, unless to is contiguous and
// apart from from.
typedef struct hd__cpu_pair_permutation {
    const hd_comparison *order;
    const char *pairs;
    int64_t n, cut;
    const hd_view *from, *second, *to;
    char *room;
} hd__cpu_pair_permutation;
void hd__cpu_permute_by_pairs(const hd_context *ctx, const hd__cpu_pair_permutation *m);

#endif
