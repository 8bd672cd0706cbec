// SPDX-License-Identifier: Apache-2.0
//
// How a user writes a comparison once, and the loops it is compiled into. heddle.h includes this
// file; do not include it alone.
//
//     typedef struct { float key; int32_t id; } record;
//     HD_COMPARISON(by_key, record, HD_NO_SOURCE, { return a.key < b.key; })
//
//     hd_sort(ctx, in, out, HD_NO_VALUES, &(hd_sort_options){.comparison = by_key});
//
// A comparison says whether a comes before b. It must be a strict weak order: never a before a,
// and "neither comes first" is an equivalence. (a <= b is none, nor is a < b of floats with NaN
// among them.) The rules for the text are those of HD_OPERATOR.
//
// The library calls a comparison by blocks of work: sort these, merge those. The loops below are
// plain functions over bytes, inlined into functions of the comparison's own where the size of an
// element and the comparison are constants, so the compiler inlines that as well. They choose
// without branches and keep four chains of choices going at once, as no branch predictor can guess
// which of two elements is the lesser. Whatever the comparison answers, they read and write
// nothing but the elements given, and what they write is a permutation of it.
#ifndef HEDDLE_COMPARISON_H
#define HEDDLE_COMPARISON_H

#include <string.h>

// Sanitizers' checks make the loops so large that inlining all of them takes the compiler minutes.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HD__LOOP static inline __attribute__((always_inline, unused))
#else
#define HD__LOOP static inline __attribute__((unused))
#endif

// A loop that stays one: unrolled, its body would be compiled several times for nothing.
#if defined(__clang__)
#define HD__ROLLED _Pragma("clang loop unroll(disable)")
#else
#define HD__ROLLED _Pragma("GCC unroll 1")
#endif
#define HD__RARE static __attribute__((noinline, cold, unused))

// 0 or 1 whose making gcc may not look into: it would turn the choices that hang on it into one
// branch. clang does not.
#if defined(__GNUC__) && !defined(__clang__)
#define HD__HIDE(f) __asm__("" : "+r"(f))
#else
#define HD__HIDE(f) (void)(f)
#endif

// if_one where f is 1, if_zero where it is 0: a conditional move, where gcc would rather guess.
HD__LOOP const char *hd__pick(size_t f, const char *if_one, const char *if_zero)
{
#if defined(__GNUC__) && !defined(__clang__) && defined(__aarch64__)
    const char *p;
    __asm__("cmp %1, 0\n\tcsel %0, %2, %3, ne"
            : "=r"(p)
            : "r"(f), "r"(if_one), "r"(if_zero)
            : "cc");
    return p;
#elif defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
    const char *p = if_zero;
    __asm__("test %1, %1\n\tcmovne %2, %0" : "+r"(p) : "r"(f), "r"(if_one) : "cc");
    return p;
#else
    return f ? if_one : if_zero;
#endif
}

// memcpy of nothing may not have a null pointer.
HD__LOOP void hd__copy(char *to, const char *from, size_t bytes)
{
    if (bytes > 0) memcpy(to, from, bytes);
}

// Whether the element at a comes before the one at b.
typedef bool hd__less(const void *a, const void *b, const void *state);

// The loops of one comparison over elements of one size, of which the beginning is compared.
typedef struct hd__order_loops {
    size_t size;
    // out = the stable merge of a and b, which may not overlap it
    void (*merge)(void *out, const void *a, int64_t na, const void *b, int64_t nb,
                  const void *state);
    // out = in sorted; other: room for n elements; in may be out
    void (*sort)(void *out, void *other, const void *in, int64_t n, const void *state);
} hd__order_loops;

struct hd_comparison {
    uint32_t abi; // HD__ABI
    hd_type type; // of its elements
    const char *name;
    hd__less *less;
    hd__order_loops elements;
    hd__order_loops pairs; // of an element and an int64_t, at index_offset
    size_t index_offset;
    // the first i with x[i] before x[i - 1], or n
    int64_t (*ordered)(const void *x, int64_t n, const void *state);
    // out[j] = how many elements of x come before query j (right: do not come after it)
    void (*search)(const void *x, int64_t n, const void *queries, int64_t m, bool right,
                   int64_t *out, const void *state);
    // the positions in x of what comes before *bound, of what comes after it; return how many. Room
    // for n
    int64_t (*before)(const void *x, int64_t n, const void *bound, int64_t *positions,
                      const void *state);
    int64_t (*after)(const void *x, int64_t n, const void *bound, int64_t *positions,
                     const void *state);
    const char *type_text; // the same in source form, for run-time compilers
    const char *body_text;
    const hd_source *source;
    hd__probe *probe; // as an operator's
    hd_state state;
    const void *reserved[2];
};

