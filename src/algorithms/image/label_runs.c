// SPDX-License-Identifier: Apache-2.0
// The runs of an image, and which of them belong together. Roots that meet are hooked onto the
// lowest one each meets, and pointers jump to the roots, until no two meet (Shiloach and Vishkin,
// "An O(log n) parallel connectivity algorithm", 1982). A root onto which nobody hooked meets roots
// lower than itself in the next round, so of every two rounds one takes it away or gives it others.
#include "label.h"

HD_FUNCTION(begins, int64_t, HD_NO_SOURCE, (bool, here, bool, before), { return here && !before; })
HD_FUNCTION(ends, int64_t, HD_NO_SOURCE, (bool, here, bool, before), { return !here && before; })
HD_FUNCTION(plus, int64_t, HD_NO_SOURCE, (int64_t, x, int64_t, y), { return x + y; })
HD_FUNCTION(minus, int64_t, HD_NO_SOURCE, (int64_t, x, int64_t, y), { return x - y; })
HD_FUNCTION(differ, bool, HD_NO_SOURCE, (int64_t, x, int64_t, y), { return x != y; })
HD_FUNCTION(lower, int64_t, HD_NO_SOURCE, (int64_t, x, int64_t, y), { return x < y ? x : y; })
HD_FUNCTION(higher, int64_t, HD_NO_SOURCE, (int64_t, x, int64_t, y), { return x < y ? y : x; })

// ---- Runs ---------------------------------------------------------------------------------------

// flags[0] = 0, and from flags[1] on the image, a 0 after each row.
static hd_status make_flags(hd__runs *s, hd_view in, hd_view *flags)
{
    const int64_t n = s->h * (s->w + 1);
    const uint8_t zero = 0;
    hd_status status = hd__frame_row(s->f, HD_BOOL, n + 1, flags);
    if (status == HD_OK) status = hd_map(s->f->ctx, hd_constant(zero, n + 1), NULL, *flags, NULL);
    if (status != HD_OK) return status;
    hd_view image = hd__frame_part(*flags, 1, 1);
    image.ndim = 2;
    image.shape[0] = s->h, image.shape[1] = s->w;
    image.stride[0] = s->w + 1, image.stride[1] = 1;
    return hd_map(s->f->ctx, in, NULL, image, NULL);
}

static hd_status find(hd__runs *s, hd_view here, hd_view before, const hd_function *which,
                      hd_view *where)
{
    int64_t count = 0;
    hd_status status = hd__frame_row(s->f, HD_I64, s->r, where);
    if (status != HD_OK) return status;
    return hd_compact(
        s->f->ctx, here, HD_EMPTY, HD_VIEW(&count, 1),
        &(hd_compact_options){.keep = which, .with = HD_VIEWS(before), .indices = where});
}

hd_status hd__runs_find(hd__runs *s, hd__frame *f, hd_view in)
{
    hd_view flags;
    *s = (hd__runs){.f = f, .h = in.shape[0], .w = in.shape[1]};
    const int64_t n = s->h * (s->w + 1);
    hd_status status = make_flags(s, in, &flags);
    if (status != HD_OK) return status;
    const hd_view before = hd__frame_part(flags, 0, n), here = hd__frame_part(flags, 1, n);
    status = hd_reduce(f->ctx, here, HD_SUM, HD_VIEW(&s->r, 1),
                       &(hd_reduce_options){.map = begins, .with = HD_VIEWS(before)});
    if (status == HD_OK) status = find(s, here, before, begins, &s->start);
    if (status == HD_OK) status = find(s, here, before, ends, &s->end);
    if (status == HD_OK) status = hd__frame_drop(f, &flags);
    return status;
}

// ---- Pairs of runs that meet --------------------------------------------------------------------

typedef struct pairs {
    hd_view u, v, next_u, next_v;
    int64_t n;
} pairs;

// Run i meets the runs first[i] .. first[i] + count[i] - 1 of the row above: all that end after its
// begin and begin before its end.
static hd_status find_above(hd__runs *s, bool diagonal, hd_view *first, hd_view *count)
{
    const int64_t row = s->w + 1;
    hd_context *ctx = s->f->ctx;
    hd_view above;
    hd_status status = hd__frame_row(s->f, HD_I64, s->r, &above);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, s->r, first);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, s->r, count);
    if (status == HD_OK)
        status =
            hd_map(ctx, s->start, minus, above,
                   &(hd_map_options){.with = HD_VIEWS(hd_constant(row + diagonal, (int64_t)1))});
    if (status == HD_OK)
        status = hd_search(ctx, s->end, above, *first, &(hd_search_options){.right = true});
    if (status == HD_OK)
        status =
            hd_map(ctx, s->end, minus, above,
                   &(hd_map_options){.with = HD_VIEWS(hd_constant(row - diagonal, (int64_t)1))});
    if (status == HD_OK) status = hd_search(ctx, s->start, above, *count, NULL);
    if (status == HD_OK)
        status = hd_map(ctx, *count, minus, *count, &(hd_map_options){.with = HD_VIEWS(*first)});
    return status;
}

