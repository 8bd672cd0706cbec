// SPDX-License-Identifier: Apache-2.0
//
// hd_layout against a layout that goes through the document node by node: random documents of many
// shapes, deep and flat, one long paragraph, words wider than lines, nested percentages and given
// heights, lengths at their bounds; views with gaps; errors, failing memory, device memory.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

#include "tests/algorithms/on_backends.h"

static const check_target *targets;
static int target_count;

enum { LONGEST = 1 << 30 };

// ---- The definition -----------------------------------------------------------------------------

typedef struct document {
    hd_layout_node *node;
    hd_layout_style *style;
    int64_t n, styles, width;
} document;

typedef struct result {
    hd_layout_box *box;
    int64_t *line, lines;
} result;

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// Where the line that begins at node i ends; *used: the width up to the end of its last word;
// *gaps: the spaces before that; *forced: it ends by itself.
static int64_t end_line(const document *d, int64_t i, int64_t end, int64_t room, int64_t *used,
                        int64_t *gaps, bool *forced)
{
    const int64_t begin = i;
    int64_t pen = 0, spaces = 0;
    *used = *gaps = 0, *forced = true;
    while (i < end) {
        const hd_layout_node *x = &d->node[i];
        if (x->kind == HD_LAYOUT_BREAK) return i + 1;
        if (x->kind == HD_LAYOUT_SPACE) {
            pen += x->width, spaces++, i++;
            continue;
        }
        int64_t next = i, width = 0;
        for (; next < end && d->node[next].kind == HD_LAYOUT_INLINE; next++)
            width += d->node[next].width;
        if (i > begin && pen + width > room) {
            *forced = false;
            return i;
        }
        pen += width, *used = pen, *gaps = spaces, i = next;
    }
    return end;
}

// One line, from node i to before end; returns its height.
static int64_t lay_line(const document *d, result *r, int64_t i, int64_t end, int64_t x, int64_t y,
                        int64_t least, int64_t extra, int64_t gaps)
{
    int64_t ascent = INT64_MIN, descent = INT64_MIN, spaces = 0;
    for (int64_t k = i; k < end; k++) {
        ascent = greater(ascent, d->node[k].ascent);
        descent = greater(descent, d->node[k].descent);
    }
    const int64_t height = greater(ascent + descent, least);
    const int64_t baseline = y + (height - ascent - descent) / 2 + ascent;
    for (int64_t k = i; k < end; k++) {
        const hd_layout_node *node = &d->node[k];
        hd_layout_box *box = &r->box[k];
        *box = (hd_layout_box){x, baseline - node->ascent, node->width,
                               (int64_t)node->ascent + node->descent};
        if (node->kind == HD_LAYOUT_SPACE) {
            if (spaces < gaps) box->width += (spaces + 1) * extra / gaps - spaces * extra / gaps;
            spaces++;
        }
        x += box->width;
        r->line[k] = r->lines;
    }
    r->lines++;
    return height;
}

// Lines of the nodes i to before end; returns their height.
static int64_t lay_paragraph(const document *d, result *r, int64_t i, int64_t end, int64_t left,
                             int64_t top, int64_t room, const hd_layout_style *s)
{
    int64_t y = top;
    while (i < end) {
        int64_t used, gaps;
        bool forced;
        const int64_t next = end_line(d, i, end, room, &used, &gaps, &forced);
        const int64_t beside = greater(room - used, 0);
        int64_t x = left, extra = 0;
        if (s->text_align == HD_LAYOUT_RIGHT) x += beside;
        if (s->text_align == HD_LAYOUT_CENTER) x += beside / 2;
        if (s->text_align == HD_LAYOUT_JUSTIFY && !forced) extra = beside;
        y += lay_line(d, r, i, next, x, y, s->line_height, extra, extra > 0 ? gaps : 0);
        i = next;
    }
    return y - top;
}

