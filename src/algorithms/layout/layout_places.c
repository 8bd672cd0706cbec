// SPDX-License-Identifier: Apache-2.0
// Where boxes are. Going down the page, a box adds something where it is entered and something
// where it is left; what was added before a box is the sum over those that were entered before it,
// in document order, and over those that were left before it, in the order they are left in.
#include "layout.h"

HD_FUNCTION(left_order, int32_t, HD_NO_SOURCE, (int32_t, end, int32_t, depth),
            { return end - 1 - depth; })
HD_FUNCTION(left_before, int32_t, HD_NO_SOURCE, (int32_t, depth, int64_t, box),
            { return (int32_t)box - depth; })
HD_FUNCTION(is_framed, bool, HD_NO_SOURCE, (int32_t, frame, int64_t, box),
            { return box != 0 && frame >= 0; })

// ---- Downwards ----
// All that a box takes of its container's height.
HD_FUNCTION(outer, int64_t, layout_source, (layout_style, s, int64_t, inner), {
    const int64_t around =
        (int64_t)s.margin[TOP] + s.padding[TOP] + s.padding[BOTTOM] + s.margin[BOTTOM];
    return around + ((s.given & GIVEN_HEIGHT) != 0 ? s.height : inner);
})
HD_FUNCTION(entering, int64_t, layout_source, (layout_style, s),
            { return (int64_t)s.margin[TOP] + s.padding[TOP]; })
// What is in a box of a given height has added its own height by then.
HD_FUNCTION(leaving, int64_t, layout_source, (layout_style, s, int64_t, inner, int64_t, content), {
    return (int64_t)s.padding[BOTTOM] + s.margin[BOTTOM] +
           ((s.given & GIVEN_HEIGHT) != 0 ? s.height - content : inner);
})
HD_FUNCTION(top_of, int64_t, layout_source, (layout_style, s, int64_t, entered, int64_t, left),
            { return entered + left + s.margin[TOP]; })
// Between a box and its end: what is entered and left in it.
HD_FUNCTION(height_of, int64_t, layout_source,
            (layout_style, s, int64_t, inner, int64_t, entered, int64_t, entered_to, int64_t, left,
             int64_t, left_to),
            {
                const int64_t content = inner + entered_to - entered + left_to - left;
                return (int64_t)s.padding[TOP] + s.padding[BOTTOM] +
                       ((s.given & GIVEN_HEIGHT) != 0 ? s.height : content);
            })

// ---- To the right ----
// From the content of its container to its own; the state is the width of the page.
HD_FUNCTION_STATE(indent, int64_t, layout_source,
                  (layout_style, s, int32_t, width, int32_t, container, int64_t, box), int64_t, {
                      const int64_t of = box == 0 ? *state : container;
                      const int64_t free = of - around(s) - width;
                      int64_t x = (int64_t)s.margin[LEFT] + s.padding[LEFT];
                      if (free > 0 && s.align == AT_RIGHT) x += free;
                      if (free > 0 && s.align == AT_CENTER) x += free / 2;
                      return x;
                  })
HD_FUNCTION(left_of, int64_t, layout_source,
            (layout_style, s, int64_t, own, int64_t, entered, int64_t, left),
            { return entered - left + own - s.padding[LEFT]; })

HD_FUNCTION(
    block_box, layout_box, layout_source,
    (layout_style, s, int64_t, x, int64_t, y, int32_t, width, int64_t, height), {
        const layout_box b = {x, y, (int64_t)s.padding[LEFT] + width + s.padding[RIGHT], height};
        return b;
    })
HD_FUNCTION(placed, layout_line, layout_source,
            (layout_line, l, int64_t, x, int64_t, y, int64_t, top, int32_t, ascent, int32_t,
             descent, layout_style, s),
            {
                l.x += x;
                l.baseline = y + top + leading(s, (int64_t)ascent + descent) / 2 + ascent;
                return l;
            })
HD_FUNCTION(node_box, layout_box, layout_source,
            (layout_node, x, int64_t, widths, int32_t, spaces, layout_line, l), {
                const int64_t before = spaces - l.spaces;
                layout_box b = {l.x + widths + stretched(l, before), l.baseline - x.ascent, x.width,
                                (int64_t)x.ascent + x.descent};
                if (x.kind == KIND_SPACE)
                    b.width += stretched(l, before + 1) - stretched(l, before);
                return b;
            })
