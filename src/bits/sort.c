// SPDX-License-Identifier: Apache-2.0
// Sorts of numbers, with values and indices, and the sorts that are built on scans.
#include "call.h"
#include "families.h"
#include "heddle_teaching.h"

enum { UP, DOWN, SEGMENTS, ROWS, WAYS };
static const char *const words[WAYS] = {"", ", descending", ", segments", ", axis 1 of (7, n/7)"};

static hd_view shaped(const bits_call *c, hd_view v)
{
    if (c->what->way != ROWS) return v;
    return hd_view_nd(v.type, v.data, 2, (int64_t[]){7, c->n / 7}, NULL);
}

static hd_sort_options options_of(bits_call *c)
{
    hd_sort_options o = {.descending = c->what->way == DOWN};
    o.segments = c->what->way == SEGMENTS ? bits_keep(c, bits_offsets(c)) : NULL;
    if (c->what->way == ROWS) o.axis = HD_AXIS(1);
    return o;
}

static void sort(bits_call *c)
{
    const hd_view keys = shaped(c, bits_in(c)), sorted = shaped(c, bits_out(c, keys.type, c->n));
    const hd_view values = shaped(c, bits_input(c, HD_F64, BITS_ORDINARY, c->n));
    const hd_view moved = shaped(c, bits_out(c, HD_F64, c->n));
    const hd_sort_options options = options_of(c);
    if (!bits_did(c, hd_sort(c->ctx, keys, sorted, HD_VALUES(values, moved), &options))) return;
    bits_gives(c, sorted);
    bits_gives(c, moved);
}

static void argsort(bits_call *c)
{
    const hd_view keys = shaped(c, bits_in(c)), indices = shaped(c, bits_out(c, HD_I32, c->n));
    hd_sort_options options = options_of(c);
    options.indices = &indices;
    if (bits_did(c, hd_sort(c->ctx, keys, HD_EMPTY, HD_NO_VALUES, &options)))
        bits_gives(c, indices);
}

static void by_scans(bits_call *c)
{
    const hd_view keys = bits_in(c), out = bits_out(c, keys.type, c->n);
    const hd_status status = c->what->way ? hd_split_sort(c->ctx, keys, out, NULL)
                                          : hd_quicksort(c->ctx, keys, out, NULL);
    if (bits_did(c, status)) bits_gives(c, out);
}

static void add_sorts(bits_list *list, bits_case c)
{
    const char *name = hd_type_name(c.type), *values = bits_values_name(c.values);
    for (c.way = UP; c.way < WAYS; c.way++) {
        c.sizes[2] = c.way == UP ? 40009 : -1;
        c.run = sort, bits_add(list, c, "sort %s, %s%s", name, values, words[c.way]);
        c.sizes[2] = -1, c.run = argsort;
        if (c.way != ROWS) bits_add(list, c, "argsort %s, %s%s", name, values, words[c.way]);
    }
    c.run = by_scans, c.sizes[1] = 1031;
    c.way = 0, bits_add(list, c, "quicksort %s, %s", name, values);
    c.way = 1, bits_add(list, c, "split sort %s, %s", name, values);
}

void bits_sorts(bits_list *list)
{
    for (EVERY_TYPE(type)) {
        bits_case c = {.type = type, .sizes = {33, 4099, -1, -1}};
        if (bits_is_float(type)) c.values = BITS_SPECIAL, add_sorts(list, c);
        c.values = bits_is_float(type) ? BITS_WIDE : BITS_ORDINARY, add_sorts(list, c);
        c.values = BITS_TIES, add_sorts(list, c);
    }
}
