// SPDX-License-Identifier: Apache-2.0
// Multisequence selection by random pivots (C. A. R. Hoare, "Find", CACM 4, 1961, over many
// sequences at once): of the elements that may stand at a boundary each round takes one at random,
// the same for all ranks, counts how many stand before it, and drops it and all on its other side.
// All boundaries go together; about 2 ln n rounds.
#include "selection.h"

#include <stdlib.h>
#include <string.h>

// An element of all: bits that only its owner sets, so that they travel by "or".
typedef struct pivot {
    int64_t sequence, rank; // 1 more than they are; 0: there is none
} pivot;

typedef struct selection {
    hd_mpi *m;
    const hd__mpi_order *order;
    int sequences;
    const hd_view *keys;
    int64_t targets;
    const int64_t *target;
    int64_t *low, *high;       // of each part and target, between which the cut is
    int64_t *mine, *sum;       // numbers of each target, of this rank and of all
    int64_t *count, *position; // of keys before the pivot; and where it is, if it is here
    char *pivots;              // a pivot and its key for each target
    size_t size, pivot_bytes;
} selection;

static const void *key_at(const selection *s, int part, int64_t i)
{
    return (const char *)s->keys[part].data + (size_t)i * s->size;
}

static hd_status add_up(const selection *s)
{
    return hd__mpi_status(
        s->m, MPI_Allreduce(s->mine, s->sum, (int)s->targets, MPI_INT64_T, MPI_SUM, s->m->comm));
}

// The finalizer of splitmix64: the same number below n on all ranks.
static int64_t draw(int64_t round, int64_t j, int64_t n)
{
    uint64_t x = (uint64_t)round * 0x9e3779b97f4a7c15u + (uint64_t)j * 0xd1b54a32d192ed03u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (int64_t)((x ^ x >> 31) % (uint64_t)n);
}

// ---- The pivots of a round ----------------------------------------------------------------------

// The k-th of this rank's elements that may stand at target j.
static void offer(const selection *s, int64_t j, int64_t k)
{
    char *to = s->pivots + (size_t)j * s->pivot_bytes;
    int part = 0;
    for (;; part++) {
        const int64_t at = part * s->targets + j, n = s->high[at] - s->low[at];
        if (k < n) break;
        k -= n;
    }
    s->position[j] = s->low[part * s->targets + j] + k;
    const pivot p = {part + 1, s->m->rank + 1};
    memcpy(to, &p, sizeof p);
    memcpy(to + sizeof p, key_at(s, part, s->position[j]), s->size);
}

// *left: whether there is an element left for any target.
static hd_status choose(const selection *s, int64_t round, bool *left)
{
    hd_mpi *m = s->m;
    const int n = (int)s->targets;
    memset(s->pivots, 0, (size_t)s->targets * s->pivot_bytes);
    for (int64_t j = 0; j < s->targets; j++) {
        s->mine[j] = 0;
        for (int64_t at = j; at < s->sequences * s->targets; at += s->targets)
            s->mine[j] += s->high[at] - s->low[at];
    }
    hd_status status = add_up(s);
    if (status == HD_OK)
        status = hd__mpi_status(m, MPI_Scan(s->mine, s->count, n, MPI_INT64_T, MPI_SUM, m->comm));
    *left = false;
    for (int64_t j = 0; status == HD_OK && j < s->targets; j++) {
        if (s->sum[j] == 0) continue;
        *left = true;
        const int64_t k = draw(round, j, s->sum[j]) - (s->count[j] - s->mine[j]);
        if (k >= 0 && k < s->mine[j]) offer(s, j, k);
    }
    if (status != HD_OK || !*left) return status;
    return hd__mpi_status(m, MPI_Allreduce(MPI_IN_PLACE, s->pivots,
                                           (int)(s->targets * (int64_t)s->pivot_bytes), MPI_BYTE,
                                           MPI_BOR, m->comm));
}

// ---- Counts -------------------------------------------------------------------------------------

