// SPDX-License-Identifier: Apache-2.0
// The radix select of one row: ranges of keys are counted in buckets, and the buckets that ranks
// fall into packed and selected from in turn. Regions of packed keys go to and fro between two
// arrays, each at its own offset. Then, where positions are wanted, those of the keys found.
#include "comparators.h"
#include "core/system/float_state.h"
#include "nth.h"
#include "cpu/runtime/team.h"

#include <stdlib.h>

enum {
    BLOCK = 4096,    // keys at a time: they stay in L1
    FLUSH = 1 << 30, // keys after which counts of 32 bits are emptied
    BUCKETS = HD__CPU_NTH_BUCKETS,
    GROUPS = HD__CPU_NTH_INDEXED_MAX + 1, // keys whose positions are looked for
    PASSES = 5 // over a row: its range or a window, counts, packing, and twice for positions
};

// One thread's memory.
typedef struct tools {
    char block[BLOCK * 8], packed[BLOCK * 8];
    uint16_t bucket[BLOCK];
    uint32_t counts[2 * BUCKETS];
    int64_t total[BUCKETS]; // keys of each bucket; then where this thread's go
    int64_t equal[GROUPS];  // elements of each key that is looked for
    int64_t below, kept;    // keys below a window and within it
    char *window;           // where those go
    hd__cpu_nth_range range;
} tools;

// Keys that ranks are looked for among: those of the row, or a region of packed ones.
typedef struct part {
    const char *keys;     // NULL: the row's elements
    int64_t n, base;      // keys; how many are less than all of them
    int64_t offset;       // of the region, in keys
    int side;             // which array it is in; -1: the row
    int64_t first, count; // its targets
    int threads;
} part;

size_t hd__cpu_nth_thread_bytes(void)
{
    return hd__padded(sizeof(tools));
}

static tools *tools_of(const hd__cpu_selection *s, int thread)
{
    return (tools *)(void *)(s->memory + (size_t)thread * hd__cpu_nth_thread_bytes());
}

// ---- Threads ----------------------------------------------------------------------------------

typedef struct work {
    hd__cpu_selection *s;
    const part *p;
    hd__cpu_nth_cut cut;
    const uint8_t *wanted;
    char *to; // where regions of packed keys begin
    const int64_t *group;
    int64_t groups;
    uint64_t low, high; // a window of keys
    int64_t room;       // of each thread, for those within it
    int64_t pass;       // of PASSES over the row
} work;

typedef void step(const work *w, tools *t, int64_t begin, int64_t end);

// Whether a pass goes on at one of its keys. Passes report progress as the row's own, in
// turn; those over packed keys are short, and say nothing new.
static bool goes_on(const work *w, int64_t at)
{
    const hd__cpu_selection *s = w->s;
    if (s->progress == NULL) return true;
    return hd__cpu_goes_on_in(s->progress, s->first + s->share * w->pass / PASSES,
                              s->share / PASSES, at, w->p->n);
}

// Whether the call has been cancelled: what passes found is not to be used then.
static bool is_over(const hd__cpu_selection *s)
{
    return s->progress != NULL && hd__cpu_is_stopped(s->progress);
}

// Each thread has a range of the part. One thread alone may be one of an outer team.
static void run(const work *w, step *each)
{
    const int threads = w->p->threads;
    const int64_t n = w->p->n;
    if (threads == 1) {
        each(w, tools_of(w->s, 0), 0, n);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        HD__FLOAT_STATE;
        const int64_t t = omp_get_thread_num();
        each(w, tools_of(w->s, (int)t), n / threads * t,
             t + 1 < threads ? n / threads * (t + 1) : n);
    }
}

// Keys start .. start + n - 1 of a part; of elements, in the thread's block.
static const char *keys_at(const work *w, tools *t, int64_t start, int64_t n)
{
    const hd__cpu_selection *s = w->s;
    if (w->p->keys != NULL) return w->p->keys + (size_t)start * s->key_size;
    const char *x = t->packed;
    if (hd__is_contiguous(&s->in))
        x = hd__at(&s->in, start);
    else
        hd__gather(&s->in, start, n, t->packed);
    s->to_keys(x, n, s->descending, t->block);
    return t->block;
}