static int64_t content_width(const hd_layout_style *s, int64_t container)
{
    int64_t width = container - s->margin[3] - s->padding[3] - s->padding[1] - s->margin[1];
    if (s->given & HD_LAYOUT_WIDTH) width = s->width + container * s->percent / 10000;
    if (s->given & HD_LAYOUT_MAX_WIDTH) width = lesser(width, s->max_width);
    return lesser(greater(width, s->min_width), LONGEST);
}

// The block i in a container whose content begins at left and top; returns what it takes of its
// height, and *next is the node behind it. It is called as deep as documents are.
static int64_t lay_block(const document *d, result *r, int64_t i, int64_t left, int64_t top,
                         int64_t container, int64_t *next)
{
    const hd_layout_node *node = d->node;
    const hd_layout_style *s = &d->style[node[i].style];
    const int64_t width = content_width(s, container);
    const int64_t beside =
        container - s->margin[3] - s->padding[3] - width - s->padding[1] - s->margin[1];
    int64_t x = left + s->margin[3], at = i + 1;
    if (beside > 0 && s->align == HD_LAYOUT_RIGHT) x += beside;
    if (beside > 0 && s->align == HD_LAYOUT_CENTER) x += beside / 2;
    const int64_t begin = top + s->margin[0] + s->padding[0];
    int64_t y = begin;
    while (at < d->n && node[at].depth > node[i].depth) {
        if (node[at].kind == HD_LAYOUT_BLOCK) {
            y += lay_block(d, r, at, x + s->padding[3], y, width, &at);
            continue;
        }
        int64_t end = at;
        while (end < d->n && node[end].depth == node[at].depth && node[end].kind != HD_LAYOUT_BLOCK)
            end++;
        y += lay_paragraph(d, r, at, end, x + s->padding[3], y, width, s);
        at = end;
    }
    const int64_t height = s->given & HD_LAYOUT_HEIGHT ? s->height : y - begin;
    r->box[i] = (hd_layout_box){x, top + s->margin[0], s->padding[3] + width + s->padding[1],
                                s->padding[0] + height + s->padding[2]};
    r->line[i] = -1;
    *next = at;
    return s->margin[0] + r->box[i].height + s->margin[2];
}

static void define(const document *d, result *r)
{
    int64_t next = 0;
    r->lines = 0;
    if (d->n > 0) lay_block(d, r, 0, 0, 0, d->width, &next);
    CHECK(next == d->n, "the definition ends at node %" PRId64 " of %" PRId64, next, d->n);
}

// ---- Documents ----------------------------------------------------------------------------------

typedef enum shape { MIXED, DEEP, FLAT, PARAGRAPH, PERCENTAGES, BOUNDS, SHAPES } shape;
static const char *const shape_name[] = {"mixed",     "deep",        "flat",
                                         "paragraph", "percentages", "bounds"};

static int32_t some_length(uint64_t *r, shape of, int64_t low, int64_t high)
{
    if (of == BOUNDS && check_below(r, 3) == 0)
        return (int32_t)(check_below(r, 2) ? high < LONGEST ? LONGEST : high
                         : low < 0         ? -LONGEST
                                           : 0);
    return (int32_t)(low + check_below(r, high - low + 1));
}

static void make_style(hd_layout_style *s, shape of, uint64_t *r)
{
    *s = (hd_layout_style){.given = (uint32_t)check_below(r, 8)};
    if (check_below(r, 3) > 0) s->given &= ~(uint32_t)HD_LAYOUT_HEIGHT;
    s->width = some_length(r, of, -30, 200);
    if (check_below(r, 2)) s->percent = (int32_t)check_below(r, 15000);
    if (of == PERCENTAGES && check_below(r, 4)) s->given |= HD_LAYOUT_WIDTH, s->percent |= 1;
    if (check_below(r, 4) == 0) s->min_width = some_length(r, of, 0, 60);
    s->max_width = some_length(r, of, 0, 300), s->height = some_length(r, of, 0, 100);
    for (int k = 0; k < 4; k++) {
        if (check_below(r, 2)) s->margin[k] = some_length(r, of, -4, 9);
        if (check_below(r, 2)) s->padding[k] = some_length(r, of, 0, 7);
    }
    s->align = (int32_t)check_below(r, HD_LAYOUT_JUSTIFY);
    s->text_align = (int32_t)check_below(r, HD_LAYOUT_ALIGNS);
    if (check_below(r, 3) == 0) s->line_height = some_length(r, of, 0, 30);
}

