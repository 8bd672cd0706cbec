// SPDX-License-Identifier: Apache-2.0
// List ranking and list scans, roots of forests, the maximum by each method.
#include "call.h"
#include "families.h"
#include "heddle_teaching.h"

// Links of one list through all nodes in a random order; with way 1 every 97th link ends a list.
static hd_view links(bits_call *c)
{
    const hd_view order = bits_out(c, HD_I64, c->n), next = bits_out(c, c->what->out, c->n);
    if (!bits_did(c, hd_shuffle(c->ctx, hd_iota(c->n), order, &(hd_shuffle_options){.seed = 7})))
        return next;
    const int64_t *at = order.data;
    for (int64_t k = 0; k < c->n; k++) {
        const bool last = k + 1 == c->n || (c->what->way == 1 && k % 97 == 96);
        if (next.type == HD_I32)
            ((int32_t *)next.data)[at[k]] = (int32_t)(last ? at[k] : at[k + 1]);
        else
            ((int64_t *)next.data)[at[k]] = last ? -1 : at[k + 1];
    }
    return next;
}

static void rank(bits_call *c)
{
    const hd_view next = links(c), out = bits_out(c, HD_I64, c->n);
    int64_t lists = 0;
    const hd_list_options options = {.from_head = c->what->way == 1,
                                     .lists = HD_REF(HD_VIEW(&lists, 1))};
    if (!bits_did(c, hd_list_rank(c->ctx, next, out, &options))) return;
    bits_gives(c, out);
    bits_number(c, lists);
}

static void list_scan(bits_call *c)
{
    const hd_view next = links(c), values = bits_in(c), out = bits_out(c, c->what->type, c->n);
    const hd_list_options options = {.exclusive = c->what->way == 2, .backward = c->what->way == 3};
    if (bits_did(c, hd_list_scan(c->ctx, next, values, c->what->op, out, &options)))
        bits_gives(c, out);
}

// A node's parent is any node below it; every tenth or so is a root.
static void roots(bits_call *c)
{
    const hd_view parent = bits_out(c, HD_I32, c->n), out = bits_out(c, HD_I32, c->n);
    const hd_view depth = bits_out(c, HD_I32, c->n);
    for (int64_t i = 0; parent.data != NULL && i < c->n; i++) {
        const uint64_t r = bits_random(1, i);
        ((int32_t *)parent.data)[i] = (int32_t)(i == 0 || r % 10 == 0 ? i : (int64_t)(r >> 8) % i);
    }
    if (!bits_did(
            c, hd_forest_roots(c->ctx, parent, out, &(hd_forest_options){.depth = HD_REF(depth)})))
        return;
    bits_gives(c, out);
    bits_gives(c, depth);
}

static void maximum(bits_call *c)
{
    const hd_view in = bits_in(c);
    hd_maximum_result r = {0};
    if (!bits_did(c, hd_maximum(c->ctx, in, &r,
                                &(hd_maximum_options){.method = (hd_maximum_method)c->what->way})))
        return;
    bits_number(c, r.index);
    bits_gives(c, hd_view_of(bits_is_float(in.type) ? HD_F64 : HD_U64, &r.value, 1));
}

static void list_scans(bits_list *list)
{
    static const char *const words[] = {", one list", ", many lists", ", exclusive", ", backward"};
    static const hd_type types[] = {HD_I64, HD_F32, HD_F64};
    const hd_operator *op;
    for (int32_t k = 0; (op = hd_operator_at(k)) != NULL; k++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            for (int32_t w = 0; w < 4; w++)
                bits_add(list,
                         (bits_case){.run = list_scan,
                                     .op = op,
                                     .type = types[t],
                                     .out = HD_I32,
                                     .way = w,
                                     .values = BITS_UNITS,
                                     .sizes = {4099, -1}},
                         "list scan %s %s%s", hd_operator_name(op), hd_type_name(types[t]),
                         words[w]);
}

void bits_links(bits_list *list)
{
    static const char *const words[] = {"one list", "many lists, from the head"};
    for (int32_t w = 0; w < 2; w++) {
        bits_case c = {.run = rank, .out = HD_I32, .way = w, .sizes = {1, 33, 4099, 70001, -1}};
        bits_add(list, c, "list rank, i32, %s", words[w]);
        c.out = HD_I64, bits_add(list, c, "list rank, i64, %s", words[w]);
    }
    list_scans(list);
    bits_add(list, (bits_case){.run = roots, .sizes = {1, 33, 4099, 70001, -1}},
             "forest roots i32");
    for (EVERY_TYPE(type))
        for (int32_t m = 0; m < HD_MAXIMUM_METHODS; m++)
            bits_add(list,
                     (bits_case){.run = maximum,
                                 .type = type,
                                 .way = m,
                                 .values = m % 2 ? BITS_SPECIAL : BITS_TIES,
                                 .sizes = {33, 1031, -1}},
                     "maximum %s, %s", hd_type_name(type), hd_maximum_name((hd_maximum_method)m));
}
