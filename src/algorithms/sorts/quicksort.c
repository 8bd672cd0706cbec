// SPDX-License-Identifier: Apache-2.0
// Quicksort by segmented scans: all segments are split at once, a step at a time, until every
// segment holds equal keys only.
#include "order_keys.h"
#include "pivot.h"

// The first element of a segment, handed on to all of it: a "copy scan".
HD_OPERATOR(first, uint64_t, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_EXACT, { return a; })
HD_FUNCTION(is_less, int64_t, HD_NO_SOURCE, (uint64_t, key, uint64_t, pivot),
            { return key < pivot; })
HD_FUNCTION(is_equal, int64_t, HD_NO_SOURCE, (uint64_t, key, uint64_t, pivot),
            { return key == pivot; })
HD_FUNCTION(is_greater, int64_t, HD_NO_SOURCE, (uint64_t, key, uint64_t, pivot),
            { return key > pivot; })

typedef struct quicksort {
    hd__order_keys o;
    int64_t *offset, *offset_next; // of m segments, m + 1 of them
    int64_t *less, *equal;         // in each segment
    uint64_t *pivot;
    int64_t m, steps, scans;
} quicksort;

enum { MORE = 5 }; // arrays beside those of the keys

static void begin(quicksort *q)
{
    const int64_t n = q->o.n, room = n + 2;
    int64_t *at = q->o.more;
    q->offset = at, q->offset_next = at + room;
    q->less = at + 2 * room, q->equal = at + 3 * room;
    q->pivot = (uint64_t *)(at + 4 * room);
    q->offset[0] = 0, q->offset[1] = n, q->m = 1;
}

static int64_t pivot_place(const quicksort *q, int64_t j)
{
    const int64_t begin = q->offset[j];
    return begin + hd__pivot_place(q->steps, j, q->offset[j + 1] - begin);
}

// pivot[i] = the pivot of i's segment: put at its head, then handed on by a scan.
static hd_status hand_out_pivots(quicksort *q)
{
    const hd_view pivot = HD_VIEW(q->pivot, q->o.n);
    for (int64_t i = 0; i < q->o.n; i++) q->pivot[i] = 0;
    for (int64_t j = 0; j < q->m; j++) q->pivot[q->offset[j]] = q->o.key[pivot_place(q, j)];
    return hd_scan(q->o.ctx, pivot, first, pivot,
                   &(hd_scan_options){.segments = HD_REF(HD_VIEW(q->offset, q->m + 1))});
}

// before[i] = how many of i's segment stand before it and answer yes.
static hd_status count_before(quicksort *q, const hd_function *what, int64_t *before)
{
    return hd_scan(q->o.ctx, HD_VIEW(q->o.key, q->o.n), HD_SUM, HD_VIEW(before, q->o.n),
                   &(hd_scan_options){.exclusive = true,
                                      .segments = HD_REF(HD_VIEW(q->offset, q->m + 1)),
                                      .map = what,
                                      .with = HD_VIEWS(HD_VIEW(q->pivot, q->o.n))});
}

// total[j] = how many of segment j answer yes.
static hd_status count_all(quicksort *q, const hd_function *what, int64_t *total)
{
    return hd_reduce(q->o.ctx, HD_VIEW(q->o.key, q->o.n), HD_SUM, HD_VIEW(total, q->m),
                     &(hd_reduce_options){.segments = HD_REF(HD_VIEW(q->offset, q->m + 1)),
                                          .map = what,
                                          .with = HD_VIEWS(HD_VIEW(q->pivot, q->o.n))});
}

static hd_status count(quicksort *q)
{
    hd_status status = hand_out_pivots(q);
    if (status == HD_OK) status = count_before(q, is_less, q->o.count[0]);
    if (status == HD_OK) status = count_before(q, is_equal, q->o.count[1]);
    if (status == HD_OK) status = count_before(q, is_greater, q->o.count[2]);
    if (status == HD_OK) status = count_all(q, is_less, q->less);
    if (status == HD_OK) status = count_all(q, is_equal, q->equal);
    return status;
}

// Where each key goes: its part's begin and those of its part before it.
static void place(quicksort *q)
{
    int64_t *to = q->o.count[3];
    for (int64_t j = 0; j < q->m; j++)
        for (int64_t i = q->offset[j]; i < q->offset[j + 1]; i++) {
            const uint64_t key = q->o.key[i], pivot = q->pivot[i];
            const int64_t begin = q->offset[j], middle = begin + q->less[j];
            to[i] = key < pivot    ? begin + q->o.count[0][i]
                    : key == pivot ? middle + q->o.count[1][i]
                                   : middle + q->equal[j] + q->o.count[2][i];
        }
}

// The parts that hold anything become segments. Returns whether one had to be split.
static bool cut(quicksort *q)
{
    bool split = false;
    int64_t m = 0;
    for (int64_t j = 0; j < q->m; j++) {
        const int64_t begin = q->offset[j], end = q->offset[j + 1];
        const int64_t ends[] = {begin + q->less[j], begin + q->less[j] + q->equal[j], end};
        split = split || q->equal[j] < end - begin;
        for (int part = 0; part < 3; part++)
            if (ends[part] > (part > 0 ? ends[part - 1] : begin))
                q->offset_next[m++] = part > 0 ? ends[part - 1] : begin;
    }
    q->offset_next[m] = q->o.n;
    int64_t *const kept = q->offset;
    q->offset = q->offset_next, q->offset_next = kept;
    q->m = m;
    return split;
}

static hd_status sort(quicksort *q)
{
    enum { SCANS = 6 };
    for (bool split = q->o.n > 0; split;) {
        hd_status status = count(q);
        if (status != HD_OK) return status;
        place(q);
        status = hd__order_keys_permute(&q->o, q->o.count[3]);
        if (status != HD_OK) return status;
        split = cut(q);
        q->steps++, q->scans += SCANS;
    }
    return hd__order_keys_write(&q->o);
}

hd_status hd_quicksort(hd_context *ctx, hd_view keys, hd_view out, const hd_steps_options *options)
{
    quicksort q = {.m = 0};
    const hd__order_call call = {"hd_quicksort", keys, out, options};
    hd_status status = hd__order_keys_open(&q.o, ctx, &call, MORE);
    if (status == HD_OK) {
        begin(&q);
        status = sort(&q);
    }
    status = hd__order_keys_close(&q.o, status);
    if (status != HD_OK || options == NULL) return status;
    if (options->steps != NULL) *(int64_t *)options->steps->data = q.steps;
    if (options->scans != NULL) *(int64_t *)options->scans->data = q.scans;
    return HD_OK;
}
