// SPDX-License-Identifier: Apache-2.0
// Convolution in tiles: the rows a tile needs are used where they lie, or, at the edges of the image
// and for other types and layouts, read into a buffer with their border. Four rows of outputs at a
// time go through a kernel of micro/neighbours.inc; for a separable mask first down, into four rows
// that stay in the first cache, then along.
#include "core/convolve.h"
#include "core/convert.h"
#include "cpu/cpu.h"
#include "cpu/isa.h"
#include "cpu/neighbours.h"

#include <math.h>
#include <omp.h>
#include <string.h>

// Elements along a row of a tile, and rows of one: measured with 5 x 5 and 15 x 15 masks on a
// Neoverse V1 (4096^2 f32); from 512 to 4096 and from 32 to 128 makes less than 3 % of difference.
#define TILE_ELEMENTS 1024
#define LINE_ELEMENTS 16384 // of a mask of one row: nothing is shared between rows
#define TILE_ROWS     64
#define EDGE_PIXELS   16 // a tile at the left or right edge is as wide as its border and this

typedef struct plan {
    const hd__convolve_job *job;
    hd__grid grid; // whose sums are f32 or f64
    const hd__sum_kernels *kernels;
    const hd__neighbour_table *table;
    const void *mask, *column, *row; // in that type
    bool in_place_in, in_place_out;  // rows can be used where they lie
    size_t size;                     // of a sum
    int64_t tile_rows, bands;
    int64_t tiles;      // along x; tile t is x .. below
    int64_t left, wide; // pixels of the first tile, and of those that follow
    int64_t row_bytes;  // of a buffered row
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

// The weights of integers as floats, in memory of `weights` doubles.
static void take_floats(plan *p, hd_type type, void *memory)
{
    const hd__convolve_job *job = p->job;
    const int64_t n = job->separable ? job->rows : job->rows * job->columns;
    const int64_t beyond = *(const int64_t *)(const void *)job->grid.beyond;
    p->mask = p->column = memory;
    hd__convert(type, memory, HD_I64, job->separable ? job->column : job->mask, n);
    p->row = (char *)memory + (size_t)n * sizeof(double);
    if (job->separable)
        hd__convert(type, (void *)(uintptr_t)p->row, HD_I64, job->row, job->columns);
    hd__convert(type, p->grid.beyond, HD_I64, &beyond, 1);
    p->grid.sum = type;
}

// ---- The plan --------------------------------------------------------------------------------

static bool lies_in_rows(const hd_view *v, const hd__grid *g, const int64_t *stride)
{
    const int64_t channels = g->shape[HD__CHANNEL];
    return v->type == g->sum && stride[HD__X] == channels &&
           (channels == 1 || stride[HD__CHANNEL] == 1);
}

static void make_tiles(plan *p)
{
    const hd__convolve_job *job = p->job;
    const hd__grid *g = &p->grid;
    const int64_t channels = g->shape[HD__CHANNEL], width = g->shape[HD__X];
    p->in_place_in = lies_in_rows(&g->in, g, g->in_stride);
    p->in_place_out = lies_in_rows(&g->out, g, g->out_stride);
    const int64_t elements = g->shape[HD__Y] == 1 ? LINE_ELEMENTS : TILE_ELEMENTS;
    p->wide = elements / channels > 0 ? elements / channels : 1;
    p->left = p->in_place_in ? job->anchor_x + EDGE_PIXELS : p->wide;
    if (p->left > width) p->left = width;
    p->tiles = 1 + (width - p->left + p->wide - 1) / p->wide;
    p->tile_rows = g->shape[HD__Y] < TILE_ROWS ? g->shape[HD__Y] : TILE_ROWS;
    p->bands = (g->shape[HD__Y] + p->tile_rows - 1) / p->tile_rows;
    const int64_t widest = p->wide > p->left ? p->wide : p->left;
    p->size = hd__size_of(g->sum);
    p->row_bytes = (int64_t)hd__padded((size_t)((widest + job->columns - 1) * channels) * p->size);
}

static size_t worker_bytes(const plan *p)
{
    const int64_t rows = p->tile_rows + p->job->rows - 1;
    return (size_t)(rows + 1 + 2 * HD__ROWS_AT_ONCE) * (size_t)p->row_bytes +
           hd__padded((size_t)rows * sizeof(void *));
}

// ---- One tile --------------------------------------------------------------------------------

// One thread's memory and the tile it is at.
typedef struct worker {
    const plan *p;
    const void **source; // rows y0 - anchor .. of the tile, from pixel x0 - anchor on
    unsigned char *buffer, *beyond, *between, *result;
    int64_t batch, x0, n; // pixels of the tile
    int64_t y0, rows;     // rows of it
} worker;

static void worker_init(worker *w, const plan *p, unsigned char *memory)
{
    const int64_t rows = p->tile_rows + p->job->rows - 1;
    w->p = p;
    w->buffer = memory;
    w->beyond = memory + rows * p->row_bytes;
    w->between = w->beyond + p->row_bytes;
    w->result = w->between + HD__ROWS_AT_ONCE * p->row_bytes;
    w->source = (const void **)(void *)(w->result + HD__ROWS_AT_ONCE * p->row_bytes);
}

// Where the rows of the tile are, reading those that do not lie ready.
static void find_sources(worker *w)
{
    const plan *p = w->p;
    const hd__convolve_job *job = p->job;
    const hd__grid *g = &p->grid;
    const int64_t x = w->x0 - job->anchor_x, n = w->n + job->columns - 1;
    const bool inside = p->in_place_in && x >= 0 && x + n <= g->shape[HD__X];
    const int64_t offset = hd__grid_in_offset(g, w->batch) + x * g->in_stride[HD__X];
    bool filled = false;
    for (int64_t r = 0; r < w->rows + job->rows - 1; r++) {
        const int64_t y = w->y0 + r - job->anchor_y;
        const int64_t at = hd__border_index(g->border, y, g->shape[HD__Y]);
        if (at >= 0 && inside) {
            w->source[r] = hd__at(&g->in, offset + at * g->in_stride[HD__Y]);
            continue;
        }
        unsigned char *row = at < 0 ? w->beyond : w->buffer + r * p->row_bytes;
        if (at >= 0 || !filled) hd__grid_read(g, &(hd__row){w->batch, 0, y, x, n}, row);
        filled |= at < 0;
        w->source[r] = row;
    }
}

// Rows of results on their way out of a buffer.
static void write_row(const worker *w, int64_t y, void *from)
{
    const hd__grid *g = &w->p->grid;
    const int64_t channels = g->shape[HD__CHANNEL];
    const bool plain =
        g->out_stride[HD__X] == channels && (channels == 1 || g->out_stride[HD__CHANNEL] == 1);
    if (g->sum == HD_F32 && g->out.type == HD_U8 && plain) {
        const int64_t offset = hd__grid_out_offset(g, w->batch) + y * g->out_stride[HD__Y] +
                               w->x0 * g->out_stride[HD__X];
        w->p->table->narrow_u8((uint8_t *)g->out.data + offset, from, w->n * channels);
    } else {
        hd__grid_write(g, &(hd__row){w->batch, 0, y, w->x0, w->n}, from);
    }
}

// Where the results of `outs` rows from y on go.
static void find_results(const worker *w, int64_t y, int64_t outs, void **out)
{
    const hd__grid *g = &w->p->grid;
    const int64_t offset = hd__grid_out_offset(g, w->batch) + w->x0 * g->out_stride[HD__X];
    for (int64_t o = 0; o < outs; o++)
        out[o] = w->p->in_place_out
                     ? (void *)(uintptr_t)hd__at(&g->out, offset + (y + o) * g->out_stride[HD__Y])
                     : (void *)(w->result + o * w->p->row_bytes);
}

// The columns' pass gives +0 beyond a border of zeros, whatever the signs of the weights.
static void clear_outside(const worker *w, unsigned char *row)
{
    const plan *p = w->p;
    const hd__grid *g = &p->grid;
    const size_t pixel = (size_t)g->shape[HD__CHANNEL] * p->size;
    const int64_t x = w->x0 - p->job->anchor_x, n = w->n + p->job->columns - 1;
    const int64_t before = x < 0 ? (-x < n ? -x : n) : 0, end = x + n - g->shape[HD__X];
    const int64_t after = end > 0 ? (end < n ? end : n) : 0;
    memset(row, 0, (size_t)before * pixel);
    memset(row + (size_t)(n - after) * pixel, 0, (size_t)after * pixel);
}

static void pass_down(const worker *w, int64_t first, int64_t outs, void *const *between)
{
    const plan *p = w->p;
    const int64_t channels = p->grid.shape[HD__CHANNEL];
    p->kernels->mask(&(hd__mask_rows){between, outs, w->source + first, p->column, p->job->rows, 1,
                                      channels, (w->n + p->job->columns - 1) * channels});
    if (p->grid.border == HD_BORDER_ZERO)
        for (int64_t o = 0; o < outs; o++) clear_outside(w, between[o]);
}

// `outs` rows of results, from row `first` of the tile on.
static void sum_rows(const worker *w, int64_t first, int64_t outs)
{
    const plan *p = w->p;
    const hd__convolve_job *job = p->job;
    const int64_t channels = p->grid.shape[HD__CHANNEL], n = w->n * channels;
    void *out[HD__ROWS_AT_ONCE], *between[HD__ROWS_AT_ONCE];
    find_results(w, w->y0 + first, outs, out);
    if (job->separable) {
        for (int64_t o = 0; o < outs; o++) between[o] = w->between + o * p->row_bytes;
        pass_down(w, first, outs, between);
        p->kernels->mask(&(hd__mask_rows){out, outs, (const void *const *)between, p->row, 1,
                                          job->columns, channels, n});
    } else {
        p->kernels->mask(&(hd__mask_rows){out, outs, w->source + first, p->mask, job->rows,
                                          job->columns, channels, n});
    }
    for (int64_t o = 0; o < outs && !p->in_place_out; o++) write_row(w, w->y0 + first + o, out[o]);
}

static void do_tile(worker *w, int64_t item)
{
    const plan *p = w->p;
    const int64_t tile = item % p->tiles, band = item / p->tiles % p->bands;
    const int64_t height = p->grid.shape[HD__Y], width = p->grid.shape[HD__X];
    w->batch = item / p->tiles / p->bands;
    w->y0 = band * p->tile_rows;
    w->rows = height - w->y0 < p->tile_rows ? height - w->y0 : p->tile_rows;
    w->x0 = tile == 0 ? 0 : p->left + (tile - 1) * p->wide;
    const int64_t wide = tile == 0 ? p->left : p->wide;
    w->n = width - w->x0 < wide ? width - w->x0 : wide;
    find_sources(w);
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
#pragma omp for schedule(dynamic)
        for (int64_t item = 0; item < items; item++) do_tile(&w, item);
    }
    return HD_OK;
}

hd_status hd__cpu_convolve(hd_context *ctx, const void *any, const char **why)
{
    const hd__convolve_job *job = any;
    plan p = {.job = job, .grid = job->grid};
    p.mask = job->mask, p.column = job->column, p.row = job->row;
    p.table = ctx->isa->table->neighbours;
    void *floats = NULL;
    size_t bytes = 0;
    if (job->grid.sum == HD_I64) {
        const hd_type type = exact_type(job);
        if (type == HD_NONE) {
            *why = "sums of these integers may pass 2^53";
            return HD__DECLINED;
        }
        bytes = (size_t)(job->rows * job->columns + job->rows + job->columns) * sizeof(double);
        floats = hd__allocate(ctx, bytes);
        if (floats == NULL) return HD_ERROR_MEMORY;
        take_floats(&p, type, floats);
    }
    p.kernels = p.grid.sum == HD_F32 ? &p.table->f32 : &p.table->f64;
    make_tiles(&p);
    const hd_status status = run_tiles(ctx, &p);
    hd__release(ctx, floats, bytes);
    return status;
}
