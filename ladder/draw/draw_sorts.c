// SPDX-License-Identifier: Apache-2.0
//
// Sorts by scans, step by step: radix sort by splits, quicksort by segmented scans, and a histogram
// by splits and a reduction by key. The rules are those of src/algorithms/sorts/.
#include <string.h>

#include "grid_cells.h"
#include "program.h"

enum { MAX = GRID_MAX_VALUES, QUICKSORT_MAX = 16, GREATEST_KEY = 0xffff };

static void put_row(grid_step *s, int32_t row, int level, const int64_t *x, int32_t n)
{
    for (int32_t i = 0; i < n; i++) grid_put(s, row, i, level, x[i]);
}

static void move(int64_t *keys, const int64_t *to, int32_t n)
{
    int64_t kept[MAX];
    memcpy(kept, keys, sizeof *keys * (size_t)n);
    for (int32_t i = 0; i < n; i++) keys[to[i]] = kept[i];
}

// ---- Splits -------------------------------------------------------------------------------------

enum { KEY, BIT, ZEROS, TO, RUN, BIN }; // rows

// Keys without the bit go first, the others behind them, each in the order they have.
static void draw_split(grid_drawing *g, int64_t *keys, int32_t n, int32_t bit)
{
    int64_t has[MAX], before[MAX], to[MAX], zeros = 0;
    grid_step *s = grid_next(g, false);
    for (int32_t i = 0; i < n; i++) {
        has[i] = keys[i] >> bit & 1;
        before[i] = zeros;
        zeros += !has[i];
    }
    for (int32_t i = 0; i < n; i++) to[i] = has[i] ? zeros + i - before[i] : before[i];
    put_row(s, KEY, GRID_PLAIN, keys, n);
    put_row(s, BIT, GRID_PLAIN, has, n);
    put_row(s, ZEROS, 1, before, n);
    put_row(s, TO, 0, to, n);
    for (int32_t i = 0; i < n; i++)
        if (has[i]) s->cell[TO][i].level = 2;
    grid_caption(s, "step %d, bit %d: a scan counts the zeros before a key, %d in all",
                 (int)g->steps, (int)bit, (int)zeros);
    move(keys, to, n);
}

static int32_t bits_of(int64_t x)
{
    int32_t bits = 0;
    for (; x > 0; x /= 2) bits++;
    return bits;
}

// The greatest key, or -1: they are not what splits take.
static int64_t greatest_of(const int64_t *keys, int32_t n)
{
    int64_t most = 0;
    for (int32_t i = 0; i < n; i++) {
        if (keys[i] < 0 || keys[i] > GREATEST_KEY) return -1;
        if (keys[i] > most) most = keys[i];
    }
    return most;
}

bool grid_draw_split_sort(grid_drawing *g, const int64_t *values, int32_t n)
{
    static const char *const rows[] = {"key", "bit", "zeros before", "goes to"};
    const int64_t most = greatest_of(values, n);
    const int32_t bits = most > 0 ? bits_of(most) : 1, levels = grid_levels(n);
    int64_t keys[MAX];
    if (n < 2 || most < 0) return false;
    grid_table(g, rows, 4, "place", n);
    memcpy(keys, values, sizeof *keys * (size_t)n);
    for (int32_t bit = 0; bit < bits; bit++) draw_split(g, keys, n, bit);
    put_row(grid_next(g, false), KEY, 0, keys, n);
    grid_caption(&g->step[g->steps - 1], "sorted: no split changes the order of what it keeps");
    grid_sum(g, "%d bits: %d scans of %d and as many moves, in %d x (%d + 1) = %d steps", (int)bits,
             (int)bits, (int)n, (int)bits, (int)levels, (int)(bits * (levels + 1)));
    return true;
}

// ---- Histogram ----------------------------------------------------------------------------------

// Ones reduced by key: a segmented scan over runs, whose last element is the run's sum.
static void draw_runs(grid_drawing *g, const int64_t *keys, int32_t n)
{
    int64_t run[MAX];
    grid_step *s = grid_next(g, false);
    int32_t runs = 0;
    for (int32_t i = 0; i < n; i++) {
        const bool head = i == 0 || keys[i] != keys[i - 1];
        run[i] = head ? 1 : run[i - 1] + 1;
        runs += head;
        grid_put(s, KEY, i, head ? 2 : GRID_PLAIN, keys[i]);
        grid_put(s, RUN, i, GRID_PLAIN, run[i]);
    }
    for (int32_t bin = 0; bin < g->columns; bin++) grid_put(s, BIN, bin, GRID_PLAIN, 0);
    for (int32_t i = 0; i < n; i++) {
        if (i + 1 < n && keys[i + 1] == keys[i]) continue;
        s->cell[RUN][i].level = 0;
        grid_put(s, BIN, (int32_t)keys[i], 0, run[i]);
    }
    grid_caption(s, "step %d: ones reduced by key; each of %d runs is as long as its bin is high",
                 (int)g->steps, (int)runs);
}