// ---- Merging --------------------------------------------------------------------------------

// A merge on its way, from the front or from the back.
typedef struct hd__chain {
    const char *a, *b;
    char *out;
} hd__chain;

// The lesser of both heads goes out; a's where neither comes first.
HD__LOOP void hd__step_up(hd__chain *c, size_t size, hd__less *less, const void *state)
{
    size_t from_b = less(c->b, c->a, state);
    HD__HIDE(from_b);
    memcpy(c->out, hd__pick(from_b, c->b, c->a), size);
    c->a += (from_b ^ 1) * size;
    c->b += from_b * size;
    c->out += size;
}

// The pointers are behind the last elements. The greater of both goes out; b's where neither does.
HD__LOOP void hd__step_down(hd__chain *c, size_t size, hd__less *less, const void *state)
{
    const char *a = c->a - size, *b = c->b - size;
    size_t from_a = less(b, a, state);
    HD__HIDE(from_a);
    c->out -= size;
    memcpy(c->out, hd__pick(from_a, a, b), size);
    c->a -= from_a * size;
    c->b = b + from_a * size;
}

// How many of the first k elements of a stable merge are a's.
HD__LOOP int64_t hd__split_at(const char *a, int64_t na, const char *b, int64_t nb, int64_t k,
                              size_t size, hd__less *less, const void *state)
{
    int64_t low = k > nb ? k - nb : 0, high = k < na ? k : na;
    while (low < high) {
        const int64_t i = (low + high) / 2;
        if (less(b + (size_t)(k - 1 - i) * size, a + (size_t)i * size, state))
            high = i;
        else
            low = i + 1;
    }
    return low;
}

// The merge of a comparison that contradicts itself: one element at a time, each side's end
// watched. Rare, so it is one function for all comparisons.
HD__RARE void hd__merge_plainly(hd__chain c, const char *a_end, const char *b_end, size_t size,
                                hd__less *less, const void *state)
{
    while (c.a < a_end && c.b < b_end) hd__step_up(&c, size, less, state);
    hd__copy(c.out, c.a, (size_t)(a_end - c.a));
    hd__copy(c.out + (a_end - c.a), c.b, (size_t)(b_end - c.b));
}

// A part of a merge: a[0 .. na - 1] and b[0 .. nb - 1] from the front and from the back at once,
// until the chains meet.
typedef struct hd__part {
    const char *a, *a_end, *b, *b_end;
    hd__chain up, down;
    int64_t up_left, down_left; // steps to go
} hd__part;