static int64_t block_at(int64_t start, int64_t end)
{
    return end - start < BLOCK ? end - start : BLOCK;
}

// ---- Steps ------------------------------------------------------------------------------------

static void measure(const work *w, tools *t, int64_t begin, int64_t end)
{
    t->range = (hd__cpu_nth_range){UINT64_MAX, 0, 0};
    for (int64_t at = begin; at < end && goes_on(w, at); at += BLOCK) {
        const int64_t n = block_at(at, end);
        w->s->loops->range(keys_at(w, t, at, n), n, &t->range);
    }
}

static void flush(tools *t)
{
    for (int b = 0; b < BUCKETS; b++) t->total[b] += t->counts[b] + (int64_t)t->counts[b + BUCKETS];
    memset(t->counts, 0, sizeof t->counts);
}

static void count(const work *w, tools *t, int64_t begin, int64_t end)
{
    memset(t->total, 0, sizeof t->total);
    memset(t->counts, 0, sizeof t->counts);
    for (int64_t at = begin; at < end && goes_on(w, at); at += BLOCK) {
        const int64_t n = block_at(at, end);
        w->s->loops->count(keys_at(w, t, at, n), n, &w->cut, t->counts);
        if ((at - begin) % FLUSH == FLUSH - BLOCK) flush(t);
    }
    flush(t);
}

static void pack(const work *w, tools *t, int64_t begin, int64_t end)
{
    const bool wide = w->s->key_size == 8;
    for (int64_t at = begin; at < end && goes_on(w, at); at += BLOCK) {
        const int64_t n = block_at(at, end);
        const char *keys = keys_at(w, t, at, n);
        const int64_t m = w->s->loops->pack(keys, n, &w->cut, w->wanted, t->packed, t->bucket);
        for (int64_t i = 0; i < m; i++) {
            const int64_t to = t->total[t->bucket[i]]++;
            if (wide)
                ((uint64_t *)(void *)w->to)[to] = ((const uint64_t *)(const void *)t->packed)[i];
            else
                ((uint32_t *)(void *)w->to)[to] = ((const uint32_t *)(const void *)t->packed)[i];
        }
    }
}

// ---- Selection --------------------------------------------------------------------------------

static uint64_t key_at(const hd__cpu_selection *s, const char *keys, int64_t i)
{
    uint32_t narrow;
    uint64_t key;
    if (s->key_size == 8) {
        memcpy(&key, keys + 8 * (size_t)i, sizeof key);
        return key;
    }
    memcpy(&narrow, keys + 4 * (size_t)i, sizeof narrow);
    return narrow;
}

static uint64_t greatest_key(const hd__cpu_selection *s)
{
    return s->key_size == 8 ? UINT64_MAX : UINT32_MAX;
}

static hd__cpu_nth_range range_of(work *w)
{
    hd__cpu_nth_range all = {UINT64_MAX, 0, 0};
    run(w, measure);
    if (is_over(w->s)) return (hd__cpu_nth_range){0, 0, 0};
    for (int k = 0; k < w->p->threads; k++) {
        const hd__cpu_nth_range *r = &tools_of(w->s, k)->range;
        all.nans += r->nans;
        if (r->low < all.low) all.low = r->low;
        if (r->high > all.high) all.high = r->high;
    }
    return all;
}

void hd__cpu_nth_measure(hd__cpu_selection *s)
{
    const part row = {.n = s->n, .side = -1, .threads = s->threads};
    s->range = range_of(&(work){.s = s, .p = &row});
    s->measured = true;
}

