// SPDX-License-Identifier: Apache-2.0
// Compact, partition, unique, run lengths, expand.
#include "call.h"
#include "families.h"

enum { NOT_ZERO, FLAGS, INVERTED, BUCKETS };

static void compact(bits_call *c)
{
    const int32_t way = c->what->way;
    const hd_view in = bits_in(c), flags = bits_below(c, HD_U8, 2, c->n);
    const hd_view out = bits_out(c, in.type, c->n), indices = bits_out(c, HD_I32, c->n);
    int64_t count = 0;
    const hd_compact_options options = {.flags = HD_REF(way == NOT_ZERO ? HD_EMPTY : flags),
                                        .indices = HD_REF(indices),
                                        .invert = way == INVERTED};
    if (!bits_did(c, hd_compact(c->ctx, in, out, HD_VIEW(&count, 1), &options))) return;
    bits_number(c, count);
    bits_gives(c, out);
    bits_gives(c, indices);
}

static void partition(bits_call *c)
{
    const int64_t ways = 13;
    const bool many = c->what->way == BUCKETS;
    const hd_view in = bits_in(c), of = bits_below(c, HD_U16, many ? ways : 2, c->n);
    const hd_view out = bits_out(c, in.type, c->n), counts = bits_out(c, HD_I64, many ? ways : 2);
    hd_partition_options options = {.ways = many ? ways : 0, .invert = c->what->way == INVERTED};
    options.indices = HD_REF(bits_out(c, HD_U32, c->n));
    options.buckets = many ? &of : NULL;
    options.flags = many ? NULL : &of;
    if (!bits_did(c, hd_partition(c->ctx, in, out, counts, &options))) return;
    bits_gives(c, counts);
    bits_gives(c, out);
    bits_gives(c, *options.indices);
}

static void unique(bits_call *c)
{
    const hd_view in = bits_keys(c, c->what->type), out = bits_out(c, in.type, c->n);
    int64_t count = 0;
    if (!bits_did(c, hd_unique(c->ctx, in, out, HD_VIEW(&count, 1), NULL))) return;
    bits_number(c, count);
    bits_gives(c, out);
}

static void run_lengths(bits_call *c)
{
    const hd_view in = c->what->way ? bits_in(c) : bits_keys(c, c->what->type);
    const hd_view values = bits_out(c, in.type, c->n), lengths = bits_out(c, HD_I32, c->n);
    int64_t runs = 0;
    if (!bits_did(c, hd_run_lengths(c->ctx, in, values, lengths, HD_VIEW(&runs, 1), NULL))) return;
    bits_number(c, runs);
    bits_gives(c, values);
    bits_gives(c, lengths);
}

static void expand(bits_call *c)
{
    const hd_view in = bits_in(c), lengths = bits_below(c, HD_I32, 4, c->n);
    const hd_view out = bits_out(c, in.type, 3 * c->n);
    int64_t count = 0;
    if (!bits_did(c, hd_expand(c->ctx, in, lengths, out, HD_VIEW(&count, 1), NULL))) return;
    bits_number(c, count);
    bits_gives(c, out);
}

void bits_selects(bits_list *list)
{
    static const char *const words[] = {", not zero", ", flags", ", flags inverted",
                                        ", 13 buckets"};
    for (EVERY_TYPE(type)) {
        const char *name = hd_type_name(type);
        bits_case c = {.type = type, .values = BITS_TIES, .sizes = {33, 4099, 70001, -1}};
        for (c.way = NOT_ZERO; c.way <= INVERTED; c.way++)
            c.run = compact, bits_add(list, c, "compact %s%s", name, words[c.way]);
        for (c.way = FLAGS; c.way <= BUCKETS; c.way++)
            c.run = partition, bits_add(list, c, "partition %s%s", name, words[c.way]);
        c.way = 0;
        c.run = unique, bits_add(list, c, "unique %s", name);
        c.run = run_lengths, bits_add(list, c, "run lengths %s", name);
        c.run = expand, bits_add(list, c, "expand %s", name);
        c.way = 1, c.values = bits_is_float(type) ? BITS_SPECIAL : BITS_TIES;
        c.run = run_lengths;
        bits_add(list, c, "run lengths %s, %s", name, bits_values_name(c.values));
    }
}
