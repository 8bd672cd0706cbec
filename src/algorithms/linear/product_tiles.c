// SPDX-License-Identifier: Apache-2.0
// Tiles of the output stay in registers while packed rows of a and columns of b go by (after Goto
// and van de Geijn, "Anatomy of high-performance matrix multiplication", 2008). The context's
// threads share blocks of tiles; a block goes through the depth in parts.
#include "product_tiles.h"

#include "../support/team.h"
#include "matmul_tile.h"

// Fewer products than this are no work for packing. A block's parts of a and b stay in the second
// cache, a tile's part of b in the first. Between rounds the caller may cancel.
enum {
    LEAST_PRODUCTS = 16384,
    MOST_DEPTH = 192,
    BLOCK_TILES_DOWN = 8,
    BLOCK_COLUMNS = 240,
    ROUND_PRODUCTS = 1 << 30
};
static const int64_t MOST_PACKED = INT64_MAX / 64; // elements, of strides of 0 for the most part

// A matrix in memory: steps are in elements. Strips of it are packed: `size` rows of a, or columns
// of b, next to each other at each k.
typedef struct matrix {
    const void *data;
    int64_t lines, depth, line_step, depth_step;
    void *packed;
    int64_t size;
    bool negative;
} matrix;

typedef struct product {
    bool wide; // f64, else f32
    matrix a, b;
    void *out;
    int64_t row_step, column_step;
    int64_t blocks_across, block_tiles_across, first; // of the blocks; the first of this round
    hd__tile_add *add;
} product;

// ---- Packing ------------------------------------------------------------------------------------

// Strip t: packed[t][k][r] = line t * size + r at k; lines that are not there are 0.
#define DEFINE_PACK(T)                                                                             \
    static void pack_##T(const matrix *m, int64_t t)                                               \
    {                                                                                              \
        const int64_t first = t * m->size, rest = m->lines - first;                                \
        const int64_t there = rest < m->size ? rest : m->size;                                     \
        T *const to = (T *)m->packed + first * m->depth;                                           \
        const T *const from = (const T *)m->data + first * m->line_step;                           \
        for (int64_t k = 0; k < m->depth; k++)                                                     \
            for (int64_t r = 0; r < m->size; r++) {                                                \
                const T x = r < there ? from[k * m->depth_step + r * m->line_step] : 0;            \
                to[k * m->size + r] = m->negative ? -x : x;                                        \
            }                                                                                      \
    }
DEFINE_PACK(float)
DEFINE_PACK(double)

static int64_t strips_of(const matrix *m)
{
    return (m->lines + m->size - 1) / m->size;
}

static void pack_strip(void *user, int64_t t)
{
    const product *p = user;
    const int64_t of_a = strips_of(&p->a);
    const matrix *m = t < of_a ? &p->a : &p->b;
    (p->wide ? pack_double : pack_float)(m, t < of_a ? t : t - of_a);
}

// ---- Blocks of tiles ----------------------------------------------------------------------------

// A tile at row r and column q that is cut by an edge, or whose columns are apart, goes through one
// that is whole.
#define DEFINE_TILE(T, WIDTH)                                                                      \
    static void add_tile_##T(const product *p, int64_t r, int64_t q, int64_t k, int64_t depth)     \
    {                                                                                              \
        const T *const a = (const T *)p->a.packed + r * p->a.depth + k * TILE_HEIGHT;              \
        const T *const b = (const T *)p->b.packed + q * p->b.depth + k * WIDTH;                    \
        T *const c = (T *)p->out + r * p->row_step + q * p->column_step;                           \
        const int64_t down = p->a.lines - r, across = p->b.lines - q;                              \
        const int64_t rows = down < TILE_HEIGHT ? down : (int64_t)TILE_HEIGHT;                     \
        const int64_t columns = across < WIDTH ? across : (int64_t)WIDTH;                          \
        T whole[TILE_HEIGHT * WIDTH] = {0};                                                        \
        if (rows == TILE_HEIGHT && columns == WIDTH && p->column_step == 1) {                      \
            p->add(a, b, depth, c, p->row_step);                                                   \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; i < rows; i++)                                                         \
            for (int64_t j = 0; j < columns; j++)                                                  \
                whole[i * WIDTH + j] = c[i * p->row_step + j * p->column_step];                    \
        p->add(a, b, depth, whole, WIDTH);                                                         \
        for (int64_t i = 0; i < rows; i++)                                                         \
            for (int64_t j = 0; j < columns; j++)                                                  \
                c[i * p->row_step + j * p->column_step] = whole[i * WIDTH + j];                    \
    }
