// SPDX-License-Identifier: Apache-2.0
// hd_layout: its arguments, what is wrong with a document, and the way of the results out; the
// stages are in the other files.
#include "layout.h"

#include <inttypes.h>
#include <stddef.h>

_Static_assert(sizeof(layout_node) == sizeof(hd_layout_node) &&
                   offsetof(layout_node, style) == offsetof(hd_layout_node, style) &&
                   offsetof(layout_node, descent) == offsetof(hd_layout_node, descent),
               "nodes are what the header says");
_Static_assert(sizeof(layout_style) == sizeof(hd_layout_style) &&
                   offsetof(layout_style, margin) == offsetof(hd_layout_style, margin) &&
                   offsetof(layout_style, line_height) == offsetof(hd_layout_style, line_height),
               "styles are what the header says");
_Static_assert(sizeof(layout_box) == sizeof(hd_layout_box), "boxes are what the header says");
_Static_assert((int)KIND_BLOCK == (int)HD_LAYOUT_BLOCK &&
                   (int)KIND_INLINE == (int)HD_LAYOUT_INLINE &&
                   (int)KIND_SPACE == (int)HD_LAYOUT_SPACE &&
                   (int)KIND_BREAK == (int)HD_LAYOUT_BREAK,
               "kinds are what the header says");
_Static_assert((int)AT_LEFT == (int)HD_LAYOUT_LEFT && (int)AT_RIGHT == (int)HD_LAYOUT_RIGHT &&
                   (int)AT_CENTER == (int)HD_LAYOUT_CENTER &&
                   (int)JUSTIFIED == (int)HD_LAYOUT_JUSTIFY,
               "alignments are what the header says");
_Static_assert((int)GIVEN_WIDTH == (int)HD_LAYOUT_WIDTH &&
                   (int)GIVEN_MAX_WIDTH == (int)HD_LAYOUT_MAX_WIDTH &&
                   (int)GIVEN_HEIGHT == (int)HD_LAYOUT_HEIGHT,
               "what is given is what the header says");

// With lengths up to 2^30 no sum passes 2^63.
enum { MOST_NODES = 1 << 29 };

// 0, or what is wrong with a node behind another one; the state is how many styles there are.
HD_FUNCTION_STATE(node_fault, int32_t, layout_source, (layout_node, x, layout_node, before),
                  int64_t, {
                      const int64_t deepest = (int64_t)before.depth + (before.kind == KIND_BLOCK);
                      if (x.kind < KIND_BLOCK || x.kind > KIND_BREAK) return BAD_KIND;
                      if (x.depth < 1 || x.depth > deepest) return BAD_DEPTH;
                      if (x.kind == KIND_BLOCK)
                          return x.style < 0 || x.style >= *state ? BAD_STYLE : 0;
                      if (x.width < 0 || x.width > MOST) return BAD_WIDTH;
                      if (x.ascent < -MOST || x.ascent > MOST) return BAD_HEIGHT;
                      if (x.descent < -MOST || x.descent > MOST) return BAD_HEIGHT;
                      return x.ascent + (int64_t)x.descent < 0 ? BAD_HEIGHT : 0;
                  })
// 0, or one more than the number of the member of a style that is wrong.
HD_FUNCTION(style_fault, int32_t, layout_source, (layout_style, s), {
    if (s.given > GIVEN_ALL) return 1;
    if ((s.given & GIVEN_WIDTH) != 0 && (s.width < -MOST || s.width > MOST)) return 2;
    if ((s.given & GIVEN_WIDTH) != 0 && (s.percent < 0 || s.percent > MOST)) return 3;
    if (s.min_width < 0 || s.min_width > MOST) return 4;
    if ((s.given & GIVEN_MAX_WIDTH) != 0 && (s.max_width < 0 || s.max_width > MOST)) return 5;
    if ((s.given & GIVEN_HEIGHT) != 0 && (s.height < 0 || s.height > MOST)) return 6;
    for (int k = 0; k < 4; k++)
        if (s.margin[k] < -MOST || s.margin[k] > MOST) return 7 + k;
    for (int k = 0; k < 4; k++)
        if (s.padding[k] < 0 || s.padding[k] > MOST) return 11 + k;
    if (s.align < AT_LEFT || s.align > AT_CENTER) return 15;
    if (s.text_align < AT_LEFT || s.text_align > JUSTIFIED) return 16;
    return s.line_height < 0 || s.line_height > MOST ? 17 : 0;
})
HD_FUNCTION(line_number, int32_t, layout_source, (int32_t, line, layout_node, x),
            { return x.kind == KIND_BLOCK ? -1 : line; })

