// SPDX-License-Identifier: Apache-2.0
// Quickhull (Barber, Dobkin and Huhdanpaa, "The quickhull algorithm for convex hulls", 1996) with
// all edges split at once, as Blelloch does ("Vector models for data-parallel computing", 1990): a
// segmented reduction finds the farthest point of each edge, segmented scans say where what stays
// outside of the two new edges goes.
#include "hull.h"

HD_FUNCTION(at_least_0, int64_t, HD_NO_SOURCE, (int64_t, x), { return x >= 0; })
HD_FUNCTION(is_0, int64_t, HD_NO_SOURCE, (int64_t, x), { return x == 0; })
HD_FUNCTION(is_1, int64_t, HD_NO_SOURCE, (int64_t, x), { return x == 1; })
HD_FUNCTION(plus, int64_t, HD_NO_SOURCE, (int64_t, x, int64_t, y), { return x + y; })
HD_FUNCTION(minus, int64_t, HD_NO_SOURCE, (int64_t, x, int64_t, y), { return x - y; })
HD_FUNCTION(either, int64_t, HD_NO_SOURCE, (int64_t, x, int64_t, other),
            { return x >= 0 ? x : other; })
// Where the second half of a split edge goes: no place for one that is not split.
HD_FUNCTION(place_behind, int64_t, HD_NO_SOURCE, (int64_t, place, int64_t, farthest),
            { return farthest >= 0 ? place + 1 : -1; })
HD_FUNCTION(destination, int64_t, HD_NO_SOURCE,
            (int64_t, which, int64_t, before_0, int64_t, before_1, int64_t, begin_0, int64_t,
             begin_1),
            { return which == 0   ? begin_0 + before_0
                     : which == 1 ? begin_1 + before_1
                                  : -1; })

static hd_status row(hd__hull *h, int64_t n, hd_view *out)
{
    return hd__frame_row(&h->f, HD_I64, n, out);
}

static hd_status fill(hd__hull *h, hd_view out, int64_t value)
{
    return hd_map(h->f.ctx, hd_constant(value, hd_count(out)), NULL, out, NULL);
}

hd_status hd__hull_ends(hd__hull *h)
{
    hd_context *ctx = h->f.ctx;
    hd_view *const ends[] = {&h->ax, &h->ay, &h->bx, &h->by};
    const int64_t m = h->m;
    hd_status status = HD_OK;
    for (int k = 0; k < 4 && status == HD_OK; k++) {
        status = hd__frame_drop(&h->f, ends[k]);
        if (status == HD_OK) status = hd__frame_row(&h->f, h->rules->coordinate, m, ends[k]);
    }
    for (int k = 0; k < 2 && status == HD_OK; k++) {
        const hd_view a = *ends[k], b = *ends[k + 2];
        status = hd_gather(ctx, k ? h->y : h->x, h->corner, a, NULL);
        if (status == HD_OK) // the next edge's begin
            status =
                hd_map(ctx, hd__frame_part(a, 1, m - 1), NULL, hd__frame_part(b, 0, m - 1), NULL);
        if (status == HD_OK)
            status = hd_map(ctx, hd__frame_part(a, 0, 1), NULL, hd__frame_part(b, m - 1, 1), NULL);
    }
    return status;
}

// ---- One step -----------------------------------------------------------------------------------

typedef struct step {
    hd_view farthest;       // of each edge, -1: it is not split
    hd_view place, behind;  // of each edge's first and second half
    int64_t m;              // edges after the step
    hd_view corner, offset; // of these
    hd_view which;          // of each point outside: 0 or 1, the half it stays outside of; or -1
    hd_view id, edge;       // what stays outside
    hd_view before_0, before_1, to;
} step;

static hd_view of_edge(const hd__hull *h, hd_view edges)
{
    return hd_indexed(edges, h->edge);
}

static hd_status reduce_farthest(hd__hull *h, step *s)
{
    hd_context *ctx = h->f.ctx;
    hd_view found;
    hd_status status = hd__frame_row(&h->f, h->rules->candidate, h->m, &found);
    if (status == HD_OK)
        status =
            hd_reduce(ctx, hd_indexed(h->x, h->id), h->rules->farthest, found,
                      &(hd_reduce_options){.segments = &h->offset,
                                           .map = h->rules->make_candidate,
                                           .with = HD_VIEWS(hd_indexed(h->y, h->id), h->id,
                                                            of_edge(h, h->ax), of_edge(h, h->ay),
                                                            of_edge(h, h->bx), of_edge(h, h->by))});
    if (status == HD_OK) status = hd_map(ctx, found, h->rules->splits, s->farthest, NULL);
    if (status == HD_OK) status = hd__frame_drop(&h->f, &found);
    return status;
}