static int32_t some_kind(shape of, uint64_t *r)
{
    if (of == PARAGRAPH)
        return check_below(r, 40) == 0 ? HD_LAYOUT_BREAK
                                       : HD_LAYOUT_INLINE + (int32_t)check_below(r, 2);
    const int64_t blocks = of == MIXED || of == BOUNDS ? 3 : 8;
    if (check_below(r, 10) < blocks) return HD_LAYOUT_BLOCK;
    return HD_LAYOUT_INLINE + (int32_t)(check_below(r, 9) % (HD_LAYOUT_KINDS - 1));
}

static int32_t some_depth(shape of, const hd_layout_node *before, uint64_t *r)
{
    const int32_t most = before->depth + (before->kind == HD_LAYOUT_BLOCK);
    if (of == FLAT || of == PARAGRAPH) return 1;
    if (of == DEEP || of == PERCENTAGES || check_below(r, 3) > 0)
        return check_below(r, 30) == 0 ? 1 + (int32_t)check_below(r, most) : most;
    return 1 + (int32_t)check_below(r, most);
}

static void make_node(document *d, int64_t i, shape of, uint64_t *r)
{
    hd_layout_node *x = &d->node[i];
    *x = (hd_layout_node){.kind = i == 0 ? HD_LAYOUT_BLOCK : some_kind(of, r)};
    x->depth = i == 0 ? 0 : some_depth(of, x - 1, r);
    x->style = x->kind == HD_LAYOUT_BLOCK ? (int32_t)check_below(r, d->styles) : -7; // of no use
    if (x->kind == HD_LAYOUT_BLOCK) return;
    x->width = check_below(r, 9) ? some_length(r, of, 0, 30) : (int32_t)check_below(r, 400);
    if (check_below(r, 9) == 0) x->width = 0;
    x->ascent = some_length(r, of, -3, 12);
    x->descent = some_length(r, of, -5, 12);
    if ((int64_t)x->ascent + x->descent < 0) x->descent = -x->ascent;
}

static document make_document(int64_t n, shape of, uint64_t *r)
{
    document d = {.n = n, .styles = 1 + check_below(r, 12)};
    d.width = of == BOUNDS ? (check_below(r, 2) ? LONGEST : 0) : check_below(r, 500);
    d.node = check_memory((size_t)(n + 1) * sizeof *d.node);
    d.style = check_memory((size_t)d.styles * sizeof *d.style);
    for (int64_t k = 0; k < d.styles; k++) make_style(&d.style[k], of, r);
    for (int64_t i = 0; i < n; i++) make_node(&d, i, of, r);
    return d;
}

static void drop_document(document *d)
{
    free(d->node), free(d->style);
}

static result make_result(int64_t n)
{
    result r = {.lines = -1};
    r.box = check_memory((size_t)(n + 1) * sizeof *r.box);
    r.line = check_memory((size_t)(n + 1) * sizeof *r.line);
    return r;
}

static void drop_result(result *r)
{
    free(r->box), free(r->line);
}

// ---- Comparisons --------------------------------------------------------------------------------