// ---- Arguments ----------------------------------------------------------------------------------

// Structures are of one type if they have one size and one name, or one of them has no name.
static bool is_type(hd_type type, hd_type wanted)
{
    const hd_type size = 0x7ffff, name = ~(hd_type)0 << 23;
    return (type & size) == (wanted & size) &&
           ((type & name) == 0 || (type & name) == (wanted & name));
}

static hd_status check_row(hd__frame *f, const char *what, hd_view v, hd_type wanted,
                           const char *expected)
{
    if (!is_type(v.type, wanted))
        return hd__frame_fail(f, HD_ERROR_TYPE, "%s: expected %s, got %s", what, expected,
                              hd_type_name(v.type));
    if (v.ndim > 1)
        return hd__frame_fail(f, HD_ERROR_SHAPE, "%s: expected one dimension, got %d", what,
                              (int)v.ndim);
    if (hd_count(v) > MOST_NODES)
        return hd__frame_fail(f, HD_ERROR_SHAPE, "%s: %" PRId64 " elements; expected %d at most",
                              what, hd_count(v), (int)MOST_NODES);
    return HD_OK;
}

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

static hd_status check_numbers(hd__frame *f, const char *what, const hd_view *v, int64_t n,
                               bool may_be_i32)
{
    if (!is_given(v)) return HD_OK;
    if (v->type != HD_I64 && !(may_be_i32 && v->type == HD_I32))
        return hd__frame_fail(f, HD_ERROR_TYPE, "%s: expected %s, got %s", what,
                              may_be_i32 ? "i32 or i64" : "i64", hd_type_name(v->type));
    if (v->ndim > 1 || hd_count(*v) != n)
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "%s: expected one dimension of %" PRId64 ", got %" PRId64, what, n,
                              hd_count(*v));
    return hd__frame_check_out(f, what, *v);
}

static hd_status check_apart(hd__frame *f, const hd_layout_options *o, hd_view nodes,
                             hd_view styles, hd_view boxes)
{
    enum { INPUTS = 2, VIEWS = 6 };
    static const char *const name[VIEWS] = {"nodes", "styles", "boxes", "lines", "count", "steps"};
    const hd_view *const view[VIEWS] = {&nodes, &styles, &boxes, o->lines, o->count, o->steps};
    for (int k = INPUTS; k < VIEWS; k++)
        for (int j = 0; j < k; j++) {
            if (!is_given(view[k]) || !is_given(view[j])) continue;
            const hd_status status = hd__frame_check_apart(f, name[k], *view[k], name[j], *view[j]);
            if (status) return status;
        }
    return HD_OK;
}

static hd_status check(hd__layout *a, const hd_layout_options *o, hd_view nodes, hd_view styles,
                       hd_view boxes)
{
    hd__frame *f = &a->f;
    if (a->width < 0 || a->width > MOST)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "the width is %" PRId64 "; expected 0 .. 2^30",
                              a->width);
    hd_status status =
        check_row(f, "nodes", nodes, HD_TYPE(hd_layout_node), "structures hd_layout_node");
    if (!status)
        status =
            check_row(f, "styles", styles, HD_TYPE(hd_layout_style), "structures hd_layout_style");
    if (!status)
        status = check_row(f, "boxes", boxes, HD_TYPE(hd_layout_box), "structures hd_layout_box");
    if (!status && hd_count(boxes) != a->n)
        status = hd__frame_fail(f, HD_ERROR_SHAPE, "boxes: expected %" PRId64 ", got %" PRId64,
                                a->n, hd_count(boxes));
    if (!status) status = hd__frame_check(f, "nodes", nodes);
    if (!status) status = hd__frame_check(f, "styles", styles);
    if (!status) status = hd__frame_check_out(f, "boxes", boxes);
    if (!status) status = check_numbers(f, "lines", o->lines, a->n, true);
    if (!status) status = check_numbers(f, "count", o->count, 1, false);
    if (!status) status = check_numbers(f, "steps", o->steps, 1, false);
    return status ? status : check_apart(f, o, nodes, styles, boxes);
}

