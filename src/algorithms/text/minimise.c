// SPDX-License-Identifier: Apache-2.0
// Equivalent states by refinement of a partition, always with the smaller half of what was split
// (J. Hopcroft, "An n log n algorithm for minimizing states in a finite automaton", 1971).
#include <string.h>

#include "lexer.h"

typedef struct partition {
    const hd__dfa *dfa;
    int32_t *element, *place;     // states, those of a block together; where each one is
    int32_t *block, *first, *end; // of each state; of each block
    int32_t *marked;              // states of a block that lie at its front, being marked
    int32_t blocks;
    int32_t *before, *before_end; // states that a class leads to each state from
    int32_t *touched, *splitter;  // blocks; a copy of one block's predecessors
    int32_t *work;                // block * classes + class, to be split by
    bool *waits;                  // whether it is among them
    int64_t works;
} partition;

static hd_status rows(hd__frame *f, partition *p, int32_t *block)
{
    const int64_t n = p->dfa->states, k = p->dfa->classes;
    int32_t **const row[] = {&p->element, &p->place,   &p->first,    &p->end,
                             &p->marked,  &p->touched, &p->splitter, NULL};
    hd_view v;
    p->block = block;
    for (int r = 0; row[r] != NULL; r++) {
        const hd_status status = hd__frame_row(f, HD_I32, n, &v);
        if (status != HD_OK) return status;
        *row[r] = v.data;
    }
    hd_status status = hd__frame_row(f, HD_I32, n * k, &v);
    if (status != HD_OK) return status;
    p->before = v.data;
    status = hd__frame_row(f, HD_I32, n * k + 1, &v);
    if (status != HD_OK) return status;
    p->before_end = v.data;
    status = hd__frame_row(f, HD_I32, n * k, &v);
    if (status != HD_OK) return status;
    p->work = v.data;
    status = hd__frame_row(f, HD_BOOL, n * k, &v);
    if (status != HD_OK) return status;
    p->waits = v.data;
    return HD_OK;
}

// before[before_end[j - 1] .. before_end[j] - 1] with j = class * states + state: a counting sort.
static void invert(partition *p)
{
    const int32_t n = p->dfa->states, k = p->dfa->classes;
    memset(p->before_end, 0, ((size_t)n * (size_t)k + 1) * sizeof *p->before_end);
    for (int32_t s = 0; s < n; s++)
        for (int32_t c = 0; c < k; c++) p->before_end[c * n + p->dfa->next[s * k + c] + 1]++;
    for (int32_t j = 0; j < n * k; j++) p->before_end[j + 1] += p->before_end[j];
    for (int32_t s = n - 1; s >= 0; s--) // from begins to ends and back again
        for (int32_t c = k - 1; c >= 0; c--) {
            const int32_t j = c * n + p->dfa->next[s * k + c];
            p->before[--p->before_end[j + 1]] = s;
        }
    // each before_end[j + 1] is now where j begins: it ends where j + 1 begins
}

static int32_t begin_of(const partition *p, int32_t j)
{
    return p->before_end[j + 1];
}

static int32_t end_of(const partition *p, int32_t j)
{
    const int32_t all = p->dfa->states * p->dfa->classes;
    return j + 1 < all ? p->before_end[j + 2] : all;
}

static void add_work(partition *p, int32_t block)
{
    for (int32_t c = 0; c < p->dfa->classes; c++) {
        const int32_t w = block * p->dfa->classes + c;
        if (p->waits[w]) continue;
        p->waits[w] = true;
        p->work[p->works++] = w;
    }
}

// States of one key, one after another, become a block.
static void begin(partition *p)
{
    const int32_t n = p->dfa->states;
    int32_t placed = 0, rules = -1;
    for (int32_t s = 0; s < n; s++)
        if (p->dfa->accept[s] > rules) rules = p->dfa->accept[s];
    for (int32_t key = -2; key <= rules; key++) { // the start, none, rule 0, ...
        const int32_t from = placed;
        for (int32_t s = 0; s < n; s++) {
            if ((s == HD__LEX_START ? -2 : p->dfa->accept[s]) != key) continue;
            p->block[s] = p->blocks, p->place[s] = placed, p->element[placed++] = s;
        }
        if (placed == from) continue;
        p->first[p->blocks] = from, p->end[p->blocks] = placed, p->marked[p->blocks] = 0;
        p->blocks++;
    }
    memset(p->waits, 0, (size_t)n * (size_t)p->dfa->classes * sizeof *p->waits);
    for (int32_t b = 0; b < p->blocks; b++) add_work(p, b);
}

// Moves a state among the marked ones at the front of its block; whether it is the first.
static bool mark(partition *p, int32_t s)
{
    const int32_t b = p->block[s], to = p->first[b] + p->marked[b], at = p->place[s];
    const int32_t other = p->element[to];
    p->element[to] = s, p->place[s] = to;
    p->element[at] = other, p->place[other] = at;
    return p->marked[b]++ == 0;
}

// The smaller of the marked and the other states becomes a block of its own.
static void split(partition *p, int32_t b)
{
    const int32_t marked = p->marked[b], size = p->end[b] - p->first[b],
                  middle = p->first[b] + marked;
    p->marked[b] = 0;
    if (marked == size) return;
    const int32_t made = p->blocks++;
    if (marked <= size - marked) {
        p->first[made] = p->first[b], p->end[made] = middle, p->first[b] = middle;
    } else {
        p->first[made] = middle, p->end[made] = p->end[b], p->end[b] = middle;
    }
    p->marked[made] = 0;
    for (int32_t k = p->first[made]; k < p->end[made]; k++) p->block[p->element[k]] = made;
    add_work(p, made);
}

static void refine(partition *p, int32_t block, int32_t class)
{
    const int32_t n = p->dfa->states;
    int32_t found = 0, touched = 0;
    for (int32_t k = p->first[block]; k < p->end[block]; k++) {
        const int32_t j = class * n + p->element[k];
        for (int32_t i = begin_of(p, j); i < end_of(p, j); i++) p->splitter[found++] = p->before[i];
    }
    for (int32_t k = 0; k < found; k++) {
        const int32_t s = p->splitter[k];
        if (mark(p, s)) p->touched[touched++] = p->block[s];
    }
    for (int32_t k = 0; k < touched; k++) split(p, p->touched[k]);
}

hd_status hd__dfa_minimise(hd__frame *f, const hd__dfa *dfa, int32_t *block, int32_t *blocks)
{
    partition p = {.dfa = dfa};
    const hd_status status = rows(f, &p, block);
    if (status != HD_OK) return status;
    invert(&p);
    begin(&p);
    while (p.works > 0) {
        const int32_t w = p.work[--p.works];
        p.waits[w] = false;
        refine(&p, w / dfa->classes, w % dfa->classes);
    }
    *blocks = p.blocks;
    return HD_OK;
}
