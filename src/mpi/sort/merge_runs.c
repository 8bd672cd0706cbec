// SPDX-License-Identifier: Apache-2.0
// Sorted runs to one: many by passes that merge neighbours, two of which one lies in the output in
// blocks, so that it need not be copied away as a whole.
#include "merge_runs.h"

#include <string.h>

#include "mpi/direct.h"

static hd_status merge(hd_mpi *m, hd_view a, hd_view b, hd_view out, bool descending)
{
    if (out.shape[0] == 0) return HD_OK;
    if (a.shape[0] == 0 || b.shape[0] == 0)
        return hd__mpi_failed(m, hd_map(m->ctx, a.shape[0] > 0 ? a : b, NULL, out, NULL));
    return hd__mpi_failed(m, hd_merge(m->ctx, a, b, out, HD_NO_VALUES,
                                      &(hd_merge_options){.descending = descending}));
}

// ---- Many ---------------------------------------------------------------------------------------

// Passes between the two rows: as many as the doublings of one rank to all.
static bool is_odd_number_of_passes(const hd_mpi *m)
{
    bool odd = false;
    for (int64_t width = 1; width < m->ranks; width *= 2) odd = !odd;
    return odd;
}

static int64_t sum_of(const hd_mpi *m, const int64_t *run, int64_t first, int64_t count)
{
    int64_t sum = 0;
    for (int64_t r = first; r < first + count && r < m->ranks; r++) sum += run[r];
    return sum;
}

// The runs of each `width` ranks and of the next `width` ones, to the same place.
static hd_status pass(hd_mpi *m, const int64_t *run, int64_t width, hd_view from, hd_view to,
                      bool descending)
{
    hd_status status = HD_OK;
    int64_t at = 0;
    for (int64_t r = 0; r < m->ranks && status == HD_OK; r += 2 * width) {
        const int64_t n = sum_of(m, run, r, width), k = sum_of(m, run, r + width, width);
        status = merge(m, hd_slice(from, 0, at, n, 1), hd_slice(from, 0, at + n, k, 1),
                       hd_slice(to, 0, at, n + k, 1), descending);
        at += n + k;
    }
    return status;
}

hd_status hd__mpi_merge_runs(hd_mpi *m, const int64_t *run, hd_view from, hd_view out,
                             bool descending)
{
    hd_status status = HD_OK;
    hd_view to = out;
    if (!is_odd_number_of_passes(m)) { // the last one shall end in out
        status = hd__mpi_failed(m, hd_map(m->ctx, from, NULL, out, NULL));
        to = from, from = out;
    }
    for (int64_t width = 1; width < m->ranks && status == HD_OK; width *= 2) {
        status = pass(m, run, width, from, to, descending);
        const hd_view read = from;
        from = to, to = read;
    }
    return status;
}

// ---- Two, one of them in the output -------------------------------------------------------------

enum { BLOCK_BYTES = 1 << 18 }; // of own keys, which stay in the cache on their way

typedef struct joining {
    hd_mpi *m;
    hd_view own, other, out;
    bool own_first, descending;
    int64_t block, blocks; // of own keys
    int64_t *before;       // of other's keys, those before each block, and all
    hd_view copy;          // of a block
} joining;

// Where a block begins in the output is where its first key belongs in other's, and so on.
static hd_status find_blocks(joining *j)
{
    hd_mpi *m = j->m;
    const int64_t n = j->own.shape[0];
    hd_view before;
    j->block = BLOCK_BYTES / (int64_t)hd_type_size(j->own.type);
    j->blocks = (n + j->block - 1) / j->block;
    hd_status status = hd__mpi_row(m, HD_I64, j->blocks + 1, &before);
    if (status == HD_OK) status = hd__mpi_row(m, j->own.type, j->block, &j->copy);
    if (status != HD_OK) return status;
    j->before = before.data;
    j->before[0] = 0, j->before[j->blocks] = j->other.shape[0];
    if (j->blocks < 2) return HD_OK;
    return hd__mpi_failed(
        m, hd_search(m->ctx, j->other, hd_slice(j->own, 0, j->block, j->blocks - 1, j->block),
                     hd_slice(before, 0, 1, j->blocks - 1, 1),
                     &(hd_search_options){.descending = j->descending, .right = !j->own_first}));
}

static hd_status join_block(const joining *j, int64_t k)
{
    const int64_t at = k * j->block, left = j->own.shape[0] - at,
                  n = left < j->block ? left : j->block;
    const hd_view own = hd_slice(j->own, 0, at, n, 1), copy = hd_slice(j->copy, 0, 0, n, 1);
    const hd_view other = hd_slice(j->other, 0, j->before[k], j->before[k + 1] - j->before[k], 1);
    const hd_view out = hd_slice(j->out, 0, at + j->before[k], n + other.shape[0], 1);
    memcpy(copy.data, own.data, (size_t)n * hd_type_size(own.type));
    return j->own_first ? merge(j->m, copy, other, out, j->descending)
                        : merge(j->m, other, copy, out, j->descending);
}

// On a device, where caches gain nothing by blocks, all of own keys are copied away.
static hd_status join_aside(const joining *j, bool front)
{
    hd_mpi *m = j->m;
    hd_view copy = HD_EMPTY;
    const int64_t n = j->own.shape[0];
    if (front && j->other.shape[0] == 0) return HD_OK;
    hd_status status = hd__mpi_row_near(m, &j->own, j->own.type, n, &copy);
    if (status == HD_OK) status = hd__mpi_failed(m, hd_map(m->ctx, j->own, NULL, copy, NULL));
    if (status == HD_OK)
        status = j->own_first ? merge(m, copy, j->other, j->out, j->descending)
                              : merge(m, j->other, copy, j->out, j->descending);
    hd__mpi_drop(m, &copy);
    return status;
}

// A block is written over itself and own keys before it if own keys are at the front of the output,
// behind it if they are at its end: then the last block goes first, or the first one.
hd_status hd__mpi_merge_into(hd_mpi *m, hd_view own, hd_view other, bool own_first, hd_view out,
                             bool descending)
{
    joining j = {m, own, other, out, own_first, descending, 0, 0, NULL, HD_EMPTY};
    const size_t size = hd_type_size(out.type);
    char *begin = out.data, *end = begin + (size_t)out.shape[0] * size;
    const uintptr_t at = (uintptr_t)own.data;
    const bool inside = at >= (uintptr_t)begin && at < (uintptr_t)end, front = own.data == begin;
    if (own.shape[0] == 0 || !inside)
        return own_first ? merge(m, own, other, out, descending)
                         : merge(m, other, own, out, descending);
    if (out.space == HD_DEVICE) return join_aside(&j, front);
    if (!front) {
        j.own.data = end - (size_t)own.shape[0] * size;
        memmove(j.own.data, own.data, (size_t)own.shape[0] * size);
    }
    hd_status status = other.shape[0] > 0 ? find_blocks(&j) : HD_OK;
    for (int64_t k = 0; k < j.blocks && status == HD_OK; k++)
        status = join_block(&j, front ? j.blocks - 1 - k : k);
    return status;
}