HD__LOOP int64_t hd__least(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

HD__LOOP hd__part hd__part_of(const char *a, int64_t na, const char *b, int64_t nb, char *out,
                              size_t size)
{
    hd__part p;
    p.a = a, p.a_end = a + (size_t)na * size;
    p.b = b, p.b_end = b + (size_t)nb * size;
    p.up.a = p.a, p.up.b = p.b, p.up.out = out;
    p.down.a = p.a_end, p.down.b = p.b_end, p.down.out = out + (size_t)(na + nb) * size;
    p.up_left = (na + nb) / 2;
    p.down_left = na + nb - p.up_left;
    return p;
}

// Steps that both chains can take and meet no end, whatever the comparison answers.
HD__LOOP int64_t hd__part_safe(const hd__part *p, size_t size)
{
    const int64_t up = hd__least(p->a_end - p->up.a, p->b_end - p->up.b) / (int64_t)size;
    const int64_t down = hd__least(p->down.a - p->a, p->down.b - p->b) / (int64_t)size;
    return hd__least(hd__least(up, p->up_left), hd__least(down, p->down_left));
}

// What is left of a part once no more steps are safe. Where the chains do not meet the comparison
// contradicts itself: the part is merged once more, in one direction, which loses nothing.
HD__LOOP void hd__part_finish(hd__part *p, char *out, size_t size, hd__less *less,
                              const void *state)
{
    for (; p->up_left > 0; p->up_left--) {
        if (p->up.a == p->a_end || p->up.b == p->b_end) {
            const size_t bytes = (size_t)p->up_left * size;
            const bool from_b = p->up.a == p->a_end;
            memcpy(p->up.out, from_b ? p->up.b : p->up.a, bytes);
            p->up.a += from_b ? 0 : bytes;
            p->up.b += from_b ? bytes : 0;
            break;
        }
        hd__step_up(&p->up, size, less, state);
    }
    for (; p->down_left > 0; p->down_left--) {
        if (p->down.a == p->a || p->down.b == p->b) {
            const size_t bytes = (size_t)p->down_left * size;
            const bool from_b = p->down.a == p->a;
            p->down.a -= from_b ? 0 : bytes;
            p->down.b -= from_b ? bytes : 0;
            memcpy(p->down.out - bytes, from_b ? p->down.b : p->down.a, bytes);
            break;
        }
        hd__step_down(&p->down, size, less, state);
    }
    if (p->up.a == p->down.a) return;
    p->up.a = p->a, p->up.b = p->b, p->up.out = out;
    hd__merge_plainly(p->up, p->a_end, p->b_end, size, less, state);
}

// Steps taken before the ends are looked at again; fewer are not worth a round of four.
enum { HD__LEAST_STEPS = 8 };

HD__LOOP void hd__merge_parts(hd__part part[2], char *const out[2], size_t size, hd__less *less,
                              const void *state)
{
    hd__part *p = &part[0], *q = &part[1];
    hd__chain pu = p->up, pd = p->down, qu = q->up, qd = q->down;
    for (;;) {
        p->up = pu, p->down = pd, q->up = qu, q->down = qd;
        const int64_t steps = hd__least(hd__part_safe(p, size), hd__part_safe(q, size));
        if (steps < HD__LEAST_STEPS) break;
        for (int64_t k = 0; k < steps; k++) {
            hd__step_up(&pu, size, less, state);
            hd__step_down(&pd, size, less, state);
            hd__step_up(&qu, size, less, state);
            hd__step_down(&qd, size, less, state);
        }
        p->up_left -= steps, p->down_left -= steps;
        q->up_left -= steps, q->down_left -= steps;
    }
    HD__ROLLED
    for (int k = 0; k < 2; k++) hd__part_finish(&part[k], out[k], size, less, state);
}

// out = the stable merge of a and b. Neither may overlap out.
HD__LOOP void hd__merge_two(char *out, const char *a, int64_t na, const char *b, int64_t nb,
                            size_t size, hd__less *less, const void *state)
{
    const size_t a_bytes = (size_t)na * size, b_bytes = (size_t)nb * size;
    if (na == 0 || nb == 0 || !less(b, a + a_bytes - size, state)) { // as they lie
        hd__copy(out, a, a_bytes);
        hd__copy(out + a_bytes, b, b_bytes);
        return;
    }
    if (less(b + b_bytes - size, a, state)) { // all of b, then all of a
        memcpy(out, b, b_bytes);
        memcpy(out + b_bytes, a, a_bytes);
        return;
    }
    const int64_t half = (na + nb) / 2, i = hd__split_at(a, na, b, nb, half, size, less, state);
    const int64_t j = half - i;
    char *const halves[2] = {out, out + (size_t)half * size};
    hd__part part[2];
    part[0] = hd__part_of(a, i, b, j, halves[0], size);
    part[1] =
        hd__part_of(a + (size_t)i * size, na - i, b + (size_t)j * size, nb - j, halves[1], size);
    hd__merge_parts(part, halves, size, less, state);
}

// ---- Sorting --------------------------------------------------------------------------------

enum { HD__GROUP = 8 }; // elements sorted at once

// Pointers to the elements, sorted by swapping neighbours: stable, without branches, and a
// permutation whatever the comparison answers. Moved only then.
HD__LOOP void hd__sort_group(char *out, const char *in, size_t size, hd__less *less,
                             const void *state)
{
    const char *p[HD__GROUP];
#pragma GCC unroll 8
    for (int k = 0; k < HD__GROUP; k++) p[k] = in + (size_t)k * size;
#pragma GCC unroll 8
    for (int round = 0; round < HD__GROUP; round++) {
#pragma GCC unroll 4
        for (int k = round & 1; k + 1 < HD__GROUP; k += 2) {
            const char *x = p[k], *y = p[k + 1];
            size_t swap = -(size_t)less(y, x, state);
            HD__HIDE(swap);
            const ptrdiff_t apart = (ptrdiff_t)((size_t)(y - x) & swap);
            p[k] = x + apart;
            p[k + 1] = y - apart;
        }
    }
#pragma GCC unroll 8
    for (int k = 0; k < HD__GROUP; k++) memcpy(out + (size_t)k * size, p[k], size);
}

// Fewer than a group, by insertion. `in` is apart from out.
HD__LOOP void hd__sort_few(char *out, const char *in, int64_t n, size_t size, hd__less *less,
                           const void *state)
{
    for (int64_t i = 0; i < n; i++, in += size) {
        char *hole = out + (size_t)i * size;
        for (; hole > out && less(in, hole - size, state); hole -= size)
            memcpy(hole, hole - size, size);
        memcpy(hole, in, size);
    }
}

// How far x rises (no element before its neighbour on the left), and how far it falls strictly.
HD__LOOP int64_t hd__rising(const char *x, int64_t n, size_t size, hd__less *less,
                            const void *state)
{
    int64_t i = 1;
    while (i < n && !less(x + (size_t)i * size, x + (size_t)(i - 1) * size, state)) i++;
    return n < i ? n : i;
}

HD__LOOP int64_t hd__falling(const char *x, int64_t n, size_t size, hd__less *less,
                             const void *state)
{
    int64_t i = 1;
    while (i < n && less(x + (size_t)i * size, x + (size_t)(i - 1) * size, state)) i++;
    return n < i ? n : i;
}

// What is sorted already, or strictly the wrong way round, takes one pass. `room` is for a group.
HD__LOOP bool hd__sort_sorted(char *out, const char *in, int64_t n, size_t size, hd__less *less,
                              const void *state, char *room)
{
    if (hd__rising(in, n, size, less, state) == n) {
        if (out != in) memcpy(out, in, (size_t)n * size);
        return true;
    }
    if (hd__falling(in, n, size, less, state) < n) return false;
    for (int64_t i = 0; i < (n + 1) / 2; i++) { // in may be out
        const size_t low = (size_t)i * size, high = (size_t)(n - 1 - i) * size;
        memcpy(room, in + low, size);
        memcpy(out + low, in + high, size);
        memcpy(out + high, room, size);
    }
    return true;
}

// Two merges of runs of the same length, side by side: no chain can meet an end before the middle.
HD__LOOP void hd__merge_runs(char *out, const char *in, int64_t run, size_t size, hd__less *less,
                             const void *state)
{
    const size_t bytes = (size_t)run * size;
    hd__part p = hd__part_of(in, run, in + bytes, run, out, size);
    hd__part q = hd__part_of(in + 2 * bytes, run, in + 3 * bytes, run, out + 2 * bytes, size);
    hd__chain pu = p.up, pd = p.down, qu = q.up, qd = q.down;
    for (int64_t k = 0; k < run; k++) {
        hd__step_up(&pu, size, less, state);
        hd__step_down(&pd, size, less, state);
        hd__step_up(&qu, size, less, state);
        hd__step_down(&qd, size, less, state);
    }
    if (pu.a != pd.a) hd__merge_plainly(p.up, p.a_end, p.b_end, size, less, state);
    if (qu.a != qd.a) hd__merge_plainly(q.up, q.a_end, q.b_end, size, less, state);
}

enum { HD__LONG_RUN = 64 }; // from here on it is worth a look whether runs lie in order

// One pass over n elements: runs of a length become runs of twice that.
HD__LOOP void hd__merge_pass(char *out, const char *in, int64_t n, int64_t run, size_t size,
                             hd__less *less, const void *state, const hd__order_loops *own)
{
    const size_t bytes = (size_t)run * size;
    int64_t at = 0;
    for (; at + 4 * run <= n; at += 4 * run, in += 4 * bytes, out += 4 * bytes) {
        if (run >= HD__LONG_RUN && (!less(in + bytes, in + bytes - size, state) ||
                                    !less(in + 3 * bytes, in + 3 * bytes - size, state))) {
            own->merge(out, in, run, in + bytes, run, state);
            own->merge(out + 2 * bytes, in + 2 * bytes, run, in + 3 * bytes, run, state);
        } else {
            hd__merge_runs(out, in, run, size, less, state);
        }
    }
    for (; at < n; at += 2 * run, in += 2 * bytes, out += 2 * bytes) {
        const int64_t na = hd__least(run, n - at), nb = hd__least(run, n - at - na);
        own->merge(out, in, na, in + (size_t)na * size, nb, state);
    }
}

HD__LOOP void hd__sort_run(char *out, char *other, const char *in, int64_t n, char *room,
                           const hd__order_loops *own, size_t size, hd__less *less,
                           const void *state)
{
    if (hd__sort_sorted(out, in, n, size, less, state, room)) return;
    bool odd = false; // passes: each goes from one of the two arrays to the other
    for (int64_t run = HD__GROUP; run < n; run *= 2) odd = !odd;
    char *to = odd ? other : out, *from = odd ? out : other;
    int64_t at = 0;
    for (; at + HD__GROUP <= n; at += HD__GROUP) {
        memcpy(room, in + (size_t)at * size, HD__GROUP * size);
        hd__sort_group(to + (size_t)at * size, room, size, less, state);
    }
    memcpy(room, in + (size_t)at * size, (size_t)(n - at) * size);
    hd__sort_few(to + (size_t)at * size, room, n - at, size, less, state);
    for (int64_t run = HD__GROUP; run < n; run *= 2) {
        char *const sorted = to;
        to = from, from = sorted;
        hd__merge_pass(to, from, n, run, size, less, state, own);
    }
}

// ---- Searching ------------------------------------------------------------------------------

enum { HD__SEARCHES = 16, HD__BATCH = 64 }; // side by side; looked at for being sorted

// Whether the element at x is among those that are counted for a query.
HD__LOOP bool hd__counts(const char *x, const char *query, bool right, hd__less *less,
                         const void *state)
{
    return right ? !less(query, x, state) : less(x, query, state);
}

// Sixteen queries in step: each halving waits for memory, all of them wait together.
HD__LOOP void hd__search_side_by_side(const char *x, int64_t n, const char *const *query,
                                      int64_t *out, bool right, size_t size, hd__less *less,
                                      const void *state)
{
    const char *at[HD__SEARCHES];
    HD__ROLLED
    for (int k = 0; k < HD__SEARCHES; k++) at[k] = x;
    for (int64_t left = n; left > 1; left -= left / 2) {
        const size_t half = (size_t)(left / 2) * size;
#pragma GCC unroll 16
        for (int k = 0; k < HD__SEARCHES; k++) {
            size_t beyond = -(size_t)hd__counts(at[k] + half - size, query[k], right, less, state);
            HD__HIDE(beyond);
            at[k] += half & beyond;
        }
    }
    HD__ROLLED
    for (int k = 0; k < HD__SEARCHES; k++)
        out[k] = (at[k] - x) / (int64_t)size +
                 (n > 0 && hd__counts(at[k], query[k], right, less, state));
}

// One query, from element `low` on in growing steps.
HD__LOOP int64_t hd__search_from(const char *x, int64_t low, int64_t n, const char *query,
                                 bool right, size_t size, hd__less *less, const void *state)
{
    int64_t step = HD__BATCH, high = low;
    while (high < n && hd__counts(x + (size_t)high * size, query, right, less, state)) {
        low = high + 1;
        high = n - high > step ? high + step : n;
        step *= 2;
    }
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (hd__counts(x + (size_t)middle * size, query, right, less, state))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Queries that rise are looked for between the positions of the first and the last of their batch.
HD__LOOP void hd__search_all(const char *x, int64_t n, const char *queries, int64_t m, bool right,
                             int64_t *out, size_t size, hd__less *less, const void *state)
{
    int64_t low = 0;
    for (int64_t j = 0; j < m; j += HD__BATCH) {
        const char *q = queries + (size_t)j * size;
        const int64_t batch = hd__least(HD__BATCH, m - j);
        int64_t high = n;
        if (j > 0 && less(q, q - size, state)) low = 0;
        if (hd__rising(q, batch, size, less, state) == batch) {
            low = hd__search_from(x, low, n, q, right, size, less, state);
            high = hd__search_from(x, low, n, q + (size_t)(batch - 1) * size, right, size, less,
                                   state);
        } else {
            low = 0;
        }
        for (int64_t k = 0; k < batch; k += HD__SEARCHES) {
            const char *query[HD__SEARCHES];
            int64_t found[HD__SEARCHES];
            for (int i = 0; i < HD__SEARCHES; i++)
                query[i] = q + (size_t)hd__least(k + i, batch - 1) * size;
            hd__search_side_by_side(x + (size_t)low * size, high - low, query, found, right, size,
                                    less, state);
            const int64_t count = hd__least(HD__SEARCHES, batch - k);
            for (int64_t i = 0; i < count; i++) out[j + k + i] = low + found[i];
        }
    }
}

// ---- Choosing -------------------------------------------------------------------------------

enum { HD__GLANCE = 64 }; // elements of which none is wanted, mostly: one look for all

HD__LOOP int64_t hd__find_before(const char *x, int64_t n, const char *bound, int64_t *positions,
                                 size_t size, hd__less *less, const void *state)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i += HD__GLANCE) {
        const char *block = x + (size_t)i * size;
        const int64_t some = hd__least(HD__GLANCE, n - i);
        unsigned any = some < HD__GLANCE;
        for (int k = 0; !any && k < 1; k++)
            for (int e = 0; e < HD__GLANCE; e++)
                any |= less(block + (size_t)e * size, bound, state);
        for (int64_t e = 0; any && e < some; e++) {
            positions[count] = i + e;
            count += less(block + (size_t)e * size, bound, state);
        }
    }
    return count;
}