static void check_result(const document *d, const result *got, const char *what, const char *where)
{
    result want = make_result(d->n);
    define(d, &want);
    CHECK_SAME(HD_I64, got->box, want.box, 4 * d->n, "boxes, %s, %" PRId64 " nodes on %s", what,
               d->n, where);
    CHECK_SAME(HD_I64, got->line, want.line, d->n, "lines, %s, %" PRId64 " nodes on %s", what, d->n,
               where);
    CHECK(got->lines == want.lines, "%" PRId64 " lines, expected %" PRId64 ", %s on %s", got->lines,
          want.lines, what, where);
    drop_result(&want);
}

static hd_view nodes_of(const document *d)
{
    return HD_VIEW_OF(HD_TYPE(hd_layout_node), d->node, d->n);
}

static hd_view styles_of(const document *d)
{
    return HD_VIEW_OF(HD_TYPE(hd_layout_style), d->style, d->styles);
}

static hd_view boxes_of(const document *d, const result *r)
{
    return HD_VIEW_OF(HD_TYPE(hd_layout_box), r->box, d->n);
}

static void run_document(const document *d, const check_target *t, const char *what)
{
    result got = make_result(d->n);
    CHECK_OK(t->ctx, hd_layout(t->ctx, nodes_of(d), styles_of(d), d->width, boxes_of(d, &got),
                               &(hd_layout_options){.lines = HD_REF(HD_VIEW(got.line, d->n)),
                                                    .count = HD_REF(HD_VIEW(&got.lines, 1))}));
    check_result(d, &got, what, t->name);
    drop_result(&got);
}

static void test_random(void)
{
    uint64_t r = check_seed();
    for (int turn = 0; turn < (check_small() ? 40 : 300); turn++) {
        const int64_t n = check_size(turn % 20, 2000);
        const shape of = (shape)(turn % SHAPES);
        document d = make_document(n < 0 ? 300 : n, of, &r);
        run_document(&d, &targets[turn % target_count], shape_name[of]);
        drop_document(&d);
    }
}

// Threads share the work.
static void test_large(void)
{
    uint64_t r = check_seed() + 1;
    for (int of = 0; of < SHAPES; of++) {
        document d = make_document(check_small() ? 3000 : 50021, (shape)of, &r);
        if (of == DEEP || of == PERCENTAGES) d.n = lesser(d.n, 20000); // the definition recurses
        for (int t = 0; t<target_count; t += target_count> 1 ? target_count - 1 : 1)
            run_document(&d, &targets[t], shape_name[of]);
        drop_document(&d);
    }
}

// ---- Known results ------------------------------------------------------------------------------

// The example of the header.
static void test_header(void)
{
    static hd_layout_style styles[] = {{0}, {.given = HD_LAYOUT_WIDTH, .width = 20}};
    static hd_layout_node nodes[] = {
        {0, HD_LAYOUT_BLOCK, 0, 0, 0, 0},   {1, HD_LAYOUT_BLOCK, 1, 0, 0, 0},
        {2, HD_LAYOUT_INLINE, 0, 16, 8, 2}, {2, HD_LAYOUT_SPACE, 0, 4, 8, 2},
        {2, HD_LAYOUT_INLINE, 0, 8, 8, 2},  {2, HD_LAYOUT_BREAK, 0, 0, 8, 2},
        {2, HD_LAYOUT_INLINE, 0, 4, 8, 2}};
    static const int64_t want[7][4] = {{0, 0, 30, 30}, {0, 0, 20, 30}, {0, 0, 16, 10},
                                       {16, 0, 4, 10}, {0, 10, 8, 10}, {8, 10, 0, 10},
                                       {0, 20, 4, 10}};
    for (int t = 0; t < target_count; t++) {
        hd_layout_box box[7];
        CHECK_OK(targets[t].ctx,
                 hd_layout(targets[t].ctx, HD_VIEW_OF(HD_TYPE(hd_layout_node), nodes, 7),
                           HD_VIEW_OF(HD_TYPE(hd_layout_style), styles, 2), 30,
                           HD_VIEW_OF(HD_TYPE(hd_layout_box), box, 7), NULL));
        CHECK_SAME(HD_I64, box, want, 28, "the example on %s", targets[t].name);
    }
}