// Few keys are sorted where they are.
static void sort_small(hd__cpu_selection *s, const part *p)
{
    char *keys = s->keys[p->side] + (size_t)p->offset * s->key_size;
    hd__cpu_sort_run(s->order, &s->order->elements, keys,
                     s->keys[!p->side] + (size_t)p->offset * s->key_size, keys, p->n);
    for (int64_t k = 0; k < p->count; k++) {
        hd__cpu_nth_target *t = &s->target[p->first + k];
        int64_t at = t->rank - p->base, equal;
        t->key = key_at(s, keys, at);
        hd__cpu_search_all(s->order, keys, p->n, keys + (size_t)at * s->key_size, 1, false, &equal);
        t->occurrence = at - equal;
    }
}

static hd__cpu_nth_cut cut_of(const hd__cpu_nth_range *range)
{
    const uint64_t width = range->high - range->low;
    const int bits = width == 0 ? 0 : 64 - __builtin_clzll(width);
    return (hd__cpu_nth_cut){range->low, bits > HD__CPU_NTH_BITS ? bits - HD__CPU_NTH_BITS : 0};
}

// Where each thread puts its keys of the wanted buckets, region after region. Of each target: key =
// how many keys of the part are less than its bucket's, occurrence = how many it has, position =
// where its region begins. The bucket of a target where it is not to be packed, as it is one key.
static int64_t lay_out_regions(hd__cpu_selection *s, const part *p, const hd__cpu_nth_cut *cut,
                               uint8_t *wanted)
{
    int64_t below = 0, regions = 0, k = 0;
    for (int b = 0; b < BUCKETS; b++) {
        int64_t here = 0;
        const int64_t before = k;
        for (int t = 0; t < p->threads; t++) {
            const int64_t own = tools_of(s, t)->total[b];
            tools_of(s, t)->total[b] = p->offset + regions + here;
            here += own;
        }
        for (; k < p->count && s->target[p->first + k].rank - p->base < below + here; k++) {
            hd__cpu_nth_target *t = &s->target[p->first + k];
            if (cut->shift == 0) {
                t->key = cut->low + (uint64_t)b;
                t->occurrence = t->rank - p->base - below;
                continue;
            }
            t->key = (uint64_t)below;
            t->occurrence = here;
            t->position = p->offset + regions;
        }
        wanted[b] = k > before;
        below += here;
        regions += wanted[b] ? here : 0;
    }
    return regions;
}

// Ranks of keys that are NaN, or the greatest integer there is; and of a range of one key. The
// targets that are left.
static int64_t answer_at_once(hd__cpu_selection *s, const part *p, const hd__cpu_nth_range *range)
{
    int64_t left = 0;
    const int64_t numbers = p->n - range->nans;
    for (int64_t k = 0; k < p->count; k++) {
        hd__cpu_nth_target *t = &s->target[p->first + k];
        const int64_t at = t->rank - p->base;
        if (at < numbers && range->low != range->high) {
            left++;
            continue;
        }
        t->key = at < numbers ? range->low : greatest_key(s);
        t->occurrence = at < numbers ? at : at - numbers;
    }
    return left;
}

static int threads_for(const hd__cpu_selection *s, int64_t n)
{
    const int64_t most = n / hd__cpu_tune.nth_row + 1;
    return s->threads < most ? s->threads : (int)most;
}

// The first round makes the two arrays, where the row has none.
static hd_status make_room(hd_context *ctx, hd__cpu_selection *s, int64_t keys, size_t *bytes)
{
    if (s->keys[0] != NULL || keys == 0) return HD_OK;
    *bytes = 2 * hd__padded((size_t)keys * s->key_size);
    s->keys[0] = hd__allocate(ctx, *bytes);
    if (s->keys[0] == NULL) return HD_ERROR_MEMORY;
    s->keys[1] = s->keys[0] + *bytes / 2;
    return HD_OK;
}

static void select_in(hd__cpu_selection *s, part p);

