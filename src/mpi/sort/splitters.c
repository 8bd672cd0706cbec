// SPDX-License-Identifier: Apache-2.0
// Exact splitters: the key at a global position is found bit by bit from the top, by counting, over
// all ranks and for all positions at once, the keys below a guess (multisequence selection; compare
// V. Harsh, L. Kale and E. Solomonik, "Histogram sort with sampling", SPAA 2019, who count, too).
#include "splitters.h"

#include <stdlib.h>

#include "order.h"

typedef struct sorted_keys {
    hd_mpi *m;
    hd__mpi_order order;
    hd_view row;
    void *query; // of a device: a key for each target
} sorted_keys;

// How many of the keys are below v; with or_equal, not above it.
static int64_t count_below(const sorted_keys *k, uint64_t v, bool or_equal)
{
    const char *key = k->row.data;
    const size_t size = hd_type_size(k->order.type);
    int64_t low = 0, n = k->row.shape[0];
    while (low < n) {
        const int64_t middle = low + (n - low) / 2;
        const uint64_t x = hd__mpi_ordinal(&k->order, key + (size_t)middle * size);
        if (x < v || (or_equal && x == v))
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

// The same for all targets by the device that has the keys.
static hd_status search(const sorted_keys *k, int64_t targets, const uint64_t *v, bool or_equal,
                        int64_t *count)
{
    hd_mpi *m = k->m;
    const size_t size = hd_type_size(k->order.type);
    for (int64_t j = 0; j < targets; j++)
        hd__mpi_key_at(&k->order, v[j], (char *)k->query + (size_t)j * size);
    const hd_view queries = hd_view_of(k->order.type, k->query, targets);
    const hd_search_options o = {.descending = k->order.descending, .right = or_equal};
    return hd__mpi_failed(m, hd_search(m->ctx, k->row, queries, HD_VIEW(count, targets), &o));
}

static hd_status count_all(const sorted_keys *k, int64_t targets, const uint64_t *v, bool or_equal,
                           int64_t *count)
{
    if (k->row.space == HD_DEVICE) return search(k, targets, v, or_equal, count);
    for (int64_t j = 0; j < targets; j++) count[j] = count_below(k, v[j], or_equal);
    return HD_OK;
}

// ---- Guesses ------------------------------------------------------------------------------------

static hd_status add_up(hd_mpi *m, const int64_t *mine, int64_t *sum, int64_t n)
{
    return hd__mpi_status(m, MPI_Allreduce(mine, sum, (int)n, MPI_INT64_T, MPI_SUM, m->comm));
}

typedef struct guesses {
    int64_t targets;
    const int64_t *target;
    int64_t *mine, *sum;   // counts, and behind them how many ranks have failed
    uint64_t *key, *guess; // of the element at each target
} guesses;

// key[j] becomes the greatest that no more than target[j] keys are below: the key that stands
// there. A rank that fails goes on adding zeros.
static hd_status guess(const sorted_keys *k, guesses *g)
{
    hd_mpi *m = k->m;
    hd_status status = HD_OK, sent = HD_OK;
    for (int bit = hd__mpi_ordinal_bits(k->order.type) - 1; bit >= 0 && sent == HD_OK; bit--) {
        const uint64_t step = (uint64_t)1 << bit;
        for (int64_t j = 0; j < g->targets; j++) g->guess[j] = g->key[j] | step, g->mine[j] = 0;
        if (status == HD_OK) status = count_all(k, g->targets, g->guess, false, g->mine);
        sent = add_up(m, g->mine, g->sum, g->targets);
        for (int64_t j = 0; sent == HD_OK && j < g->targets; j++)
            if (g->sum[j] <= g->target[j]) g->key[j] = g->guess[j];
    }
    return status != HD_OK ? status : sent;
}

// sum of cut, of the keys below each guess; agrees on status.
static hd_status add_cuts(hd_mpi *m, hd_status status, guesses *g, const int64_t *cut)
{
    for (int64_t j = 0; j < g->targets; j++) g->mine[j] = cut[j];
    g->mine[g->targets] = status != HD_OK;
    const hd_status sent = add_up(m, g->mine, g->sum, g->targets + 1);
    if (sent != HD_OK) return sent;
    return g->sum[g->targets] > 0 ? hd__mpi_agree(m, status) : HD_OK;
}

// Of keys equal to the guess, as many stand before the target as are missing, those of the lower
// ranks first.
static hd_status take_equal(const sorted_keys *k, hd_status status, guesses *g, int64_t *cut)
{
    hd_mpi *m = k->m;
    int64_t *end = (int64_t *)g->guess;
    if (status == HD_OK) status = count_all(k, g->targets, g->key, false, cut);
    if (status == HD_OK) status = count_all(k, g->targets, g->key, true, end);
    status = add_cuts(m, status, g, cut);
    for (int64_t j = 0; status == HD_OK && j < g->targets; j++) {
        g->sum[j] = g->target[j] - g->sum[j]; // missing
        g->mine[j] = end[j] - cut[j];
        g->key[j] = (uint64_t)g->mine[j];
    }
    if (status != HD_OK) return status;
    status = hd__mpi_status(
        m, MPI_Scan(MPI_IN_PLACE, g->mine, (int)g->targets, MPI_INT64_T, MPI_SUM, m->comm));
    for (int64_t j = 0; status == HD_OK && j < g->targets; j++) {
        const int64_t equal = (int64_t)g->key[j], left = g->sum[j] - (g->mine[j] - equal);
        cut[j] += left < 0 ? 0 : left < equal ? left : equal;
    }
    return status;
}

hd_status hd__mpi_split(hd_mpi *m, hd_view keys, bool descending, int64_t targets,
                        const int64_t *target, int64_t *cut)
{
    const int64_t each = targets + 1;
    int64_t *memory = calloc((size_t)each, 5 * sizeof *memory);
    hd_status status = HD_OK;
    if (memory == NULL) status = hd__mpi_fail(m, HD_ERROR_MEMORY, "could not allocate the guesses");
    status = hd__mpi_agree(m, status);
    if (status == HD_OK) {
        const sorted_keys k = {m, {keys.type, descending, NULL}, keys, memory + 4 * each};
        guesses g = {targets,
                     target,
                     memory,
                     memory + each,
                     (uint64_t *)(memory + 2 * each),
                     (uint64_t *)(memory + 3 * each)};
        status = take_equal(&k, guess(&k, &g), &g, cut);
    }
    free(memory);
    return status;
}