// Rounds are logarithms: of a chain of blocks, of the lines of a paragraph; and percentages.
static int64_t steps_of(document *d)
{
    int64_t steps = -1;
    result r = make_result(d->n);
    hd_context *ctx = targets[0].ctx;
    CHECK_OK(ctx, hd_layout(ctx, nodes_of(d), styles_of(d), d->width, boxes_of(d, &r),
                            &(hd_layout_options){.steps = HD_REF(HD_VIEW(&steps, 1))}));
    drop_result(&r);
    return steps;
}

static void test_steps(void)
{
    enum { N = 1025 };
    static hd_layout_node node[N];
    static hd_layout_style style[1];
    document d = {node, style, N, 1, 1};
    for (int i = 0; i < N; i++) node[i] = (hd_layout_node){.depth = i, .kind = HD_LAYOUT_BLOCK};
    CHECK(steps_of(&d) == 11, "%" PRId64 " rounds for a chain of 1025", steps_of(&d));
    style[0] = (hd_layout_style){.given = HD_LAYOUT_WIDTH, .percent = 9999};
    CHECK(steps_of(&d) == 11 + 1024, "%" PRId64 " rounds for 1024 percentages", steps_of(&d));
    style[0] = (hd_layout_style){0};
    for (int i = 1; i < N; i++)
        node[i] = (hd_layout_node){1, i % 2 ? HD_LAYOUT_INLINE : HD_LAYOUT_SPACE, 0, 1, 1, 0};
    CHECK(steps_of(&d) == 1 + 9, "%" PRId64 " rounds for 512 lines", steps_of(&d));
}

// ---- Views --------------------------------------------------------------------------------------

// Every other element, from the last one to the first, at an odd address.
static hd_view scattered(hd_type type, const void *from, int64_t n, unsigned char *memory)
{
    const size_t size = hd_type_size(type);
    for (int64_t i = 0; i < n && from != NULL; i++)
        memcpy(memory + 1 + 2 * (size_t)(n - 1 - i) * size, (const char *)from + (size_t)i * size,
               size);
    const int64_t stride = -2;
    return hd_view_nd(type, memory + 1 + (n > 0 ? 2 * (size_t)(n - 1) * size : 0), 1, &n, &stride);
}

static void test_views(void)
{
    uint64_t r = check_seed() + 2;
    document d = make_document(333, MIXED, &r);
    const size_t most = 2 * 340 * sizeof(hd_layout_style);
    unsigned char *memory[3] = {check_memory(most), check_memory(most), check_memory(most)};
    const hd_view nodes = scattered(HD_STRUCT_OF(sizeof *d.node), d.node, d.n, memory[0]);
    const hd_view styles = scattered(HD_TYPE(hd_layout_style), d.style, d.styles, memory[1]);
    const hd_view boxes = scattered(HD_TYPE(hd_layout_box), NULL, d.n, memory[2]);
    for (int t = 0; t < target_count; t++) {
        result got = make_result(d.n);
        int32_t *narrow = check_memory((size_t)d.n * 8);
        const int64_t stride = 2;
        CHECK_OK(targets[t].ctx,
                 hd_layout(targets[t].ctx, nodes, styles, d.width, boxes,
                           &(hd_layout_options){
                               .lines = HD_REF(hd_view_nd(HD_I32, narrow, 1, &d.n, &stride)),
                               .count = HD_REF(HD_VIEW(&got.lines, 1))}));
        for (int64_t i = 0; i < d.n; i++) {
            memcpy(&got.box[i], memory[2] + 1 + 2 * (size_t)(d.n - 1 - i) * sizeof *got.box,
                   sizeof *got.box);
            got.line[i] = narrow[2 * i];
        }
        check_result(&d, &got, "scattered views", targets[t].name);
        drop_result(&got), free(narrow);
    }
    for (int k = 0; k < 3; k++) free(memory[k]);
    drop_document(&d);
}

