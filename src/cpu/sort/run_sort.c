// SPDX-License-Identifier: Apache-2.0
// The sort of a run by one thread: groups of eight by their ranks, which the comparison has a
// compiled loop for, then passes of merges.
#include "comparators.h"

enum {
    BATCH = 256,                       // elements at a time
    MAX_SIZE = 2 * HD_MAX_ELEMENT,     // of a pair, with room for the alignment of its key
    KEYS = HD__GROUP * HD_MAX_ELEMENT, // bytes
};

// ---- Groups -------------------------------------------------------------------------------------

// out[i] = in[i], bytes of each, from elements that lie a size apart.
static inline void pack_each(char *out, const char *in, int64_t n, size_t bytes, size_t size)
{
    for (int64_t i = 0; i < n; i++, out += bytes, in += size) memcpy(out, in, bytes);
}

// Each element of a group to its rank. out may be in.
static inline void move_each(char *out, const char *in, const uint8_t *rank, int64_t n, size_t size)
{
    const size_t half = HD__GROUP / 2 * size;
    char group[HD__GROUP * MAX_SIZE];
    for (int64_t at = 0; at < n; at += HD__GROUP) {
        const size_t first = (size_t)at * size;
        memcpy(group, in + first, half); // in halves, which compilers inline for small sizes
        memcpy(group + half, in + first + half, half);
        for (size_t i = 0; i < HD__GROUP; i++)
            memcpy(out + first + rank[(size_t)at + i] * size, group + i * size, size);
    }
}

// The same, of sizes the compiler knows where they are usual. Not inlined where the size of `out`
// is known: a hardened build would check every copy.
static __attribute__((noinline)) void pack(char *out, const char *in, int64_t n, size_t bytes,
                                           size_t size)
{
    switch (bytes) {
    case 4: pack_each(out, in, n, 4, size); break;
    case 8: pack_each(out, in, n, 8, size); break;
    default: pack_each(out, in, n, bytes, size);
    }
}

static void move(char *out, const char *in, const uint8_t *rank, int64_t n, size_t size)
{
    switch (size) {
    case 4: move_each(out, in, rank, n, 4); break;
    case 8: move_each(out, in, rank, n, 8); break;
    case 12: move_each(out, in, rank, n, 12); break;
    case 16: move_each(out, in, rank, n, 16); break;
    case 24: move_each(out, in, rank, n, 24); break;
    default: move_each(out, in, rank, n, size);
    }
}

// Whether the ranks of every group are all different.
static bool are_permutations(const uint8_t *rank, int64_t n)
{
    bool all = true;
    for (int64_t at = 0; at < n; at += HD__GROUP) {
        unsigned seen = 0;
        for (int i = 0; i < HD__GROUP; i++) seen |= 1u << rank[at + i];
        all &= seen == (1u << HD__GROUP) - 1;
    }
    return all;
}

// A group or less, by insertion. out may be in.
static void sort_small(char *out, const char *in, int64_t n, const hd_comparison *order,
                       size_t size)
{
    char element[MAX_SIZE];
    for (int64_t i = 0; i < n; i++) {
        char *const end = out + (size_t)i * size, *hole = end;
        memcpy(element, in + (size_t)i * size, size);
        while (hole > out && hd__precedes(order, element, hole - size)) hole -= size;
        memmove(hole + size, hole, (size_t)(end - hole));
        memcpy(hole, element, size);
    }
}

// Every group of n elements sorted. out may be in.
static void sort_groups(const hd_comparison *order, char *out, const char *in, int64_t n,
                        size_t size)
{
    uint8_t rank[BATCH];
    char keys[KEYS];
    const size_t bytes = order->elements.size;
    const int64_t batch = hd__min_of(BATCH, KEYS / (int64_t)bytes) / HD__GROUP * HD__GROUP;
    for (int64_t at = 0; at < n; at += batch) {
        const int64_t m = hd__min_of(batch, n - at), whole = m / HD__GROUP * HD__GROUP;
        const char *x = in + (size_t)at * size;
        char *to = out + (size_t)at * size;
        if (bytes < size) pack(keys, x, whole, bytes, size);
        order->rank(bytes < size ? keys : x, whole / HD__GROUP, rank, order->state.data);
        if (are_permutations(rank, whole))
            move(to, x, rank, whole, size);
        else // the comparison contradicts itself
            for (int64_t i = 0; i < whole; i += HD__GROUP)
                sort_small(to + (size_t)i * size, x + (size_t)i * size, HD__GROUP, order, size);
        to += (size_t)whole * size, x += (size_t)whole * size;
        sort_small(to, x, m - whole, order, size);
    }
}

// ---- Runs ---------------------------------------------------------------------------------------

static int64_t run_length(const hd_comparison *order, const char *x, int64_t n, size_t size,
                          bool falling)
{
    if (size == order->elements.size) return order->run(x, n, falling, order->state.data);
    int64_t i = 1;
    for (x += size; i < n && hd__precedes(order, x, x - size) == falling; x += size) i++;
    return hd__min_of(i, n);
}

static inline void reverse_each(char *out, const char *in, int64_t n, size_t size)
{
    char low[MAX_SIZE], high[MAX_SIZE];
    for (int64_t i = 0, j = n - 1; i <= j; i++, j--) { // in may be out
        memcpy(low, in + (size_t)i * size, size);
        memcpy(high, in + (size_t)j * size, size);
        memcpy(out + (size_t)i * size, high, size);
        memcpy(out + (size_t)j * size, low, size);
    }
}

static void reverse(char *out, const char *in, int64_t n, size_t size)
{
    switch (size) {
    case 4: reverse_each(out, in, n, 4); break;
    case 8: reverse_each(out, in, n, 8); break;
    case 16: reverse_each(out, in, n, 16); break;
    default: reverse_each(out, in, n, size);
    }
}

// What is sorted already, or strictly the wrong way round, takes one pass.
static bool sort_sorted(const hd_comparison *order, char *out, const char *in, int64_t n,
                        size_t size)
{
    if (run_length(order, in, n, size, false) == n) {
        if (out != in) memcpy(out, in, (size_t)n * size);
        return true;
    }
    if (run_length(order, in, n, size, true) < n) return false;
    reverse(out, in, n, size);
    return true;
}

void hd__cpu_sort_run(const hd_comparison *order, const hd__order_loops *loops, char *out,
                      char *other, const char *in, int64_t n)
{
    const size_t size = loops->size;
    if (sort_sorted(order, out, in, n, size)) return;
    bool odd = false; // passes: each goes from one of the two arrays to the other
    for (int64_t run = HD__GROUP; run < n; run *= 2) odd = !odd;
    char *to = odd ? other : out, *from = odd ? out : other;
    sort_groups(order, to, in, n, size);
    for (int64_t run = HD__GROUP; run < n; run *= 2) {
        char *const sorted = to;
        to = from, from = sorted;
        hd__cpu_merge_runs(order, loops, to, from, n, run);
    }
}
