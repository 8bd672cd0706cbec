// SPDX-License-Identifier: Apache-2.0
// List ranking by sublists (Helman and JaJa 2001), two visits a node. A walk waits for memory, so
// each thread walks many sublists at once: one step of each in turn, its next node prefetched.
//
//   scatter     every node becomes a word; one of list_splitter_stride is a splitter
//   walk        a sublist from each splitter to the next; visited nodes keep sublist and offset in it
//   leftovers   nodes before the first splitter of a list, and short lists: sublists from their heads
//   chain       the sublists of each list are few: one thread goes along them
//   gather      every node adds its offset in the sublist to the sublist's own
//
// The checks cost no pass of their own: a sublist that runs into a visited node, a splitter that
// two sublists reach, more visits than nodes, or nodes that stay unvisited are no list.
#include "list.h"
#include "cpu/runtime/progress.h"
#include "cpu/runtime/team.h"

// A word: bits 0-31 the next node, or, of a visited one, its offset in its sublist; bits 32-61 the
// sublist of a splitter or of a visited node; bit 32 of any other: it has a node before it.
#define SPLITTER   ((uint64_t)1 << 63)
#define VISITED    ((uint64_t)1 << 62)
#define NO_NODE    (SPLITTER | VISITED)
#define HAS_BEFORE ((uint64_t)1 << 32)

enum { WALKS_MAX = 64 }; // the most of list_walks

typedef struct sublist {
    uint32_t start, length;
    int32_t after;    // the sublist after it in its list, or -1
    uint32_t reached; // by another sublist
} sublist;

typedef struct ranking {
    const hd__list_job *job;
    int64_t n, nodes;
    int threads;
    uint64_t *words;
    sublist *sublists;
    int64_t splitters, count; // of sublists; the first are those of splitters
    int64_t *base;            // of a sublist: what its first node gets
    uint32_t *left;           // nodes that no splitter's sublist has
    int64_t left_count;
    bool bad;
    hd__cpu_progress progress;
} ranking;

static uint64_t load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static void set_bad(ranking *r)
{
    __atomic_store_n(&r->bad, true, __ATOMIC_RELAXED);
}

// ---- Scatter ------------------------------------------------------------------------------------

