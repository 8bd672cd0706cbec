// SPDX-License-Identifier: Apache-2.0
// hd_convex_hull: checks, the list of corners with what lies on the edges between them, results.
#include "hull.h"

#include "../support/team.h"

#include <inttypes.h>

HD_FUNCTION(plus, int64_t, HD_NO_SOURCE, (int64_t, x, int64_t, y), { return x + y; })
HD_FUNCTION(behind_corner, int64_t, HD_NO_SOURCE, (int64_t, before, int64_t, edge, int64_t, first),
            { return first ? before + edge + 1 : -1; })
HD_FUNCTION(first_f64, int64_t, HD_NO_SOURCE,
            (double, x, double, before, int64_t, edge, int64_t, edge_before),
            { return x != before || edge != edge_before; })
HD_FUNCTION(first_i64, int64_t, HD_NO_SOURCE,
            (int64_t, x, int64_t, before, int64_t, edge, int64_t, edge_before),
            { return x != before || edge != edge_before; })

// ---- What lies on edges ---------------------------------------------------------------------

// The points on each edge from its begin to its end; of several at one place the lowest first.
static hd_status sort_along(hd__hull *h, hd_view *key)
{
    hd_context *ctx = h->f.ctx;
    hd_status status = hd__hull_ends(h);
    if (status == HD_OK) status = hd__frame_row(&h->f, h->rules->coordinate, h->outside, key);
    if (status == HD_OK)
        status = hd_map(ctx, hd_indexed(h->x, h->id), h->rules->along, *key,
                        &(hd_map_options){
                            .with = HD_VIEWS(hd_indexed(h->y, h->id), hd_indexed(h->ax, h->edge),
                                             hd_indexed(h->ay, h->edge), hd_indexed(h->bx, h->edge),
                                             hd_indexed(h->by, h->edge))});
    if (status != HD_OK) return status;
    return hd_sort(ctx, *key, *key, HD_VALUES(h->id, h->id),
                   &(hd_sort_options){.segments = &h->offset});
}

// first[i] = 1 where i is the first at its place.
static hd_status find_first(hd__hull *h, hd_view key, hd_view first)
{
    const int64_t k = h->outside - 1, one = 1;
    hd_status status =
        hd_map(h->f.ctx, hd_constant(one, one), NULL, hd__frame_part(first, 0, 1), NULL);
    if (status != HD_OK || k == 0) return status;
    return hd_map(
        h->f.ctx, hd__frame_part(key, 1, k), h->rules->coordinate == HD_F64 ? first_f64 : first_i64,
        hd__frame_part(first, 1, k),
        &(hd_map_options){.with = HD_VIEWS(hd__frame_part(key, 0, k), hd__frame_part(h->edge, 1, k),
                                           hd__frame_part(h->edge, 0, k))});
}

// Corner s goes to s + what lies on the edges before it; a point on edge s to s + 1 + what lies
// before it.
static hd_status interleave(hd__hull *h, hd_view first, hd_view *row, int64_t *count)
{
    hd_context *ctx = h->f.ctx;
    const int64_t k = h->outside, zero = 0;
    const hd_scatter_options once = {.unique = true};
    hd_view before, to;
    hd_status status = hd__frame_row(&h->f, HD_I64, k + 1, &before);
    if (status == HD_OK) status = hd__frame_row(&h->f, HD_I64, h->m, &to);
    if (status == HD_OK)
        status =
            hd_map(ctx, hd_constant(zero, (int64_t)1), NULL, hd__frame_part(before, 0, 1), NULL);
    if (status == HD_OK) status = hd_scan(ctx, first, HD_SUM, hd__frame_part(before, 1, k), NULL);
    if (status == HD_OK) status = hd__frame_read(&h->f, before, k, count);
    *count += h->m;
    if (status == HD_OK) status = hd__frame_row(&h->f, HD_I64, *count, row);
    if (status == HD_OK)
        status = hd_gather(ctx, before, hd__frame_part(h->offset, 0, h->m), to,
                           &(hd_gather_options){.function = plus, .with = HD_VIEWS(hd_iota(h->m))});
    if (status == HD_OK) status = hd_scatter(ctx, h->corner, to, *row, &once);
    if (status == HD_OK)
        status = hd_map(ctx, hd__frame_part(before, 0, k), behind_corner, first,
                        &(hd_map_options){.with = HD_VIEWS(h->edge, first)});
    return status == HD_OK ? hd_scatter(ctx, h->id, first, *row, &once) : status;
}

