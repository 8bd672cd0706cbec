// SPDX-License-Identifier: Apache-2.0
// The widths of boxes. A path to the root is a function of the width of its anchor; the boxes whose
// widths are percentages wait for each other, those with as many above them side by side.
#include "layout.h"

HD_FUNCTION(percentages_of, int32_t, layout_source, (layout_path, p), { return p.percentages; })
HD_FUNCTION(anchor_of, int32_t, layout_source, (layout_path, p), { return p.anchor; })
HD_FUNCTION(waits, bool, layout_source, (layout_style, s, int64_t, box),
            { return box != 0 && is_percentage(s); })
HD_FUNCTION(percentage_width, int32_t, layout_source,
            (layout_path, container, layout_style, s, int32_t, anchor),
            { return used_width(s, width_along(container, anchor)); })
HD_FUNCTION(width, int32_t, layout_source, (layout_path, p, int32_t, anchor),
            { return width_along(p, anchor); })

// The boxes whose widths are percentages, ordered by how many there are from the root to them.
typedef struct waiting {
    int64_t count, most;
    hd_view box, rule;         // layout_style
    hd_view container, anchor; // layout_path of its parent, and where that begins
    hd_view width;
    hd_view first; // k: of those that have k + 1; most + 1 numbers
} waiting;

static hd_status order_waiting(hd__layout *a, waiting *w)
{
    hd__frame *f = &a->f;
    hd_view percentages, which;
    hd_status status = hd__frame_row(f, HD_I32, w->count, &percentages);
    if (!status) status = hd__frame_row(f, HD_I32, w->most + 1, &which);
    if (!status) status = hd__frame_row(f, HD_I32, w->most + 1, &w->first);
    if (!status)
        status = hd_gather(f->ctx, a->path, w->box, percentages,
                           &(hd_gather_options){.function = percentages_of});
    if (!status)
        status = hd_sort(f->ctx, percentages, percentages, HD_VALUES(w->box, w->box), NULL);
    if (!status) status = hd_map(f->ctx, hd_progression(1, 1, w->most + 1), NULL, which, NULL);
    if (!status) status = hd_search(f->ctx, percentages, which, w->first, NULL);
    if (!status) status = hd__frame_drop(f, &percentages);
    return status ? status : hd__frame_drop(f, &which);
}

static hd_status find_waiting(hd__layout *a, waiting *w)
{
    hd__frame *f = &a->f;
    const int64_t m = a->boxes;
    const hd_view count = HD_VIEW(&w->count, 1);
    hd_compact_options those = {.keep = waits, .with = HD_VIEWS(hd_iota(m))};
    hd_status status = hd_compact(f->ctx, a->rule, HD_EMPTY, count, &those);
    if (!status) status = hd__frame_row(f, HD_I32, w->count, &w->box);
    those.indices = &w->box;
    if (!status) status = hd_compact(f->ctx, a->rule, HD_EMPTY, count, &those);
    return status ? status : order_waiting(a, w);
}

static hd_status take_containers(hd__layout *a, waiting *w)
{
    hd__frame *f = &a->f;
    hd_status status = hd__frame_row(f, HD_I32, w->count, &w->anchor);
    if (!status) status = hd__frame_row(f, HD_I32, w->count, &w->width);
    if (!status) status = hd__frame_row(f, HD_TYPE(layout_style), w->count, &w->rule);
    if (!status) status = hd__frame_row(f, HD_TYPE(layout_path), w->count, &w->container);
    if (!status) status = hd_gather(f->ctx, a->rule, w->box, w->rule, NULL);
    if (!status) status = hd_gather(f->ctx, a->parent, w->box, w->anchor, NULL);
    if (!status) status = hd_gather(f->ctx, a->path, w->anchor, w->container, NULL);
    return status ? status : hd_map(f->ctx, w->container, anchor_of, w->anchor, NULL);
}

// known = the widths of the root and of what waited, the outer ones first.
static hd_status resolve(hd__layout *a, hd_view known, int64_t most)
{
    hd__frame *f = &a->f;
    waiting w = {.most = most};
    int32_t begin = 0, end = 0;
    hd_status status = find_waiting(a, &w);
    if (!status) status = take_containers(a, &w);
    for (int64_t k = 0; k < most && !status; k++, a->steps++, begin = end) {
        status = hd__frame_read(f, w.first, k + 1, &end);
        if (status) break;
        const int64_t count = end - begin;
        const hd_view anchor = hd_indexed(known, hd__frame_part(w.anchor, begin, count));
        const hd_view width = hd__frame_part(w.width, begin, count);
        status = hd_map(
            f->ctx, hd__frame_part(w.container, begin, count), percentage_width, width,
            &(hd_map_options){.with = HD_VIEWS(hd__frame_part(w.rule, begin, count), anchor)});
        if (!status)
            status = hd_scatter(f->ctx, width, hd__frame_part(w.box, begin, count), known,
                                &(hd_scatter_options){.unique = true});
    }
    hd_view *const own[] = {&w.box, &w.rule, &w.container, &w.anchor, &w.width, &w.first};
    for (int k = 0; k < 6 && !status; k++) status = hd__frame_drop(f, own[k]);
    return status;
}

hd_status hd__layout_widths(hd__layout *a)
{
    hd__frame *f = &a->f;
    layout_style root;
    int32_t most = 0, of_root;
    hd_view known, anchor;
    hd_status status = hd__frame_row(f, HD_I32, a->boxes, &known);
    if (!status) status = hd__frame_row(f, HD_I32, a->boxes, &anchor);
    if (!status) status = hd__frame_row(f, HD_I32, a->boxes, &a->width_of);
    if (!status) status = hd__frame_read(f, a->rule, 0, &root);
    if (status) return status;
    of_root = used_width(root, a->width);
    status = hd_map(f->ctx, hd_constant(of_root, 1), NULL, hd__frame_part(known, 0, 1), NULL);
    if (!status)
        status = hd_reduce(f->ctx, a->path, HD_MAX, HD_VIEW(&most, 1),
                           &(hd_reduce_options){.map = percentages_of});
    if (!status && most > 0) status = resolve(a, known, most);
    if (!status) status = hd_map(f->ctx, a->path, anchor_of, anchor, NULL);
    if (!status)
        status = hd_map(f->ctx, a->path, width, a->width_of,
                        &(hd_map_options){.with = HD_VIEWS(hd_indexed(known, anchor))});
    if (!status) status = hd__frame_drop(f, &known);
    if (!status) status = hd__frame_drop(f, &anchor);
    return status ? status : hd__frame_drop(f, &a->path);
}
