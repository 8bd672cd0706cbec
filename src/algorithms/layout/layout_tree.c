// SPDX-License-Identifier: Apache-2.0
// The tree of the boxes, from their depths in document order: parents by a sort and a search, and
// what a box takes from those above it by pointer jumping (Wyllie 1979).
#include "layout.h"

HD_FUNCTION(begins, uint8_t, layout_source, (layout_node, x, layout_node, before),
            { return begins_at(x, before); })
HD_FUNCTION(is_box, bool, layout_source, (uint8_t, begins), { return (begins & IS_BOX) != 0; })
HD_FUNCTION(depth_of, int32_t, layout_source, (layout_node, x), { return x.depth; })
HD_FUNCTION(style_of, int32_t, layout_source, (layout_node, x),
            { return x.kind == KIND_BLOCK ? x.style : -1; })

// A box in the order of depth: its depth, and below that its number.
HD_FUNCTION(key_of, int64_t, HD_NO_SOURCE, (int32_t, depth, int64_t, box),
            { return ((int64_t)depth << 32) + box; })
HD_FUNCTION(one_less_deep, int64_t, HD_NO_SOURCE, (int64_t, key),
            { return key - ((int64_t)1 << 32); })
HD_FUNCTION(box_of, int32_t, HD_NO_SOURCE, (int64_t, key), { return (int32_t)(key & 0x7fffffff); })
HD_FUNCTION(minus_one, int32_t, HD_NO_SOURCE, (int32_t, x), { return x - 1; })
HD_FUNCTION(sibling, int32_t, HD_NO_SOURCE,
            (int64_t, key, int64_t, next, int32_t, parent, int32_t, of_next), {
                return key >> 32 == next >> 32 && parent == of_next ? (int32_t)(next & 0x7fffffff)
                                                                    : -1;
            })

HD_FUNCTION_STATE(first_path, layout_path, layout_source,
                  (int32_t, box, int32_t, parent, int32_t, sibling, layout_style, s), int64_t,
                  { return path_of(box, parent, box == 0 ? (int32_t)*state : sibling, s); })
HD_FUNCTION(join, layout_path, layout_source, (layout_path, below, layout_path, above),
            { return joined(below, above); })
HD_FUNCTION(up_of, int32_t, layout_source, (layout_path, p), { return p.up; })
HD_FUNCTION(end_of, int32_t, layout_source, (layout_path, p), { return p.end; })
HD_FUNCTION(frame_of, int32_t, layout_source, (layout_path, p), { return p.frame; })

// begins has a sentinel: the end of the document begins a line.
static hd_status find_boxes(hd__layout *a)
{
    hd__frame *f = &a->f;
    const uint8_t root = IS_BOX, end = IS_FORCED;
    const int64_t n = a->n;
    hd_status status = hd__frame_row(f, HD_U8, n + 1, &a->begins);
    if (status) return status;
    const hd_view begin = hd__frame_part(a->begins, 0, n);
    status = hd_map(f->ctx, hd_constant(root, 1), NULL, hd__frame_part(begin, 0, 1), NULL);
    if (!status)
        status = hd_map(f->ctx, hd_constant(end, 1), NULL, hd__frame_part(a->begins, n, 1), NULL);
    if (!status)
        status = hd_map(f->ctx, hd__frame_part(a->nodes, 1, n - 1), begins,
                        hd__frame_part(begin, 1, n - 1),
                        &(hd_map_options){.with = HD_VIEWS(hd__frame_part(a->nodes, 0, n - 1))});
    if (!status)
        status = hd_compact(f->ctx, begin, HD_EMPTY, HD_VIEW(&a->boxes, 1),
                            &(hd_compact_options){.keep = is_box});
    if (!status) status = hd__frame_row(f, HD_I32, a->boxes, &a->source);
    if (status) return status;
    return hd_compact(f->ctx, begin, HD_EMPTY, HD_VIEW(&a->boxes, 1),
                      &(hd_compact_options){.keep = is_box, .indices = &a->source});
}

static hd_status take_styles(hd__layout *a)
{
    hd__frame *f = &a->f;
    hd_view style;
    hd_status status = hd__frame_row(f, HD_I32, a->boxes, &style);
    if (!status) status = hd__frame_row(f, HD_I32, a->boxes, &a->depth);
    if (!status) status = hd__frame_row(f, HD_TYPE(layout_style), a->boxes, &a->rule);
    if (!status)
        status = hd_gather(f->ctx, a->nodes, a->source, a->depth,
                           &(hd_gather_options){.function = depth_of});
    if (!status)
        status = hd_gather(f->ctx, a->nodes, a->source, style,
                           &(hd_gather_options){.function = style_of});
    if (!status) status = hd_gather(f->ctx, a->styles, style, a->rule, NULL); // -1: all zero
    return status ? status : hd__frame_drop(f, &style);
}

// Boxes in the order of their depth, with their parents and next siblings (or -1).
typedef struct by_depth {
    hd_view key, box, parent, sibling;
} by_depth;

