// SPDX-License-Identifier: Apache-2.0
// Whole requests, those that do not fit passed over, in rounds (after Anderson, Mayr and Warmuth,
// "Parallel approximation algorithms for bin packing", 1989).
//
// With 2^k <= left < 2^(k + 1), requests below 2^k are small: all of them fit as long as 2^k is
// left. A round ends with the first request after which less than 2^k is left: a small one that
// takes it below, or one that is not small and fits. What is small and comes before it is met; the
// next round begins behind it with a lower k. Without such a request everything small is met, and
// that was the last round. All pools take their rounds side by side.
#include "spans.h"

#include "../support/team.h"

HD_SOURCE(
    rounds, static inline int64_t power_below(int64_t x) {
        int64_t p = 1;
        if (x < 1) return 0;
        while (p <= x / 2) p *= 2;
        return p;
    })
HD_FUNCTION(first_power, int64_t, rounds, (int64_t, pool), { return power_below(pool); })
HD_FUNCTION(if_small, int64_t, HD_NO_SOURCE,
            (int64_t, want, int64_t, i, int64_t, begin, int64_t, power),
            { return i >= begin && want < power ? want : 0; })
HD_FUNCTION(if_last, int64_t, HD_NO_SOURCE,
            (int64_t, want, int64_t, i, int64_t, begin, int64_t, power, int64_t, left, int64_t,
             before),
            {
                const bool small = want < power;
                const bool fits = before <= left && want <= left - before;
                const bool below = before > left - power || want > left - power - before;
                const bool last = i >= begin && power > 0 && (small ? below : fits);
                return last ? i : 0x7fffffffffffffff;
            })
HD_FUNCTION(grant_until, int64_t, HD_NO_SOURCE,
            (int64_t, granted, int64_t, want, int64_t, i, int64_t, begin, int64_t, power, int64_t,
             last),
            { return i >= begin && i <= last && (want < power || i == last) ? want : granted; })
HD_FUNCTION(take_off, int64_t, HD_NO_SOURCE,
            (int64_t, left, int64_t, last, int64_t, before, int64_t, want),
            { return last == 0x7fffffffffffffff ? 0 : left - before - want; })
HD_FUNCTION(behind, int64_t, HD_NO_SOURCE, (int64_t, last, int64_t, begin),
            { return last == 0x7fffffffffffffff ? begin : last + 1; })

// Numbers of each pool.
typedef struct pools {
    hd_view left, power, begin, last, before, want;
} pools;

static hd_status open_rounds(hd__spans *s, pools *p)
{
    hd_view *const rows[] = {&p->left, &p->power, &p->begin, &p->last, &p->before, &p->want};
    const int64_t zero = 0;
    hd_status status = HD_OK;
    for (size_t k = 0; k < sizeof rows / sizeof *rows && status == HD_OK; k++)
        status = hd__frame_row(&s->f, HD_I64, s->m, rows[k]);
    if (status == HD_OK) status = hd__frame_copy(&s->f, s->pool, p->left);
    if (status == HD_OK) status = hd_map(s->f.ctx, p->left, first_power, p->power, NULL);
    if (status == HD_OK) status = hd__frame_copy(&s->f, hd_constant(zero, s->m), p->begin);
    if (status == HD_OK) status = hd__frame_copy(&s->f, hd_constant(zero, s->n), s->granted);
    return status;
}

// last = the request of each pool that ends the round; sum = what small ones before each want.
static hd_status find_last(hd__spans *s, const pools *p)
{
    const hd_view *segments = hd__spans_segments(s);
    const hd_view begin = hd__spans_of_pool(s, p->begin), power = hd__spans_of_pool(s, p->power);
    const hd_status status =
        hd_scan(s->f.ctx, s->want, hd__saturating_sum, s->sum,
                &(hd_scan_options){.exclusive = true,
                                   .segments = segments,
                                   .map = if_small,
                                   .with = HD_VIEWS(hd_iota(s->n), begin, power)});
    if (status != HD_OK) return status;
    return hd_reduce(s->f.ctx, s->want, HD_MIN, p->last,
                     &(hd_reduce_options){.segments = segments,
                                          .map = if_last,
                                          .with = HD_VIEWS(hd_iota(s->n), begin, power,
                                                           hd__spans_of_pool(s, p->left), s->sum)});
}

static hd_status grant_round(hd__spans *s, const pools *p)
{
    return hd_map(
        s->f.ctx, s->granted, grant_until, s->granted,
        &(hd_map_options){.with = HD_VIEWS(s->want, hd_iota(s->n), hd__spans_of_pool(s, p->begin),
                                           hd__spans_of_pool(s, p->power),
                                           hd__spans_of_pool(s, p->last))});
}

// What is left behind the round's last request; 0 where there was none, and the pool is done.
static hd_status next_round(hd__spans *s, const pools *p)
{
    hd_context *ctx = s->f.ctx;
    hd_status status = hd_gather(ctx, s->sum, p->last, p->before, NULL);
    if (status == HD_OK) status = hd_gather(ctx, s->want, p->last, p->want, NULL);
    if (status == HD_OK)
        status = hd_map(ctx, p->left, take_off, p->left,
                        &(hd_map_options){.with = HD_VIEWS(p->last, p->before, p->want)});
    if (status == HD_OK) status = hd_map(ctx, p->left, first_power, p->power, NULL);
    if (status == HD_OK)
        status =
            hd_map(ctx, p->last, behind, p->begin, &(hd_map_options){.with = HD_VIEWS(p->begin)});
    return status;
}

// ---- By the cores -----------------------------------------------------------------------------

enum { POOLS = 64 }; // of a task

// The definition: one request after another. There is no faster way for a thread that has a pool.
static void serve_pools(void *user, int64_t task)
{
    const hd__spans *s = user;
    const int64_t *want = s->want.data, *pool = s->pool.data, *offset = s->offsets.data;
    int64_t *granted = s->granted.data;
    const int64_t end = (task + 1) * POOLS < s->m ? (task + 1) * POOLS : s->m;
    for (int64_t j = task * POOLS; j < end; j++) {
        const int64_t first = offset != NULL ? offset[j] : 0,
                      behind = offset != NULL ? offset[j + 1] : s->n;
        int64_t left = pool[j];
        for (int64_t i = first; i < behind; i++) {
            granted[i] = want[i] <= left ? want[i] : 0;
            left -= granted[i];
        }
    }
}

hd_status hd__spans_skip(hd__spans *s)
{
    pools p;
    const bool counts_rounds = s->o.rounds != NULL && s->o.rounds->type != HD_NONE;
    if (!counts_rounds && hd__team_serves(s->f.ctx, s->f.on_device)) {
        hd__team_run(hd__team_size(s->f.ctx), (s->m + POOLS - 1) / POOLS, serve_pools, s);
        return HD_OK;
    }
    hd_status status = open_rounds(s, &p);
    for (int64_t most = 1; status == HD_OK && s->n > 0 && s->m > 0; s->rounds++) {
        status = hd_reduce(s->f.ctx, p.power, HD_MAX, HD_VIEW(&most, 1), NULL);
        if (status != HD_OK || most == 0) break;
        status = find_last(s, &p);
        if (status == HD_OK) status = grant_round(s, &p);
        if (status == HD_OK) status = next_round(s, &p);
    }
    return status;
}
