// SPDX-License-Identifier: Apache-2.0
// Merging two sorted runs in one thread: four chains of steps that the comparison has compiled
// loops for, two from the front and two from the back of either half. What is written is a
// permutation of what is read, whatever the comparison answers.
#include "comparators.h"

int64_t hd__cpu_split_at(const char *a, int64_t na, const char *b, int64_t nb, int64_t k,
                         const hd_comparison *order, size_t size)
{
    int64_t low = k > nb ? k - nb : 0, high = k < na ? k : na;
    while (low < high) {
        const int64_t i = (low + high) / 2;
        if (hd__precedes(order, b + (size_t)(k - 1 - i) * size, a + (size_t)i * size))
            high = i;
        else
            low = i + 1;
    }
    return low;
}

// ---- Run by run -----------------------------------------------------------------------------

// One side of a merge that goes up or down: its next element, and how many it has.
typedef struct side {
    const char *next;
    int64_t n;
    bool is_a;
} side;

// Where a merge writes, and which way.
typedef struct sink {
    char *out; // down: behind the last element
    int64_t left;
    size_t size;
    bool down;
    const hd_comparison *order;
} sink;

static const char *further(const sink *t, const side *s, int64_t i)
{
    const size_t bytes = (size_t)i * t->size;
    return t->down ? s->next - bytes : s->next + bytes;
}

// How many of a side's elements from `low` on go out before the other's next one does: doubling
// steps, then halving ones. `comes` is what b before a answers of them.
static int64_t run_of(const sink *t, const side *s, const side *other, int64_t low, bool comes)
{
    const int64_t most = hd__min_of(s->n, t->left);
    int64_t high = most, step = 1;
    while (low < high) {
        const int64_t i = step > 0 ? hd__min_of(low + step - 1, high - 1) : low + (high - low) / 2;
        const char *x = further(t, s, i), *y = other->next;
        if (hd__precedes(t->order, s->is_a ? y : x, s->is_a ? x : y) == comes)
            low = i + 1, step *= 2;
        else
            high = i, step = 0;
    }
    return low;
}

static void take(sink *t, side *s, int64_t count)
{
    const size_t bytes = (size_t)count * t->size;
    if (t->down) t->out -= bytes;
    hd__copy(t->out, t->down && count > 0 ? further(t, s, count - 1) : s->next, bytes);
    if (!t->down) t->out += bytes;
    s->next = further(t, s, count);
    s->n -= count, t->left -= count;
}

// The first side's elements go out while they must, then the second's, of which one must.
static void merge_sides(sink *t, side *first, side *second)
{
    while (t->left > 0 && first->n > 0 && second->n > 0) {
        take(t, first, run_of(t, first, second, 0, true));
        if (t->left > 0 && first->n > 0) take(t, second, run_of(t, second, first, 1, false));
    }
    if (t->left > 0) take(t, first, hd__min_of(first->n, t->left));
    if (t->left > 0) take(t, second, t->left);
}

// ---- Chains -----------------------------------------------------------------------------------

// Half of a merge: a and b from the front and from the back at once, until the chains meet.
typedef struct half {
    const char *a, *a_end, *b, *b_end;
    char *out;
    int64_t up_left, down_left; // steps to go
} half;

static half half_of(const char *a, int64_t na, const char *b, int64_t nb, char *out, size_t size)
{
    const int64_t up = (na + nb) / 2;
    return (half){a, a + (size_t)na * size, b, b + (size_t)nb * size, out, up, na + nb - up};
}

// The chains of a half: up, down.
static void begin(const half *h, hd__chain chains[2])
{
    const size_t bytes = (size_t)(h->a_end - h->a) + (size_t)(h->b_end - h->b);
    chains[0] = (hd__chain){h->a, h->b, h->out};
    chains[1] = (hd__chain){h->a_end, h->b_end, h->out + bytes};
}

// Bytes that both chains can go and meet no end, whatever the comparison answers.
static int64_t safe_bytes(const half *h, const hd__chain chains[2], size_t size)
{
    const int64_t up = hd__min_of(h->a_end - chains[0].a, h->b_end - chains[0].b);
    const int64_t down = hd__min_of(chains[1].a - h->a, chains[1].b - h->b);
    return hd__min_of(hd__min_of(up, down), hd__min_of(h->up_left, h->down_left) * (int64_t)size);
}