// As many bins as the greatest key needs; the places of the keys are columns, too.
bool grid_draw_sort_histogram(grid_drawing *g, const int64_t *values, int32_t n)
{
    static const char *const rows[] = {"key",     "bit",        "zeros before",
                                       "goes to", "of its run", "bin"};
    const int64_t most = greatest_of(values, n);
    int64_t keys[MAX];
    if (n < 1 || most < 0 || most >= GRID_MAX_COLUMNS) return false;
    const int32_t bins = (int32_t)most + 1, bits = bits_of(bins), levels = grid_levels(n);
    grid_table(g, rows, 6, "place, or bin", n > bins ? n : bins);
    memcpy(keys, values, sizeof *keys * (size_t)n);
    for (int32_t bit = 0; bit < bits; bit++) draw_split(g, keys, n, bit);
    draw_runs(g, keys, n);
    for (int32_t bin = bins; bin < g->columns; bin++)
        g->step[g->steps - 1].cell[BIN][bin] = (grid_cell){"", GRID_EMPTY};
    grid_sum(
        g,
        "%d bins, %d bits: %d scans of %d and %d moves in %d x (%d + 1) + %d = %d steps; nobody "
        "waits for a bin",
        (int)bins, (int)bits, (int)bits + 1, (int)n, (int)bits, (int)bits, (int)levels,
        (int)levels + 1, (int)(bits * (levels + 1) + levels + 1));
    return true;
}

// ---- Quicksort ----------------------------------------------------------------------------------

typedef struct segments {
    int64_t keys[MAX];
    int32_t begin[MAX + 1], count; // segment j: begin[j] .. begin[j + 1] - 1
} segments;

static const char *const quicksort_rows[] = {
    "key", "segment", "pivot", "less before", "equal before", "greater before", "goes to"};
enum { Q_KEY, Q_SEGMENT, Q_PIVOT, Q_BEFORE, Q_TO = Q_BEFORE + 3, Q_ROWS };

// The part of a segment that a key goes to: 0 less than the pivot, 1 equal, 2 greater.
static int part_of(int64_t key, int64_t pivot)
{
    return key < pivot ? 0 : key == pivot ? 1 : 2;
}

// Counts the parts of segment j, and says where its keys go.
static void split_segment(grid_step *s, const segments *q, int32_t j, int64_t step, int64_t *to,
                          int32_t *size)
{
    const int32_t begin = q->begin[j], end = q->begin[j + 1];
    const int64_t pivot = q->keys[begin + hd__pivot_place(step, j, end - begin)];
    size[0] = size[1] = size[2] = 0;
    for (int32_t i = begin; i < end; i++) {
        grid_put(s, Q_KEY, i, i == begin ? 2 : GRID_PLAIN, q->keys[i]);
        grid_put(s, Q_SEGMENT, i, GRID_PLAIN, j);
        grid_put(s, Q_PIVOT, i, 1, pivot);
        for (int part = 0; part < 3; part++)
            grid_put(s, Q_BEFORE + part, i, GRID_PLAIN, size[part]);
        to[i] = size[part_of(q->keys[i], pivot)]++;
    }
    for (int32_t i = begin; i < end; i++) {
        const int part = part_of(q->keys[i], pivot);
        to[i] += begin + (part > 0 ? size[0] : 0) + (part > 1 ? size[1] : 0);
        s->cell[Q_BEFORE + part][i].level = 1;
        grid_put(s, Q_TO, i, part == 0 ? 0 : part == 1 ? 1 : 2, to[i]);
    }
}

// Splits all segments. Whether one of them held keys that differ.
static bool split_all(grid_step *s, segments *q, int64_t step, int32_t n)
{
    const segments old = *q;
    int64_t to[MAX];
    bool split = false;
    q->count = 0;
    for (int32_t j = 0; j < old.count; j++) {
        int32_t size[3], at = old.begin[j];
        split_segment(s, &old, j, step, to, size);
        split = split || size[1] < old.begin[j + 1] - at;
        for (int part = 0; part < 3; at += size[part++])
            if (size[part] > 0) q->begin[q->count++] = at;
    }
    q->begin[q->count] = n;
    move(q->keys, to, n);
    return split;
}

bool grid_draw_quicksort(grid_drawing *g, const int64_t *values, int32_t n)
{
    segments q = {.begin = {0, n}, .count = 1};
    if (n < 2 || n > QUICKSORT_MAX) return false;
    grid_table(g, quicksort_rows, Q_ROWS, "place", n);
    memcpy(q.keys, values, sizeof *q.keys * (size_t)n);
    int32_t steps = 0;
    for (bool split = true; split; steps++) {
        const int32_t count = q.count;
        grid_step *s = grid_next(g, false);
        split = split_all(s, &q, steps, n);
        grid_caption(s, "step %d: %d segment%s, each split by a pivot of its own", (int)steps + 1,
                     (int)count, count == 1 ? "" : "s");
    }
    put_row(grid_next(g, false), Q_KEY, 0, q.keys, n);
    grid_caption(&g->step[g->steps - 1], "sorted: every segment has equal keys");
    grid_sum(g, "%d steps: %d segmented scans and reductions, and %d moves of %d keys", (int)steps,
             (int)(6 * steps), (int)steps, (int)n);
    return true;
}