// Whether a view is a row that functions can be given: without gaps, here, and well aligned.
static bool is_row(const hd__frame *f, const hd_view *v, size_t alignment)
{
    return (v->ndim == 0 || v->shape[0] < 2 || v->stride[0] == 1) &&
           v->space == (f->on_device ? HD_DEVICE : HD_HOST) && (uintptr_t)v->data % alignment == 0;
}

// row = the structures of a view under the name that they have in here.
static hd_status take(hd__frame *f, hd_view v, hd_type type, size_t alignment, hd_view *row)
{
    v.type = type;
    if (is_row(f, &v, alignment)) return hd__frame_dense(f, v, type, row);
    const hd_status status = hd__frame_row(f, type, hd_count(v), row);
    return status ? status : hd__frame_copy(f, v, *row);
}

// ---- What is wrong with a document --------------------------------------------------------------

static hd_status refuse_style_of(hd__layout *a, int64_t at, int32_t style)
{
    return hd__frame_fail(&a->f, HD_ERROR_VALUE,
                          "the style of node %" PRId64 " is %d; expected one of %" PRId64
                          " styles, from 0 on",
                          at, (int)style, hd_count(a->styles));
}

static hd_status refuse_node(hd__layout *a, int64_t at, int32_t fault)
{
    hd__frame *f = &a->f;
    layout_node x, before;
    hd_status status = hd__frame_read(f, a->nodes, at, &x);
    if (!status) status = hd__frame_read(f, a->nodes, at - 1, &before);
    if (status) return status;
    const bool in_block = before.kind == KIND_BLOCK;
    switch (fault) {
    case BAD_KIND:
        return hd__frame_fail(f, HD_ERROR_VALUE, "node %" PRId64 " is of kind %d; expected 0 .. %d",
                              at, (int)x.kind, HD_LAYOUT_KINDS - 1);
    case BAD_DEPTH:
        return hd__frame_fail(f, HD_ERROR_VALUE,
                              "the depth of node %" PRId64 " is %d; expected 1 .. %d, as the node "
                              "before it is %s of depth %d",
                              at, (int)x.depth, (int)before.depth + in_block,
                              in_block ? "a block" : "inline and", (int)before.depth);
    case BAD_STYLE: return refuse_style_of(a, at, x.style);
    case BAD_WIDTH:
        return hd__frame_fail(f, HD_ERROR_VALUE,
                              "the width of node %" PRId64 " is %d; expected 0 .. 2^30", at,
                              (int)x.width);
    default:
        return hd__frame_fail(f, HD_ERROR_VALUE,
                              "node %" PRId64 " has an ascent of %d and a descent of %d; expected "
                              "-2^30 .. 2^30, and a sum that is not negative",
                              at, (int)x.ascent, (int)x.descent);
    }
}

// Node 0 has none before it, and rules of its own.
static hd_status check_root(hd__layout *a)
{
    layout_node root;
    hd_status status = hd__frame_read(&a->f, a->nodes, 0, &root);
    if (status) return status;
    if (root.depth != 0 || root.kind != KIND_BLOCK)
        return hd__frame_fail(&a->f, HD_ERROR_VALUE,
                              "node 0 is of kind %d and depth %d; expected a block of depth 0",
                              (int)root.kind, (int)root.depth);
    const bool known = root.style >= 0 && root.style < hd_count(a->styles);
    return known ? HD_OK : refuse_style_of(a, 0, root.style);
}

// The fault that was found, for the text.
static hd_status fault_at(hd__layout *a, hd_view one, const hd_function *of, hd_views with,
                          int32_t *fault)
{
    hd_view row;
    hd_status status = hd__frame_row(&a->f, HD_I32, 1, &row);
    if (!status) status = hd_map(a->f.ctx, one, of, row, &(hd_map_options){.with = with});
    return status ? status : hd__frame_read(&a->f, row, 0, fault);
}

static hd_status check_nodes(hd__layout *a)
{
    const int64_t styles = hd_count(a->styles), n = a->n;
    const hd_function fault_of = hd_with_state(node_fault, &styles, sizeof styles);
    const hd_view nodes = hd__frame_part(a->nodes, 1, n - 1);
    const hd_view before = hd__frame_part(a->nodes, 0, n - 1);
    int32_t fault = 0;
    int64_t at = -1;
    hd_status status = check_root(a);
    if (!status)
        status = hd_find(a->f.ctx, nodes, HD_VIEW(&at, 1),
                         &(hd_find_options){.map = &fault_of, .with = HD_VIEWS(before)});
    if (status || at < 0) return status;
    status = fault_at(a, hd__frame_part(nodes, at, 1), &fault_of,
                      HD_VIEWS(hd__frame_part(before, at, 1)), &fault);
    return status ? status : refuse_node(a, at + 1, fault);
}