static void finish_up(const half *h, hd__chain *c, const hd_comparison *order, size_t size)
{
    side a = {c->a, (h->a_end - c->a) / (int64_t)size, true};
    side b = {c->b, (h->b_end - c->b) / (int64_t)size, false};
    merge_sides(&(sink){c->out, h->up_left, size, false, order}, &b, &a);
    c->a = a.next;
}

static void finish_down(const half *h, hd__chain *c, const hd_comparison *order, size_t size)
{
    side a = {c->a - size, (c->a - h->a) / (int64_t)size, true};
    side b = {c->b - size, (c->b - h->b) / (int64_t)size, false};
    merge_sides(&(sink){c->out, h->down_left, size, true, order}, &a, &b);
    c->a = a.next + size;
}

// Where the chains do not meet the comparison contradicts itself: the half is merged once more, in
// one direction, which loses nothing.
static void finish(const half *h, hd__chain chains[2], const hd_comparison *order, size_t size)
{
    finish_up(h, &chains[0], order, size);
    finish_down(h, &chains[1], order, size);
    if (chains[0].a == chains[1].a) return;
    half all = *h;
    all.up_left = (h->a_end - h->a + h->b_end - h->b) / (int64_t)size;
    begin(h, chains);
    finish_up(&all, &chains[0], order, size);
}

// The rest of a chain after so many steps; the comparison's loop has moved `a` alone.
static void follow(hd__chain *c, const char *a, int64_t steps, size_t size, bool down)
{
    const ptrdiff_t all = (ptrdiff_t)((size_t)steps * size), way = down ? -all : all;
    c->b += way - (c->a - a);
    c->out += way;
}

enum { MIN_STEPS = 8 }; // fewer are not worth a call

static void merge_halves(const hd_comparison *order, const hd__order_loops *loops, half h[2])
{
    const size_t size = loops->size;
    hd__chain chains[4];
    begin(&h[0], chains), begin(&h[1], chains + 2);
    for (;;) {
        const int64_t steps =
            hd__min_of(safe_bytes(&h[0], chains, size), safe_bytes(&h[1], chains + 2, size)) /
            (int64_t)size;
        if (steps < MIN_STEPS) break;
        const char *const a[4] = {chains[0].a, chains[1].a, chains[2].a, chains[3].a};
        loops->merge(chains, 1, steps, order->state.data);
        for (int k = 0; k < 4; k++) follow(&chains[k], a[k], steps, size, k & 1);
        for (int k = 0; k < 2; k++) h[k].up_left -= steps, h[k].down_left -= steps;
    }
    for (int k = 0; k < 2; k++) finish(&h[k], chains + 2 * k, order, size);
}

// True: one of them comes after the other, and both are out.
static bool merge_apart(const hd_comparison *order, size_t size, char *out, const char *a,
                        int64_t na, const char *b, int64_t nb)
{
    const size_t a_bytes = (size_t)na * size, b_bytes = (size_t)nb * size;
    if (na == 0 || nb == 0 || !hd__precedes(order, b, a + a_bytes - size)) { // as they lie
        hd__copy(out, a, a_bytes);
        hd__copy(out + a_bytes, b, b_bytes);
        return true;
    }
    if (!hd__precedes(order, b + b_bytes - size, a)) return false;
    memcpy(out, b, b_bytes);
    memcpy(out + b_bytes, a, a_bytes);
    return true;
}

void hd__cpu_merge_two(const hd_comparison *order, const hd__order_loops *loops, char *out,
                       const char *a, int64_t na, const char *b, int64_t nb)
{
    const size_t size = loops->size;
    if (merge_apart(order, size, out, a, na, b, nb)) return;
    const int64_t middle = (na + nb) / 2;
    const int64_t i = hd__cpu_split_at(a, na, b, nb, middle, order, size), j = middle - i;
    half h[2];
    h[0] = half_of(a, i, b, j, out, size);
    h[1] = half_of(a + (size_t)i * size, na - i, b + (size_t)j * size, nb - j,
                   out + (size_t)middle * size, size);
    merge_halves(order, loops, h);
}

