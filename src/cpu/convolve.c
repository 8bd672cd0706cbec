// SPDX-License-Identifier: Apache-2.0
// Convolution in tiles: the rows a tile needs are used where they lie, or, at the edges of the image
// and for other types and layouts, read into a buffer with their border. Four rows of outputs at a
// time go through a kernel of micro/convolve.inc; for a separable mask first down, into four rows
// that stay in the first cache, then along.
#include "core/convolve.h"
#include "core/convert.h"
#include "cpu/cpu.h"
#include "cpu/isa.h"
#include "cpu/neighbours.h"

#include <math.h>
#include <omp.h>
#include <string.h>

// Whole rows, if the rows that one call of a kernel needs fit half of the second cache: memory likes
// long runs. On a Neoverse V1, 4096^2 f32, tiles of 1536, 3072 and 4096 elements took 9.6, 8.8 and
// 7.0 ms by a separable mask of 5 and 13.3, 13.4, 12.8 by a direct one of 5 x 5.
#define CACHE_BYTES (400 * 1024)
#define LEAST_WIDE  512
#define WHOLE_ELEMENTS                                                                             \
    16384 // of a row by a separable mask: it and the rows it needs fit the second cache
#define LINE_ELEMENTS 16384 // of a mask of one row: nothing is shared between rows
#define TILE_ROWS     64
#define EDGE_PIXELS   16 // a tile at the left or right edge is as wide as its border and this
// Elements of a row at a time: what is between the passes of a separable mask, and results that are
// not written in place, stay in the first cache.
#define PIECE 1024

// Rows whose distance is a multiple of a page, nearly, fall into the same few lines of the first
// cache: a mask that goes over them more than once is faster if they are copied apart (12.8 ms
// instead of 13.9 by 5 x 5, 67 instead of 72 by 15 x 15). Results do not gain by it.
#define PAGE 4096
#define NEAR 256

typedef struct plan {
    const hd__convolve_job *job;
    hd__grid grid; // whose sums are f32 or f64
    const hd__sum_kernels *kernels;
    const hd__neighbour_table *table;
    const void *mask, *column, *row; // in that type
    bool in_place_in, in_place_out;  // rows can be used where they lie
    bool whole;  // whole rows at a time, what lies to their sides set between the passes
    size_t size; // of a sum
    int64_t tile_rows, bands;
    int64_t tiles;             // along x
    int64_t left, wide, right; // pixels of the first tile, of those that follow, of the last
    int64_t row_bytes;         // of a buffered row
    int64_t ring;              // so many of which are kept
} plan;

// ---- Integers whose sums are exact in floats -------------------------------------------------

static double greatest_of(const hd__grid *g)
{
    const int bits = 8 * (int)hd__size_of(g->in.type);
    const double beyond = fabs((double)*(const int64_t *)(const void *)g->beyond);
    const double most = g->in.type == HD_BOOL ? 1 : ldexp(1, bits);
    return beyond > most ? beyond : most;
}

static double sum_of(const int64_t *w, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += fabs((double)w[i]);
    return sum;
}

// The float type in which these integers' sums, and all their parts, are exact; or HD_NONE.
static hd_type exact_type(const hd__convolve_job *job)
{
    const double greatest = greatest_of(&job->grid);
    const double bound =
        job->separable
            ? greatest * (1 + sum_of(job->column, job->rows)) * (1 + sum_of(job->row, job->columns))
            : greatest * (1 + sum_of(job->mask, job->rows * job->columns));
    return bound < 0x1p24 ? HD_F32 : bound < 0x1p53 ? HD_F64 : HD_NONE;
}

static size_t weight_bytes(const hd__convolve_job *job)
{
    const int64_t n = job->rows * job->columns + job->rows + job->columns;
    return (size_t)(n + 3 * HD__MASK_PAD) * sizeof(double);
}

// Copies n weights to *room, with so much behind them that a kernel may load the last by the vector, and
// moves *room on.
static const void *take_weights(const plan *p, const void *weights, int64_t n, char **room)
{
    const hd__grid *g = &p->job->grid;
    char *to = *room;
    if (weights != NULL) hd__convert(p->grid.sum, to, g->sum, weights, n);
    *room += (size_t)(n + HD__MASK_PAD) * sizeof(double);
    return to;
}