hd_status hd__hull_list(hd__hull *h, hd_view *row, int64_t *count)
{
    hd_view key, first;
    *row = h->corner, *count = h->m;
    if (h->outside == 0) return HD_OK;
    hd_status status = sort_along(h, &key);
    if (status == HD_OK) status = hd__frame_row(&h->f, HD_I64, h->outside, &first);
    if (status == HD_OK) status = find_first(h, key, first);
    return status == HD_OK ? interleave(h, first, row, count) : status;
}

// ---- Checks -------------------------------------------------------------------------------------

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

// An integer type holds n - 1.
static bool holds(hd_type type, int64_t n)
{
    const int bits = 8 * (int)hd_type_size(type) - (type <= HD_I64);
    return bits >= 63 || n <= (int64_t)1 << bits;
}

static hd_status check_number(hd__hull *h, const char *what, const hd_view *v)
{
    if (v->type != HD_I64 || hd_count(*v) != 1)
        return hd__frame_fail(&h->f, HD_ERROR_TYPE, "%s: expected one i64", what);
    return hd__frame_check_out(&h->f, what, *v);
}

static hd_status check_points(hd__hull *h, hd_view points)
{
    const bool is_integer = points.type >= HD_I8 && points.type <= HD_U32;
    const hd_status status = hd__frame_check(&h->f, "points", points);
    if (status != HD_OK) return status;
    if (!is_integer && points.type != HD_F32 && points.type != HD_F64)
        return hd__frame_fail(&h->f, HD_ERROR_TYPE,
                              "points: expected integers but u64, f32 or f64, got %s",
                              hd_type_name(points.type));
    if (points.ndim != 2 || points.shape[1] != 2)
        return hd__frame_fail(
            &h->f, HD_ERROR_SHAPE,
            "points: expected n rows of x and y, got %d axes, the last of %" PRId64,
            (int)points.ndim, points.ndim ? points.shape[points.ndim - 1] : 1);
    h->rules = is_integer ? &hd__hull_i64 : &hd__hull_f64;
    h->n = points.shape[0];
    return HD_OK;
}

static hd_status check_outputs(hd__hull *h, hd_view points, hd_view out, const hd_view *count,
                               const hd_view *steps)
{
    hd__frame *f = &h->f;
    if (out.type < HD_I8 || out.type > HD_U64 || !holds(out.type, h->n))
        return hd__frame_fail(f, HD_ERROR_TYPE,
                              "out: expected integers that hold %" PRId64 ", got %s",
                              h->n > 0 ? h->n - 1 : 0, hd_type_name(out.type));
    if (out.ndim > 1) return hd__frame_fail(f, HD_ERROR_SHAPE, "out: expected one dimension");
    hd_status status = hd__frame_check_out(f, "out", out);
    if (status == HD_OK) status = check_number(h, "count", count);
    if (status == HD_OK && is_given(steps)) status = check_number(h, "steps", steps);
    if (status == HD_OK) status = hd__frame_check_apart(f, "out", out, "points", points);
    if (status == HD_OK) status = hd__frame_check_apart(f, "count", *count, "points", points);
    if (status == HD_OK) status = hd__frame_check_apart(f, "count", *count, "out", out);
    if (status != HD_OK || !is_given(steps)) return status;
    status = hd__frame_check_apart(f, "steps", *steps, "points", points);
    if (status == HD_OK) status = hd__frame_check_apart(f, "steps", *steps, "out", out);
    if (status == HD_OK) status = hd__frame_check_apart(f, "steps", *steps, "count", *count);
    return status;
}

