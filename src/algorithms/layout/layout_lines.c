// SPDX-License-Identifier: Apache-2.0
// Lines: where each would end that began at a word, found in the prefix sums of widths; which words
// do begin one, by pointer jumping (Wyllie 1979); and how wide and how high lines are.
#include "layout.h"

HD_FUNCTION(width_of_node, int64_t, layout_source, (layout_node, x),
            { return x.kind == KIND_BLOCK ? 0 : x.width; })
HD_FUNCTION(is_space, int32_t, layout_source, (layout_node, x), { return x.kind == KIND_SPACE; })
HD_FUNCTION(behind_word, int32_t, layout_source, (layout_node, x, int64_t, i),
            { return x.kind == KIND_INLINE ? (int32_t)i + 1 : 0; })
HD_FUNCTION(is_piece, bool, layout_source, (uint8_t, begins), { return (begins & IS_PIECE) != 0; })
HD_FUNCTION(is_forced, bool, layout_source, (uint8_t, begins),
            { return (begins & IS_FORCED) != 0; })

HD_FUNCTION(minus_one, int32_t, HD_NO_SOURCE, (int32_t, x), { return x - 1; })
HD_FUNCTION(limit_of, int64_t, HD_NO_SOURCE, (int64_t, before, int32_t, width),
            { return before + width; })
HD_FUNCTION(forced_at, int32_t, layout_source, (uint8_t, begins, int64_t, piece),
            { return (begins & IS_FORCED) != 0 ? (int32_t)piece : 0x7fffffff; })
// The first piece that does not fit, the next one at least; the state, which is none, where a line
// begins there in any case.
HD_FUNCTION_STATE(next_line, int32_t, HD_NO_SOURCE,
                  (int32_t, too_far, int64_t, piece, int32_t, forced), int32_t, {
                      const int32_t next = too_far > piece ? too_far : (int32_t)piece + 1;
                      return next < forced && next < *state ? next : *state;
                  })
HD_FUNCTION_STATE(is_one, bool, HD_NO_SOURCE, (int32_t, piece), int32_t, { return piece < *state; })

HD_FUNCTION(ascent_of, int32_t, layout_source, (layout_node, x),
            { return x.kind == KIND_BLOCK ? -MOST : x.ascent; })
HD_FUNCTION(descent_of, int32_t, layout_source, (layout_node, x),
            { return x.kind == KIND_BLOCK ? -MOST : x.descent; })
HD_FUNCTION(height_of, int64_t, layout_source, (int32_t, ascent, int32_t, descent, layout_style, s),
            {
                const int64_t height = (int64_t)ascent + descent;
                return height + leading(s, height);
            })
// before: widths and spaces before the line; to: those before what is behind its last word.
HD_FUNCTION(aligned, layout_line, layout_source,
            (int64_t, before, int64_t, to, int32_t, spaces_before, int32_t, spaces_to, int32_t,
             room, layout_style, s, uint8_t, next),
            {
                layout_line l = {-before, 0, 0, 0, spaces_before};
                const int64_t left = room - (to > before ? to - before : 0);
                if (left <= 0) return l;
                if (s.text_align == AT_RIGHT) l.x += left;
                if (s.text_align == AT_CENTER) l.x += left / 2;
                if (s.text_align == JUSTIFIED && (next & IS_FORCED) == 0) {
                    l.extra = left;
                    l.gaps = spaces_to > spaces_before ? spaces_to - spaces_before : 0;
                }
                return l;
            })
HD_FUNCTION(line_at, int32_t, HD_NO_SOURCE, (int32_t, lines), { return lines > 0 ? lines - 1 : 0; })

// Pieces: words that no line ends between, with the spaces that follow; the first one of a
// paragraph, or behind a break, with those before.
typedef struct pieces {
    int64_t count;
    hd_view first;  // its node; and n
    hd_view begins; // u8, of that node
    hd_view box;    // its paragraph
    hd_view next;   // the first piece of the line behind one that begins here, or count; and count
} pieces;

// ---- Prefix sums --------------------------------------------------------------------------------

// row = 0, and the n numbers of a scan.
static hd_status sum_up(hd__layout *a, hd_type type, const hd_operator *op, const hd_function *of,
                        hd_views with, hd_view *row)
{
    const int32_t zero = 0;
    hd_status status = hd__frame_row(&a->f, type, a->n + 1, row);
    if (!status)
        status = hd_map(a->f.ctx, hd_constant(zero, 1), NULL, hd__frame_part(*row, 0, 1), NULL);
    if (status) return status;
    return hd_scan(a->f.ctx, a->nodes, op, hd__frame_part(*row, 1, a->n),
                   &(hd_scan_options){.map = of, .with = with});
}