// All of them, in memory of weight_bytes, as type p->grid.sum; and what lies beyond.
static void take_mask(plan *p, char *room)
{
    const hd__convolve_job *job = p->job;
    const bool direct = !job->separable;
    memset(room, 0, weight_bytes(job));
    p->mask = take_weights(p, direct ? job->mask : NULL, job->rows * job->columns, &room);
    p->column = take_weights(p, direct ? NULL : job->column, job->rows, &room);
    p->row = take_weights(p, direct ? NULL : job->row, job->columns, &room);
    if (p->grid.sum != job->grid.sum)
        hd__convert(p->grid.sum, p->grid.beyond, job->grid.sum, job->grid.beyond, 1);
}

// ---- The plan --------------------------------------------------------------------------------

static bool lies_in_rows(const hd_view *v, const hd__grid *g, const int64_t *stride)
{
    const int64_t channels = g->shape[HD__CHANNEL];
    return v->type == g->sum && stride[HD__X] == channels &&
           (channels == 1 || stride[HD__CHANNEL] == 1);
}

// Whether rows at this distance push each other out of the first cache.
static bool rows_collide(const plan *p)
{
    const int64_t pitch = p->grid.in_stride[HD__Y] * (int64_t)hd__size_of(p->grid.sum);
    const int64_t apart = (pitch % PAGE + PAGE) % PAGE;
    return p->grid.shape[HD__Y] > 1 && (apart < NEAR || apart > PAGE - NEAR);
}

// The elements along a tile.
static int64_t tile_width(const plan *p)
{
    if (p->job->rows == 1 && p->grid.shape[HD__Y] == 1) return LINE_ELEMENTS;
    const int64_t wide = CACHE_BYTES / (p->ring * (int64_t)hd__size_of(p->grid.sum)) / 16 * 16;
    return wide < LEAST_WIDE ? LEAST_WIDE : wide;
}

static void make_tiles(plan *p)
{
    const hd__convolve_job *job = p->job;
    const hd__grid *g = &p->grid;
    const int64_t channels = g->shape[HD__CHANNEL], width = g->shape[HD__X];
    p->ring = job->rows + HD__ROWS_AT_ONCE - 1;
    p->in_place_in = lies_in_rows(&g->in, g, g->in_stride) && (job->separable || !rows_collide(p));
    p->in_place_out = lies_in_rows(&g->out, g, g->out_stride);
    p->wide = tile_width(p) / channels > 0 ? tile_width(p) / channels : 1;
    p->left = p->in_place_in ? job->anchor_x + EDGE_PIXELS : 0;
    p->right = p->in_place_in ? job->columns - 1 - job->anchor_x + EDGE_PIXELS : 0;
    p->whole = job->separable && p->in_place_in && width * channels <= WHOLE_ELEMENTS;
    if (p->whole) p->wide = width;
    if (p->whole || p->left + p->right > width) p->left = p->right = 0; // all of it at once
    if (p->wide > width) p->wide = width;
    const int64_t middle = width - p->left - p->right;
    p->tiles = (p->left > 0) + (p->right > 0) + (middle + p->wide - 1) / p->wide;
    p->tile_rows = g->shape[HD__Y] < TILE_ROWS ? g->shape[HD__Y] : TILE_ROWS;
    p->bands = (g->shape[HD__Y] + p->tile_rows - 1) / p->tile_rows;
    const int64_t edge = p->right > p->left ? p->right : p->left;
    const int64_t widest = p->wide > edge ? p->wide : edge;
    p->size = hd__size_of(g->sum);
    p->row_bytes = (int64_t)hd__padded((size_t)((widest + job->columns - 1) * channels) * p->size);
    if (p->whole) p->row_bytes += HD__ALIGNMENT;                              // see sum_separable
    if (p->row_bytes / HD__ALIGNMENT % 2 == 0) p->row_bytes += HD__ALIGNMENT; // see PAGE
}