// Integers: the kernel merges both halves side by side, as far as whole vectors go.
void hd__cpu_merge_part(const hd__cpu_merge_pass *m, char *out, const char *a, int64_t na,
                        const char *b, int64_t nb)
{
    const size_t size = m->loops->size;
    if (m->integers == NULL) {
        hd__cpu_merge_two(m->order, m->loops, out, a, na, b, nb);
        return;
    }
    if (merge_apart(m->order, size, out, a, na, b, nb)) return;
    const int64_t middle = (na + nb) / 2;
    const int64_t i = hd__cpu_split_at(a, na, b, nb, middle, m->order, size), j = middle - i;
    hd__cpu_merge_stream half[2] = {
        {a, b, i, j, out},
        {a + (size_t)i * size, b + (size_t)j * size, na - i, nb - j, out + (size_t)middle * size}};
    m->integers(half, m->flip);
    for (int k = 0; k < 2; k++)
        hd__cpu_merge_two(m->order, m->loops, half[k].out, half[k].a, half[k].na, half[k].b,
                          half[k].nb);
}

// ---- Passes -------------------------------------------------------------------------------------

enum { LONG_RUN = 64 }; // from here on it is worth a look whether runs lie in order

// Both merges of four runs of one length, which no chain can meet an end of before the middle.
static void begin_four(hd__chain c[4], char *out, const char *in, size_t bytes)
{
    c[0] = (hd__chain){in, in + bytes, out};
    c[1] = (hd__chain){in + bytes, in + 2 * bytes, out + 2 * bytes};
    c[2] = (hd__chain){in + 2 * bytes, in + 3 * bytes, out + 2 * bytes};
    c[3] = (hd__chain){in + 3 * bytes, in + 4 * bytes, out + 4 * bytes};
}

// Two runs once more, in one direction.
static void merge_again(const hd_comparison *order, char *out, const char *in, int64_t run,
                        size_t size)
{
    half h = half_of(in, run, in + (size_t)run * size, run, out, size);
    hd__chain up = {h.a, h.b, out};
    h.up_left = 2 * run;
    finish_up(&h, &up, order, size);
}

enum { FOURS = 16 }; // at a time

static void merge_fours(const hd_comparison *order, const hd__order_loops *loops, char *out,
                        const char *in, int64_t run, int64_t fours)
{
    const size_t bytes = (size_t)run * loops->size;
    hd__chain chains[4 * FOURS];
    for (int64_t at = 0; at < fours; at += FOURS) {
        const int64_t some = hd__min_of(FOURS, fours - at);
        for (int64_t k = 0; k < some; k++)
            begin_four(chains + 4 * k, out + (size_t)(4 * (at + k)) * bytes,
                       in + (size_t)(4 * (at + k)) * bytes, bytes);
        loops->merge(chains, some, run, order->state.data);
        for (int64_t k = 0; k < 2 * some; k++) { // that meet where they should
            const size_t first = (size_t)(4 * at + 2 * k) * bytes;
            if (chains[2 * k].a != chains[2 * k + 1].a)
                merge_again(order, out + first, in + first, run, loops->size);
        }
    }
}

void hd__cpu_merge_runs(const hd_comparison *order, const hd__order_loops *loops, char *out,
                        const char *in, int64_t n, int64_t run)
{
    const size_t size = loops->size, bytes = (size_t)run * size;
    const int64_t fours = n / (4 * run);
    int64_t at = 0;
    if (run < LONG_RUN && fours > 0) {
        merge_fours(order, loops, out, in, run, fours);
        at = 4 * run * fours;
    }
    for (; at + 4 * run <= n; at += 4 * run) {
        const char *x = in + (size_t)at * size;
        if (!hd__precedes(order, x + bytes, x + bytes - size) ||
            !hd__precedes(order, x + 3 * bytes, x + 3 * bytes - size)) {
            hd__cpu_merge_two(order, loops, out + (size_t)at * size, x, run, x + bytes, run);
            hd__cpu_merge_two(order, loops, out + (size_t)(at + 2 * run) * size, x + 2 * bytes, run,
                              x + 3 * bytes, run);
        } else {
            merge_fours(order, loops, out + (size_t)at * size, x, run, 1);
        }
    }
    for (; at < n; at += 2 * run) {
        const int64_t na = hd__min_of(run, n - at), nb = hd__min_of(run, n - at - na);
        const char *x = in + (size_t)at * size;
        hd__cpu_merge_two(order, loops, out + (size_t)at * size, x, na, x + (size_t)na * size, nb);
    }
}