static hd_status sum_nodes(hd__layout *a)
{
    hd_status status = sum_up(a, HD_I64, HD_SUM, width_of_node, HD_NO_VALUES, &a->widths);
    if (!status) status = sum_up(a, HD_I32, HD_SUM, is_space, HD_NO_VALUES, &a->spaces);
    if (status) return status;
    return sum_up(a, HD_I32, HD_MAX, behind_word, HD_VIEWS(hd_iota(a->n)), &a->words);
}

// ---- Where lines begin --------------------------------------------------------------------------

static hd_status find_pieces(hd__layout *a, pieces *p)
{
    hd__frame *f = &a->f;
    const hd_view begins = hd__frame_part(a->begins, 0, a->n), count = HD_VIEW(&p->count, 1);
    const int32_t end = (int32_t)a->n;
    hd_status status =
        hd_compact(f->ctx, begins, HD_EMPTY, count, &(hd_compact_options){.keep = is_piece});
    if (!status) status = hd__frame_row(f, HD_I32, p->count + 1, &p->first);
    if (!status) status = hd__frame_row(f, HD_U8, p->count, &p->begins);
    if (!status) status = hd__frame_row(f, HD_I32, p->count, &p->box);
    if (!status) status = hd__frame_row(f, HD_I32, p->count + 1, &p->next);
    if (status || p->count == 0) return status;
    const hd_view first = hd__frame_part(p->first, 0, p->count);
    status = hd_compact(f->ctx, begins, HD_EMPTY, count,
                        &(hd_compact_options){.keep = is_piece, .indices = &first});
    if (!status)
        status =
            hd_map(f->ctx, hd_constant(end, 1), NULL, hd__frame_part(p->first, p->count, 1), NULL);
    if (!status) status = hd_gather(f->ctx, begins, first, p->begins, NULL);
    if (!status)
        status = hd_search(f->ctx, a->source, first, p->box, &(hd_search_options){.right = true});
    return status ? status : hd_map(f->ctx, p->box, minus_one, p->box, NULL);
}

// too_far[p] = the first piece whose last word ends behind the line that begins at p, or count.
static hd_status find_ends(hd__layout *a, const pieces *p, hd_view too_far)
{
    hd__frame *f = &a->f;
    const hd_view behind = hd__frame_part(p->first, 1, p->count);
    hd_view ends, limit;
    hd_status status = hd__frame_row(f, HD_I64, p->count, &ends);
    if (!status) status = hd__frame_row(f, HD_I64, p->count, &limit);
    if (!status) status = hd_gather(f->ctx, a->words, behind, too_far, NULL);
    if (!status) status = hd_gather(f->ctx, a->widths, too_far, ends, NULL);
    if (!status)
        status =
            hd_map(f->ctx, hd_indexed(a->widths, hd__frame_part(p->first, 0, p->count)), limit_of,
                   limit, &(hd_map_options){.with = HD_VIEWS(hd_indexed(a->width_of, p->box))});
    if (!status)
        status = hd_search(f->ctx, ends, limit, too_far, &(hd_search_options){.right = true});
    if (!status) status = hd__frame_drop(f, &ends);
    return status ? status : hd__frame_drop(f, &limit);
}

static hd_status find_next(hd__layout *a, pieces *p)
{
    hd__frame *f = &a->f;
    const int32_t none = (int32_t)p->count;
    const hd_view self = hd_iota(p->count);
    hd_view too_far, forced;
    hd_status status = hd__frame_row(f, HD_I32, p->count, &too_far);
    if (!status) status = hd__frame_row(f, HD_I32, p->count, &forced);
    if (!status) status = find_ends(a, p, too_far);
    if (!status)
        status =
            hd_map(f->ctx, p->begins, forced_at, forced, &(hd_map_options){.with = HD_VIEWS(self)});
    if (!status)
        status = hd_scan(f->ctx, forced, HD_MIN, forced,
                         &(hd_scan_options){.exclusive = true, .backward = true});
    if (!status)
        status = hd_map(f->ctx, too_far, HD_WITH_STATE(next_line, &none),
                        hd__frame_part(p->next, 0, p->count),
                        &(hd_map_options){.with = HD_VIEWS(self, forced)});
    if (!status)
        status =
            hd_map(f->ctx, hd_constant(none, 1), NULL, hd__frame_part(p->next, p->count, 1), NULL);
    if (!status) status = hd__frame_drop(f, &too_far);
    return status ? status : hd__frame_drop(f, &forced);
}