// The regions of a part that was packed into the other array.
static void select_regions(hd__cpu_selection *s, const part *p)
{
    for (int64_t k = 0, next; k < p->count; k = next) {
        const hd__cpu_nth_target t = s->target[p->first + k];
        for (next = k + 1; next < p->count; next++)
            if (s->target[p->first + next].position != t.position) break;
        part region = {.n = t.occurrence,
                       .base = p->base + (int64_t)t.key,
                       .offset = t.position,
                       .side = p->side != 0 ? 0 : 1,
                       .first = p->first + k,
                       .count = next - k,
                       .threads = threads_for(s, t.occurrence)};
        region.keys = s->keys[region.side] + (size_t)region.offset * s->key_size;
        select_in(s, region);
    }
}

// One round: false where nothing is left. *keys: how many are to be packed.
static bool count_part(work *w, part *p, const hd__cpu_nth_range *range, uint8_t *wanted,
                       int64_t *keys)
{
    p->count = answer_at_once(w->s, p, range);
    if (p->count == 0) return false;
    w->cut = cut_of(range);
    w->wanted = wanted;
    w->pass = w->p->side < 0;
    run(w, count);
    if (is_over(w->s)) return false;
    *keys = lay_out_regions(w->s, p, &w->cut, wanted);
    return w->cut.shift > 0;
}

static void select_in(hd__cpu_selection *s, part p)
{
    uint8_t wanted[BUCKETS];
    int64_t keys;
    work w = {.s = s, .p = &p};
    if (p.n <= hd__cpu_tune.nth_sorted) {
        sort_small(s, &p);
        return;
    }
    const hd__cpu_nth_range range = range_of(&w);
    if (is_over(s) || !count_part(&w, &p, &range, wanted, &keys)) return;
    w.to = s->keys[p.side != 0 ? 0 : 1];
    run(&w, pack);
    if (!is_over(s)) select_regions(s, &p);
}

// ---- A window of keys by a sample (Floyd and Rivest 1975) ---------------------------------------

// Keys of the sample, and how far from the ranks' own places in it the window reaches: four
// standard deviations of the place of the median. It has about a sixteenth of all keys.
enum { SAMPLE = 4096, REACH = 128 };

static void keep_window(const work *w, tools *t, int64_t begin, int64_t end)
{
    const size_t size = w->s->key_size;
    t->below = t->kept = 0;
    for (int64_t at = begin; at < end && goes_on(w, at); at += BLOCK) {
        const int64_t n = block_at(at, end);
        const char *keys = keys_at(w, t, at, n);
        const int64_t m = w->s->loops->within(keys, n, w->low, w->high, t->packed, &t->below);
        if (t->kept + m <= w->room)
            memcpy(t->window + (size_t)t->kept * size, t->packed, (size_t)m * size);
        t->kept += m;
    }
}

// The keys of elements spread over the row, in order, into room for SAMPLE of them.
static void take_sample(const hd__cpu_selection *s, char *keys, char *other)
{
    _Alignas(8) char element[8];
    uint64_t mixed = 0;
    for (int64_t k = 0; k < SAMPLE; k++) {
        mixed = mixed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const int64_t stride = s->n / SAMPLE, at = k * stride + (int64_t)(mixed >> 33) % stride;
        hd__gather(&s->in, at, 1, element);
        s->to_keys(element, 1, s->descending, keys + (size_t)k * s->key_size);
    }
    hd__cpu_sort_run(s->order, &s->order->elements, keys, other, keys, SAMPLE);
}

// The window of keys that has the targets, most probably.
static void place_window(const hd__cpu_selection *s, work *w)
{
    const double share = (double)SAMPLE / (double)s->n;
    const int64_t first = (int64_t)((double)s->target[0].rank * share) - REACH;
    const int64_t last = (int64_t)((double)s->target[s->targets - 1].rank * share) + REACH;
    tools *t = tools_of(s, 0);
    take_sample(s, t->block, t->packed);
    w->low = first < 0 ? 0 : key_at(s, t->block, first);
    w->high = last >= SAMPLE ? greatest_key(s) : key_at(s, t->block, last);
}

