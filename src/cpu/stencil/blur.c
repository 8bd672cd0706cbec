// SPDX-License-Identifier: Apache-2.0
// Gaussian blur of u8 in tiles: down the columns of a few rows, with the pixels to both sides that
// the rows' pass needs, into a buffer that stays in L1; then along them. Blurs by box filters are
// in box_filter.c.
#include "patterns/stencil/blur.h"
#include "core/system/float_state.h"
#include "box_filter.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/isa.h"
#include "cpu/runtime/team.h"
#include "neighbours.h"

#include <string.h>

HD__CPU_BRINGS(const hd__cpu_neighbour_table, neighbour_table)

// Rows whose distance is a multiple of a page, nearly, share a few lines of L1 and push each other
// out of it: if there are more than a few they are copied apart. 4096 pixels of three bytes are
// three pages; at sigma 8 that makes 122 ms of 158, at sigma 2 39 of 35.
#define PAGE 4096

typedef struct plan {
    const hd__blur_job *job;
    const hd__cpu_blur_kernels *kernels;
    const uint16_t *weight;
    bool in_place_in, in_place_out; // rows can be used where they lie
    int64_t radius;                 // of the weights that are not zero
    int64_t tiles, wide, bands, tile_rows;
    size_t row_bytes; // of a buffered row
} plan;

static bool lies_in_rows(const hd__grid *g, const int64_t *stride)
{
    const int64_t channels = g->shape[HD__CHANNEL];
    return stride[HD__X] == channels && (channels == 1 || stride[HD__CHANNEL] == 1);
}

static bool rows_collide(const plan *p)
{
    const int64_t near = hd__cpu_tune.row_conflict_bytes;
    const hd__grid *g = &p->job->grid;
    const int64_t pitch = g->in_stride[HD__Y] * (int64_t)hd__size_of(g->in.type);
    const int64_t apart = (pitch % PAGE + PAGE) % PAGE;
    return p->radius >= hd__cpu_tune.blur_copy_radius && (apart < near || apart > PAGE - near);
}

static void make_tiles(plan *p)
{
    const int64_t tile_rows = hd__cpu_tune.blur_tile_rows;
    const hd__grid *g = &p->job->grid;
    const int64_t channels = g->shape[HD__CHANNEL];
    p->in_place_in = lies_in_rows(g, g->in_stride) && !rows_collide(p);
    p->in_place_out = lies_in_rows(g, g->out_stride);
    // A border wider than the tile would be most of the work.
    const int64_t least = hd__cpu_tune.blur_tile_elements / channels, wish = 4 * p->radius;
    p->wide = wish > least ? wish : least > 0 ? least : 1;
    p->tiles = (g->shape[HD__X] + p->wide - 1) / p->wide;
    p->tile_rows = p->radius > tile_rows ? p->radius : tile_rows;
    p->bands = (g->shape[HD__Y] + p->tile_rows - 1) / p->tile_rows;
    p->row_bytes =
        hd__padded((size_t)((p->wide + 2 * p->radius) * channels) * hd__size_of(g->in.type));
    if (p->row_bytes / HD__ALIGNMENT % 2 == 0) p->row_bytes += HD__ALIGNMENT;
}

typedef struct worker {
    const plan *p;
    const void **source;
    unsigned char *buffer;
    uint16_t *between;
    unsigned char *result;
    int64_t batch, x0, n, y0, rows;
} worker;

static size_t worker_bytes(const plan *p)
{
    const size_t rows = (size_t)(p->tile_rows + 2 * p->radius);
    return (rows + 3) * p->row_bytes + hd__padded(rows * sizeof(void *)) +
           hd__padded((size_t)p->wide * (size_t)p->job->grid.shape[HD__CHANNEL] * sizeof(uint64_t));
}

static void worker_init(worker *w, const plan *p, unsigned char *memory)
{
    const size_t rows = (size_t)(p->tile_rows + 2 * p->radius);
    w->p = p;
    w->buffer = memory;
    w->between = (uint16_t *)(void *)(memory + (rows + 1) * p->row_bytes);
    w->source = (const void **)(void *)(memory + (rows + 3) * p->row_bytes);
    w->result = memory + (rows + 3) * p->row_bytes + hd__padded(rows * sizeof(void *));
}

