// SPDX-License-Identifier: Apache-2.0
// A tile is an element of hd_map, whose function is compiled for the instruction set: so the
// context's threads share them as they share all elements. Packing is hd_map, too.
#include "product_tiles.h"

#include "matmul_tile.h"

HD_FUNCTION(negative_f32, float, HD_NO_SOURCE, (float, x), { return -x; })
HD_FUNCTION(negative_f64, double, HD_NO_SOURCE, (double, x), { return -x; })

// Fewer products than this are no work for packing; a longer row is added in parts, so that what a
// tile reads of it stays in the first cache (1024 x 1024 in f64: 84 ms, 114 in parts of 1024).
enum { LEAST_PRODUCTS = 16384, MOST_DEPTH = 256 };

// What a function of a tile's number finds in its state.
typedef struct tile_work {
    const char *a, *b;        // packed
    int64_t a_bytes, b_bytes; // of a tile's rows, of a tile's columns
    int64_t across, depth;    // tiles in a row of tiles; steps of this pass
    hd__tile_add_f32 *add_f32;
    hd__tile_add_f64 *add_f64;
} tile_work;

static void add_tiles_f32(void *out, const void *const *in, int64_t n, const void *state)
{
    const tile_work *w = state;
    for (int64_t e = 0; e < n; e++) {
        const int64_t t = ((const int64_t *)in[0])[e];
        hd__tile_f32 *tile = (hd__tile_f32 *)out + e;
        *tile = ((const hd__tile_f32 *)in[1])[e];
        w->add_f32((const float *)(const void *)(w->a + t / w->across * w->a_bytes),
                   (const float *)(const void *)(w->b + t % w->across * w->b_bytes), w->depth,
                   tile->c);
    }
}

static void add_tiles_f64(void *out, const void *const *in, int64_t n, const void *state)
{
    const tile_work *w = state;
    for (int64_t e = 0; e < n; e++) {
        const int64_t t = ((const int64_t *)in[0])[e];
        hd__tile_f64 *tile = (hd__tile_f64 *)out + e;
        *tile = ((const hd__tile_f64 *)in[1])[e];
        w->add_f64((const double *)(const void *)(w->a + t / w->across * w->a_bytes),
                   (const double *)(const void *)(w->b + t % w->across * w->b_bytes), w->depth,
                   tile->c);
    }
}

// A function of the library's by its loop alone: no device runs it, so it has no text.
static hd_function function_of(const tile_work *w, bool wide)
{
    const hd_type tile = wide ? HD_STRUCT(hd__tile_f64) : HD_STRUCT(hd__tile_f32);
    return (hd_function){.abi = HD__ABI,
                         .inputs = 2,
                         .result = tile,
                         .input = {HD_I64, tile},
                         .name = "add_tiles",
                         .apply = wide ? add_tiles_f64 : add_tiles_f32,
                         .state = {w, sizeof *w, sizeof *w, "tile_work"}};
}

// ---- Packing ------------------------------------------------------------------------------------

// A product of m x k and k x n, in tiles of height x 16.
typedef struct tiling {
    hd_type type;
    int64_t m, n, k, height, down, across;
    hd_view a, b;        // packed
    hd_view tiles, flat; // as structures, as numbers
} tiling;

static hd_view shaped(hd_view row, int64_t at, int ndim, const int64_t *shape,
                      const int64_t *stride)
{
    const hd_view part = hd__frame_part(row, at, 0);
    hd_view v = hd_view_nd(row.type, part.data, ndim, shape, stride);
    return v;
}

// packed[t][k][r] = v[t * size + r][k], of a view whose rows are what is packed.
static hd_status pack(hd__frame *f, hd_view v, int64_t size, const hd_function *function,
                      hd_view *packed)
{
    const int64_t rows = v.shape[0], depth = v.shape[1], whole = rows / size, rest = rows % size;
    const int64_t blocks = whole + (rest > 0), begin = whole * size * depth;
    const float zero = 0;
    hd_status status = hd__frame_row(f, v.type, blocks * size * depth, packed);
    if (status) return status;
    const int64_t shape[3] = {whole, depth, size};
    const int64_t from[3] = {size * v.stride[0], v.stride[1], v.stride[0]};
    if (whole > 0)
        status = hd_map(f->ctx, hd_view_nd(v.type, v.data, 3, shape, from), function,
                        shaped(*packed, 0, 3, shape, NULL), NULL);
    if (status || rest == 0) return status;
    status = hd_map(f->ctx, hd_constant(zero, size * depth), NULL,
                    hd__frame_part(*packed, begin, size * depth), NULL);
    const int64_t last[2] = {depth, rest}, turned[2] = {v.stride[1], v.stride[0]};
    const int64_t to[2] = {size, 1};
    const hd_view tail = hd_slice(v, 0, whole * size, rest, 1);
    if (status) return status;
    return hd_map(f->ctx, hd_view_nd(v.type, tail.data, 2, last, turned), function,
                  shaped(*packed, begin, 2, last, to), NULL);
}

static hd_view transposed(hd_view v)
{
    const int64_t shape = v.shape[0], stride = v.stride[0];
    v.shape[0] = v.shape[1], v.stride[0] = v.stride[1];
    v.shape[1] = shape, v.stride[1] = stride;
    return v;
}