// u = each run as often as it meets one; v = those it meets.
static hd_status list_pairs(hd__runs *s, hd_view first, hd_view count, pairs *p)
{
    hd_context *ctx = s->f->ctx;
    hd_view base;
    int64_t all = 0;
    hd_status status = hd_reduce(ctx, count, HD_SUM, HD_VIEW(&p->n, 1), NULL);
    hd_view *const rows[] = {&p->u, &p->v, &p->next_u, &p->next_v};
    for (int k = 0; k < 4 && status == HD_OK; k++)
        status = hd__frame_row(s->f, HD_I64, p->n, rows[k]);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I64, s->r, &base);
    if (status == HD_OK)
        status = hd_scan(ctx, count, HD_SUM, base, &(hd_scan_options){.exclusive = true});
    if (status == HD_OK)
        status = hd_map(ctx, first, minus, base, &(hd_map_options){.with = HD_VIEWS(base)});
    if (status == HD_OK)
        status = hd_expand(ctx, hd_iota(s->r), count, p->u, HD_VIEW(&all, 1), NULL);
    if (status != HD_OK) return status;
    return hd_map(ctx, hd_indexed(base, p->u), plus, p->v,
                  &(hd_map_options){.with = HD_VIEWS(hd_iota(p->n))});
}

// ---- Components ---------------------------------------------------------------------------------

// The pairs' roots, the higher one in u, and only where they are two.
static hd_status lift(hd__runs *s, pairs *p)
{
    hd_context *ctx = s->f->ctx;
    const hd_view u = hd__frame_part(p->u, 0, p->n), v = hd__frame_part(p->v, 0, p->n);
    const hd_view next_u = hd__frame_part(p->next_u, 0, p->n);
    const hd_view next_v = hd__frame_part(p->next_v, 0, p->n);
    const hd_views v_with = {&next_v, 1};
    hd_status status = hd_gather(ctx, s->parent, u, next_u, NULL);
    if (status == HD_OK) status = hd_gather(ctx, s->parent, v, next_v, NULL);
    if (status == HD_OK)
        status = hd_map_many(ctx, next_u, HD_FUNCTIONS(higher, lower), HD_VIEWS(u, v),
                             &(hd_map_many_options){.with = v_with});
    if (status == HD_OK)
        status = hd_compact(ctx, u, next_u, HD_VIEW(&p->n, 1),
                            &(hd_compact_options){.keep = differ, .with = HD_VIEWS(v)});
    if (status == HD_OK)
        status = hd_compact(ctx, v, next_v, HD_VIEW(&p->n, 1),
                            &(hd_compact_options){.keep = differ, .with = HD_VIEWS(u)});
    const pairs kept = *p;
    p->u = kept.next_u, p->v = kept.next_v, p->next_u = kept.u, p->next_v = kept.v;
    return status;
}

static hd_status join_round(hd__runs *s, pairs *p)
{
    hd_context *ctx = s->f->ctx;
    hd_status status = hd_scatter(ctx, hd__frame_part(p->v, 0, p->n), hd__frame_part(p->u, 0, p->n),
                                  s->parent, &(hd_scatter_options){.combine = HD_MIN});
    if (status == HD_OK) status = hd_forest_roots(ctx, s->parent, s->parent, NULL);
    if (status == HD_OK) status = lift(s, p);
    s->rounds++;
    return status;
}

hd_status hd__runs_join(hd__runs *s, bool diagonal)
{
    pairs p = {.n = 0};
    hd_view first, count;
    hd_status status = hd__frame_row(s->f, HD_I64, s->r, &s->parent);
    if (status == HD_OK) status = hd_map(s->f->ctx, hd_iota(s->r), NULL, s->parent, NULL);
    if (status == HD_OK) status = find_above(s, diagonal, &first, &count);
    if (status == HD_OK) status = list_pairs(s, first, count, &p);
    while (status == HD_OK && p.n > 0) status = join_round(s, &p);
    return status;
}