static size_t worker_bytes(const plan *p)
{
    const int64_t rows = p->tile_rows + p->job->rows - 1;
    return (size_t)(p->ring + 1 + 2 * HD__ROWS_AT_ONCE) * (size_t)p->row_bytes +
           hd__padded((size_t)(rows + p->ring) * sizeof(void *));
}

// ---- One tile --------------------------------------------------------------------------------

// One thread's memory and the tile it is at.
typedef struct worker {
    const plan *p;
    const void **shifted; // sources of a piece
    const void **source;  // rows y0 - anchor .. of the tile, from pixel x0 - anchor on
    unsigned char *buffer, *beyond, *between, *result;
    int64_t batch, x0, n; // pixels of the tile
    int64_t y0, rows;     // rows of it
    int64_t found;        // sources that have been found
    bool filled;          // beyond
} worker;

static void worker_init(worker *w, const plan *p, unsigned char *memory)
{
    w->p = p;
    w->buffer = memory;
    w->beyond = memory + p->ring * p->row_bytes;
    w->between = w->beyond + p->row_bytes;
    w->result = w->between + HD__ROWS_AT_ONCE * p->row_bytes;
    w->source = (const void **)(void *)(w->result + HD__ROWS_AT_ONCE * p->row_bytes);
    w->shifted = w->source + p->tile_rows + p->job->rows - 1;
}

// Finds the rows of the tile up to `end`, reading those that do not lie ready; the buffer has as many
// as one call of a kernel needs.
static void find_sources(worker *w, int64_t end)
{
    const plan *p = w->p;
    const hd__convolve_job *job = p->job;
    const hd__grid *g = &p->grid;
    const int64_t x = p->whole ? 0 : w->x0 - job->anchor_x;
    const int64_t n = p->whole ? w->n : w->n + job->columns - 1;
    const bool inside = p->in_place_in && x >= 0 && x + n <= g->shape[HD__X];
    const int64_t offset = hd__grid_in_offset(g, w->batch) + x * g->in_stride[HD__X];
    for (; w->found < end; w->found++) {
        const int64_t r = w->found, y = w->y0 + r - job->anchor_y;
        const int64_t at = hd__border_index(g->border, y, g->shape[HD__Y]);
        if (at >= 0 && inside) {
            w->source[r] = hd__at(&g->in, offset + at * g->in_stride[HD__Y]);
            continue;
        }
        unsigned char *row = at < 0 ? w->beyond : w->buffer + r % p->ring * p->row_bytes;
        if (at >= 0 || !w->filled) hd__grid_read(g, &(hd__row){w->batch, 0, y, x, n}, row);
        w->filled |= at < 0;
        w->source[r] = row;
    }
}

// Rows of results of pixels at .. at + n - 1 of the tile on their way out of a buffer.
static void write_row(const worker *w, int64_t y, int64_t at, int64_t n, void *from)
{
    const hd__grid *g = &w->p->grid;
    const int64_t channels = g->shape[HD__CHANNEL], x = w->x0 + at;
    const bool plain =
        g->out_stride[HD__X] == channels && (channels == 1 || g->out_stride[HD__CHANNEL] == 1);
    if (g->sum == HD_F32 && g->out.type == HD_U8 && plain) {
        const int64_t offset =
            hd__grid_out_offset(g, w->batch) + y * g->out_stride[HD__Y] + x * g->out_stride[HD__X];
        w->p->table->narrow_u8((uint8_t *)g->out.data + offset, from, n * channels);
    } else {
        hd__grid_write(g, &(hd__row){w->batch, 0, y, x, n}, from);
    }
}

// Where the results of `outs` rows from y on go, from pixel `at` of the tile on.
static void find_results(const worker *w, int64_t y, int64_t outs, int64_t at, void **out)
{
    const hd__grid *g = &w->p->grid;
    const int64_t offset = hd__grid_out_offset(g, w->batch) + (w->x0 + at) * g->out_stride[HD__X];
    for (int64_t o = 0; o < outs; o++)
        out[o] = w->p->in_place_out
                     ? (void *)(uintptr_t)hd__at(&g->out, offset + (y + o) * g->out_stride[HD__Y])
                     : (void *)(w->result + o * w->p->row_bytes);
}

