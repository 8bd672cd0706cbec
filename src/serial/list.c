// SPDX-License-Identifier: Apache-2.0
// Lists as they are defined: from each first node, in the order of their indices, link by link; and
// Wyllie's pointer jumping, step by step.
#include "core/convert.h"
#include "patterns/list/list.h"
#include "core/reader.h"
#include "serial.h"

typedef struct worker {
    const hd__list_job *job;
    int64_t n;
    int64_t *links, *ranks, *next_links, *next_ranks; // the last two for jumping
    uint8_t *heads;
} worker;

static void store(const hd_view *out, int64_t i, int64_t value)
{
    _Alignas(8) unsigned char raw[8];
    hd__convert(out->type, raw, HD_I64, &value, 1);
    hd__scatter(out, i, 1, raw);
}

// ranks[i] = the links from i to the end of its list.
static void walk_lists(worker *w)
{
    for (int64_t i = 0; i < w->n; i++) {
        if (!w->heads[i]) continue;
        int64_t length = 1, at = i;
        for (; w->links[at] != at; at = w->links[at]) length++;
        for (at = i; length > 0; at = w->links[at]) w->ranks[at] = --length;
    }
    w->job->counts->steps = w->job->counts->work = w->n;
}

static void exchange(int64_t **a, int64_t **b)
{
    int64_t *kept = *a;
    *a = *b;
    *b = kept;
}

static void jump(worker *w)
{
    const int steps = hd__jumps(w->n);
    const uint8_t *marks = w->job->marks;
    for (int64_t i = 0; i < w->n; i++) {
        if (marks != NULL && !marks[i]) w->links[i] = i;
        w->ranks[i] = w->links[i] != i;
    }
    for (int k = 0; k < steps; k++) {
        for (int64_t i = 0; i < w->n; i++) {
            w->next_ranks[i] = w->ranks[i] + w->ranks[w->links[i]];
            w->next_links[i] = w->links[w->links[i]];
        }
        exchange(&w->links, &w->next_links);
        exchange(&w->ranks, &w->next_ranks);
    }
    w->job->counts->steps = steps;
    w->job->counts->work = w->n * steps;
}

// What is asked for, from the ranks: `begin` is where the list of first node i begins. The links
// may have been jumped over: they are read again.
static void store_lists(worker *w)
{
    const hd__list_job *job = w->job;
    int64_t begin = 0;
    hd__read_links(&job->next, 0, w->n, w->links);
    for (int64_t i = 0; i < w->n; i++)
        if (job->marks != NULL && !job->marks[i]) store(&job->out, i, -1);
    for (int64_t i = 0; i < w->n; i++) {
        if (!w->heads[i]) continue;
        const int64_t last = w->ranks[i];
        if (job->offsets != NULL) job->offsets[job->counts->lists] = begin;
        for (int64_t at = i, k = 0; k <= last; at = w->links[at], k++)
            store(&job->out, at,
                  job->what == HD__LIST_RANKS    ? w->ranks[at]
                  : job->what == HD__LIST_PLACES ? k
                                                 : begin + k);
        begin += last + 1;
        job->counts->lists++;
    }
    if (job->offsets != NULL) job->offsets[job->counts->lists] = begin;
}

hd_status hd__serial_list(hd_context *ctx, const void *any, const char **why)
{
    worker w = {.job = any};
    (void)why;
    w.n = w.job->next.shape[0];
    const size_t row = (size_t)w.n * sizeof(int64_t);
    w.links = hd__scratch(ctx, 4 * row + (size_t)w.n);
    if (w.links == NULL) return HD_ERROR_MEMORY;
    w.ranks = w.links + w.n;
    w.next_links = w.ranks + w.n;
    w.next_ranks = w.next_links + w.n;
    w.heads = (uint8_t *)(w.next_ranks + w.n);
    hd__read_links(&w.job->next, 0, w.n, w.links);
    HD_TRY(hd__check_lists(ctx, w.job, w.links, w.heads));
    if (w.job->method == HD_LIST_WYLLIE)
        jump(&w);
    else
        walk_lists(&w);
    store_lists(&w);
    return HD_OK;
}

// ---- Forests ------------------------------------------------------------------------------------

// depth[i] is 1 + the links to the root once it is known, root[i] the root then.
static int64_t follow(const int64_t *links, int64_t *root, int64_t *depth, int64_t i)
{
    int64_t at = i, length = 0;
    for (; depth[at] == 0 && links[at] != at; at = links[at]) length++;
    const int64_t top = depth[at] ? root[at] : at, above = depth[at] ? depth[at] : 1;
    const int64_t followed = length;
    for (at = i; length >= 0; at = links[at], length--) {
        root[at] = top;
        depth[at] = above + length;
    }
    return followed;
}

hd_status hd__serial_forest(hd_context *ctx, const void *any, const char **why)
{
    const hd__forest_job *job = any;
    (void)why;
    const int64_t n = job->parent.shape[0];
    int64_t *links = hd__scratch(ctx, 3 * (size_t)n * sizeof(int64_t)), followed = 0;
    if (links == NULL) return HD_ERROR_MEMORY;
    int64_t *root = links + n, *depth = root + n;
    hd__read_links(&job->parent, 0, n, links);
    HD_TRY(hd__check_forest(ctx, job, links));
    memset(depth, 0, (size_t)n * sizeof *depth);
    for (int64_t i = 0; i < n; i++) followed += follow(links, root, depth, i);
    for (int64_t i = 0; i < n; i++) {
        store(&job->out, i, root[i]);
        if (!hd__is_empty(&job->depth)) store(&job->depth, i, depth[i] - 1);
    }
    job->counts->steps = job->counts->work = followed;
    return HD_OK;
}

// ---- Moves --------------------------------------------------------------------------------------

hd_status hd__serial_permute(hd_context *ctx, const void *any, const char **why)
{
    const hd__permute_job *job = any;
    (void)ctx, (void)why;
    _Alignas(HD__ALIGNMENT) unsigned char element[HD_MAX_ELEMENT];
    const int64_t n = job->gathers ? job->out.shape[0] : job->in.shape[0];
    for (int64_t i = 0; i < n; i++) {
        if (job->destination[i] < 0) continue;
        hd__gather(&job->in, job->gathers ? job->destination[i] : i, 1, element);
        hd__scatter(&job->out, job->gathers ? i : job->destination[i], 1, element);
    }
    return HD_OK;
}
