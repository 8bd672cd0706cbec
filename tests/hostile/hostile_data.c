// SPDX-License-Identifier: Apache-2.0
//
// Hostile indices, offsets, links and lengths. Each array is what its call expects, in one of the
// orders that fast paths look for, and then spoilt: one element, a run that begins where a thread's
// chunk may, every k-th, half of them, or all.
#include "hostile.h"

#include <stdlib.h>
#include <string.h>

static void store(hd_type type, const int64_t *from, int64_t n, void *to)
{
    for (int64_t i = 0; i < n; i++) switch (hd_type_size(type)) {
        case 1: ((int8_t *)to)[i] = (int8_t)from[i]; break;
        case 2: ((int16_t *)to)[i] = (int16_t)from[i]; break;
        case 4: ((int32_t *)to)[i] = (int32_t)from[i]; break;
        default: ((int64_t *)to)[i] = from[i];
        }
}

// A number outside 0 .. limit - 1: just outside, far, negative, or at an end of a type.
static int64_t outside(hostile *h, int64_t limit)
{
    switch (hostile_below(h, 16)) {
    case 0: return limit;
    case 1: return limit + 1 + hostile_below(h, 64);
    case 2: return 2 * limit + hostile_below(h, 64);
    case 3: return 5 * limit + 4000;
    case 4: return -1;
    case 5: return -1 - hostile_below(h, limit + 64);
    case 6: return INT32_MIN;
    case 7: return INT32_MAX;
    case 8: return INT64_MIN;
    case 9: return INT64_MAX;
    case 10: return (int64_t)1 << 31;
    case 11: return ((int64_t)1 << 32) + hostile_below(h, limit);
    case 12: return UINT32_MAX;
    case 13: return INT16_MAX;
    case 14: return INT64_MIN + hostile_below(h, limit);
    default: return (int64_t)hostile_next(h);
    }
}

// Where a range of n elements begins: anywhere, or where a chunk of one of several threads does.
static int64_t range_begin(hostile *h, int64_t n)
{
    if (hostile_below(h, 2)) return hostile_below(h, n);
    const int64_t threads = 2 + hostile_below(h, 7);
    return n / threads * hostile_below(h, threads);
}

static int64_t range_length(hostile *h, int64_t n)
{
    switch (hostile_below(h, 6)) {
    case 0: return 1;
    case 1: return 1 + hostile_below(h, 40);
    case 2: return 1 + hostile_below(h, 300);
    case 3: return n / 2;
    case 4: return n;
    default: return hostile_below(h, n);
    }
}

// A marker for "nowhere" that lies past the end, in a run where a chunk may begin, and a few
// numbers between the end and the marker: whoever takes the marker for a bound lets these pass.
static void put_markers(hostile *h, int64_t *a, int64_t n, int64_t limit)
{
    const int64_t beyond = 1 + hostile_below(h, 60000), begin = range_begin(h, n);
    const int64_t length = hostile_below(h, 2) ? 1 + hostile_below(h, 600) : n / 2;
    for (int64_t i = 0; i < length && begin + i < n; i++) a[begin + i] = limit + beyond;
    const int64_t few = 1 + hostile_below(h, 40), near = range_begin(h, n);
    for (int64_t i = 0; i < few; i++) {
        const int64_t at = hostile_below(h, 2) ? near + hostile_below(h, 300) : hostile_below(h, n);
        if (at < n) a[at] = limit + hostile_below(h, beyond);
    }
}

// Up to three ranges are spoilt, wholly or every few elements, by one number, a rising one or many.
static void spoil(hostile *h, int64_t *a, int64_t n, int64_t limit)
{
    if (n > 0 && hostile_once_in(h, 3)) {
        put_markers(h, a, n, limit);
        return;
    }
    for (int64_t left = hostile_below(h, 4); left > 0 && n > 0; left--) {
        const int64_t begin = range_begin(h, n), length = range_length(h, n);
        const int64_t step = hostile_below(h, 3) ? 1 : 1 + hostile_below(h, 100);
        const int64_t how = hostile_below(h, 4), first = outside(h, limit);
        uint64_t state = hostile_next(h);
        for (int64_t i = 0; i < length && begin + i < n; i += step) {
            if (how == 0) {
                const uint64_t r = check_next(&state);
                hostile few = {.state = r};
                a[begin + i] = r & 1 ? a[begin + i] : outside(&few, limit);
            } else {
                a[begin + i] = (int64_t)((uint64_t)first + (how == 1 ? (uint64_t)i : 0));
            }
        }
    }
}