// The columns' pass gives +0 beyond a border of zeros, whatever the signs of the weights. The row
// begins at pixel x and has n.
static void clear_outside(const plan *p, unsigned char *row, int64_t x, int64_t n)
{
    const hd__grid *g = &p->grid;
    const size_t pixel = (size_t)g->shape[HD__CHANNEL] * p->size;
    const int64_t before = x < 0 ? (-x < n ? -x : n) : 0, end = x + n - g->shape[HD__X];
    const int64_t after = end > 0 ? (end < n ? end : n) : 0;
    memset(row, 0, (size_t)before * pixel);
    memset(row + (size_t)(n - after) * pixel, 0, (size_t)after * pixel);
}

// Sets what lies to the sides of a whole row between the passes, which starts at its pixel -anchor_x.
static void set_sides(const plan *p, unsigned char *row)
{
    const hd__grid *g = &p->grid;
    const int64_t width = g->shape[HD__X], before = p->job->anchor_x;
    const size_t pixel = (size_t)g->shape[HD__CHANNEL] * p->size;
    _Alignas(16) unsigned char beyond[16];
    hd__beyond_column(p->job, beyond);
    for (int64_t i = 0; i < p->job->columns - 1; i++) {
        const int64_t x = i < before ? i - before : width + i - before;
        const int64_t at = hd__border_index(g->border, x, width);
        unsigned char *to = row + (size_t)(x + before) * pixel;
        if (at >= 0)
            memcpy(to, row + (size_t)(at + before) * pixel, pixel);
        else
            for (size_t b = 0; b < pixel; b += p->size) memcpy(to + b, beyond, p->size);
    }
}

// Down, then along: n pixels from `at` of the tile on, from w->shifted.
static void sum_separable(worker *w, int64_t outs, int64_t at, int64_t n, void *const *out)
{
    const plan *p = w->p;
    const hd__convolve_job *job = p->job;
    const int64_t channels = p->grid.shape[HD__CHANNEL];
    const int64_t more = p->whole ? n : n + job->columns - 1;
    // A whole row's own pixels begin with a line of the cache, those to its left lie before it.
    const int64_t before = p->whole ? job->anchor_x * channels * (int64_t)p->size : 0;
    const int64_t lead = (int64_t)hd__padded((size_t)before) - before;
    void *between[HD__ROWS_AT_ONCE], *down[HD__ROWS_AT_ONCE];
    for (int64_t o = 0; o < outs; o++) between[o] = w->between + o * p->row_bytes + lead;
    for (int64_t o = 0; o < outs; o++) down[o] = (char *)between[o] + before;
    p->kernels->mask(&(hd__mask_rows){down, outs, w->shifted, p->column, job->rows, 1, channels,
                                      more * channels});
    for (int64_t o = 0; o < outs; o++)
        if (p->whole)
            set_sides(p, between[o]);
        else if (p->grid.border == HD_BORDER_ZERO)
            clear_outside(p, between[o], w->x0 + at - job->anchor_x, more);
    p->kernels->mask(&(hd__mask_rows){out, outs, (const void *const *)between, p->row, 1,
                                      job->columns, channels, n * channels});
}

// Pixels at .. at + n - 1 of `outs` rows of results, from row `first` of the tile on.
static void sum_piece(worker *w, int64_t first, int64_t outs, int64_t at, int64_t n)
{
    const plan *p = w->p;
    const hd__convolve_job *job = p->job;
    const int64_t channels = p->grid.shape[HD__CHANNEL];
    const int64_t shift = at * channels * (int64_t)p->size;
    void *out[HD__ROWS_AT_ONCE];
    find_results(w, w->y0 + first, outs, at, out);
    for (int64_t r = 0; r < outs + job->rows - 1; r++)
        w->shifted[r] = (const char *)w->source[first + r] + shift;
    if (job->separable)
        sum_separable(w, outs, at, n, out);
    else
        p->kernels->mask(&(hd__mask_rows){out, outs, w->shifted, p->mask, job->rows, job->columns,
                                          channels, n * channels});
    for (int64_t o = 0; o < outs && !p->in_place_out; o++)
        write_row(w, w->y0 + first + o, at, n, out[o]);
}

