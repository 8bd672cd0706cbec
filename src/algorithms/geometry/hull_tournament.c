// SPDX-License-Identifier: Apache-2.0
// The farthest point of each edge in rounds: of neighbours that are outside of the same edge the
// farther one stays. Maps and compactions alone, each of which a run-time compiler takes at once.
#include "hull.h"

HD_FUNCTION(half, int64_t, HD_NO_SOURCE, (int64_t, n), { return (n + 1) / 2; })
HD_FUNCTION(minus, int64_t, HD_NO_SOURCE, (int64_t, x, int64_t, y), { return x - y; })
HD_FUNCTION(begins_pair, int64_t, HD_NO_SOURCE, (int64_t, i, int64_t, begin),
            { return (i - begin) % 2 == 0; })
HD_FUNCTION(winner, int64_t, HD_NO_SOURCE,
            (int64_t, p, int64_t, q, int64_t, edge_p, int64_t, edge_q, int64_t, q_is_farther),
            { return edge_p == edge_q && q_is_farther ? q : p; })

// Who is left, and of which edge; one more behind them is of no edge.
typedef struct players {
    hd_view id, edge, next_id, next_edge;
    hd_view first, farther; // whether a pair begins; whether the next one is farther
    hd_view counts, offset; // of each edge
    int64_t n;
} players;

static hd_status put(hd__hull *h, hd_view row, int64_t i, int64_t value)
{
    return hd_map(h->f.ctx, hd_constant(value, (int64_t)1), NULL, hd__frame_part(row, i, 1), NULL);
}

static hd_status open_players(hd__hull *h, players *p)
{
    hd_view *const rows[] = {&p->id, &p->edge, &p->next_id, &p->next_edge, &p->first, &p->farther};
    hd_status status = HD_OK;
    p->n = h->outside;
    for (int k = 0; k < 6 && status == HD_OK; k++)
        status = hd__frame_row(&h->f, HD_I64, p->n + 1, rows[k]);
    if (status == HD_OK) status = hd__frame_row(&h->f, HD_I64, h->m, &p->counts);
    if (status == HD_OK) status = hd__frame_row(&h->f, HD_I64, h->m, &p->offset);
    if (status == HD_OK) status = hd__frame_copy(&h->f, h->id, hd__frame_part(p->id, 0, p->n));
    if (status == HD_OK) status = hd__frame_copy(&h->f, h->edge, hd__frame_part(p->edge, 0, p->n));
    if (status == HD_OK)
        status = hd_map(h->f.ctx, hd__frame_part(h->offset, 1, h->m), minus, p->counts,
                        &(hd_map_options){.with = HD_VIEWS(hd__frame_part(h->offset, 0, h->m))});
    return status;
}

static hd_status close_players(hd__hull *h, players *p, hd_status status)
{
    hd_view *const rows[] = {&p->id,    &p->edge,    &p->next_id, &p->next_edge,
                             &p->first, &p->farther, &p->counts,  &p->offset};
    for (int k = 0; k < 8 && status == HD_OK; k++) status = hd__frame_drop(&h->f, rows[k]);
    return status;
}

// Everyone against the next one; only pairs that begin at an even place of their group count.
static hd_status play(hd__hull *h, players *p)
{
    hd_context *ctx = h->f.ctx;
    const int64_t n = p->n;
    const hd_view id = hd__frame_part(p->id, 0, n), next = hd__frame_part(p->id, 1, n);
    const hd_view edge = hd__frame_part(p->edge, 0, n);
    const hd_view farther = hd__frame_part(p->farther, 0, n);
    hd_status status =
        hd_map(ctx, hd_indexed(h->x, id), h->rules->second_is_farther, farther,
               &(hd_map_options){.with = HD_VIEWS(hd_indexed(h->y, id), hd_indexed(h->x, next),
                                                  hd_indexed(h->y, next), hd_indexed(h->ax, edge),
                                                  hd_indexed(h->ay, edge), hd_indexed(h->bx, edge),
                                                  hd_indexed(h->by, edge))});
    if (status == HD_OK)
        status = hd_map(ctx, id, winner, farther,
                        &(hd_map_options){
                            .with = HD_VIEWS(next, edge, hd__frame_part(p->edge, 1, n), farther)});
    if (status == HD_OK)
        status = hd_scan(ctx, p->counts, HD_SUM, p->offset, &(hd_scan_options){.exclusive = true});
    if (status == HD_OK)
        status = hd_map(ctx, hd_iota(n), begins_pair, hd__frame_part(p->first, 0, n),
                        &(hd_map_options){.with = HD_VIEWS(hd_indexed(p->offset, edge))});
    return status;
}

static hd_status keep_winners(hd__hull *h, players *p)
{
    hd_context *ctx = h->f.ctx;
    const int64_t n = p->n;
    const hd_view first = hd__frame_part(p->first, 0, n);
    const hd_compact_options how = {.flags = &first};
    int64_t left = 0;
    hd_status status =
        hd_compact(ctx, hd__frame_part(p->farther, 0, n), p->next_id, HD_VIEW(&left, 1), &how);
    if (status == HD_OK)
        status =
            hd_compact(ctx, hd__frame_part(p->edge, 0, n), p->next_edge, HD_VIEW(&left, 1), &how);
    const players was = *p;
    p->id = was.next_id, p->edge = was.next_edge, p->next_id = was.id, p->next_edge = was.edge;
    p->n = left;
    return status == HD_OK ? hd_map(ctx, p->counts, half, p->counts, NULL) : status;
}

static hd_status tell_winners(hd__hull *h, const players *p, hd_view farthest)
{
    hd_context *ctx = h->f.ctx;
    const int64_t none = -1;
    const hd_view id = hd__frame_part(p->id, 0, p->n), edge = hd__frame_part(p->edge, 0, p->n);
    const hd_view found = hd__frame_part(p->farther, 0, p->n);
    hd_status status = hd_map(ctx, hd_constant(none, h->m), NULL, farthest, NULL);
    if (status == HD_OK)
        status = hd_map(
            ctx, hd_indexed(h->x, id), h->rules->if_outside, found,
            &(hd_map_options){.with = HD_VIEWS(hd_indexed(h->y, id), id, hd_indexed(h->ax, edge),
                                               hd_indexed(h->ay, edge), hd_indexed(h->bx, edge),
                                               hd_indexed(h->by, edge))});
    if (status != HD_OK) return status;
    return hd_scatter(ctx, found, edge, farthest, &(hd_scatter_options){.unique = true});
}

hd_status hd__hull_tournament(hd__hull *h, hd_view farthest)
{
    players p = {.n = 0};
    int64_t most = 2;
    hd_status status = open_players(h, &p);
    while (status == HD_OK) {
        status = hd_reduce(h->f.ctx, p.counts, HD_MAX, HD_VIEW(&most, 1), NULL);
        if (status != HD_OK || most < 2) break;
        status = put(h, p.id, p.n, 0); // behind the last one: of no edge
        if (status == HD_OK) status = put(h, p.edge, p.n, -1);
        if (status == HD_OK) status = play(h, &p);
        if (status == HD_OK) status = keep_winners(h, &p);
    }
    if (status == HD_OK) status = tell_winners(h, &p, farthest);
    return close_players(h, &p, status);
}