static hd_status find_farthest(hd__hull *h, step *s)
{
    const hd_backend ran = hd_last_backend(h->f.ctx);
    const hd_status status = row(h, h->m, &s->farthest);
    if (status != HD_OK) return status;
    return ran == HD_SERIAL || ran == HD_CPU ? reduce_farthest(h, s)
                                             : hd__hull_tournament(h, s->farthest);
}

// The corners with the farthest points among them, and where the halves of each edge are.
static hd_status insert_corners(hd__hull *h, step *s)
{
    hd_context *ctx = h->f.ctx;
    int64_t split = 0;
    hd_status status = hd_reduce(ctx, s->farthest, HD_SUM, HD_VIEW(&split, 1),
                                 &(hd_reduce_options){.map = at_least_0});
    s->m = h->m + split;
    if (status != HD_OK || split == 0) return status;
    status = row(h, h->m, &s->place);
    if (status == HD_OK) status = row(h, h->m, &s->behind);
    if (status == HD_OK) status = row(h, s->m, &s->corner);
    if (status == HD_OK)
        status = hd_scan(ctx, s->farthest, HD_SUM, s->place,
                         &(hd_scan_options){.exclusive = true, .map = at_least_0});
    if (status == HD_OK)
        status = hd_map(ctx, s->place, plus, s->place,
                        &(hd_map_options){.with = HD_VIEWS(hd_iota(h->m))});
    if (status == HD_OK)
        status = hd_map(ctx, s->place, place_behind, s->behind,
                        &(hd_map_options){.with = HD_VIEWS(s->farthest)});
    const hd_scatter_options once = {.unique = true};
    if (status == HD_OK) status = hd_scatter(ctx, h->corner, s->place, s->corner, &once);
    if (status == HD_OK) status = hd_scatter(ctx, s->farthest, s->behind, s->corner, &once);
    return status;
}

// Which half each point stays outside of. An edge that is not split ends at its "farthest" point.
static hd_status classify(hd__hull *h, step *s)
{
    hd_context *ctx = h->f.ctx;
    const hd_function *rule = h->collinear ? h->rules->with_collinear : h->rules->corners_only;
    hd_view end, fx, fy;
    hd_status status = row(h, h->m, &end);
    if (status == HD_OK) status = hd__frame_row(&h->f, h->rules->coordinate, h->m, &fx);
    if (status == HD_OK) status = hd__frame_row(&h->f, h->rules->coordinate, h->m, &fy);
    if (status == HD_OK) status = row(h, h->outside, &s->which);
    if (status == HD_OK) // the next edge's corner
        status = hd_map(ctx, hd__frame_part(h->corner, 1, h->m - 1), NULL,
                        hd__frame_part(end, 0, h->m - 1), NULL);
    if (status == HD_OK)
        status = hd_map(ctx, hd__frame_part(h->corner, 0, 1), NULL,
                        hd__frame_part(end, h->m - 1, 1), NULL);
    if (status == HD_OK)
        status = hd_map(ctx, s->farthest, either, end, &(hd_map_options){.with = HD_VIEWS(end)});
    if (status == HD_OK) status = hd_gather(ctx, h->x, end, fx, NULL);
    if (status == HD_OK) status = hd_gather(ctx, h->y, end, fy, NULL);
    if (status == HD_OK)
        status = hd_map(
            ctx, hd_indexed(h->x, h->id), rule, s->which,
            &(hd_map_options){.with = HD_VIEWS(hd_indexed(h->y, h->id), of_edge(h, h->ax),
                                               of_edge(h, h->ay), of_edge(h, h->bx),
                                               of_edge(h, h->by), of_edge(h, fx), of_edge(h, fy))});
    hd_view *const scratch[] = {&end, &fx, &fy};
    for (int k = 0; k < 3 && status == HD_OK; k++) status = hd__frame_drop(&h->f, scratch[k]);
    return status;
}

// offset of the halves: counts at their places, then an exclusive scan.
static hd_status make_offsets(hd__hull *h, step *s)
{
    hd_context *ctx = h->f.ctx;
    hd_view count, each;
    hd_status status = row(h, s->m + 1, &s->offset);
    if (status == HD_OK) status = row(h, s->m + 1, &count);
    if (status == HD_OK) status = row(h, h->m, &each);
    if (status == HD_OK) status = fill(h, count, 0);
    for (int half = 0; half < 2 && status == HD_OK; half++) {
        status = hd_reduce(ctx, s->which, HD_SUM, each,
                           &(hd_reduce_options){.segments = &h->offset, .map = half ? is_1 : is_0});
        if (status == HD_OK)
            status = hd_scatter(ctx, each, half ? s->behind : s->place, count,
                                &(hd_scatter_options){.unique = true});
    }
    if (status == HD_OK)
        status = hd_scan(ctx, count, HD_SUM, s->offset, &(hd_scan_options){.exclusive = true});
    if (status == HD_OK) status = hd__frame_drop(&h->f, &count);
    if (status == HD_OK) status = hd__frame_drop(&h->f, &each);
    return status;
}