// Whether all targets were within the window, and are found: keys[0] has those of all threads, one
// after another.
static bool select_kept(hd__cpu_selection *s, const work *w)
{
    part p = {.side = 0, .count = s->targets};
    for (int t = 0; t < w->p->threads; t++) {
        const tools *own = tools_of(s, t);
        if (own->kept > w->room) return false;
        memmove(s->keys[0] + (size_t)p.n * s->key_size, own->window,
                (size_t)own->kept * s->key_size);
        p.n += own->kept;
        p.base += own->below;
    }
    if (s->target[0].rank < p.base || s->target[s->targets - 1].rank >= p.base + p.n) return false;
    p.keys = s->keys[0];
    p.threads = threads_for(s, p.n);
    select_in(s, p);
    return true;
}

// Ranks near each other in a long row take one pass. *found: whether they did.
static hd_status select_in_window(hd_context *ctx, hd__cpu_selection *s, bool *found)
{
    const part p = {.n = s->n, .side = -1, .threads = s->threads};
    work w = {.s = s, .p = &p, .room = s->n / (4 * s->threads)};
    const int64_t apart = s->target[s->targets - 1].rank - s->target[0].rank;
    size_t bytes = 0;
    *found = false;
    if (s->n < hd__cpu_tune.nth_window || s->keys[0] != NULL || apart > s->n / 16) return HD_OK;
    place_window(s, &w);
    HD_TRY(make_room(ctx, s, w.room * s->threads, &bytes));
    for (int t = 0; t < s->threads; t++)
        tools_of(s, t)->window = s->keys[0] + (size_t)(t * w.room) * s->key_size;
    run(&w, keep_window);
    *found = !is_over(s) && select_kept(s, &w);
    hd__release(ctx, s->keys[0], bytes);
    s->keys[0] = s->keys[1] = NULL;
    return HD_OK;
}

static hd_status select_row(hd_context *ctx, hd__cpu_selection *s)
{
    uint8_t wanted[BUCKETS];
    int64_t keys;
    size_t bytes = 0;
    bool found;
    part p = {.n = s->n, .side = -1, .count = s->targets, .threads = s->threads};
    work w = {.s = s, .p = &p};
    HD_TRY(select_in_window(ctx, s, &found));
    if (found || is_over(s)) return HD_OK;
    if (!s->measured) hd__cpu_nth_measure(s);
    if (is_over(s) || !count_part(&w, &p, &s->range, wanted, &keys)) return HD_OK;
    HD_TRY(make_room(ctx, s, keys, &bytes));
    w.to = s->keys[0];
    w.pass = 2;
    run(&w, pack);
    if (!is_over(s)) select_regions(s, &p);
    if (bytes == 0) return HD_OK;
    hd__release(ctx, s->keys[0], bytes);
    s->keys[0] = s->keys[1] = NULL;
    return HD_OK;
}

// ---- Positions --------------------------------------------------------------------------------

static bool needs_position(const hd__cpu_selection *s, const hd__cpu_nth_target *t)
{
    return s->indexed || (hd__is_float(s->type) && t->key == greatest_key(s));
}

// Each thread counts the keys of the groups in its range.
static void count_equal(const work *w, tools *t, int64_t begin, int64_t end)
{
    memset(t->equal, 0, sizeof t->equal);
    for (int64_t at = begin; at < end && goes_on(w, at); at += BLOCK) {
        const int64_t n = block_at(at, end);
        const char *keys = keys_at(w, t, at, n);
        for (int64_t g = 0; g < w->groups; g++)
            t->equal[g] += w->s->loops->equal(keys, n, w->s->target[w->group[g]].key);
    }
}

static int64_t nth_equal(const hd__cpu_selection *s, const char *keys, uint64_t key, int64_t k)
{
    int64_t i = 0;
    for (;; i++)
        if (key_at(s, keys, i) == key && k-- == 0) return i;
}