// A fixed but random place in each run of list_splitter_stride nodes: lists laid out on purpose do
// not meet it.
static int64_t splitter_of(const ranking *r, int64_t k)
{
    const int64_t stride = hd__cpu_tune.list_splitter_stride;
    uint64_t x = ((uint64_t)k + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    const int64_t room = r->n - k * stride < stride ? r->n - k * stride : stride;
    return k * stride + (int64_t)((x >> 32) * (uint64_t)room >> 32);
}

static int64_t scatter_range(ranking *r, int64_t begin, int64_t end)
{
    int64_t links[HD__CPU_LIST_BLOCK], nodes = 0;
    const uint8_t *marks = r->job->marks;
    for (int64_t at = begin; at < end; at += HD__CPU_LIST_BLOCK) {
        const int64_t m = end - at < HD__CPU_LIST_BLOCK ? end - at : HD__CPU_LIST_BLOCK;
        bool bad = false;
        hd__read_links(&r->job->next, at, m, links);
        for (int64_t k = 0; k < m; k++) {
            const bool is_node = marks == NULL || marks[at + k];
            bad |= is_node && links[k] == HD__BAD_LINK;
            nodes += is_node;
            r->words[at + k] = is_node ? (uint64_t)links[k] & 0xffffffffu : NO_NODE;
        }
        if (bad) set_bad(r);
    }
    return nodes;
}

static void scatter(ranking *r)
{
    int64_t nodes = 0;
#pragma omp parallel for num_threads(r->threads) schedule(static) reduction(+ : nodes) if (r->threads > 1)
    for (int t = 0; t < r->threads; t++)
        nodes += scatter_range(r, hd__cpu_range_begin(r->n, t, r->threads),
                               hd__cpu_range_begin(r->n, t + 1, r->threads));
    r->nodes = nodes;
    for (int64_t k = 0; k < r->splitters; k++) {
        const int64_t i = splitter_of(r, k);
        r->sublists[k] = (sublist){(uint32_t)i, 0, -1, 0};
        // A splitter that is no node begins an empty sublist.
        if (r->words[i] != NO_NODE) r->words[i] |= SPLITTER | (uint64_t)k << 32;
    }
}

// ---- Walk ---------------------------------------------------------------------------------------

typedef struct walk {
    uint32_t at, length; // the node to visit, and how many were
    int64_t sublist;
} walk;

static void end_walk(ranking *r, const walk *w, int64_t after)
{
    sublist *p = &r->sublists[w->sublist];
    p->length = w->length;
    p->after = (int32_t)after;
    if (after >= 0 && __atomic_exchange_n(&r->sublists[after].reached, 1, __ATOMIC_RELAXED))
        set_bad(r); // two before one
}

// Visits the first node of a sublist; false if it was the whole sublist. A splitter's word stays:
// others look for it.
static bool begin_walk(ranking *r, walk *w, int64_t k)
{
    const uint32_t start = r->sublists[k].start;
    const uint64_t word = load(&r->words[start]);
    *w = (walk){(uint32_t)word, 1, k};
    if (word == NO_NODE) return false;
    if (!(word & SPLITTER))
        __atomic_store_n(&r->words[start], VISITED | (uint64_t)k << 32, __ATOMIC_RELAXED);
    if (w->at != start) return true;
    end_walk(r, w, -1);
    return false;
}

// One step; false at the end of the sublist.
static bool step_walk(ranking *r, walk *w)
{
    uint64_t *place = &r->words[w->at];
    const uint64_t word = load(place);
    if (word & SPLITTER) {
        if (word & VISITED) // no node; only a list that the marks did not follow leads here
            set_bad(r);
        else
            end_walk(r, w, (int64_t)(word >> 32 & 0x3fffffff));
        return false;
    }
    if (word & VISITED) {
        set_bad(r); // two before one, or a circle
        return false;
    }
    __atomic_store_n(place, VISITED | (uint64_t)w->sublist << 32 | w->length, __ATOMIC_RELAXED);
    w->length++;
    if ((uint32_t)word == w->at) {
        end_walk(r, w, -1);
        return false;
    }
    w->at = (uint32_t)word;
    return true;
}

// Which thousandths of the call a part of it is: of the nodes, the walks are two thirds.
typedef struct share {
    int64_t first, length;
} share;
static const share splitters_share = {100, 550}, left_share = {650, 150}, gather_share = {800, 200};

static void walk_sublists(ranking *r, int64_t begin, int64_t end, share told)
{
    const int64_t walks_max = hd__cpu_tune.list_walks, first = begin;
    walk walks[WALKS_MAX];
    int count = 0;
    while ((count > 0 || begin < end) &&
           hd__cpu_goes_on_in(&r->progress, told.first, told.length, begin - first, end - first)) {
        while (count < walks_max && begin < end) {
            if (!begin_walk(r, &walks[count], begin++)) continue;
            __builtin_prefetch(&r->words[walks[count].at], 1);
            count++;
        }
        for (int k = 0; k < count;) {
            if (step_walk(r, &walks[k])) {
                __builtin_prefetch(&r->words[walks[k].at], 1);
                k++;
            } else if (begin < end && begin_walk(r, &walks[k], begin++)) {
                __builtin_prefetch(&r->words[walks[k].at], 1);
                k++;
            } else {
                walks[k] = walks[--count];
            }
        }
    }
}

static void walk_all(ranking *r, int64_t begin, int64_t end, share told)
{
    const int64_t m = end - begin;
#pragma omp parallel for num_threads(r->threads) schedule(static) if (r->threads > 1)
    for (int t = 0; t < r->threads; t++)
        walk_sublists(r, begin + hd__cpu_range_begin(m, t, r->threads),
                      begin + hd__cpu_range_begin(m, t + 1, r->threads), told);
}

// ---- Leftovers ----------------------------------------------------------------------------------

static int64_t collect_range(const ranking *r, int64_t begin, int64_t end, uint32_t *left)
{
    int64_t found = 0;
    for (int64_t i = begin; i < end; i++)
        if (!(r->words[i] & NO_NODE)) {
            if (left != NULL) left[found] = (uint32_t)i;
            found++;
        }
    return found;
}

static hd_status collect_left(hd_context *ctx, ranking *r)
{
    int64_t at[1025];
    at[0] = 0;
#pragma omp parallel for num_threads(r->threads) schedule(static) if (r->threads > 1)
    for (int t = 0; t < r->threads; t++)
        at[t + 1] = collect_range(r, hd__cpu_range_begin(r->n, t, r->threads),
                                  hd__cpu_range_begin(r->n, t + 1, r->threads), NULL);
    for (int t = 0; t < r->threads; t++) at[t + 1] += at[t];
    r->left_count = at[r->threads];
    if (r->left_count == 0) return HD_OK;
    r->left = hd__allocate(ctx, (size_t)r->left_count * sizeof *r->left);
    if (r->left == NULL) return HD_ERROR_MEMORY;
#pragma omp parallel for num_threads(r->threads) schedule(static) if (r->threads > 1)
    for (int t = 0; t < r->threads; t++)
        collect_range(r, hd__cpu_range_begin(r->n, t, r->threads),
                      hd__cpu_range_begin(r->n, t + 1, r->threads), r->left + at[t]);
    return HD_OK;
}

// Nodes with a leftover before them get their flag; a visited one already has a node before it. (A
// splitter's is counted when the sublist that begins here reaches it.)
static void flag_left(ranking *r)
{
#pragma omp parallel for num_threads(r->threads) schedule(static) if (r->threads > 1)
    for (int64_t k = 0; k < r->left_count; k++) {
        const uint32_t next = (uint32_t)load(&r->words[r->left[k]]);
        if (next == r->left[k]) continue;
        const uint64_t word = load(&r->words[next]);
        if (word & SPLITTER) continue;
        if (word & VISITED ||
            __atomic_fetch_or(&r->words[next], HAS_BEFORE, __ATOMIC_RELAXED) & HAS_BEFORE)
            set_bad(r);
    }
}

static bool is_head(const ranking *r, int64_t k)
{
    return !(r->words[r->left[k]] & HAS_BEFORE);
}

// The sublists that begin at heads among the leftovers, in the order of their nodes, after those of
// the splitters.
static hd_status add_sublists(hd_context *ctx, ranking *r)
{
    int64_t heads = 0;
    for (int64_t k = 0; k < r->left_count; k++) heads += is_head(r, k);
    sublist *grown = hd__allocate(ctx, (size_t)(r->splitters + heads + 1) * sizeof *grown);
    if (grown == NULL) return HD_ERROR_MEMORY;
    memcpy(grown, r->sublists, (size_t)r->splitters * sizeof *grown);
    r->sublists = grown;
    r->count = r->splitters;
    for (int64_t k = 0; k < r->left_count; k++)
        if (is_head(r, k)) grown[r->count++] = (sublist){r->left[k], 0, -1, 0};
    return HD_OK;
}

static void check_left(ranking *r)
{
    int64_t missed = 0, visits = 0;
#pragma omp parallel for num_threads(r->threads) schedule(static) reduction(+ : missed) if (r->threads > 1)
    for (int64_t k = 0; k < r->left_count; k++) missed += !(r->words[r->left[k]] & VISITED);
    for (int64_t k = 0; k < r->count; k++) visits += r->sublists[k].length;
    if (missed > 0 || visits != r->nodes) set_bad(r);
}

// ---- Chain --------------------------------------------------------------------------------------

// Gives every sublist of the list that begins with sublist k what its first node gets.
static int64_t chain_list(ranking *r, int64_t k, int64_t begin, int64_t *sublists)
{
    int64_t length = 0, before = 0;
    for (int64_t p = k; p >= 0; p = r->sublists[p].after)
        length += r->sublists[p].length, ++*sublists;
    for (int64_t p = k; p >= 0; before += r->sublists[p].length, p = r->sublists[p].after)
        r->base[p] = r->job->what == HD__LIST_RANKS    ? length - 1 - before
                     : r->job->what == HD__LIST_PLACES ? before
                                                       : begin + before;
    return length;
}

// The sublists that begin lists, in the order of their nodes: those of splitters and of leftovers
// are so each.
static void chain(ranking *r)
{
    hd__list_counts *counts = r->job->counts;
    int64_t a = 0, b = r->splitters, begin = 0, longest = 0, most = 0, seen = 0;
    for (;;) {
        while (a < r->splitters && (r->sublists[a].reached || r->sublists[a].length == 0)) a++;
        if (a == r->splitters && b == r->count) break;
        const bool splitter =
            a < r->splitters && (b == r->count || r->sublists[a].start < r->sublists[b].start);
        int64_t sublists = 0;
        if (r->job->offsets != NULL) r->job->offsets[counts->lists] = begin;
        begin += chain_list(r, splitter ? a++ : b++, begin, &sublists);
        counts->lists++;
        seen += sublists;
        if (sublists > most) most = sublists;
    }
    if (r->job->offsets != NULL) r->job->offsets[counts->lists] = begin;
    if (begin != r->nodes) r->bad = true; // the rest is circles of splitters' sublists
    for (int64_t k = 0; k < r->count; k++)
        if (r->sublists[k].length > longest) longest = r->sublists[k].length;
    counts->steps = longest + most + 1;
    counts->work = 2 * r->nodes + seen;
}

// ---- Gather -------------------------------------------------------------------------------------

static void gather_range(ranking *r, int64_t begin, int64_t end)
{
    int64_t numbers[HD__CPU_LIST_BLOCK];
    const int64_t sign = r->job->what == HD__LIST_RANKS ? -1 : 1;
    for (int64_t at = begin;
         at < end && hd__cpu_goes_on_in(&r->progress, gather_share.first, gather_share.length,
                                        at - begin, end - begin);
         at += HD__CPU_LIST_BLOCK) {
        const int64_t m = end - at < HD__CPU_LIST_BLOCK ? end - at : HD__CPU_LIST_BLOCK;
        for (int64_t k = 0; k < m; k++) {
            const uint64_t word = r->words[at + k];
            const int64_t local = word & SPLITTER ? 0 : (int64_t)(uint32_t)word;
            numbers[k] = word == NO_NODE ? -1 : r->base[word >> 32 & 0x3fffffff] + sign * local;
        }
        hd__cpu_write_numbers(&r->job->out, at, m, numbers);
    }
}

static void gather(ranking *r)
{
#pragma omp parallel for num_threads(r->threads) schedule(static) if (r->threads > 1)
    for (int t = 0; t < r->threads; t++)
        gather_range(r, hd__cpu_range_begin(r->n, t, r->threads),
                     hd__cpu_range_begin(r->n, t + 1, r->threads));
}

// ---- All of it ----------------------------------------------------------------------------------

static hd_status finish(hd_context *ctx, ranking *r)
{
    if (!r->bad) {
        walk_all(r, r->splitters, r->count, left_share);
        HD_TRY(hd__cpu_progress_status(&r->progress));
        check_left(r);
    }
    if (r->bad) return hd__explain_lists(ctx, r->job);
    r->base = hd__allocate(ctx, (size_t)(r->count + 1) * sizeof *r->base);
    if (r->base == NULL) return HD_ERROR_MEMORY;
    chain(r);
    if (!r->bad) gather(r);
    hd__release(ctx, r->base, (size_t)(r->count + 1) * sizeof *r->base);
    return r->bad ? hd__explain_lists(ctx, r->job) : hd__cpu_progress_status(&r->progress);
}

static hd_status rank_left(hd_context *ctx, ranking *r)
{
    HD_TRY(collect_left(ctx, r));
    flag_left(r);
    const sublist *splitters = r->sublists;
    hd_status status = r->bad ? hd__explain_lists(ctx, r->job) : add_sublists(ctx, r);
    if (status == HD_OK) status = finish(ctx, r);
    const size_t bytes = (size_t)(r->count + 1) * sizeof *r->sublists;
    if (r->sublists != splitters) hd__release(ctx, r->sublists, bytes);
    hd__release(ctx, r->left, (size_t)r->left_count * sizeof *r->left);
    return status;
}

static hd_status rank_by_sublists(hd_context *ctx, const hd__list_job *job, int threads)
{
    const int64_t stride = hd__cpu_tune.list_splitter_stride;
    ranking r = {.job = job,
                 .n = job->next.shape[0],
                 .threads = threads,
                 .progress = hd__cpu_progress_of(ctx)};
    r.splitters = (r.n + stride - 1) / stride;
    const size_t words = hd__padded((size_t)r.n * sizeof *r.words);
    unsigned char *memory = hd__scratch(ctx, words + (size_t)r.splitters * sizeof *r.sublists);
    if (memory == NULL) return HD_ERROR_MEMORY;
    r.words = (uint64_t *)memory;
    r.sublists = (sublist *)(memory + words);
    scatter(&r);
    if (!r.bad && hd__cpu_goes_on(&r.progress, splitters_share.first))
        walk_all(&r, 0, r.splitters, splitters_share);
    HD_TRY(hd__cpu_progress_status(&r.progress));
    if (r.bad) return hd__explain_lists(ctx, job);
    return rank_left(ctx, &r);
}

void hd__cpu_write_numbers(const hd_view *out, int64_t start, int64_t m, const int64_t *numbers)
{
    unsigned char raw[HD__CPU_LIST_BLOCK * 8];
    const bool contiguous = hd__is_contiguous(out);
    void *to = contiguous ? (void *)(uintptr_t)hd__at(out, start) : raw;
    switch (hd__size_of(out->type)) {
    case 1:
        for (int64_t k = 0; k < m; k++) ((uint8_t *)to)[k] = (uint8_t)numbers[k];
        break;
    case 2:
        for (int64_t k = 0; k < m; k++) ((uint16_t *)to)[k] = (uint16_t)numbers[k];
        break;
    case 4:
        for (int64_t k = 0; k < m; k++) ((uint32_t *)to)[k] = (uint32_t)numbers[k];
        break;
    default: memcpy(to, numbers, (size_t)m * sizeof *numbers);
    }
    if (!contiguous) hd__scatter(out, start, m, raw);
}

hd_status hd__cpu_list(hd_context *ctx, const void *any, const char **why)
{
    const hd__list_job *job = any;
    const int64_t n = job->next.shape[0];
    if (n > HD__CPU_LIST_MAX) {
        *why = "more than 2^30 nodes";
        return HD__DECLINED;
    }
    const int threads = hd__cpu_threads_for(ctx, n, 4 * sizeof(uint64_t));
    return job->method == HD_LIST_WYLLIE ? hd__cpu_pointer_jumping(ctx, job, threads)
                                         : rank_by_sublists(ctx, job, threads);
}
