// SPDX-License-Identifier: Apache-2.0
// Where quickhull begins: the lowest and the highest point, and what lies right and left of the
// line from one to the other.
#include "hull.h"

static hd_status extreme(hd__hull *h, const hd_operator *op, int64_t *index)
{
    hd_context *ctx = h->f.ctx;
    hd_view corner, number;
    hd_status status = hd__frame_row(&h->f, h->rules->corner, 1, &corner);
    if (status == HD_OK) status = hd__frame_row(&h->f, HD_I64, 1, &number);
    if (status == HD_OK)
        status = hd_reduce(ctx, h->x, op, corner,
                           &(hd_reduce_options){.map = h->rules->make_corner,
                                                .with = HD_VIEWS(h->y, hd_iota(h->n))});
    if (status == HD_OK) status = hd_map(ctx, corner, h->rules->index_of, number, NULL);
    if (status == HD_OK) status = hd__frame_read(&h->f, number, 0, index);
    if (status == HD_OK) status = hd__frame_drop(&h->f, &corner);
    if (status == HD_OK) status = hd__frame_drop(&h->f, &number);
    return status;
}

// The line's coordinates, as the functions' state has them: ax, ay, bx, by of 8 bytes each.
typedef struct line {
    unsigned char bytes[32];
} line;

static hd_status read_line(hd__hull *h, int64_t low, int64_t high, line *l)
{
    const int64_t end[] = {low, high};
    hd_status status = HD_OK;
    for (int k = 0; k < 4 && status == HD_OK; k++)
        status = hd__frame_read(&h->f, k % 2 ? h->y : h->x, end[k / 2], l->bytes + 8 * k);
    return status;
}

static hd_status count_of(hd__hull *h, const hd_function *side, const line *l, int64_t *count)
{
    const hd_function f = hd_with_state(side, l, sizeof *l);
    return hd_compact(h->f.ctx, h->x, HD_EMPTY, HD_VIEW(count, 1),
                      &(hd_compact_options){.keep = &f, .with = HD_VIEWS(h->y)});
}

// Points of a side, from begin on: they are of the edge.
static hd_status take_side(hd__hull *h, const hd_function *side, const line *l, int64_t begin,
                           int64_t count, int64_t edge)
{
    const hd_function f = hd_with_state(side, l, sizeof *l);
    const hd_view id = hd__frame_part(h->id, begin, count);
    int64_t again = 0;
    const hd_status status =
        hd_compact(h->f.ctx, h->x, HD_EMPTY, HD_VIEW(&again, 1),
                   &(hd_compact_options){.keep = &f, .with = HD_VIEWS(h->y), .indices = &id});
    if (status != HD_OK) return status;
    return hd_map(h->f.ctx, hd_constant(edge, count), NULL, hd__frame_part(h->edge, begin, count),
                  NULL);
}

static hd_status take_sides(hd__hull *h, const line *l, const hd_function *const side[2])
{
    int64_t n[2] = {0, 0};
    hd_status status = HD_OK;
    for (int k = 0; k < 2 && status == HD_OK; k++) status = count_of(h, side[k], l, &n[k]);
    if (status == HD_OK && h->collinear) { // on a line: one of its two edges has all
        int64_t right = 0, left = 0;
        status = count_of(h, h->rules->strictly_right, l, &right);
        if (status == HD_OK) status = count_of(h, h->rules->strictly_left, l, &left);
        if (right == 0 && left == 0) n[1] = 0;
    }
    h->outside = n[0] + n[1];
    const int64_t offset[] = {0, n[0], h->outside};
    if (status == HD_OK) status = hd__frame_row(&h->f, HD_I64, h->outside, &h->id);
    if (status == HD_OK) status = hd__frame_row(&h->f, HD_I64, h->outside, &h->edge);
    if (status == HD_OK) status = hd__frame_row(&h->f, HD_I64, 3, &h->offset);
    if (status == HD_OK) status = hd__frame_copy(&h->f, HD_VIEW(offset, 3), h->offset);
    for (int k = 0; k < 2 && status == HD_OK; k++)
        if (n[k] > 0) status = take_side(h, side[k], l, k ? n[0] : 0, n[k], k);
    return status;
}

hd_status hd__hull_begin(hd__hull *h)
{
    const hd__hull_rules *r = h->rules;
    int64_t end[2] = {0, 0};
    line l;
    hd_status status = extreme(h, r->lowest, &end[0]);
    if (status == HD_OK) status = extreme(h, r->highest, &end[1]);
    if (status == HD_OK) status = read_line(h, end[0], end[1], &l);
    // Where the highest point is the lowest, all points are one place, and this its lowest index.
    h->m = end[0] == end[1] ? 1 : 2;
    if (status == HD_OK) status = hd__frame_row(&h->f, HD_I64, h->m, &h->corner);
    if (status == HD_OK) status = hd__frame_copy(&h->f, HD_VIEW(end, h->m), h->corner);
    if (status != HD_OK || h->m == 1) return status;
    const hd_function *const corners[2] = {r->strictly_right, r->strictly_left};
    const hd_function *const all[2] = {r->right_or_on, r->left_or_on};
    return take_sides(h, &l, h->collinear ? all : corners);
}