static hd_status check_styles(hd__layout *a)
{
    enum { MEMBERS = sizeof(layout_style) / sizeof(int32_t) };
    static const char any[] = "-2^30 .. 2^30", positive[] = "0 .. 2^30";
    static const char *const member[MEMBERS][2] = {
        {"given", "0 .. 7"},      {"width", any},           {"percent", positive},
        {"min_width", positive},  {"max_width", positive},  {"height", positive},
        {"margin[0]", any},       {"margin[1]", any},       {"margin[2]", any},
        {"margin[3]", any},       {"padding[0]", positive}, {"padding[1]", positive},
        {"padding[2]", positive}, {"padding[3]", positive}, {"align", "0 .. 2"},
        {"text_align", "0 .. 3"}, {"line_height", positive}};
    int32_t fault = 0, values[MEMBERS];
    int64_t at = -1;
    hd_status status =
        hd_find(a->f.ctx, a->styles, HD_VIEW(&at, 1), &(hd_find_options){.map = style_fault});
    if (status || at < 0) return status;
    status = fault_at(a, hd__frame_part(a->styles, at, 1), style_fault, HD_NO_VALUES, &fault);
    if (!status) status = hd__frame_read(&a->f, a->styles, at, values);
    if (status || fault < 1) return status;
    return hd__frame_fail(&a->f, HD_ERROR_VALUE, "%s of style %" PRId64 " is %d; expected %s",
                          member[fault - 1][0], at, (int)values[fault - 1], member[fault - 1][1]);
}

// ---- The call -----------------------------------------------------------------------------------

static hd_status write_lines(hd__layout *a, const hd_view *lines)
{
    const int32_t none = -1;
    if (!is_given(lines)) return HD_OK;
    if (a->lines == 0) return hd_map(a->f.ctx, hd_constant(none, a->n), NULL, *lines, NULL);
    const hd_status status = hd_map(a->f.ctx, a->line_of, line_number, a->line_of,
                                    &(hd_map_options){.with = HD_VIEWS(a->nodes)});
    return status ? status : hd__frame_copy(&a->f, a->line_of, *lines);
}

static hd_status write_number(hd__layout *a, int64_t value, const hd_view *out)
{
    return is_given(out) ? hd_map(a->f.ctx, HD_VIEW(&value, 1), NULL, *out, NULL) : HD_OK;
}

static hd_status lay_out(hd__layout *a, hd_view boxes)
{
    hd_view out = boxes;
    hd_status status = check_styles(a);
    if (!status) status = check_nodes(a);
    out.type = HD_TYPE(layout_box);
    const bool direct = is_row(&a->f, &out, _Alignof(layout_box));
    const hd_view there = out;
    if (!status && !direct) status = hd__frame_row(&a->f, HD_TYPE(layout_box), a->n, &out);
    if (direct) out.ndim = 1, out.shape[0] = a->n, out.stride[0] = 1;
    if (!status) status = hd__layout_tree(a);
    if (!status) status = hd__layout_widths(a);
    if (!status) status = hd__layout_lines(a);
    if (!status) status = hd__layout_places(a, out);
    return status || direct ? status : hd__frame_copy(&a->f, out, there);
}

hd_status hd_layout(hd_context *ctx, hd_view nodes, hd_view styles, int64_t width, hd_view boxes,
                    const hd_layout_options *options)
{
    hd__layout a = {.n = hd_count(nodes), .width = width};
    hd_layout_options o = {0};
    hd_status status = hd__frame_open(&a.f, ctx, "hd_layout", nodes);
    if (!status) status = hd__frame_options(&a.f, options, sizeof o, &o);
    if (!status) status = check(&a, &o, nodes, styles, boxes);
    if (!status) status = take(&a.f, nodes, HD_TYPE(layout_node), _Alignof(layout_node), &a.nodes);
    if (!status)
        status = take(&a.f, styles, HD_TYPE(layout_style), _Alignof(layout_style), &a.styles);
    if (!status && a.n > 0) status = lay_out(&a, boxes);
    if (!status && a.n > 0) status = write_lines(&a, o.lines);
    if (!status) status = write_number(&a, a.lines, o.count);
    if (!status) status = write_number(&a, a.steps, o.steps);
    return hd__frame_close(&a.f, status);
}