HD_FUNCTION(block_at, int32_t, layout_source, (layout_node, x, int32_t, at),
            { return x.kind == KIND_BLOCK ? at : -1; })

// In document order what is added by all boxes before one; and in the order they are left in, which
// `order` says. Both have one number more than there are boxes.
typedef struct sums {
    hd_view order, before; // where a box is left; how many are left before it is entered
    hd_view entered, left;
} sums;

// sum = 0, and the prefix sums of a row.
static hd_status sum_up(hd__layout *a, hd_view row, hd_view sum)
{
    const int64_t zero = 0;
    const hd_status status =
        hd_map(a->f.ctx, hd_constant(zero, 1), NULL, hd__frame_part(sum, 0, 1), NULL);
    if (status) return status;
    return hd_scan(a->f.ctx, row, HD_SUM, hd__frame_part(sum, 1, a->boxes), NULL);
}

static hd_status sum_left(hd__layout *a, const sums *s, hd_view row, hd_view scratch)
{
    const hd_status status =
        hd_scatter(a->f.ctx, row, s->order, scratch, &(hd_scatter_options){.unique = true});
    return status ? status : sum_up(a, scratch, s->left);
}

static hd_status open_sums(hd__layout *a, sums *s)
{
    hd__frame *f = &a->f;
    const int64_t m = a->boxes;
    hd_status status = hd__frame_row(f, HD_I32, m, &s->order);
    if (!status) status = hd__frame_row(f, HD_I32, m, &s->before);
    if (!status) status = hd__frame_row(f, HD_I64, m + 1, &s->entered);
    if (!status) status = hd__frame_row(f, HD_I64, m + 1, &s->left);
    if (!status)
        status = hd_map(f->ctx, a->end, left_order, s->order,
                        &(hd_map_options){.with = HD_VIEWS(a->depth)});
    if (status) return status;
    return hd_map(f->ctx, a->depth, left_before, s->before,
                  &(hd_map_options){.with = HD_VIEWS(hd_iota(m))});
}

// content[b] = the height of what is in b, if b has a given one: a sum over the boxes whose nearest
// such box it is. Others stay 0.
static hd_status sum_frames(hd__layout *a, hd_view content)
{
    hd__frame *f = &a->f;
    const int64_t m = a->boxes, zero = 0;
    int64_t count = 0;
    hd_view frame, which, height, own;
    hd_status status = hd_map(f->ctx, hd_constant(zero, m), NULL, content, NULL);
    if (!status) status = hd__frame_row(f, HD_I32, m, &frame);
    if (!status) status = hd__frame_row(f, HD_I32, m, &which);
    if (!status) status = hd__frame_row(f, HD_I64, m, &height);
    if (!status) status = hd__frame_row(f, HD_I64, m, &own);
    if (!status) status = hd_gather(f->ctx, a->frame, a->parent, frame, NULL);
    if (!status)
        status =
            hd_compact(f->ctx, frame, frame, HD_VIEW(&count, 1),
                       &(hd_compact_options){
                           .keep = is_framed, .with = HD_VIEWS(hd_iota(m)), .indices = &which});
    if (!status)
        status =
            hd_map(f->ctx, a->rule, outer, height, &(hd_map_options){.with = HD_VIEWS(a->inner)});
    if (!status && count > 0)
        status = hd_gather(f->ctx, height, hd__frame_part(which, 0, count),
                           hd__frame_part(own, 0, count), NULL);
    if (!status && count > 0)
        status = hd_scatter(f->ctx, hd__frame_part(own, 0, count), hd__frame_part(frame, 0, count),
                            content, &(hd_scatter_options){.combine = HD_SUM});
    hd_view *const rows[] = {&frame, &which, &height, &own};
    for (int k = 0; k < 4 && !status; k++) status = hd__frame_drop(f, rows[k]);
    return status;
}