void hostile_indices(hostile *h, hd_type type, int64_t n, int64_t limit, void *to)
{
    int64_t *a = check_memory(8 * (size_t)n);
    const int64_t how = hostile_below(h, 8), range = limit > 0 ? limit : 1;
    uint64_t state = hostile_next(h);
    const int64_t one = hostile_below(h, range);
    for (int64_t i = 0; i < n; i++) {
        const int64_t random = check_below(&state, range);
        switch (how) {
        case 0: a[i] = random; break;
        case 1: a[i] = i % range; break;
        case 2: a[i] = (int64_t)((double)i / (double)n * (double)range); break;
        case 3: a[i] = range - 1 - (int64_t)((double)i / (double)n * (double)range); break;
        case 4: a[i] = one; break;
        case 5: a[i] = (i ^ 5) % range; break;
        case 6: a[i] = random % 7 * (range / 7); break;
        default: a[i] = (i + random % 200) % range; break;
        }
    }
    spoil(h, a, n, limit);
    store(type, a, n, to);
    free(a);
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void hostile_offsets(hostile *h, hd_type type, int64_t count, int64_t n, void *to)
{
    int64_t *a = check_memory(8 * (size_t)count);
    uint64_t state = hostile_next(h);
    const bool even = hostile_below(h, 2);
    for (int64_t i = 0; i < count; i++)
        a[i] = even ? (int64_t)((double)i / (double)(count > 1 ? count - 1 : 1) * (double)n)
                    : check_below(&state, n + 1);
    qsort(a, (size_t)count, sizeof *a, by_value);
    if (hostile_below(h, 2)) spoil(h, a, count, n + 1);
    store(type, a, count, to);
    free(a);
}

// A random order of 0 .. n - 1.
static void permute(hostile *h, int64_t *order, int64_t n)
{
    uint64_t state = hostile_next(h);
    const bool shuffled = hostile_below(h, 3) > 0;
    for (int64_t i = 0; i < n; i++) order[i] = i;
    for (int64_t i = n - 1; i > 0 && shuffled; i--) {
        const int64_t j = check_below(&state, i + 1), kept = order[i];
        order[i] = order[j], order[j] = kept;
    }
}

// Links that stay in range, and yet make circles, forks or ends where none should be.
static void tangle(hostile *h, int64_t *link, int64_t n)
{
    for (int64_t left = hostile_below(h, 4); left > 0 && n > 0; left--)
        link[hostile_below(h, n)] = hostile_below(h, 4) ? hostile_below(h, n) : -1;
}

void hostile_links(hostile *h, hd_type type, int64_t n, bool trees, void *to)
{
    int64_t *order = check_memory(8 * (size_t)n), *link = check_memory(8 * (size_t)n);
    uint64_t state = hostile_next(h);
    permute(h, order, n);
    const int64_t lists = 1 + hostile_below(h, 5);
    const bool minus = hostile_below(h, 2);
    for (int64_t i = 0; i < n; i++) {
        const bool last = i + 1 == n || check_below(&state, n) < lists - 1;
        const int64_t next = trees && i + 1 < n ? i + 1 + check_below(&state, n - i - 1) : i + 1;
        link[order[i]] = !last ? order[next] : minus ? -1 : order[i];
    }
    if (hostile_below(h, 2)) tangle(h, link, n);
    if (hostile_below(h, 2)) spoil(h, link, n, n);
    store(type, link, n, to);
    free(order), free(link);
}

void hostile_lengths(hostile *h, hd_type type, int64_t n, int64_t sum, void *to)
{
    int64_t *a = check_memory(8 * (size_t)n);
    uint64_t state = hostile_next(h);
    const int64_t mean = n > 0 ? sum / n : 0;
    for (int64_t i = 0; i < n; i++) a[i] = check_below(&state, 2 * mean + 2);
    if (hostile_below(h, 2)) spoil(h, a, n, sum);
    store(type, a, n, to);
    free(a);
}
