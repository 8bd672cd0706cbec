// SPDX-License-Identifier: Apache-2.0
// Merge path (Odeh and others 2012; Green and others 2012): a merge is cut into chunks of its
// output; a binary search along the diagonal gives how many elements of a and of b come before each
// cut, and every chunk is a merge of its own. Cuts are made monotone, so that the chunks are a
// permutation of the input whatever the comparison answers.
#include "comparators.h"

static int64_t chunk_of(int64_t both)
{
    const int64_t most = hd__cpu_tune.merge_chunk;
    return both < most ? both : most;
}

int64_t hd__cpu_merge_chunks(int64_t n, int64_t both)
{
    return (n + chunk_of(both) - 1) / chunk_of(both);
}

// One of the merges: where it begins in the output, and its two inputs.
typedef struct couple {
    int64_t base, na, nb;
    const char *a, *b;
} couple;

static couple couple_at(const hd__cpu_merge_pass *m, int64_t at)
{
    const size_t size = m->loops->size;
    couple c;
    c.base = at / (m->na + m->nb) * (m->na + m->nb);
    c.na = hd__min_of(m->na, m->n - c.base);
    c.nb = hd__min_of(m->nb, m->n - c.base - c.na);
    c.a = m->a + (size_t)c.base * size;
    c.b = m->b + (size_t)c.base * size;
    return c;
}

static void merge_chunk(const hd__cpu_merge_pass *m, int64_t c, int64_t chunk)
{
    const size_t size = m->loops->size;
    const int64_t at = c * chunk;
    const couple p = couple_at(m, at);
    const int64_t k = at - p.base, end = hd__min_of(k + chunk, p.na + p.nb), i = m->split[c];
    const int64_t i_end = end == p.na + p.nb ? p.na : m->split[c + 1];
    hd__cpu_merge_part(m, m->out + (size_t)at * size, p.a + (size_t)i * size, i_end - i,
                       p.b + (size_t)(k - i) * size, (end - i_end) - (k - i));
}

// The cut before chunk c. Where the one before it is known it is at most a chunk further: a short
// search, in memory that the merge is about to read.
static int64_t cut_before(const hd__cpu_merge_pass *m, int64_t c, int64_t chunk, int64_t before)
{
    const size_t size = m->loops->size;
    const couple p = couple_at(m, c * chunk);
    const int64_t k = c * chunk - p.base;
    if (before < 0 || k < chunk) return hd__cpu_split_at(p.a, p.na, p.b, p.nb, k, m->order, size);
    const int64_t from_b = k - chunk - before;
    return before + hd__cpu_split_at(p.a + (size_t)before * size, hd__min_of(p.na - before, chunk),
                                     p.b + (size_t)from_b * size, hd__min_of(p.nb - from_b, chunk),
                                     chunk, m->order, size);
}

void hd__cpu_merge_in_team(const hd__cpu_merge_pass *m)
{
    const int64_t both = m->na + m->nb, chunk = chunk_of(both),
                  chunks = hd__cpu_merge_chunks(m->n, both);
    int64_t before = -1; // the cut this thread found last
#pragma omp for schedule(static)
    for (int64_t c = 0; c < chunks; c++) before = m->split[c] = cut_before(m, c, chunk, before);
#pragma omp single
    for (int64_t c = 1; c < chunks; c++) {
        if (c * chunk % both == 0) continue; // a merge begins: 0
        const int64_t before = m->split[c - 1];
        if (m->split[c] < before) m->split[c] = before;
        if (m->split[c] > before + chunk) m->split[c] = before + chunk;
    }
#pragma omp for schedule(dynamic, 1)
    for (int64_t c = 0; c < chunks; c++)
        if (m->progress == NULL || hd__cpu_goes_on_in(m->progress, m->first, m->share, c, chunks))
            merge_chunk(m, c, chunk);
}
