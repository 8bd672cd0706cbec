// SPDX-License-Identifier: Apache-2.0
// Pointer jumping: Wyllie's list ranking (1979), and the roots of forests. A word holds the node a
// node points to and the number of links up to it; each step reads one array of words and writes
// another.
#include "list.h"
#include "cpu/runtime/progress.h"
#include "cpu/runtime/team.h"

typedef struct jumping {
    int64_t n;
    int threads;
    uint64_t *words, *next_words;
    bool bad;
} jumping;

static uint64_t word_of(int64_t links, int64_t node)
{
    return (uint64_t)links << 32 | (uint64_t)node;
}

static uint32_t node_of(uint64_t word)
{
    return (uint32_t)word;
}

static int64_t links_of(uint64_t word)
{
    return (int64_t)(word >> 32);
}

static bool read_range(const jumping *j, const hd_view *next, const uint8_t *marks, int64_t begin,
                       int64_t end)
{
    int64_t links[HD__CPU_LIST_BLOCK];
    bool bad = false;
    for (int64_t at = begin; at < end; at += HD__CPU_LIST_BLOCK) {
        const int64_t m = end - at < HD__CPU_LIST_BLOCK ? end - at : HD__CPU_LIST_BLOCK;
        hd__read_links(next, at, m, links);
        for (int64_t k = 0; k < m; k++) {
            const bool is_node = marks == NULL || marks[at + k];
            const int64_t link = is_node ? links[k] : at + k;
            bad |= link == HD__BAD_LINK;
            j->words[at + k] = word_of(link != at + k, link);
        }
    }
    return bad;
}

static void read_words(jumping *j, const hd_view *next, const uint8_t *marks)
{
    bool bad = false;
#pragma omp parallel for num_threads(j->threads) schedule(static)                                  \
    reduction(||                                                                                   \
              : bad) if (j->threads > 1)
    for (int t = 0; t < j->threads; t++)
        bad = read_range(j, next, marks, hd__cpu_range_begin(j->n, t, j->threads),
                         hd__cpu_range_begin(j->n, t + 1, j->threads)) ||
              bad;
    j->bad = bad;
}

// One step; says whether any node points further than before.
static bool jump_range(const jumping *j, int64_t begin, int64_t end)
{
    const int64_t distance = hd__cpu_tune.list_prefetch_distance;
    const uint64_t *words = j->words;
    bool moved = false;
    for (int64_t i = begin; i < end; i++) {
        if (i + distance < end) __builtin_prefetch(&words[node_of(words[i + distance])]);
        const uint64_t here = words[i], there = words[node_of(here)];
        j->next_words[i] = word_of(links_of(here) + links_of(there), node_of(there));
        moved |= node_of(here) != node_of(there);
    }
    return moved;
}

static bool jump(jumping *j)
{
    bool moved = false;
#pragma omp parallel for num_threads(j->threads) schedule(static)                                  \
    reduction(||                                                                                   \
              : moved) if (j->threads > 1)
    for (int t = 0; t < j->threads; t++)
        moved = jump_range(j, hd__cpu_range_begin(j->n, t, j->threads),
                           hd__cpu_range_begin(j->n, t + 1, j->threads)) ||
                moved;
    uint64_t *kept = j->words;
    j->words = j->next_words;
    j->next_words = kept;
    return moved;
}

// Whether every node points to an end: one that points to itself over no links.
static bool all_at_ends(const jumping *j)
{
    bool ends = true;
#pragma omp parallel for num_threads(j->threads) schedule(static) reduction(&& : ends) if (j->threads > 1)
    for (int64_t i = 0; i < j->n; i++)
        ends = ends && j->words[node_of(j->words[i])] == word_of(0, node_of(j->words[i]));
    return ends;
}

// ---- Lists --------------------------------------------------------------------------------------

// before[i]: whether a node links to i. False if two link to one.
static bool find_heads(const jumping *j, uint8_t *before)
{
    int64_t links = 0, linked = 0;
    memset(before, 0, (size_t)j->n);
#pragma omp parallel for num_threads(j->threads) schedule(static) reduction(+ : links) if (j->threads > 1)
    for (int64_t i = 0; i < j->n; i++) {
        if (links_of(j->words[i]) == 0) continue;
        __atomic_store_n(&before[node_of(j->words[i])], 1, __ATOMIC_RELAXED);
        links++;
    }
#pragma omp parallel for num_threads(j->threads) schedule(static) reduction(+ : linked) if (j->threads > 1)
    for (int64_t i = 0; i < j->n; i++) linked += before[i];
    return links == linked;
}

// What is added to a node's rank, kept where its list ends.
static void find_bases(const jumping *j, const hd__list_job *job, const uint8_t *before,
                       int64_t *base)
{
    int64_t begin = 0;
    for (int64_t i = 0; i < j->n; i++) {
        if (before[i] || (job->marks != NULL && !job->marks[i])) continue;
        const int64_t last = links_of(j->words[i]);
        base[node_of(j->words[i])] = job->what == HD__LIST_RANKS    ? 0
                                     : job->what == HD__LIST_PLACES ? last
                                                                    : begin + last;
        if (job->offsets != NULL) job->offsets[job->counts->lists] = begin;
        job->counts->lists++;
        begin += last + 1;
    }
    if (job->offsets != NULL) job->offsets[job->counts->lists] = begin;
}