DEFINE_TILE(float, TILE_WIDTH_F32)
DEFINE_TILE(double, TILE_WIDTH_F64)

static int64_t least(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

static void add_block(void *user, int64_t t)
{
    const product *p = user;
    const int64_t block = p->first + t, width = p->b.size, depth = p->a.depth;
    const int64_t top = block / p->blocks_across * BLOCK_TILES_DOWN * TILE_HEIGHT;
    const int64_t left = block % p->blocks_across * p->block_tiles_across * width;
    const int64_t bottom = least(top + BLOCK_TILES_DOWN * TILE_HEIGHT, p->a.lines);
    const int64_t right = least(left + p->block_tiles_across * width, p->b.lines);
    for (int64_t k = 0; k < depth; k += MOST_DEPTH)
        for (int64_t q = left; q < right; q += width)
            for (int64_t r = top; r < bottom; r += TILE_HEIGHT)
                (p->wide ? add_tile_double : add_tile_float)(p, r, q, k,
                                                             least(depth - k, MOST_DEPTH));
}

// ---- A product ----------------------------------------------------------------------------------

static hd_status run(hd__frame *f, product *p, int32_t threads)
{
    const int64_t down =
        (p->a.lines + BLOCK_TILES_DOWN * TILE_HEIGHT - 1) / (BLOCK_TILES_DOWN * TILE_HEIGHT);
    const int64_t columns = p->block_tiles_across * p->b.size;
    p->blocks_across = (p->b.lines + columns - 1) / columns;
    const int64_t blocks = down * p->blocks_across;
    const int64_t of_block = BLOCK_TILES_DOWN * TILE_HEIGHT * columns * p->a.depth;
    const int64_t round = of_block < ROUND_PRODUCTS ? ROUND_PRODUCTS / of_block * threads : threads;
    hd_status status = HD_OK;
    hd__team_run(threads, strips_of(&p->a) + strips_of(&p->b), pack_strip, p);
    for (p->first = 0; p->first < blocks && !status; p->first += round) {
        hd_backend ran;
        if (p->first > 0) status = hd__frame_backend(f, &ran); // asks whether to go on
        if (!status) hd__team_run(threads, least(round, blocks - p->first), add_block, p);
    }
    return status;
}

static hd_status multiply(hd__frame *f, int32_t threads, hd_view a, hd_view b, hd_view out,
                          bool less)
{
    const bool wide = out.type == HD_F64;
    const int64_t width = wide ? TILE_WIDTH_F64 : TILE_WIDTH_F32;
    hd_view of_a = HD_EMPTY, of_b = HD_EMPTY;
    product p = {
        .wide = wide,
        .a = {a.data, a.shape[0], a.shape[1], a.stride[0], a.stride[1], NULL, TILE_HEIGHT, less},
        .b = {b.data, b.shape[1], b.shape[0], b.stride[1], b.stride[0], NULL, width, false},
        .out = out.data,
        .row_step = out.stride[0],
        .column_step = out.stride[1],
        .block_tiles_across = BLOCK_COLUMNS / width,
        .add = hd__tile_best(wide)};
    hd_status status = hd__frame_row(f, out.type, strips_of(&p.a) * p.a.size * p.a.depth, &of_a);
    if (status) return status;
    status = hd__frame_row(f, out.type, strips_of(&p.b) * p.b.size * p.b.depth, &of_b);
    p.a.packed = of_a.data, p.b.packed = of_b.data;
    if (!status) status = run(f, &p, threads);
    if (!status) status = hd__frame_drop(f, &of_b);
    return status ? status : hd__frame_drop(f, &of_a);
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
    if (f->on_device || a.space != HD_HOST || b.space != HD_HOST) return HD_OK;
    if (area < LEAST_PRODUCTS / depth || depth > MOST_PACKED / (area + TILE_WIDTH_F32))
        return HD_OK;
    hd_status status = hd__frame_backend(f, &ran);
    if (status || (ran != HD_SERIAL && ran != HD_CPU)) return status;
    const int32_t threads = ran == HD_CPU ? hd__team_size(f->ctx) : 1;
    const int64_t few = area < ROUND_PRODUCTS / depth ? ROUND_PRODUCTS / depth / area : 1;
    for (int64_t i = 0; i < count && !status; i++) {
        if (i > 0 && i % few == 0) status = hd__frame_backend(f, &ran); // asks, too
        if (!status)
            status =
                multiply(f, threads, matrix_of(a, i), matrix_of(b, i), matrix_of(out, i), less);
    }
    *done = true;
    return status;
}
