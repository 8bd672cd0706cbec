// SPDX-License-Identifier: Apache-2.0
//
// The row of a document of n nodes: paragraphs of 100 words on a page of 800. No peer does that.
// GB/s counts bytes of the nodes and of the boxes.
#include "algorithm_row.h"

#include <heddle_algorithms.h>

enum { PAGE = 800, NODES = 200, ASCENT = 8, DESCENT = 2, SPACE = 4 }; // nodes: of a paragraph

static const bench_case cases[] = {
    {"paragraphs", "nodes", "", PEER_OTHER_OP, PEER_I64, PEER_I64, NULL, NULL},
};

typedef struct state {
    algorithm_row row;
    hd_layout_style style;
    hd_view nodes, boxes;
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_status status =
        hd_layout(row->ctx, s->nodes, HD_VIEW_OF(HD_TYPE(hd_layout_style), &s->style, 1), PAGE,
                  s->boxes, NULL);
    if (status) row->status = status;
}

static void make_nodes(hd_layout_node *node, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        node[i] = (hd_layout_node){.depth = 1};
        if (i == 0) node[i].depth = 0;
        if (i == 0 || i % NODES == 1) continue;
        node[i] = (hd_layout_node){
            2, i % 2 ? HD_LAYOUT_SPACE : HD_LAYOUT_INLINE, 0, SPACE, ASCENT, DESCENT};
        if (i % 2 == 0) node[i].width = 10 + (int32_t)(data_mix((uint64_t)i) % 60);
    }
}

// The definition for such a document: words one after another, a new line where one does not fit.
static void define(const hd_layout_node *node, int64_t n, hd_layout_box *box)
{
    const int64_t line = ASCENT + DESCENT;
    int64_t x = 0, y = 0, block = -1;
    for (int64_t i = 1; i < n; i++) {
        const bool begins = node[i].kind == HD_LAYOUT_BLOCK;
        if (begins || (node[i].kind == HD_LAYOUT_INLINE && x + node[i].width > PAGE)) {
            if (x > 0) y += line;
            x = 0;
        }
        if (begins) {
            if (block >= 0) box[block].height = y - box[block].y;
            block = i;
        }
        box[i] = (hd_layout_box){x, y, begins ? PAGE : node[i].width, begins ? 0 : line};
        if (!begins) x += node[i].width;
    }
    if (x > 0) y += line;
    if (block >= 0) box[block].height = y - box[block].y;
    box[0] = (hd_layout_box){0, 0, PAGE, y};
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n;
    state *s = algorithm_begin(row, d, "layout", sizeof *s);
    if (!s) return false;
    hd_layout_node *node = algorithm_array(&s->row, n, sizeof *node);
    algorithm_output(row, d, 4 * n);
    if (s->row.no_memory) return false;
    make_nodes(node, n);
    define(node, n, s->row.want);
    s->nodes = HD_VIEW_OF(HD_TYPE(hd_layout_node), node, n);
    s->boxes = HD_VIEW_OF(HD_TYPE(hd_layout_box), d->out, n);
    algorithm_peak(row, PEAK_COPY, 56 * n, 28 * n);
    row->heddle = call;
    return true;
}

static const int64_t sizes[] = {1 << 12, 1000003, 1 << 22, 0};

const bench_pattern pattern_layout = {
    .name = "layout",
    .formula = "bytes of the nodes read and of the boxes written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 32,
    .prepare = prepare,
    .finish = algorithm_finish,
};