// The targets of group g whose elements are in this block, of which there are `here` after `before`
// others. Each thread has its own targets: those whose occurrence is in its range.
static void place(const work *w, const char *keys, int64_t g, int64_t before, int64_t here,
                  int64_t start)
{
    for (int64_t k = w->group[g]; k < w->group[g + 1]; k++) {
        hd__cpu_nth_target *t = &w->s->target[k];
        if (t->occurrence < before || t->occurrence >= before + here) continue;
        t->position = start + nth_equal(w->s, keys, t->key, t->occurrence - before);
    }
}

static void find_equal(const work *w, tools *t, int64_t begin, int64_t end)
{
    for (int64_t at = begin; at < end && goes_on(w, at); at += BLOCK) {
        const int64_t n = block_at(at, end);
        const char *keys = keys_at(w, t, at, n);
        for (int64_t g = 0; g < w->groups; g++) {
            const int64_t here = w->s->loops->equal(keys, n, w->s->target[w->group[g]].key);
            if (here > 0) place(w, keys, g, t->equal[g], here, at);
            t->equal[g] += here;
        }
    }
}

static void find_positions(hd__cpu_selection *s)
{
    int64_t group[GROUPS + 1], groups = 0, k = 0;
    for (; k < s->targets; k++) {
        hd__cpu_nth_target *t = &s->target[k];
        t->position = -1;
        if (needs_position(s, t) && (groups == 0 || s->target[k - 1].key != t->key))
            group[groups++] = k;
    }
    if (groups == 0) return;
    group[groups] = k;
    const part row = {.n = s->n, .side = -1, .threads = s->threads};
    work w = {.s = s, .p = &row, .group = group, .groups = groups, .pass = 3};
    run(&w, count_equal);
    if (is_over(s)) return;
    for (int64_t g = 0; g < groups; g++) {
        int64_t before = 0;
        for (int t = 0; t < s->threads; t++) {
            const int64_t own = tools_of(s, t)->equal[g];
            tools_of(s, t)->equal[g] = before;
            before += own;
        }
    }
    w.pass = 4;
    run(&w, find_equal);
}

// ---- The row ----------------------------------------------------------------------------------

static int by_rank(const void *a, const void *b)
{
    const hd__cpu_nth_target *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

hd_status hd__cpu_nth_select(hd_context *ctx, hd__cpu_selection *s, const int64_t *ranks,
                             int64_t count)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++) s->target[k] = (hd__cpu_nth_target){.rank = ranks[k]};
    qsort(s->target, (size_t)count, sizeof *s->target, by_rank);
    for (int64_t k = 0; k < count; k++)
        if (k == 0 || s->target[k].rank != s->target[kept - 1].rank)
            s->target[kept++] = s->target[k];
    s->targets = kept;
    HD_TRY(select_row(ctx, s));
    if (!is_over(s)) find_positions(s);
    return is_over(s) ? HD_ERROR_CANCELLED : HD_OK;
}

const hd__cpu_nth_target *hd__cpu_nth_find(const hd__cpu_selection *s, int64_t rank)
{
    int64_t low = 0, high = s->targets - 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (s->target[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return &s->target[low];
}

void hd__cpu_nth_element(const hd__cpu_selection *s, uint64_t key, void *element)
{
    const size_t size = hd__size_of(s->type);
    const uint64_t mask = size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * size) - 1;
    const uint64_t top = (uint64_t)1 << (8 * size - 1);
    uint64_t bits = (s->descending ? ~key : key) & mask;
    if (hd__is_float(s->type))
        bits = bits & top ? bits ^ top : ~bits & mask;
    else if (hd__kind_of(s->type) == HD__SIGNED)
        bits ^= top;
    const uint8_t of_8 = (uint8_t)bits;
    const uint16_t of_16 = (uint16_t)bits;
    const uint32_t of_32 = (uint32_t)bits;
    memcpy(element,
           size == 1   ? (const void *)&of_8
           : size == 2 ? (const void *)&of_16
           : size == 4 ? (const void *)&of_32
                       : &bits,
           size);
}