// How many keys of a part stand before the pivot, between low and high.
static int64_t count_before(const selection *s, int part, int64_t j, const pivot *p,
                            const void *key)
{
    const int64_t at = part * s->targets + j;
    const bool same = part + 1 == p->sequence, here = s->m->rank + 1 == p->rank;
    if (same && here) return s->position[j];
    const bool equal_before =
        same ? s->m->rank + 1 < p->rank : part + 1 < p->sequence; // where it is equal
    int64_t low = s->low[at], n = s->high[at];
    while (low < n) {
        const int64_t middle = low + (n - low) / 2;
        const void *x = key_at(s, part, middle);
        if (equal_before ? !hd__mpi_before(s->order, key, x) : hd__mpi_before(s->order, x, key))
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

static hd_status count(const selection *s)
{
    for (int64_t j = 0; j < s->targets; j++) {
        const char *from = s->pivots + (size_t)j * s->pivot_bytes;
        pivot p;
        memcpy(&p, from, sizeof p);
        s->mine[j] = 0;
        for (int part = 0; p.rank > 0 && part < s->sequences; part++) {
            int64_t *to = &s->count[part * s->targets + j];
            *to = count_before(s, part, j, &p, from + sizeof p);
            s->mine[j] += *to;
        }
    }
    return add_up(s);
}

// A pivot with `sum` elements before it stands before the target, or at it or behind.
static void narrow(const selection *s)
{
    for (int64_t j = 0; j < s->targets; j++) {
        pivot p;
        memcpy(&p, s->pivots + (size_t)j * s->pivot_bytes, sizeof p);
        for (int part = 0; p.rank > 0 && part < s->sequences; part++) {
            const int64_t at = part * s->targets + j;
            const bool is_it = part + 1 == p.sequence && s->m->rank + 1 == p.rank;
            if (s->sum[j] < s->target[j])
                s->low[at] = s->count[at] + is_it;
            else
                s->high[at] = s->count[at];
        }
    }
}

// ---- All rounds ---------------------------------------------------------------------------------

static hd_status run(selection *s, int64_t *cut)
{
    hd_status status = HD_OK;
    bool left = s->targets > 0;
    for (int64_t k = 0; k < s->sequences * s->targets; k++)
        s->low[k] = 0, s->high[k] = s->keys[k / s->targets].shape[0];
    for (int64_t round = 0; left && status == HD_OK; round++) {
        status = choose(s, round, &left);
        if (status == HD_OK && left) status = count(s);
        if (status == HD_OK && left) narrow(s);
    }
    for (int64_t k = 0; k < s->sequences * s->targets; k++) {
        cut[k] = s->low[k];
        if (k % s->targets > 0 && cut[k] < cut[k - 1]) cut[k] = cut[k - 1];
    }
    return status;
}

hd_status hd__mpi_select(hd_mpi *m, hd_status status, const hd__mpi_order *order, int sequences,
                         const hd_view *keys, int64_t targets, const int64_t *target, int64_t *cut)
{
    selection s = {.m = m,
                   .order = order,
                   .sequences = sequences,
                   .keys = keys,
                   .targets = targets,
                   .target = target,
                   .size = hd_type_size(order->type)};
    const size_t n = (size_t)targets + 1, parts = (size_t)sequences;
    s.pivot_bytes = sizeof(pivot) + s.size;
    int64_t *memory = calloc(n * (3 * parts + 3), sizeof *memory);
    s.pivots = calloc(n, s.pivot_bytes);
    if (status == HD_OK && (memory == NULL || s.pivots == NULL))
        status = hd__mpi_fail(m, HD_ERROR_MEMORY, "could not allocate the pivots");
    status = hd__mpi_agree(m, status);
    if (status == HD_OK) {
        s.low = memory, s.high = s.low + parts * n, s.count = s.high + parts * n;
        s.mine = s.count + parts * n, s.sum = s.mine + n, s.position = s.sum + n;
        status = run(&s, cut);
    }
    free(memory), free(s.pivots);
    return status;
}