// Where each point goes: the begin of its half, and those of its half before it.
static hd_status find_destinations(hd__hull *h, step *s)
{
    hd_context *ctx = h->f.ctx;
    hd_view begin_0, begin_1;
    hd_status status = row(h, h->outside, &s->before_0);
    if (status == HD_OK) status = row(h, h->outside, &s->before_1);
    if (status == HD_OK) status = row(h, h->m, &begin_0);
    if (status == HD_OK) status = row(h, h->m, &begin_1);
    for (int half = 0; half < 2 && status == HD_OK; half++)
        status = hd_scan(ctx, s->which, HD_SUM, half ? s->before_1 : s->before_0,
                         &(hd_scan_options){
                             .exclusive = true, .segments = &h->offset, .map = half ? is_1 : is_0});
    if (status == HD_OK) status = hd_gather(ctx, s->offset, s->place, begin_0, NULL);
    if (status == HD_OK) status = hd_gather(ctx, s->offset, s->behind, begin_1, NULL);
    if (status == HD_OK)
        status =
            hd_map(ctx, s->which, destination, s->before_0,
                   &(hd_map_options){.with = HD_VIEWS(s->before_0, s->before_1, of_edge(h, begin_0),
                                                      of_edge(h, begin_1))});
    s->to = s->before_0;
    if (status == HD_OK) status = hd__frame_drop(&h->f, &begin_0);
    if (status == HD_OK) status = hd__frame_drop(&h->f, &begin_1);
    return status;
}

static hd_status move(hd__hull *h, step *s, int64_t left)
{
    hd_context *ctx = h->f.ctx;
    const hd_scatter_options once = {.unique = true};
    int64_t all = 0;
    hd_view lengths;
    hd_status status = row(h, left, &s->id);
    if (status == HD_OK) status = row(h, left, &s->edge);
    if (status == HD_OK) status = hd_scatter(ctx, h->id, s->to, s->id, &once);
    if (status == HD_OK) status = row(h, s->m, &lengths);
    if (status == HD_OK)
        status = hd_map(ctx, hd__frame_part(s->offset, 1, s->m), minus, lengths,
                        &(hd_map_options){.with = HD_VIEWS(hd__frame_part(s->offset, 0, s->m))});
    if (status == HD_OK)
        status = hd_expand(ctx, hd_iota(s->m), lengths, s->edge, HD_VIEW(&all, 1), NULL);
    if (status == HD_OK) status = hd__frame_drop(&h->f, &lengths);
    return status;
}

// What the step made takes the place of what was.
static hd_status replace(hd__hull *h, step *s)
{
    hd_view *const gone[] = {&h->corner, &h->offset, &h->id,    &h->edge,     &s->farthest,
                             &s->place,  &s->behind, &s->which, &s->before_0, &s->before_1};
    hd_status status = HD_OK;
    for (size_t k = 0; k < sizeof gone / sizeof *gone && status == HD_OK; k++)
        status = hd__frame_drop(&h->f, gone[k]);
    h->corner = s->corner, h->offset = s->offset, h->m = s->m;
    h->id = s->id, h->edge = s->edge, h->outside = hd_count(s->id);
    return status;
}

static hd_status split_edges(hd__hull *h, step *s)
{
    int64_t left = 0;
    hd_status status = classify(h, s);
    if (status == HD_OK) status = make_offsets(h, s);
    if (status == HD_OK) status = find_destinations(h, s);
    if (status == HD_OK) status = hd__frame_read(&h->f, s->offset, s->m, &left);
    if (status == HD_OK) status = move(h, s, left);
    h->steps++;
    return status == HD_OK ? replace(h, s) : status;
}

hd_status hd__hull_split(hd__hull *h)
{
    hd_status status = HD_OK;
    while (status == HD_OK && h->outside > 0) {
        step s = {.m = 0};
        status = hd__hull_ends(h);
        if (status == HD_OK) status = find_farthest(h, &s);
        if (status == HD_OK) status = insert_corners(h, &s);
        if (status != HD_OK || s.m == h->m) break; // what is left lies on edges
        status = split_edges(h, &s);
    }
    return status;
}