// Where the rows of the tile are, from pixel x0 - radius on; row `rows` of the buffer is what lies
// beyond.
static void find_sources(worker *w)
{
    const plan *p = w->p;
    const hd__grid *g = &p->job->grid;
    const int64_t x = w->x0 - p->radius, n = w->n + 2 * p->radius, all = w->rows + 2 * p->radius;
    const bool inside = p->in_place_in && x >= 0 && x + n <= g->shape[HD__X];
    const int64_t offset = hd__grid_in_offset(g, w->batch) + x * g->in_stride[HD__X];
    bool filled = false;
    for (int64_t r = 0; r < all; r++) {
        const int64_t y = w->y0 + r - p->radius;
        const int64_t at = hd__border_index(g->border, y, g->shape[HD__Y]);
        if (at >= 0 && inside) {
            w->source[r] = hd__at(&g->in, offset + at * g->in_stride[HD__Y]);
            continue;
        }
        unsigned char *row = w->buffer + (size_t)(at < 0 ? all : r) * p->row_bytes;
        if (at >= 0 || !filled) hd__grid_read(g, &(hd__row){w->batch, 0, y, x, n}, row);
        filled |= at < 0;
        w->source[r] = row;
    }
}

static void blur_row(const worker *w, int64_t row)
{
    const plan *p = w->p;
    const hd__grid *g = &p->job->grid;
    const int64_t channels = g->shape[HD__CHANNEL], y = w->y0 + row;
    hd__cpu_blur_rows b = {p->weight, p->radius, (w->n + 2 * p->radius) * channels, channels};
    const int64_t offset =
        hd__grid_out_offset(g, w->batch) + y * g->out_stride[HD__Y] + w->x0 * g->out_stride[HD__X];
    void *out = p->in_place_out ? (void *)(uintptr_t)hd__at(&g->out, offset) : (void *)w->result;
    p->kernels->column_u8(&b, (const uint8_t *const *)(w->source + row), w->between);
    b.n = w->n * channels;
    p->kernels->row_u8(&b, w->between, out);
    if (p->in_place_out) return;
    hd__grid as_it_is = *g; // rows have the type of out already
    as_it_is.sum = g->out.type;
    hd__grid_write(&as_it_is, &(hd__row){w->batch, 0, y, w->x0, w->n}, out);
}

static void do_tile(worker *w, int64_t item)
{
    const plan *p = w->p;
    const hd__grid *g = &p->job->grid;
    const int64_t tile = item % p->tiles, band = item / p->tiles % p->bands;
    w->batch = item / p->tiles / p->bands;
    w->x0 = tile * p->wide;
    w->n = g->shape[HD__X] - w->x0 < p->wide ? g->shape[HD__X] - w->x0 : p->wide;
    w->y0 = band * p->tile_rows;
    w->rows = g->shape[HD__Y] - w->y0 < p->tile_rows ? g->shape[HD__Y] - w->y0 : p->tile_rows;
    find_sources(w);
    for (int64_t row = 0; row < w->rows; row++) blur_row(w, row);
}

static hd_status run_tiles(hd_context *ctx, const plan *p)
{
    const hd__grid *g = &p->job->grid;
    const int64_t items = g->batches * p->bands * p->tiles;
    const int64_t points = g->batches * hd__grid_points(g);
    int threads = hd__cpu_threads_for(ctx, points, (size_t)(4 + p->radius));
    if (threads > items) threads = (int)items;
    const size_t bytes = worker_bytes(p);
    unsigned char *memory = hd__scratch(ctx, (size_t)threads * bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        worker w;
        worker_init(&w, p, memory + (size_t)omp_get_thread_num() * bytes);
#pragma omp for schedule(dynamic) nowait
        for (int64_t item = 0; item < items; item++) do_tile(&w, item);
    }
    return HD_OK;
}

hd_status hd__cpu_blur(hd_context *ctx, const void *any, const char **why)
{
    const hd__blur_job *job = any;
    (void)why; // never declines
    if (job->boxes) return hd__cpu_box_filter(ctx, job);
    plan p = {
        .job = job, .kernels = &hd__cpu_micro_table(ctx)->neighbours->blur, .radius = job->radius};
    while (p.radius > 0 && job->weight[p.radius] == 0) p.radius--;
    const size_t bytes = (size_t)(p.radius + 2) * sizeof(uint16_t); // a zero behind the last one
    uint16_t *weight = hd__allocate(ctx, bytes);
    if (weight == NULL) return HD_ERROR_MEMORY;
    weight[p.radius + 1] = 0;
    for (int64_t k = 0; k <= p.radius; k++) weight[k] = (uint16_t)job->weight[k];
    p.weight = weight;
    make_tiles(&p);
    const hd_status status = run_tiles(ctx, &p);
    hd__release(ctx, weight, bytes);
    return status;
}
