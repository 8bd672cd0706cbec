// SPDX-License-Identifier: Apache-2.0
// Stencils, convolutions, blurs, and the weights of finite differences.
#include "call.h"
#include "families.h"

enum { WIDTH = 19 }; // of planes: n elements are n / WIDTH rows

static const char *const borders[HD_BORDER_COUNT] = {"default",   "zero", "replicate", "reflect",
                                                     "symmetric", "wrap", "constant",  "keep"};

static hd_view plane(bits_call *c)
{
    return bits_plane(c, c->what->type, c->what->values, c->n / WIDTH, WIDTH);
}

// ---- Convolution --------------------------------------------------------------------------------

enum { BORDER = 15, DIRECT = 16, FLIP = 32, ROW = 64, SOBEL = 128, BY_F32 = 256 };

// 3 x 5 by formula, or small whole numbers whose product is found to be separable.
static hd_view mask_of(bits_call *c)
{
    static const double sobel[] = {-1, 0, 1, -2, 0, 2, -1, 0, 1};
    const int32_t way = c->what->way;
    if (way & SOBEL) return hd_view_nd(HD_F64, sobel, 2, (int64_t[]){3, 3}, NULL);
    const hd_type type = way & BY_F32 ? HD_F32 : c->what->type;
    const bits_values values = bits_is_float(type) ? BITS_ORDINARY : BITS_TIES;
    return way & ROW ? bits_input(c, type, values, 7) : bits_plane(c, type, values, 3, 5);
}

static void convolve(bits_call *c)
{
    const int32_t way = c->what->way;
    const hd_view in = plane(c), mask = mask_of(c),
                  out = bits_out_plane(c, c->what->out, c->n / WIDTH, WIDTH);
    const bool constant = (way & BORDER) == HD_BORDER_CONSTANT;
    const hd_convolve_options options = {.border = (hd_border)(way & BORDER),
                                         .channels = HD_CHANNELS_NONE,
                                         .method =
                                             way & DIRECT ? HD_CONVOLVE_DIRECT : HD_CONVOLVE_AUTO,
                                         .flip = (way & FLIP) != 0,
                                         .constant = constant ? 2.5 : 0};
    if (bits_did(c, hd_convolve(c->ctx, in, mask, out, &options))) bits_gives(c, out);
}

static void convolutions(bits_list *list)
{
    static const struct {
        int32_t way;
        const char *words;
    } ways[] = {{0, "3x5"},
                {BY_F32, "3x5 f32"},
                {SOBEL, "Sobel"},
                {SOBEL | DIRECT | FLIP, "Sobel, direct, flipped"},
                {ROW | HD_BORDER_REPLICATE, "row of 7, replicate"},
                {HD_BORDER_REFLECT, "3x5, reflect"},
                {HD_BORDER_SYMMETRIC, "3x5, symmetric"},
                {HD_BORDER_WRAP, "3x5, wrap"},
                {HD_BORDER_CONSTANT, "3x5, constant"}};
    for (EVERY_TYPE(type))
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            for (int k = 0; k < (type == HD_F32 || w > 2 ? 1 : 2); k++) {
                const hd_type out = k == 0 ? type : HD_F32;
                bits_add(list,
                         (bits_case){.run = convolve,
                                     .type = type,
                                     .out = out,
                                     .way = ways[w].way,
                                     .sizes = {95, 9709, -1}},
                         "convolve %s -> %s, %s", hd_type_name(type), hd_type_name(out),
                         ways[w].words);
            }
    for (hd_type type = HD_F16; type <= HD_F64; type++)
        for (int v = BITS_WIDE; v <= BITS_CANCEL; v++)
            bits_add(list,
                     (bits_case){.run = convolve,
                                 .type = type,
                                 .out = type,
                                 .values = (bits_values)v,
                                 .sizes = {95, 9709, -1}},
                     "convolve %s -> %s, 3x5, %s", hd_type_name(type), hd_type_name(type),
                     bits_values_name((bits_values)v));
}

// ---- Stencils -----------------------------------------------------------------------------------

// way: the border, and 16 times the number of steps.
static void stencil(bits_call *c)
{
    static const int64_t cross[] = {-1, 0, 0, -1, 0, 0, 0, 1, 1, 0};
    const hd_view in = plane(c), out = bits_out_plane(c, in.type, c->n / WIDTH, WIDTH);
    const hd_view weights = bits_input(c, bits_is_float(in.type) ? HD_F64 : HD_I32, BITS_TIES, 5);
    const hd_view offsets = hd_view_nd(HD_I64, cross, 2, (int64_t[]){5, 2}, NULL);
    const hd_border border = (hd_border)(c->what->way % 16);
    const hd_stencil_options options = {.constant = border == HD_BORDER_CONSTANT ? -1.5 : 0,
                                        .border = border,
                                        .iterations = c->what->way / 16};
    if (bits_did(c, hd_stencil(c->ctx, in, offsets, weights, out, &options))) bits_gives(c, out);
}

