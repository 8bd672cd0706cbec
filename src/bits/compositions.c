// SPDX-License-Identifier: Apache-2.0
// Several reductions and maps at once, indexed views, filters, mismatch, sortedness, random
// numbers, reversal and rotation.
#include "call.h"
#include "families.h"

// Each output has the bits of its own reduction, so these are digested after one another.
static void reduce_many(bits_call *c)
{
    const hd_view in = bits_in(c), least = bits_out(c, in.type, 1),
                  greatest = bits_out(c, in.type, 1),
                  sum = bits_out(c, hd_default_output(HD_SUM, in.type), 1),
                  at = bits_out(c, HD_I64, 1);
    if (!bits_did(c, hd_reduce_many(c->ctx, in, HD_OPERATORS(HD_MIN, HD_MAX, HD_SUM, HD_ARGMAX),
                                    HD_VIEWS(least, greatest, sum, at), NULL)))
        return;
    bits_gives(c, least);
    bits_gives(c, greatest);
    bits_gives(c, sum);
    bits_gives(c, at);
}

static void indexed(bits_call *c)
{
    const hd_view in = bits_in(c), index = bits_below(c, HD_I32, c->n, c->n),
                  offsets = bits_offsets(c), v = hd_indexed(in, index),
                  sums = bits_out(c, hd_default_output(HD_SUM, in.type), offsets.shape[0] - 1),
                  least = bits_out(c, in.type, c->n);
    const hd_reduce_options o = {.segments = bits_keep(c, offsets)};
    if (!bits_did(c, hd_reduce(c->ctx, v, HD_SUM, sums, &o)) ||
        !bits_did(c, hd_scan(c->ctx, v, HD_MIN, least, NULL)))
        return;
    bits_gives(c, sums);
    bits_gives(c, least);
}

static void filter(bits_call *c)
{
    const hd_view in = bits_in(c), flags = bits_below(c, HD_U8, 2, c->n),
                  sum = bits_out(c, hd_default_output(HD_SUM, in.type), 1),
                  variance = bits_out(c, HD_F64, 1), at = bits_out(c, HD_I64, 1);
    const hd_reduce_options o = {.flags = bits_keep(c, flags)};
    if (!bits_did(c, hd_reduce(c->ctx, in, HD_SUM, sum, &o)) ||
        !bits_did(c, hd_reduce(c->ctx, in, HD_VARIANCE, variance, &o)) ||
        !bits_did(c, hd_reduce(c->ctx, in, HD_ARGMAX, at, &o)))
        return;
    bits_gives(c, sum);
    bits_gives(c, variance);
    bits_gives(c, at);
}

static void map_many(bits_call *c)
{
    const hd_view in = bits_in(c), same = bits_out(c, in.type, c->n),
                  wide = bits_out(c, HD_F64, c->n);
    if (!bits_did(c, hd_map_many(c->ctx, in, HD_FUNCTIONS(NULL, NULL), HD_VIEWS(same, wide), NULL)))
        return;
    bits_gives(c, same);
    bits_gives(c, wide);
}

// b is a up to where it is reversed.
static void mismatch(bits_call *c)
{
    const hd_view a = bits_in(c), b = bits_out(c, a.type, c->n), position = bits_out(c, HD_I64, 1);
    const int64_t same = c->n / 3 * 2;
    const hd_view rest = hd_slice(b, 0, same, c->n - same, 1);
    if (bits_did(c, hd_map(c->ctx, a, NULL, b, NULL)) &&
        bits_did(c, hd_reverse(c->ctx, rest, rest, NULL)) &&
        bits_did(c, hd_mismatch(c->ctx, a, b, position,
                                &(hd_mismatch_options){.bits = c->what->way == 1})))
        bits_gives(c, position);
}

// Two thirds of the elements are sorted.
static void is_sorted(bits_call *c)
{
    const bool down = c->what->way == 1;
    const hd_view in = bits_in(c), position = bits_out(c, HD_I64, 1);
    const hd_view part = hd_slice(in, 0, 0, c->n / 3 * 2, 1);
    if (bits_did(
            c, hd_sort(c->ctx, part, part, HD_NO_VALUES, &(hd_sort_options){.descending = down})) &&
        bits_did(c,
                 hd_is_sorted(c->ctx, in, position, &(hd_is_sorted_options){.descending = down})))
        bits_gives(c, position);
}

static void random_numbers(bits_call *c)
{
    const hd_view out = bits_out(c, c->what->type, c->n);
    const hd_random_options options = {
        .seed = 20261118, .offset = 7, .distribution = c->what->way == 1 ? HD_NORMAL : HD_UNIFORM};
    if (bits_did(c, hd_random(c->ctx, out, &options))) bits_gives(c, out);
}

static void reverse(bits_call *c)
{
    const hd_view in = bits_in(c), out = bits_out(c, in.type, c->n);
    const hd_status status = c->what->way == 0 ? hd_reverse(c->ctx, in, out, NULL)
                                               : hd_rotate(c->ctx, in, c->n / 3 + 1, out, NULL);
    if (bits_did(c, status)) bits_gives(c, out);
}

void bits_compositions(bits_list *list)
{
    static const char *const compared[] = {"", ", by bits"}, *const ways[] = {"", ", descending"},
                             *const distributions[] = {"", ", normal"},
                             *const moved[] = {"reverse", "reverse, rotated"};
    for (EVERY_TYPE(type)) {
        const char *name = hd_type_name(type);
        bits_case c = {.type = type, .values = BITS_ORDINARY, .sizes = {33, 20011, -1}};
        c.run = reduce_many, bits_add(list, c, "reduce many %s", name);
        c.run = indexed, bits_add(list, c, "reduce indexed %s", name);
        c.run = filter, bits_add(list, c, "reduce filtered %s", name);
        c.run = map_many, bits_add(list, c, "map many %s", name);
        for (c.way = 0; c.way < 2; c.way++) {
            c.values = bits_is_float(type) ? BITS_SPECIAL : BITS_ORDINARY;
            c.run = mismatch, bits_add(list, c, "mismatch %s%s", name, compared[c.way]);
            c.run = is_sorted, bits_add(list, c, "is sorted %s%s", name, ways[c.way]);
            c.values = BITS_ORDINARY;
            c.run = random_numbers, bits_add(list, c, "random %s%s", name, distributions[c.way]);
            c.run = reverse, bits_add(list, c, "%s %s", moved[c.way], name);
        }
    }
}