// top and height.
static hd_status go_down(hd__layout *a, const sums *s)
{
    hd__frame *f = &a->f;
    const int64_t m = a->boxes;
    const hd_view left = hd_indexed(s->left, s->before);
    hd_view add, other;
    hd_status status = hd__frame_row(f, HD_I64, m, &add);
    if (!status) status = hd__frame_row(f, HD_I64, m, &other);
    if (!status) status = hd__frame_row(f, HD_I64, m, &a->top);
    if (!status) status = hd__frame_row(f, HD_I64, m, &a->height);
    if (!status) status = hd_map(f->ctx, a->rule, entering, add, NULL);
    if (!status) status = sum_up(a, add, s->entered);
    if (!status) status = sum_frames(a, other);
    if (!status)
        status = hd_map(f->ctx, a->rule, leaving, add,
                        &(hd_map_options){.with = HD_VIEWS(a->inner, other)});
    if (!status) status = sum_left(a, s, add, other);
    if (!status)
        status =
            hd_map(f->ctx, a->rule, top_of, a->top,
                   &(hd_map_options){.with = HD_VIEWS(hd__frame_part(s->entered, 0, m), left)});
    if (!status)
        status =
            hd_map(f->ctx, a->rule, height_of, a->height,
                   &(hd_map_options){.with = HD_VIEWS(a->inner, hd__frame_part(s->entered, 1, m),
                                                      hd_indexed(s->entered, a->end), left,
                                                      hd_indexed(s->left, s->order))});
    if (!status) status = hd__frame_drop(f, &add);
    return status ? status : hd__frame_drop(f, &other);
}

// left.
static hd_status go_right(hd__layout *a, const sums *s)
{
    hd__frame *f = &a->f;
    const int64_t m = a->boxes;
    hd_view add, scratch;
    hd_status status = hd__frame_row(f, HD_I64, m, &add);
    if (!status) status = hd__frame_row(f, HD_I64, m, &scratch);
    if (!status) status = hd__frame_row(f, HD_I64, m, &a->left);
    if (!status)
        status = hd_map(
            f->ctx, a->rule, HD_WITH_STATE(indent, &a->width), add,
            &(hd_map_options){
                .with = HD_VIEWS(a->width_of, hd_indexed(a->width_of, a->parent), hd_iota(m))});
    if (!status) status = sum_up(a, add, s->entered);
    if (!status) status = sum_left(a, s, add, scratch);
    if (!status)
        status = hd_map(f->ctx, a->rule, left_of, a->left,
                        &(hd_map_options){.with = HD_VIEWS(add, hd__frame_part(s->entered, 0, m),
                                                           hd_indexed(s->left, s->before))});
    if (!status) status = hd__frame_drop(f, &add);
    return status ? status : hd__frame_drop(f, &scratch);
}

static hd_status write_nodes(hd__layout *a, hd_view out)
{
    hd__frame *f = &a->f;
    const hd_status status = hd_map(
        f->ctx, a->line, placed, a->line,
        &(hd_map_options){.with = HD_VIEWS(hd_indexed(a->left, a->line_box),
                                           hd_indexed(a->top, a->line_box), a->line_top, a->ascent,
                                           a->descent, hd_indexed(a->rule, a->line_block))});
    if (status) return status;
    return hd_map(f->ctx, a->nodes, node_box, out,
                  &(hd_map_options){.with = HD_VIEWS(hd__frame_part(a->widths, 0, a->n),
                                                     hd__frame_part(a->spaces, 0, a->n),
                                                     hd_indexed(a->line, a->line_of))});
}

// Behind those of all nodes, where blocks have none yet. What is at -1 is not written.
static hd_status write_blocks(hd__layout *a, hd_view out)
{
    hd__frame *f = &a->f;
    hd_view box, at;
    hd_status status = hd__frame_row(f, HD_TYPE(layout_box), a->boxes, &box);
    if (!status) status = hd__frame_row(f, HD_I32, a->boxes, &at);
    if (!status)
        status =
            hd_map(f->ctx, a->rule, block_box, box,
                   &(hd_map_options){.with = HD_VIEWS(a->left, a->top, a->width_of, a->height)});
    if (!status)
        status = hd_map(f->ctx, hd_indexed(a->nodes, a->source), block_at, at,
                        &(hd_map_options){.with = HD_VIEWS(a->source)});
    if (status) return status;
    return hd_scatter(f->ctx, box, at, out, &(hd_scatter_options){.unique = true});
}

hd_status hd__layout_places(hd__layout *a, hd_view out)
{
    sums s;
    hd_status status = open_sums(a, &s);
    if (!status) status = go_down(a, &s);
    if (!status) status = go_right(a, &s);
    if (!status && a->lines > 0) status = write_nodes(a, out);
    return status ? status : write_blocks(a, out);
}