// Between a rectangle of tiles and its part of out: `down` tiles of h rows, `across` of w columns.
static hd_status move_part(hd__frame *f, const tiling *t, hd_view out, const int64_t at[2],
                           const int64_t part[4], bool to_tiles)
{
    const int64_t area = t->height * TILE_WIDTH;
    const int64_t in_tiles[4] = {t->across * area, TILE_WIDTH, area, 1};
    const int64_t in_out[4] = {t->height * out.stride[0], out.stride[0], TILE_WIDTH * out.stride[1],
                               out.stride[1]};
    if (part[0] * part[1] * part[2] * part[3] == 0) return HD_OK;
    const hd_view x = shaped(t->flat, (at[0] * t->across + at[1]) * area, 4, part, in_tiles);
    const hd_view from =
        hd_slice(hd_slice(out, 0, at[0] * t->height, 1, 1), 1, at[1] * TILE_WIDTH, 1, 1);
    const hd_view y = hd_view_nd(out.type, from.data, 4, part, in_out);
    return hd_map(f->ctx, to_tiles ? y : x, NULL, to_tiles ? x : y, NULL);
}

// All of out: whole tiles, and those at the right and lower edge that are cut.
static hd_status move_all(hd__frame *f, const tiling *t, hd_view out, bool to_tiles)
{
    const int64_t down = t->m / t->height, across = t->n / TILE_WIDTH;
    const int64_t low = t->m % t->height, right = t->n % TILE_WIDTH;
    const float zero = 0;
    hd_status status = HD_OK;
    if (to_tiles && low + right > 0)
        status = hd_map(f->ctx, hd_constant(zero, hd_count(t->flat)), NULL, t->flat, NULL);
    for (int edge = 0; edge < 4 && !status; edge++) {
        const bool bottom = edge / 2, side = edge % 2;
        const int64_t at[2] = {bottom ? down : 0, side ? across : 0};
        const int64_t part[4] = {bottom ? 1 : down, bottom ? low : t->height, side ? 1 : across,
                                 side ? right : (int64_t)TILE_WIDTH};
        status = move_part(f, t, out, at, part, to_tiles);
    }
    return status;
}

// ---- A product ----------------------------------------------------------------------------------

static hd_status open_tiles(hd__frame *f, tiling *t)
{
    const bool wide = t->type == HD_F64;
    hd_status status = hd__frame_row(f, wide ? HD_STRUCT(hd__tile_f64) : HD_STRUCT(hd__tile_f32),
                                     t->down * t->across, &t->tiles);
    t->flat = hd_view_of(t->type, t->tiles.data, t->down * t->across * t->height * TILE_WIDTH);
    return status;
}

static hd_status add_all(hd__frame *f, const tiling *t)
{
    const int64_t size = (int64_t)hd_type_size(t->type);
    hd_status status = HD_OK;
    for (int64_t k = 0; k < t->k && !status; k += MOST_DEPTH) {
        const tile_work w = {(const char *)t->a.data + k * t->height * size,
                             (const char *)t->b.data + k * TILE_WIDTH * size,
                             t->k * t->height * size,
                             t->k * TILE_WIDTH * size,
                             t->across,
                             t->k - k < MOST_DEPTH ? t->k - k : (int64_t)MOST_DEPTH,
                             hd__tile_best_f32(),
                             hd__tile_best_f64()};
        const hd_function add = function_of(&w, t->type == HD_F64);
        status = hd_map(f->ctx, hd_iota(t->down * t->across), &add, t->tiles,
                        &(hd_map_options){.with = HD_VIEWS(t->tiles)});
    }
    return status;
}

static hd_status multiply(hd__frame *f, hd_view a, hd_view b, hd_view out, bool less)
{
    const bool wide = out.type == HD_F64;
    tiling t = {.type = out.type, .m = out.shape[0], .n = out.shape[1], .k = a.shape[1]};
    t.height = wide ? TILE_HEIGHT_F64 : TILE_HEIGHT_F32;
    t.down = (t.m + t.height - 1) / t.height, t.across = (t.n + TILE_WIDTH - 1) / TILE_WIDTH;
    hd_status status = pack(f, a, t.height,
                            !less  ? NULL
                            : wide ? negative_f64
                                   : negative_f32,
                            &t.a);
    if (!status) status = pack(f, transposed(b), TILE_WIDTH, NULL, &t.b);
    if (!status) status = open_tiles(f, &t);
    if (!status) status = move_all(f, &t, out, true);
    if (!status) status = add_all(f, &t);
    if (!status) status = move_all(f, &t, out, false);
    if (!status) status = hd__frame_drop(f, &t.tiles);
    if (!status) status = hd__frame_drop(f, &t.b);
    return status ? status : hd__frame_drop(f, &t.a);
}

// Matrix i of a view of several.
static hd_view matrix_of(hd_view v, int64_t i)
{
    for (; v.ndim > 2; v.ndim--) {
        const int last = v.ndim - 3;
        const int64_t step = i % v.shape[last] * v.stride[last];
        i /= v.shape[last];
        v.data = (char *)v.data + step * (int64_t)hd_type_size(v.type);
        v.shape[last] = v.shape[last + 1], v.shape[last + 1] = v.shape[last + 2];
        v.stride[last] = v.stride[last + 1], v.stride[last + 1] = v.stride[last + 2];
    }
    return v;
}

hd_status hd__product_tiles(hd__frame *f, hd_view a, hd_view b, hd_view out, bool less, bool *done)
{
    const int64_t area = out.shape[out.ndim - 2] * out.shape[out.ndim - 1];
    const int64_t depth = a.shape[a.ndim - 1], count = hd_count(out) / area;
    hd_backend ran = HD_AUTO;
    if (f->on_device || area < LEAST_PRODUCTS / depth) return HD_OK;
    hd_status status = hd__frame_backend(f, &ran);
    if (status || (ran != HD_SERIAL && ran != HD_CPU)) return status;
    for (int64_t i = 0; i < count && !status; i++)
        status = multiply(f, matrix_of(a, i), matrix_of(b, i), matrix_of(out, i), less);
    *done = true;
    return status;
}