static void sum_rows(worker *w, int64_t first, int64_t outs)
{
    const int64_t channels = w->p->grid.shape[HD__CHANNEL], columns = w->p->job->columns;
    const bool alone = !w->p->job->separable && w->p->in_place_out; // nothing to keep in the cache
    const int64_t piece = PIECE / channels > columns ? PIECE / channels : columns;
    const int64_t most = alone || w->p->whole ? w->n : piece;
    find_sources(w, first + outs + w->p->job->rows - 1);
    for (int64_t at = 0; at < w->n; at += most) {
        const int64_t n = w->n - at < most ? w->n - at : most;
        sum_piece(w, first, outs, at, n);
    }
}

// The pixels of tile k along x.
static void set_width(worker *w, int64_t k)
{
    const plan *p = w->p;
    const int64_t width = p->grid.shape[HD__X], end = width - p->right;
    const int64_t before = p->left > 0;
    if (k < before) {
        w->x0 = 0;
        w->n = p->left;
    } else if (p->right > 0 && k == p->tiles - 1) {
        w->x0 = end;
        w->n = p->right;
    } else {
        w->x0 = p->left + (k - before) * p->wide;
        w->n = end - w->x0 < p->wide ? end - w->x0 : p->wide;
    }
}

static void do_tile(worker *w, int64_t item)
{
    const plan *p = w->p;
    const int64_t tile = item % p->tiles, band = item / p->tiles % p->bands;
    const int64_t height = p->grid.shape[HD__Y];
    w->batch = item / p->tiles / p->bands;
    w->y0 = band * p->tile_rows;
    w->rows = height - w->y0 < p->tile_rows ? height - w->y0 : p->tile_rows;
    set_width(w, tile);
    w->found = 0;
    w->filled = false;
    for (int64_t y = 0; y < w->rows; y += HD__ROWS_AT_ONCE)
        sum_rows(w, y, w->rows - y < HD__ROWS_AT_ONCE ? w->rows - y : HD__ROWS_AT_ONCE);
}

static hd_status run_tiles(hd_context *ctx, const plan *p)
{
    const hd__convolve_job *job = p->job;
    const int64_t taps = job->separable ? job->rows + job->columns : job->rows * job->columns;
    const int64_t items = p->grid.batches * p->bands * p->tiles;
    const int64_t points = p->grid.batches * hd__grid_points(&p->grid);
    int threads =
        hd__worth_threads(ctx, points, p->size * (size_t)(1 + (taps > 256 ? 64 : taps / 4)));
    if (threads > items) threads = (int)items;
    const size_t bytes = worker_bytes(p);
    unsigned char *memory = hd__scratch(ctx, (size_t)threads * bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        worker w;
        worker_init(&w, p, memory + (size_t)omp_get_thread_num() * bytes);
// A thread's tiles lie one after another: memory likes long runs.
#pragma omp for schedule(static)
        for (int64_t item = 0; item < items; item++) do_tile(&w, item);
    }
    return HD_OK;
}

hd_status hd__cpu_convolve(hd_context *ctx, const void *any, const char **why)
{
    const hd__convolve_job *job = any;
    plan p = {.job = job, .grid = job->grid};
    p.table = ctx->isa->table->neighbours;
    if (job->grid.sum == HD_I64) p.grid.sum = exact_type(job);
    if (p.grid.sum == HD_NONE) {
        *why = "sums of these integers may pass 2^53";
        return HD__DECLINED;
    }
    const size_t bytes = weight_bytes(job);
    void *weights = hd__allocate(ctx, bytes);
    if (weights == NULL) return HD_ERROR_MEMORY;
    take_mask(&p, weights);
    p.kernels = p.grid.sum == HD_F32 ? &p.table->f32 : &p.table->f64;
    make_tiles(&p);
    const hd_status status = run_tiles(ctx, &p);
    hd__release(ctx, weights, bytes);
    return status;
}