// begin = the pieces that begin lines: those that do in any case, the next ones of these, the next
// but one of all of these, and so on, each time with pointers twice as long.
static hd_status mark(hd__layout *a, pieces *p, hd_view begin)
{
    hd__frame *f = &a->f;
    const int32_t none = (int32_t)p->count;
    int64_t more = 0;
    hd_view twice, reached;
    hd_status status = hd__frame_row(f, HD_I32, p->count + 1, &twice);
    if (!status) status = hd__frame_row(f, HD_I32, p->count, &reached);
    if (!status)
        status = hd_compact(f->ctx, p->begins, HD_EMPTY, HD_VIEW(&a->lines, 1),
                            &(hd_compact_options){.keep = is_forced, .indices = &begin});
    for (; !status; a->steps++) {
        const hd_view next = p->next, here = hd__frame_part(reached, 0, a->lines);
        status = hd_gather(f->ctx, next, hd__frame_part(begin, 0, a->lines), here, NULL);
        if (!status)
            status = hd_compact(f->ctx, here, hd__frame_part(begin, a->lines, p->count - a->lines),
                                HD_VIEW(&more, 1),
                                &(hd_compact_options){.keep = HD_WITH_STATE(is_one, &none)});
        if (status || more == 0) break;
        a->lines += more;
        status = hd_gather(f->ctx, next, next, twice, NULL);
        p->next = twice, twice = next;
    }
    if (!status) status = hd__frame_drop(f, &twice);
    return status ? status : hd__frame_drop(f, &reached);
}

static hd_status begin_lines(hd__layout *a, pieces *p)
{
    hd__frame *f = &a->f;
    const int32_t end = (int32_t)a->n;
    hd_view begin;
    hd_status status = hd__frame_row(f, HD_I32, p->count, &begin);
    if (!status) status = mark(a, p, begin);
    if (!status) status = hd__frame_row(f, HD_I32, a->lines + 1, &a->line_begin);
    if (!status) status = hd__frame_row(f, HD_I32, a->lines, &a->line_box);
    if (status) return status;
    const hd_view piece = hd__frame_part(begin, 0, a->lines);
    status = hd_sort(f->ctx, piece, piece, HD_NO_VALUES, NULL);
    if (!status)
        status =
            hd_gather(f->ctx, p->first, piece, hd__frame_part(a->line_begin, 0, a->lines), NULL);
    if (!status)
        status = hd_map(f->ctx, hd_constant(end, 1), NULL,
                        hd__frame_part(a->line_begin, a->lines, 1), NULL);
    if (!status) status = hd_gather(f->ctx, p->box, piece, a->line_box, NULL);
    return status ? status : hd__frame_drop(f, &begin);
}

static hd_status break_lines(hd__layout *a)
{
    hd__frame *f = &a->f;
    pieces p = {.count = 0};
    hd_status status = find_pieces(a, &p);
    if (!status && p.count > 0) status = find_next(a, &p);
    if (!status && p.count > 0) status = begin_lines(a, &p);
    hd_view *const own[] = {&p.first, &p.begins, &p.box, &p.next};
    for (int k = 0; k < 4 && !status; k++) status = hd__frame_drop(f, own[k]);
    return status;
}

// ---- What lines are -----------------------------------------------------------------------------

