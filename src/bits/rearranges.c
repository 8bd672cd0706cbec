// SPDX-License-Identifier: Apache-2.0
// Shuffle, transpose, zip and unzip: elements as they are, in other places.
#include "call.h"
#include "families.h"

static void shuffle(bits_call *c)
{
    const hd_view in = c->what->way ? hd_iota(c->n) : bits_in(c);
    const hd_view out = bits_out(c, in.type, c->n);
    if (bits_did(c, hd_shuffle(c->ctx, in, out,
                               &(hd_shuffle_options){.seed = 20 + (uint64_t)c->what->way})))
        bits_gives(c, out);
}

static void transpose(bits_call *c)
{
    const int64_t w = c->n / 13;
    const hd_view in = bits_plane(c, c->what->type, c->what->values, 13, w);
    const hd_view out = bits_out_plane(c, in.type, w, 13);
    if (bits_did(c, hd_transpose(c->ctx, in, out, NULL))) bits_gives(c, out);
}

static void permute(bits_call *c)
{
    const int64_t m = c->n / 15;
    const hd_view row = bits_in(c), to = bits_out(c, row.type, 15 * m);
    const hd_view in = hd_view_nd(row.type, row.data, 3, (int64_t[]){3, m, 5}, NULL);
    const hd_view out = hd_view_nd(row.type, to.data, 3, (int64_t[]){5, 3, m}, NULL);
    if (bits_did(c, hd_transpose(c->ctx, in, out,
                                 &(hd_transpose_options){.axes = (int32_t[]){2, 0, 1}})))
        bits_gives(c, out);
}

typedef struct triple {
    int16_t a;
    double b;
    float c;
} triple;

// Three fields into structures and out again, the middle one into the place of the first's copy.
static void zip(bits_call *c)
{
    const hd_view a = bits_input(c, HD_I16, BITS_ORDINARY, c->n),
                  b = bits_input(c, HD_F64, BITS_WIDE, c->n);
    const hd_view d = bits_input(c, HD_F32, BITS_SPECIAL, c->n);
    const hd_view bytes = bits_out(c, HD_U8, c->n * (int64_t)sizeof(triple));
    const hd_view s = hd_view_of(HD_STRUCT(triple), bytes.data, c->n);
    const hd_view b2 = bits_out(c, HD_F64, c->n), a2 = bits_out(c, HD_I16, c->n);
    bits_did(c, hd_zip(c->ctx, HD_VIEWS(a, b, d), s, NULL));
    bits_did(c, hd_unzip(c->ctx, s, HD_VIEWS(a2, b2), NULL));
    bits_gives(c, bytes);
    bits_gives(c, a2);
    bits_gives(c, b2);
}

void bits_rearranges(bits_list *list)
{
    for (EVERY_TYPE(type)) {
        bits_case c = {.type = type, .values = BITS_SPECIAL, .sizes = {33, 20011, -1}};
        const char *name = hd_type_name(type);
        c.run = shuffle, bits_add(list, c, "shuffle %s", name);
        c.run = transpose, bits_add(list, c, "transpose %s, (13, n/13)", name);
        c.run = permute, bits_add(list, c, "transpose %s, axes 2 0 1 of (3, n/15, 5)", name);
    }
    const bits_case order = {.run = shuffle, .way = 1, .sizes = {1, 33, 4099, 100003, -1}};
    bits_add(list, order, "shuffle iota");
    bits_add(list, (bits_case){.run = zip, .sizes = {33, 4099, -1}}, "zip and unzip i16 f64 f32");
}