// The parent of a box is the last one before it that is one less deep: of all that are, or are less
// deep still, the last one in this order. For the root there is none, which gather makes a 0.
static hd_status find_parents(hd__layout *a, by_depth *d)
{
    hd__frame *f = &a->f;
    const int64_t m = a->boxes;
    hd_view query;
    hd_status status = hd__frame_row(f, HD_I64, m, &query);
    if (!status)
        status = hd_map(f->ctx, a->depth, key_of, d->key,
                        &(hd_map_options){.with = HD_VIEWS(hd_iota(m))});
    if (!status) status = hd_sort(f->ctx, d->key, d->key, HD_NO_VALUES, NULL);
    if (!status) status = hd_map(f->ctx, d->key, one_less_deep, query, NULL);
    if (!status) status = hd_search(f->ctx, d->key, query, d->box, NULL);
    if (!status) status = hd_map(f->ctx, d->box, minus_one, d->box, NULL);
    if (!status)
        status =
            hd_gather(f->ctx, d->key, d->box, d->parent, &(hd_gather_options){.function = box_of});
    if (!status) status = hd_map(f->ctx, d->key, box_of, d->box, NULL);
    return status ? status : hd__frame_drop(f, &query);
}

static hd_status find_siblings(hd__layout *a, const by_depth *d)
{
    const int64_t m = a->boxes;
    const int32_t none = -1;
    const hd_status status =
        hd_map(a->f.ctx, hd_constant(none, 1), NULL, hd__frame_part(d->sibling, m - 1, 1), NULL);
    if (status) return status;
    return hd_map(a->f.ctx, hd__frame_part(d->key, 0, m - 1), sibling,
                  hd__frame_part(d->sibling, 0, m - 1),
                  &(hd_map_options){.with = HD_VIEWS(hd__frame_part(d->key, 1, m - 1),
                                                     hd__frame_part(d->parent, 0, m - 1),
                                                     hd__frame_part(d->parent, 1, m - 1))});
}

// parent and path, of single boxes, in the order of the document.
static hd_status begin_paths(hd__layout *a)
{
    hd__frame *f = &a->f;
    const hd_scatter_options once = {.unique = true};
    const int64_t m = a->boxes;
    by_depth d;
    hd_view path;
    hd_status status = hd__frame_row(f, HD_I64, m, &d.key);
    if (!status) status = hd__frame_row(f, HD_I32, m, &d.box);
    if (!status) status = hd__frame_row(f, HD_I32, m, &d.parent);
    if (!status) status = hd__frame_row(f, HD_I32, m, &d.sibling);
    if (!status) status = hd__frame_row(f, HD_TYPE(layout_path), m, &path);
    if (!status) status = hd__frame_row(f, HD_I32, m, &a->parent);
    if (!status) status = hd__frame_row(f, HD_TYPE(layout_path), m, &a->path);
    if (!status) status = find_parents(a, &d);
    if (!status) status = find_siblings(a, &d);
    if (!status)
        status = hd_map(
            f->ctx, d.box, HD_WITH_STATE(first_path, &m), path,
            &(hd_map_options){.with = HD_VIEWS(d.parent, d.sibling, hd_indexed(a->rule, d.box))});
    if (!status) status = hd_scatter(f->ctx, path, d.box, a->path, &once);
    if (!status) status = hd_scatter(f->ctx, d.parent, d.box, a->parent, &once);
    hd_view *const own[] = {&d.key, &d.box, &d.parent, &d.sibling, &path};
    for (int k = 0; k < 5 && !status; k++) status = hd__frame_drop(f, own[k]);
    return status;
}

// Each path is joined by the one that begins where it ends, until all end at the root.
static hd_status join_paths(hd__layout *a)
{
    hd__frame *f = &a->f;
    int32_t deepest = 0;
    hd_view up, longer;
    hd_status status = hd_reduce(f->ctx, a->depth, HD_MAX, HD_VIEW(&deepest, 1), NULL);
    if (!status) status = hd__frame_row(f, HD_I32, a->boxes, &up);
    if (!status) status = hd__frame_row(f, HD_TYPE(layout_path), a->boxes, &longer);
    for (int64_t length = 1; length <= deepest && !status; length *= 2, a->steps++) {
        const hd_view path = a->path;
        status = hd_map(f->ctx, path, up_of, up, NULL);
        if (!status)
            status = hd_map(f->ctx, path, join, longer,
                            &(hd_map_options){.with = HD_VIEWS(hd_indexed(path, up))});
        a->path = longer, longer = path;
    }
    if (!status) status = hd__frame_drop(f, &up);
    return status ? status : hd__frame_drop(f, &longer);
}

hd_status hd__layout_tree(hd__layout *a)
{
    hd__frame *f = &a->f;
    hd_status status = find_boxes(a);
    if (!status) status = take_styles(a);
    if (!status) status = begin_paths(a);
    if (!status) status = join_paths(a);
    if (!status) status = hd__frame_row(f, HD_I32, a->boxes, &a->end);
    if (!status) status = hd__frame_row(f, HD_I32, a->boxes, &a->frame);
    if (!status) status = hd_map(f->ctx, a->path, end_of, a->end, NULL);
    return status ? status : hd_map(f->ctx, a->path, frame_of, a->frame, NULL);
}