// ---- Errors -------------------------------------------------------------------------------------

// The call with one member of one node or style changed for its time.
static void refuses(document *d, int32_t *member, int32_t value, const char *text)
{
    result r = make_result(d->n);
    hd_context *ctx = targets[0].ctx;
    const int32_t kept = *member;
    *member = value;
    FAILS(ctx, HD_ERROR_VALUE, text,
          hd_layout(ctx, nodes_of(d), styles_of(d), d->width, boxes_of(d, &r), NULL));
    *member = kept;
    drop_result(&r);
}

static hd_layout_node small[] = {{0, HD_LAYOUT_BLOCK, 0, 0, 0, 0},
                                 {1, HD_LAYOUT_BLOCK, 1, 0, 0, 0},
                                 {2, HD_LAYOUT_INLINE, 0, 10, 8, 2},
                                 {1, HD_LAYOUT_INLINE, 0, 10, 8, 2}};
static hd_layout_style small_styles[] = {
    {0}, {.given = HD_LAYOUT_WIDTH | HD_LAYOUT_MAX_WIDTH | HD_LAYOUT_HEIGHT, .max_width = 9}};
static document small_document = {small, small_styles, 4, 2, 100};

static void test_values(void)
{
    document *d = &small_document;
    hd_layout_style *s = &small_styles[1];
    refuses(d, &small[0].depth, 1, "node 0 is of kind 0 and depth 1; expected a block of depth 0");
    refuses(d, &small[0].kind, 1, "node 0 is of kind 1 and depth 0; expected a block of depth 0");
    refuses(d, &small[0].style, 2, "the style of node 0 is 2; expected one of 2 styles");
    refuses(d, &small[1].style, -1, "the style of node 1 is -1; expected one of 2 styles");
    refuses(d, &small[1].depth, 2,
            "the depth of node 1 is 2; expected 1 .. 1, as the node before it is a block of");
    refuses(d, &small[1].depth, INT32_MIN, "the depth of node 1 is -2147483648; expected 1 .. 1");
    refuses(d, &small[1].depth, 0, "the depth of node 1 is 0; expected 1 .. 1");
    refuses(d, &small[3].depth, 3,
            "the depth of node 3 is 3; expected 1 .. 2, as the node before it is inline and of "
            "depth 2");
    refuses(d, &small[2].kind, 4, "node 2 is of kind 4; expected 0 .. 3");
    refuses(d, &small[3].kind, -1, "node 3 is of kind -1; expected 0 .. 3");
    refuses(d, &small[2].width, -1, "the width of node 2 is -1; expected 0 .. 2^30");
    refuses(d, &small[2].width, LONGEST + 1, "the width of node 2 is 1073741825");
    refuses(d, &small[2].ascent, -3, "node 2 has an ascent of -3 and a descent of 2");
    refuses(d, &small[2].descent, INT32_MIN, "a descent of -2147483648; expected -2^30 .. 2^30");
    refuses(d, &small[2].ascent, INT32_MAX, "node 2 has an ascent of 2147483647");
    refuses(d, (int32_t *)&s->given, 8, "given of style 1 is 8; expected 0 .. 7");
    refuses(d, &s->width, -LONGEST - 1, "width of style 1 is -1073741825; expected -2^30 .. 2^30");
    refuses(d, &s->percent, -1, "percent of style 1 is -1; expected 0 .. 2^30");
    refuses(d, &s->min_width, -2, "min_width of style 1 is -2");
    refuses(d, &s->max_width, -2, "max_width of style 1 is -2");
    refuses(d, &s->height, -5, "height of style 1 is -5");
    refuses(d, &s->margin[2], INT32_MIN, "margin[2] of style 1 is -2147483648");
    refuses(d, &s->padding[3], -1, "padding[3] of style 1 is -1; expected 0 .. 2^30");
    refuses(d, &s->align, HD_LAYOUT_JUSTIFY, "align of style 1 is 3; expected 0 .. 2");
    refuses(d, &s->text_align, 4, "text_align of style 1 is 4; expected 0 .. 3");
    refuses(d, &s->line_height, LONGEST + 1, "line_height of style 1 is 1073741825");
    s->given = 0, s->width = s->percent = s->max_width = s->height = INT32_MIN; // do not count
    run_document(d, &targets[0], "members that do not count");
    *s = (hd_layout_style){.given = 7, .max_width = 9};
}