// The first coordinate with which no decision would be exact.
static hd_status refuse_bad(hd__hull *h)
{
    int64_t at[2] = {-1, -1};
    hd_status status = HD_OK;
    for (int k = 0; k < 2 && status == HD_OK; k++)
        status = hd_find(h->f.ctx, k ? h->y : h->x, HD_VIEW(&at[k], 1),
                         &(hd_find_options){.map = h->rules->is_bad});
    if (status != HD_OK || (at[0] < 0 && at[1] < 0)) return status;
    const bool in_y = at[0] < 0 || (at[1] >= 0 && at[1] < at[0]);
    double value = 0;
    status = hd__frame_read(&h->f, in_y ? h->y : h->x, at[in_y], &value);
    if (status != HD_OK) return status;
    return hd__frame_fail(&h->f, HD_ERROR_VALUE,
                          "the %s of point %" PRId64 " is %g; expected 0, or a magnitude of 2^-485 "
                          "to 2^510",
                          in_y ? "y" : "x", at[in_y], value);
}

// ---- The call -----------------------------------------------------------------------------------

// Coordinates as the cores read them where they are, as rows elsewhere.
static hd_status take_points(hd__hull *h, hd_view points, bool cores)
{
    const hd_type type = h->rules->coordinate;
    if (cores && points.type == type && (uintptr_t)points.data % hd_type_size(type) == 0) {
        h->x = hd_slice(points, 1, 0, 1, 1), h->y = hd_slice(points, 1, 1, 1, 1);
        h->x.ndim = h->y.ndim = 1;
        return HD_OK;
    }
    hd_status status = hd__frame_dense(&h->f, hd_slice(points, 1, 0, 1, 1), type, &h->x);
    if (status == HD_OK) status = hd__frame_dense(&h->f, hd_slice(points, 1, 1, 1, 1), type, &h->y);
    return status;
}

static hd_status find_corners(hd__hull *h, bool cores)
{
    bool good = false;
    hd_status status = HD_OK;
    if (cores) status = h->rules->on_cores(h, &good);
    if (status == HD_OK && !good) status = refuse_bad(h);
    if (status != HD_OK || cores) return status;
    status = hd__hull_begin(h);
    return status == HD_OK ? hd__hull_split(h) : status;
}

static hd_status tell(hd__hull *h, const hd_view *v, int64_t number)
{
    return is_given(v) ? hd_map(h->f.ctx, HD_VIEW(&number, 1), NULL, *v, NULL) : HD_OK;
}

static hd_status write_hull(hd__hull *h, hd_view row, int64_t found, hd_view out)
{
    const int64_t room = hd_count(out), fit = found < room ? found : room;
    hd_status status = HD_OK;
    if (fit > 0)
        status = hd_map(h->f.ctx, hd__frame_part(row, 0, fit), NULL,
                        out.ndim == 0 ? out : hd_slice(out, 0, 0, fit, 1), NULL);
    if (status != HD_OK || fit == found) return status;
    return hd__frame_fail(&h->f, HD_ERROR_SHAPE,
                          "out has room for %" PRId64 " elements; the hull has %" PRId64, room,
                          found);
}

static hd_status find_hull(hd__hull *h, hd_view points, hd_view out, hd_view count,
                           const hd_view *steps)
{
    hd_view row = {0};
    int64_t found = 0;
    const bool cores = hd__team_serves(h->f.ctx, h->f.on_device);
    hd_status status = take_points(h, points, cores);
    if (status == HD_OK && h->n > 0) status = find_corners(h, cores);
    if (status == HD_OK && h->n > 0) status = hd__hull_list(h, &row, &found);
    if (status == HD_OK) status = tell(h, &count, found);
    if (status == HD_OK) status = tell(h, steps, h->steps);
    return status == HD_OK ? write_hull(h, row, found, out) : status;
}

hd_status hd_convex_hull(hd_context *ctx, hd_view points, hd_view out, hd_view count,
                         const hd_hull_options *options)
{
    hd__hull h = {.n = 0};
    hd_hull_options o = {0};
    hd_status status = hd__frame_open(&h.f, ctx, "hd_convex_hull", points);
    if (status == HD_OK) status = hd__frame_options(&h.f, options, sizeof o, &o);
    if (status == HD_OK) status = check_points(&h, points);
    if (status == HD_OK) status = check_outputs(&h, points, out, &count, o.steps);
    h.collinear = o.collinear;
    if (status == HD_OK) status = find_hull(&h, points, out, count, o.steps);
    return hd__frame_close(&h.f, status);
}