// The block whose style a line has: the one around its paragraph.
static hd_status align(hd__layout *a)
{
    hd__frame *f = &a->f;
    const hd_view begin = hd__frame_part(a->line_begin, 0, a->lines);
    const hd_view behind = hd__frame_part(a->line_begin, 1, a->lines);
    hd_view word, next;
    hd_status status = hd__frame_row(f, HD_I32, a->lines, &word);
    if (!status) status = hd__frame_row(f, HD_U8, a->lines, &next);
    if (!status) status = hd__frame_row(f, HD_I32, a->lines, &a->line_block);
    if (!status) status = hd__frame_row(f, HD_TYPE(layout_line), a->lines, &a->line);
    if (!status) status = hd_gather(f->ctx, a->words, behind, word, NULL);
    if (!status) status = hd_gather(f->ctx, a->begins, behind, next, NULL);
    if (!status) status = hd_gather(f->ctx, a->parent, a->line_box, a->line_block, NULL);
    if (!status)
        status = hd_map(
            f->ctx, hd_indexed(a->widths, begin), aligned, a->line,
            &(hd_map_options){
                .with = HD_VIEWS(hd_indexed(a->widths, word), hd_indexed(a->spaces, begin),
                                 hd_indexed(a->spaces, word), hd_indexed(a->width_of, a->line_box),
                                 hd_indexed(a->rule, a->line_block), next)});
    if (!status) status = hd__frame_drop(f, &word);
    return status ? status : hd__frame_drop(f, &next);
}

// line_top, and inner of paragraphs.
static hd_status stack(hd__layout *a, hd_view height)
{
    hd__frame *f = &a->f;
    int64_t paragraphs = 0;
    hd_view sum, box;
    hd_status status = hd__frame_row(f, HD_I64, a->lines, &sum);
    if (!status) status = hd__frame_row(f, HD_I32, a->lines, &box);
    if (!status)
        status = hd_scan(f->ctx, height, HD_SUM, a->line_top,
                         &(hd_scan_options){.exclusive = true, .keys = &a->line_box});
    if (!status)
        status = hd_reduce(f->ctx, height, HD_SUM, sum,
                           &(hd_reduce_options){.keys = &a->line_box,
                                                .keys_out = &box,
                                                .runs = HD_REF(HD_VIEW(&paragraphs, 1))});
    if (!status)
        status = hd_scatter(f->ctx, hd__frame_part(sum, 0, paragraphs),
                            hd__frame_part(box, 0, paragraphs), a->inner,
                            &(hd_scatter_options){.unique = true});
    if (!status) status = hd__frame_drop(f, &sum);
    return status ? status : hd__frame_drop(f, &box);
}

static hd_status measure(hd__layout *a)
{
    hd__frame *f = &a->f;
    hd_view height;
    hd_status status = hd__frame_row(f, HD_I32, a->lines, &a->ascent);
    if (!status) status = hd__frame_row(f, HD_I32, a->lines, &a->descent);
    if (!status) status = hd__frame_row(f, HD_I64, a->lines, &a->line_top);
    if (!status) status = hd__frame_row(f, HD_I64, a->lines, &height);
    if (!status)
        status = hd_reduce(f->ctx, a->nodes, HD_MAX, a->ascent,
                           &(hd_reduce_options){.segments = &a->line_begin, .map = ascent_of});
    if (!status)
        status = hd_reduce(f->ctx, a->nodes, HD_MAX, a->descent,
                           &(hd_reduce_options){.segments = &a->line_begin, .map = descent_of});
    if (!status)
        status = hd_map(
            f->ctx, a->ascent, height_of, height,
            &(hd_map_options){.with = HD_VIEWS(a->descent, hd_indexed(a->rule, a->line_block))});
    if (!status) status = stack(a, height);
    return status ? status : hd__frame_drop(f, &height);
}

static hd_status number(hd__layout *a)
{
    hd__frame *f = &a->f;
    const int32_t zero = 0, one = 1;
    hd_status status = hd__frame_row(f, HD_I32, a->n, &a->line_of);
    if (!status) status = hd_map(f->ctx, hd_constant(zero, a->n), NULL, a->line_of, NULL);
    if (!status)
        status = hd_scatter(f->ctx, hd_constant(one, a->lines),
                            hd__frame_part(a->line_begin, 0, a->lines), a->line_of,
                            &(hd_scatter_options){.unique = true});
    if (!status) status = hd_scan(f->ctx, a->line_of, HD_SUM, a->line_of, NULL);
    return status ? status : hd_map(f->ctx, a->line_of, line_at, a->line_of, NULL);
}

hd_status hd__layout_lines(hd__layout *a)
{
    const int64_t zero = 0;
    hd_status status = hd__frame_row(&a->f, HD_I64, a->boxes, &a->inner);
    if (!status) status = hd_map(a->f.ctx, hd_constant(zero, a->boxes), NULL, a->inner, NULL);
    if (!status) status = sum_nodes(a);
    if (!status) status = break_lines(a);
    if (status || a->lines == 0) return status;
    status = align(a);
    if (!status) status = measure(a);
    return status ? status : number(a);
}