static void test_arguments(void)
{
    document *d = &small_document;
    hd_context *ctx = targets[0].ctx;
    result r = make_result(d->n);
    const hd_view nodes = nodes_of(d), styles = styles_of(d), boxes = boxes_of(d, &r);
    int64_t numbers[8] = {0};
    float real[4];
    FAILS(ctx, HD_ERROR_ARGUMENT, "the width is -1; expected 0 .. 2^30",
          hd_layout(ctx, nodes, styles, -1, boxes, NULL));
    FAILS(ctx, HD_ERROR_ARGUMENT, "the width is 1073741825",
          hd_layout(ctx, nodes, styles, LONGEST + 1, boxes, NULL));
    FAILS(ctx, HD_ERROR_TYPE, "nodes: expected structures hd_layout_node, got i64",
          hd_layout(ctx, HD_VIEW(numbers, 4), styles, 9, boxes, NULL));
    FAILS(ctx, HD_ERROR_TYPE, "styles: expected structures hd_layout_style",
          hd_layout(ctx, nodes, nodes, 9, boxes, NULL));
    FAILS(ctx, HD_ERROR_TYPE, "boxes: expected structures hd_layout_box, got f32",
          hd_layout(ctx, nodes, styles, 9, HD_VIEW(real, 4), NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "boxes: expected 4, got 3",
          hd_layout(ctx, nodes, styles, 9, hd_slice(boxes, 0, 0, 3, 1), NULL));
    FAILS(ctx, HD_ERROR_ARGUMENT,
          "boxes: ", hd_layout(ctx, nodes, styles, 9, hd_read_only(boxes), NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "lines: expected one dimension of 4, got 3",
          hd_layout(ctx, nodes, styles, 9, boxes,
                    &(hd_layout_options){.lines = HD_REF(HD_VIEW(numbers, 3))}));
    FAILS(ctx, HD_ERROR_TYPE, "lines: expected i32 or i64, got f32",
          hd_layout(ctx, nodes, styles, 9, boxes,
                    &(hd_layout_options){.lines = HD_REF(HD_VIEW(real, 4))}));
    FAILS(ctx, HD_ERROR_TYPE, "count: expected i64, got f32",
          hd_layout(ctx, nodes, styles, 9, boxes,
                    &(hd_layout_options){.count = HD_REF(HD_VIEW(real, 1))}));
    FAILS(ctx, HD_ERROR_ALIAS, "steps overlaps count",
          hd_layout(ctx, nodes, styles, 9, boxes,
                    &(hd_layout_options){.count = HD_REF(HD_VIEW(numbers, 1)),
                                         .steps = HD_REF(HD_VIEW(numbers, 1))}));
    FAILS(ctx, HD_ERROR_ALIAS, "lines overlaps boxes",
          hd_layout(ctx, nodes, styles, 9, boxes,
                    &(hd_layout_options){.lines = HD_REF(HD_VIEW((int64_t *)r.box, 4))}));
    FAILS(ctx, HD_ERROR_SHAPE, "nodes: 536870913 elements; expected 536870912 at most",
          hd_layout(ctx, HD_VIEW_OF(HD_TYPE(hd_layout_node), small, (1 << 29) + 1), styles, 9,
                    boxes, NULL));
    FAILS(ctx, HD_ERROR_VALUE, "the style of node 0 is 0; expected one of 0 styles",
          hd_layout(ctx, nodes, hd_slice(styles, 0, 0, 0, 1), 9, boxes, NULL));
    CHECK(hd_layout(NULL, nodes, styles, 9, boxes, NULL) == HD_ERROR_ARGUMENT, "no context");
    numbers[0] = numbers[1] = -1;
    CHECK_OK(ctx,
             hd_layout(ctx, hd_slice(nodes, 0, 0, 0, 1), styles, 9, hd_slice(boxes, 0, 0, 0, 1),
                       &(hd_layout_options){.count = HD_REF(HD_VIEW(numbers, 1)),
                                            .steps = HD_REF(HD_VIEW(numbers + 1, 1))}));
    CHECK(numbers[0] == 0 && numbers[1] == 0, "without nodes %" PRId64 " lines", numbers[0]);
    drop_result(&r);
}

static hd_status failing(hd_context *ctx)
{
    uint64_t r = 5;
    document d = make_document(90, PERCENTAGES, &r);
    result got = make_result(d.n);
    const hd_status status =
        hd_layout(ctx, nodes_of(&d), styles_of(&d), d.width, boxes_of(&d, &got),
                  &(hd_layout_options){.count = HD_REF(HD_VIEW(&got.lines, 1))});
    drop_result(&got), drop_document(&d);
    return status;
}

// ---- On a GPU -----------------------------------------------------------------------------------

// Nodes on the device, and with them all the rest, or nothing else.
static void run_there(hd_context *ctx, const document *d, bool all, const char *what)
{
    result got = make_result(d->n);
    hd_view nodes = moved_to_device(ctx, nodes_of(d)), styles = styles_of(d);
    hd_view boxes = boxes_of(d, &got), lines = HD_VIEW(got.line, d->n);
    if (all) {
        styles = moved_to_device(ctx, styles);
        CHECK_OK(ctx, hd_alloc_device(ctx, boxes.type, 1, &d->n, &boxes));
        CHECK_OK(ctx, hd_alloc_device(ctx, HD_I32, 1, &d->n, &lines));
    }
    CHECK_OK(ctx, hd_layout(ctx, nodes, styles, d->width, boxes,
                            &(hd_layout_options){.lines = &lines,
                                                 .count = HD_REF(HD_VIEW(&got.lines, 1))}));
    if (all) {
        CHECK_OK(ctx, hd_map(ctx, boxes, NULL, boxes_of(d, &got), NULL));
        CHECK_OK(ctx, hd_map(ctx, lines, NULL, HD_VIEW(got.line, d->n), NULL));
    }
    CHECK_OK(ctx, hd_sync(ctx));
    check_result(d, &got, what, all ? "a GPU, its memory" : "a GPU, nodes in its memory");
    hd_view *const own[] = {&nodes, &styles, &boxes, &lines};
    for (int k = 0; k < (all ? 4 : 1); k++) CHECK_OK(ctx, hd_free(ctx, own[k]));
    drop_result(&got);
}

static void test_there(hd_backend which)
{
    const check_target t = {check_open(which, 0, NULL), "a GPU"};
    uint64_t r = check_seed() + 3;
    for (int of = 0; of < SHAPES; of++) {
        document d = make_document(of == 0 ? 1 : 60 + 7 * of, (shape)of, &r);
        run_document(&d, &t, shape_name[of]);
        run_there(t.ctx, &d, of % 2 == 0, shape_name[of]);
        drop_document(&d);
    }
    hd_close(t.ctx);
}

int main(void)
{
    target_count = check_targets(&targets);
    test_header();
    test_random();
    test_large();
    test_steps();
    test_views();
    test_values();
    test_arguments();
    with_failing_memory(failing);
    return finish_on_gpus(test_there);
}