static void stencil_box(bits_call *c)
{
    const int64_t m = c->n / 35;
    const hd_view row = bits_in(c), to = bits_out(c, row.type, 35 * m);
    const int64_t shape[] = {m, 5, 7}, box[] = {3, 3, 3};
    const hd_view weights = bits_input(c, HD_F64, BITS_ORDINARY, 27);
    const hd_stencil_options options = {.border = HD_BORDER_REFLECT};
    if (bits_did(c, hd_stencil(c->ctx, hd_view_nd(row.type, row.data, 3, shape, NULL), HD_EMPTY,
                               hd_view_nd(HD_F64, weights.data, 3, box, NULL),
                               hd_view_nd(row.type, to.data, 3, shape, NULL), &options)))
        bits_gives(c, to);
}

static void stencils(bits_list *list)
{
    for (EVERY_TYPE(type)) {
        bits_case c = {.run = stencil, .type = type, .sizes = {95, 9709, -1}};
        for (int32_t b = 0; b < HD_BORDER_COUNT; b++)
            c.way = b + 16,
            bits_add(list, c, "stencil %s, cross, border %s", hd_type_name(type), borders[b]);
        c.way = HD_BORDER_KEEP + 16 * 5,
        bits_add(list, c, "stencil %s, cross, keep, 5 steps", hd_type_name(type));
        c.run = stencil_box,
        bits_add(list, c, "stencil %s, box 3x3x3, reflect", hd_type_name(type));
    }
}

// ---- Blurs --------------------------------------------------------------------------------------

static const double sigmas[] = {0.7, 1.5, 4.0, 11.3};

// way: which sigma, 4 for boxes, 8 for a constant border.
static void blur(bits_call *c)
{
    const hd_view in = plane(c), out = bits_out_plane(c, in.type, c->n / WIDTH, WIDTH);
    const int32_t way = c->what->way;
    const hd_blur_options options = {.method = way & 4 ? HD_BLUR_BOX : HD_BLUR_GAUSSIAN,
                                     .border = way & 8 ? HD_BORDER_CONSTANT : HD_BORDER_DEFAULT,
                                     .constant = way & 8 ? 3 : 0};
    if (bits_did(c, hd_blur(c->ctx, in, sigmas[way & 3], out, &options))) bits_gives(c, out);
}

static void blurs(bits_list *list)
{
    for (EVERY_TYPE(type))
        for (int32_t w = 0; w < 16; w++)
            bits_add(list,
                     (bits_case){.run = blur, .type = type, .way = w, .sizes = {380, 9709, -1}},
                     "blur %s, sigma %.1f%s%s", hd_type_name(type), sigmas[w & 3],
                     w & 4 ? ", boxes" : "", w & 8 ? ", constant border" : "");
}

// ---- Weights ------------------------------------------------------------------------------------

static const double spacings[] = {1.0, 0.1, 3.7};

// The size is the order; way: derivative 1 or 2, or 3 for a Laplacian in two dimensions, by 10 the
// spacing.
static void weights(bits_call *c)
{
    const int32_t what = c->what->way % 10;
    const double spacing = spacings[c->what->way / 10];
    double w[32] = {0};
    int64_t offsets[64] = {0};
    const int32_t count = what < 3 ? hd_finite_difference(what, (int32_t)c->n, spacing, w)
                                   : hd_laplacian(2, (int32_t)c->n, spacing, offsets, w);
    bits_gives(c, hd_view_of(HD_F64, w, count));
    if (what == 3) bits_gives(c, hd_view_of(HD_I64, offsets, 2 * count));
}

void bits_neighbourhoods(bits_list *list)
{
    static const char *const words[] = {"", "first derivative", "second derivative",
                                        "Laplacian of 2 axes"};
    convolutions(list);
    stencils(list);
    blurs(list);
    for (int32_t k = 0; k < 3; k++)
        for (int32_t what = 1; what <= 3; what++)
            bits_add(list,
                     (bits_case){.run = weights, .way = what + 10 * k, .sizes = {2, 4, 6, 8, -1}},
                     "weights of the %s, spacing %.1f, by order", words[what], spacings[k]);
}
