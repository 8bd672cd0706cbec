// SPDX-License-Identifier: Apache-2.0
// A merge sort with all threads: one thread sorts each run that fits its cache, then every pass
// merges neighbouring runs, cut into chunks by merge path, until one run is left.
#include "comparators.h"
#include "core/system/float_state.h"
#include "cpu/runtime/team.h"

int hd__cpu_comparison_threads(const hd_context *ctx, int64_t n, size_t size)
{
    if (ctx == NULL) return 1;
    return hd__cpu_threads_for(ctx, n, size * (size_t)hd__cpu_tune.comparison_cost);
}

static int64_t run_length(int64_t n, size_t size, int threads)
{
    int64_t run = hd__cpu_tune.merge_sort_run_min;
    const int64_t range = threads > 1 ? n / (hd__cpu_tune.merge_sort_runs_per_thread * threads) : n;
    while (2 * run * (int64_t)size <= hd__cpu_tune.merge_sort_run_bytes && 2 * run <= range)
        run *= 2;
    return run;
}

int64_t hd__cpu_merge_sort_splits(int64_t n)
{
    return n / hd__min_of(hd__cpu_tune.merge_sort_run_min, hd__cpu_tune.merge_chunk) + 2;
}

typedef struct sort {
    const hd__cpu_merge_sorting *s;
    int64_t run, runs;
    char *place; // of the runs: s->to or s->other, whichever the passes end rightly with
    bool done;
} sort;

static void sort_run(const sort *t, int64_t r)
{
    const hd__cpu_merge_sorting *s = t->s;
    const size_t size = s->loops->size, at = (size_t)(r * t->run) * size;
    char *out = t->place + at, *room = (t->place == s->to ? s->other : s->to) + at;
    hd__cpu_sort_run(s->order, s->loops, out, room, s->from + at,
                     hd__min_of(t->run, s->n - r * t->run));
}

// +1: every run joins on to the next; -1: every run comes strictly before the one before it.
static int boundaries(const sort *t)
{
    const size_t size = t->s->loops->size, step = (size_t)t->run * size;
    bool rises = true, falls = true;
    for (int64_t r = 1; r < t->runs && (rises || falls); r++) {
        const char *run = t->place + (size_t)r * step;
        const int64_t length = hd__min_of(t->run, t->s->n - r * t->run);
        rises = rises && !hd__precedes(t->s->order, run, run - size);
        falls = falls && hd__precedes(t->s->order, run + (size_t)(length - 1) * size, run - step);
    }
    return rises ? 1 : falls ? -1 : 0;
}

// All runs in their order, or in the reverse of it, to their place in the result.
static void place_run(const sort *t, int64_t r, int direction)
{
    const hd__cpu_merge_sorting *s = t->s;
    const size_t size = s->loops->size;
    const int64_t begin = r * t->run, length = hd__min_of(t->run, s->n - begin);
    const int64_t at = direction > 0 ? begin : s->n - begin - length;
    if (direction < 0 || t->place != s->to)
        memcpy(s->to + (size_t)at * size, t->place + (size_t)begin * size, (size_t)length * size);
}

// Reversed runs that lie in the result itself must leave it first.
static void make_way(sort *t)
{
    const hd__cpu_merge_sorting *s = t->s;
    if (t->place != s->to) return;
    memcpy(s->other, s->to, (size_t)s->n * s->loops->size);
    t->place = s->other;
}

static bool goes_on(const sort *t, int64_t thousandths)
{
    return t->s->progress == NULL || hd__cpu_goes_on(t->s->progress, thousandths);
}

// By all threads of a region: whether all of them go on.
static bool all_go_on(const sort *t, int64_t thousandths)
{
    if (t->s->progress == NULL) return true;
    goes_on(t, thousandths);
#pragma omp barrier
    const bool on = !hd__cpu_is_stopped(t->s->progress);
#pragma omp barrier
    return on;
}

static void merge_passes(const sort *t)
{
    const hd__cpu_merge_sorting *s = t->s;
    char *from = t->place, *to = t->place == s->to ? s->other : s->to;
    for (int64_t run = t->run; run < s->n; run *= 2) {
        // About as long as sorting the runs, together.
        if (!all_go_on(t, 1000 - 500 * t->run / run)) return;
        const char *b = from + (size_t)run * s->loops->size;
        const hd__cpu_merge_pass m = {.order = s->order,
                                      .loops = s->loops,
                                      .a = from,
                                      .b = b,
                                      .na = run,
                                      .nb = run,
                                      .n = s->n,
                                      .out = to,
                                      .split = s->split};
        hd__cpu_merge_in_team(&m);
        char *const sorted = to;
        to = from, from = sorted;
    }
}

// By all threads of a region, which share `direction`.
static void join_runs(sort *t, int *direction)
{
#pragma omp single
    {
        *direction = boundaries(t);
        if (*direction < 0) make_way(t);
    }
    if (*direction != 0) {
#pragma omp for schedule(static)
        for (int64_t r = 0; r < t->runs; r++) place_run(t, r, *direction);
    } else {
        merge_passes(t);
    }
}

void hd__cpu_merge_sort(const hd_context *ctx, const hd__cpu_merge_sorting *s)
{
    const int threads = hd__cpu_comparison_threads(ctx, s->n, s->loops->size);
    const int64_t most = hd__cpu_tune.merge_sort_run_bytes / (int64_t)s->loops->size;
    if (threads == 1 && s->n <= most) { // one run
        hd__cpu_sort_run(s->order, s->loops, s->to, s->other, s->from, s->n);
        return;
    }
    sort t = {s, run_length(s->n, s->loops->size, threads), 0, s->to, false};
    t.runs = (s->n + t.run - 1) / t.run;
    for (int64_t run = t.run; run < s->n; run *= 2) t.place = t.place == s->to ? s->other : s->to;
    int direction = 0;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
#pragma omp for schedule(dynamic, 1)
        for (int64_t r = 0; r < t.runs; r++)
            if (goes_on(&t, 500 * r / t.runs)) sort_run(&t, r);
        if (all_go_on(&t, 500)) join_runs(&t, &direction);
    }
}
