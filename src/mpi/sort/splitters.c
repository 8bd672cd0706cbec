// SPDX-License-Identifier: Apache-2.0
// Exact splitters: the key at a global position is found bit by bit from the top, by counting, over
// all ranks and for all positions at once, the keys below a guess (multisequence selection; compare
// V. Harsh, L. Kale and E. Solomonik, "Histogram sort with sampling", SPAA 2019, who count, too).
#include "splitters.h"

#include <stdlib.h>

#include "order.h"

typedef struct ordinals {
    hd__mpi_order order;
    const unsigned char *key;
    size_t size;
} ordinals;

static uint64_t ordinal(const ordinals *o, int64_t i)
{
    return hd__mpi_ordinal(&o->order, o->key + (size_t)i * o->size);
}

// How many of n sorted keys are below v; with or_equal, not above it.
static int64_t count_below(const ordinals *o, int64_t n, uint64_t v, bool or_equal)
{
    int64_t low = 0;
    while (low < n) {
        const int64_t middle = low + (n - low) / 2;
        const uint64_t x = ordinal(o, middle);
        if (x < v || (or_equal && x == v))
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

// ---- Guesses ------------------------------------------------------------------------------------

static hd_status add_up(hd_mpi *m, const int64_t *mine, int64_t *sum, int64_t n)
{
    return hd__mpi_status(m, MPI_Allreduce(mine, sum, (int)n, MPI_INT64_T, MPI_SUM, m->comm));
}

typedef struct guesses {
    int64_t targets;
    const int64_t *target;
    uint64_t *key;       // of the element at each target
    int64_t *mine, *sum; // counts
} guesses;

// key[j] becomes the greatest that no more than target[j] keys are below: the key that stands
// there.
static hd_status guess(hd_mpi *m, const ordinals *o, int64_t n, guesses *g)
{
    hd_status status = HD_OK;
    for (int bit = hd__mpi_ordinal_bits(o->order.type) - 1; bit >= 0 && status == HD_OK; bit--) {
        const uint64_t step = (uint64_t)1 << bit;
        for (int64_t j = 0; j < g->targets; j++)
            g->mine[j] = count_below(o, n, g->key[j] | step, false);
        status = add_up(m, g->mine, g->sum, g->targets);
        for (int64_t j = 0; status == HD_OK && j < g->targets; j++)
            if (g->sum[j] <= g->target[j]) g->key[j] |= step;
    }
    return status;
}

// Of keys equal to the guess, as many stand before the target as are missing, those of the lower
// ranks first.
static hd_status take_equal(hd_mpi *m, const ordinals *o, int64_t n, guesses *g, int64_t *cut)
{
    for (int64_t j = 0; j < g->targets; j++) {
        cut[j] = count_below(o, n, g->key[j], false);
        g->mine[j] = cut[j];
    }
    hd_status status = add_up(m, g->mine, g->sum, g->targets);
    for (int64_t j = 0; status == HD_OK && j < g->targets; j++) {
        g->sum[j] = g->target[j] - g->sum[j]; // missing
        g->mine[j] = count_below(o, n, g->key[j], true) - cut[j];
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
    const ordinals o = {{keys.type, descending, NULL}, keys.data, hd_type_size(keys.type)};
    int64_t *memory = calloc((size_t)targets + 1, 24);
    guesses g = {targets, target, NULL, NULL, NULL};
    hd_status status = HD_OK;
    if (memory == NULL) status = hd__mpi_fail(m, HD_ERROR_MEMORY, "could not allocate the guesses");
    status = hd__mpi_agree(m, status);
    if (status == HD_OK) {
        g.mine = memory, g.sum = memory + targets, g.key = (uint64_t *)(memory + 2 * targets);
        status = guess(m, &o, keys.shape[0], &g);
        if (status == HD_OK) status = take_equal(m, &o, keys.shape[0], &g, cut);
    }
    free(memory);
    return status;
}
