// SPDX-License-Identifier: Apache-2.0
// Exact splitters: the key at a global position is found bit by bit from the top, by counting, over
// all ranks and for all positions at once, the keys below a guess (multisequence selection; compare
// V. Harsh, L. Kale and E. Solomonik, "Histogram sort with sampling", SPAA 2019, who count, too).
#include "splitters.h"

#include <stdlib.h>
#include <string.h>

// ---- Ordinals: unsigned numbers in the order of hd_sort -----------------------------------------

typedef struct ordinals {
    const unsigned char *key;
    size_t size;
    int bits;
    uint64_t nan_above; // floats: magnitudes above it are NaN
    bool is_signed, is_float, is_bool, descending;
} ordinals;

bool hd__mpi_has_ordinals(hd_type type)
{
    return type >= HD_I8 && type <= HD_BOOL;
}

static ordinals ordinals_of(hd_view keys, bool descending)
{
    const hd_type t = keys.type;
    return (ordinals){.key = keys.data,
                      .size = hd_type_size(t),
                      .bits = t == HD_BOOL ? 1 : (int)(8 * hd_type_size(t)),
                      .nan_above = t == HD_F16    ? 0x7c00u
                                   : t == HD_BF16 ? 0x7f80u
                                   : t == HD_F32  ? 0x7f800000u
                                                  : (uint64_t)0x7ff << 52,
                      .is_signed = t >= HD_I8 && t <= HD_I64,
                      .is_float = t >= HD_F16 && t <= HD_F64,
                      .is_bool = t == HD_BOOL,
                      .descending = descending};
}

static uint64_t read_key(const ordinals *o, int64_t i)
{
    const unsigned char *at = o->key + (size_t)i * o->size;
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (o->size) {
    case 1: return memcpy(&one, at, 1), one;
    case 2: return memcpy(&two, at, 2), two;
    case 4: return memcpy(&four, at, 4), four;
    default: return memcpy(&eight, at, 8), eight;
    }
}

// Every NaN is the greatest, in either direction; descending turns the others over.
static uint64_t ordinal(const ordinals *o, int64_t i)
{
    const uint64_t all = o->bits == 64 ? UINT64_MAX : ((uint64_t)1 << o->bits) - 1;
    const uint64_t sign = (uint64_t)1 << (o->bits - 1), x = read_key(o, i);
    uint64_t v = x;
    if (o->is_float && (x & ~sign) > o->nan_above) return all;
    if (o->is_bool) v = x != 0;
    if (o->is_signed) v = x ^ sign;
    if (o->is_float) v = x & sign ? ~x & all : x | sign;
    return o->descending ? all - v : v;
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
    for (int bit = o->bits - 1; bit >= 0 && status == HD_OK; bit--) {
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
    const ordinals o = ordinals_of(keys, descending);
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