// ---- The macro ------------------------------------------------------------------------------

// HD_COMPARISON(name, type, source, { body returning whether a comes before b }): defines name as
// a value that goes where a call takes a comparison.
#define HD_COMPARISON(name, T, source, ...)                                                        \
    HD__NOTHING_LOOSE                                                                              \
    HD__COMPARISON_LOOPS(name, T, HD__STATELESS, __VA_ARGS__)                                      \
    static const hd_comparison name[1] = {                                                         \
        HD__COMPARISON_ROW(name, T, source, #T, HD__NO_STATE, #__VA_ARGS__)};

#define HD__COMPARISON_LOOPS(name, T, with, ...)                                                   \
    HD__EXACT_BEGIN                                                                                \
    HD__INLINE bool name##__one(T a HD__UNUSED, T b HD__UNUSED, HD__STATE_PARAMETER(with))         \
        __VA_ARGS__                                                                                \
        HD__LESS_OVER(T, with, name##__one, name##__less)                                          \
            HD__ORDER_LOOPS(name, elements, T) typedef struct name##__pair {                       \
        T key;                                                                                     \
        int64_t index;                                                                             \
    } name##__pair;                                                                                \
    HD__ORDER_LOOPS(name, pairs, name##__pair)                                                     \
    HD__INLINE int64_t name##__ordered(const void *x, int64_t n, const void *state)                \
    {                                                                                              \
        return hd__rising(HD__CAST(const char *, x), n, sizeof(T), name##__less, state);           \
    }                                                                                              \
    HD__INLINE void name##__search(const void *x, int64_t n, const void *queries, int64_t m,       \
                                   bool right, int64_t *out, const void *state)                    \
    {                                                                                              \
        const char *in = HD__CAST(const char *, x), *q = HD__CAST(const char *, queries);          \
        if (right)                                                                                 \
            hd__search_all(in, n, q, m, true, out, sizeof(T), name##__less, state);                \
        else                                                                                       \
            hd__search_all(in, n, q, m, false, out, sizeof(T), name##__less, state);               \
    }                                                                                              \
    HD__BEFORE_OVER(T, with, name##__less, name##__before)                                         \
    HD__MORE_OVER(name##__less, name##__more)                                                      \
    HD__BEFORE_OVER(T, with, name##__more, name##__after)                                          \
    HD__EXACT_END                                                                                  \
    HD__OF_NUMBERS(                                                                                \
        HD__INLINE bool name##__number(T a HD__UNUSED, T b HD__UNUSED, HD__STATE_PARAMETER(with))  \
            __VA_ARGS__ HD__LESS_OVER(T, with, name##__number, name##__less_of_numbers)            \
                HD__BEFORE_OVER(T, with, name##__less_of_numbers, name##__before_of_numbers)       \
                    HD__MORE_OVER(name##__less_of_numbers, name##__more_of_numbers)                \
                        HD__BEFORE_OVER(T, with, name##__more_of_numbers,                          \
                                        name##__after_of_numbers))

// (The texts are those that the user wrote: macros in them stay as they are.)
// clang-format off
#define HD__COMPARISON_ROW(name, T, source, T_text, state, body_text)                              \
    {                                                                                              \
        HD__ABI, HD_TYPE(T), #name, name##__less,                                                  \
        {sizeof(T), name##__elements_merge, name##__elements_sort},                                \
        {sizeof(name##__pair), name##__pairs_merge, name##__pairs_sort},                           \
        offsetof(name##__pair, index), name##__ordered, name##__search,                            \
        HD__LOOP_OF(T, name##__before), HD__LOOP_OF(T, name##__after), T_text, body_text, source,  \
        HD__PROBE, state, {0, 0}                                                                   \
    }
// clang-format on

#define HD__LESS_OVER(T, with, one, less)                                                          \
    HD__INLINE bool less(const void *x, const void *y, HD__GIVEN)                                  \
    {                                                                                              \
        HD__POINT_STATE(with)                                                                      \
        T a, b;                                                                                    \
        memcpy(&a, x, sizeof a);                                                                   \
        memcpy(&b, y, sizeof b);                                                                   \
        return one(a, b, hd__state);                                                               \
    }
// A comparison reads its state where it lies: it is called on one pair at a time.
#define HD__POINT_STATE(with)     HD__POINT_##with
#define HD__POINT_HD__STATELESS   const void *const hd__state = hd__given;
#define HD__POINT_HD__STATEFUL(S) const S *const hd__state = HD__CAST(const S *, hd__given);

// The same the other way round.
#define HD__MORE_OVER(less, more)                                                                  \
    HD__INLINE bool more(const void *x, const void *y, const void *state)                          \
    {                                                                                              \
        return less(y, x, state);                                                                  \
    }

// The one loop of a comparison that compilers vectorise.
#define HD__BEFORE_OVER(T, with, less, before)                                                     \
    HD__INLINE int64_t before(const void *x, int64_t n, const void *bound, int64_t *positions,     \
                              HD__GIVEN)                                                           \
    {                                                                                              \
        HD__LOAD_STATE(with)                                                                       \
        return hd__find_before(HD__CAST(const char *, x), n, HD__CAST(const char *, bound),        \
                               positions, sizeof(T), less, hd__state);                             \
    }

// The loops over elements of a type E that begins with what is compared.
#define HD__ORDER_LOOPS(name, what, E)                                                             \
    HD__INLINE void name##__##what##_merge(void *out, const void *a, int64_t na, const void *b,    \
                                           int64_t nb, const void *state)                          \
    {                                                                                              \
        hd__merge_two(HD__CAST(char *, out), HD__CAST(const char *, a), na,                        \
                      HD__CAST(const char *, b), nb, sizeof(E), name##__less, state);              \
    }                                                                                              \
    HD__INLINE void name##__##what##_sort(void *out, void *other, const void *in, int64_t n,       \
                                          const void *state)                                       \
    {                                                                                              \
        E room[HD__GROUP];                                                                         \
        const hd__order_loops own = {sizeof(E), name##__##what##_merge, 0};                        \
        hd__sort_run(HD__CAST(char *, out), HD__CAST(char *, other), HD__CAST(const char *, in),   \
                     n, HD__CAST(char *, HD__CAST(void *, room)), &own, sizeof(E), name##__less,   \
                     state);                                                                       \
    }

#endif