static void write_ranks(const jumping *j, const hd__list_job *job, const int64_t *base)
{
    const int64_t blocks = (j->n + HD__CPU_LIST_BLOCK - 1) / HD__CPU_LIST_BLOCK;
#pragma omp parallel for num_threads(j->threads) schedule(static) if (j->threads > 1)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t numbers[HD__CPU_LIST_BLOCK];
        const int64_t at = b * HD__CPU_LIST_BLOCK,
                      m = j->n - at < HD__CPU_LIST_BLOCK ? j->n - at : HD__CPU_LIST_BLOCK;
        for (int64_t k = 0; k < m; k++) {
            const uint64_t word = j->words[at + k];
            const bool is_node = job->marks == NULL || job->marks[at + k];
            const int64_t rank = links_of(word);
            numbers[k] = !is_node                      ? -1
                         : job->what == HD__LIST_RANKS ? rank
                                                       : base[node_of(word)] - rank;
        }
        hd__cpu_write_numbers(&job->out, at, m, numbers);
    }
}

hd_status hd__cpu_pointer_jumping(hd_context *ctx, const hd__list_job *job, int threads)
{
    jumping j = {.n = job->next.shape[0], .threads = threads};
    const size_t row = hd__padded((size_t)j.n * sizeof(uint64_t));
    unsigned char *memory = hd__scratch(ctx, 3 * row + (size_t)j.n);
    if (memory == NULL) return HD_ERROR_MEMORY;
    j.words = (uint64_t *)memory;
    j.next_words = (uint64_t *)(memory + row);
    int64_t *base = (int64_t *)(memory + 2 * row);
    uint8_t *before = memory + 3 * row;
    const int steps = hd__jumps(j.n);
    read_words(&j, &job->next, job->marks);
    if (!j.bad) j.bad = !find_heads(&j, before);
    hd__cpu_progress progress = hd__cpu_progress_of(ctx);
    for (int k = 0; k < steps && !j.bad && hd__cpu_goes_on_in(&progress, 0, 1000, k, steps); k++)
        jump(&j);
    HD_TRY(hd__cpu_progress_status(&progress));
    if (j.bad || !all_at_ends(&j)) return hd__explain_lists(ctx, job);
    job->counts->steps = steps;
    job->counts->work = j.n * steps;
    find_bases(&j, job, before, base);
    write_ranks(&j, job, base);
    return HD_OK;
}

// ---- Forests ------------------------------------------------------------------------------------

static void write_roots(const jumping *j, const hd__forest_job *job)
{
    const int64_t blocks = (j->n + HD__CPU_LIST_BLOCK - 1) / HD__CPU_LIST_BLOCK;
#pragma omp parallel for num_threads(j->threads) schedule(static) if (j->threads > 1)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t roots[HD__CPU_LIST_BLOCK], depths[HD__CPU_LIST_BLOCK];
        const int64_t at = b * HD__CPU_LIST_BLOCK,
                      m = j->n - at < HD__CPU_LIST_BLOCK ? j->n - at : HD__CPU_LIST_BLOCK;
        for (int64_t k = 0; k < m; k++) {
            roots[k] = node_of(j->words[at + k]);
            depths[k] = links_of(j->words[at + k]);
        }
        hd__cpu_write_numbers(&job->out, at, m, roots);
        if (!hd__is_empty(&job->depth)) hd__cpu_write_numbers(&job->depth, at, m, depths);
    }
}

hd_status hd__cpu_forest(hd_context *ctx, const void *any, const char **why)
{
    const hd__forest_job *job = any;
    jumping j = {.n = job->parent.shape[0]};
    if (j.n > HD__CPU_LIST_MAX) {
        *why = "more than 2^30 nodes";
        return HD__DECLINED;
    }
    j.threads = hd__cpu_threads_for(ctx, j.n, 4 * sizeof(uint64_t));
    const size_t row = hd__padded((size_t)j.n * sizeof(uint64_t));
    unsigned char *memory = hd__scratch(ctx, 2 * row);
    if (memory == NULL) return HD_ERROR_MEMORY;
    j.words = (uint64_t *)memory;
    j.next_words = (uint64_t *)(memory + row);
    read_words(&j, &job->parent, NULL);
    int steps = 0;
    const int most = hd__jumps(j.n);
    hd__cpu_progress progress = hd__cpu_progress_of(ctx);
    for (bool moved = !j.bad;
         moved && steps <= most && hd__cpu_goes_on_in(&progress, 0, 1000, steps, most + 1); steps++)
        moved = jump(&j);
    HD_TRY(hd__cpu_progress_status(&progress));
    if (j.bad || !all_at_ends(&j)) return hd__explain_forest(ctx, job);
    job->counts->steps = steps;
    job->counts->work = j.n * steps;
    write_roots(&j, job);
    return HD_OK;
}
