// SPDX-License-Identifier: Apache-2.0
// The pass of hd_convolve, and of hd_blur over floats. A mask that fits a tile of shared memory:
// one launch of convolve_tile; a separable one: of separable_strip; any other: stencil_points,
// twice for a separable mask.
#include "patterns/stencil/convolve.h"
#include "core/convert.h"
#include "separable.h"

#include <math.h>
#include <string.h>

enum {
    MASK_BYTES = 3844,      // of a mask that is a parameter: the limit of all is 4096
    COLUMNS_MOST = 64,      // of a mask whose rows are unrolled
    CHANNELS_MOST = 16,     // that are part of x
    REACH_MOST = 128,       // elements left and right of an output
    BESIDE_BYTES = 1 << 10, // of shared memory that the device keeps
    LOADS_MOST = 8,         // vectors of a thread under way
    VECTOR = 16
};

typedef struct pass {
    hd_context *ctx;
    hd__gpu *gpu;
    hd__convolve_job *job;
    _Alignas(16) unsigned char beside[16]; // a sum down a column: what lies beside them
} pass;

// ---- Integers -----------------------------------------------------------------------------------

static double magnitudes(const int64_t *w, int64_t n)
{
    double sum = 0;
    for (int64_t k = 0; w != NULL && k < n; k++) sum += fabs((double)w[k]);
    return sum;
}

// The type in which exact sums are quickest: no sum of some terms is greater than all magnitudes
// together, with room for the roundings of these.
static hd_type exact_type(const hd__convolve_job *job)
{
    const hd__grid *g = &job->grid;
    int64_t beyond;
    memcpy(&beyond, g->beyond, sizeof beyond);
    double greatest = ldexp(1, 8 * (int)hd__size_of(g->in.type));
    if (fabs((double)beyond) > greatest) greatest = fabs((double)beyond);
    const double weights =
        job->separable ? magnitudes(job->column, job->rows) * magnitudes(job->row, job->columns)
                       : magnitudes(job->mask, job->rows * job->columns);
    return greatest * weights < 0x1p23 ? HD_F32 : greatest * weights < 0x1p30 ? HD_I32 : HD_I64;
}

// Sums of integers become sums of f32 or i32 where these are exact; weights are converted in place.
static void narrow_sums(pass *a, unsigned char *room)
{
    hd__convolve_job *job = a->job;
    const hd_type type = exact_type(job);
    const struct {
        const void **weights;
        int64_t n;
    } all[] = {{&job->mask, job->separable ? 0 : job->rows * job->columns},
               {&job->column, job->separable ? job->rows : 0},
               {&job->row, job->separable ? job->columns : 0}};
    for (int k = 0; k < 3; k++) {
        if (all[k].n == 0) continue;
        hd__convert(type, room, HD_I64, *all[k].weights, all[k].n);
        *all[k].weights = room;
        room += (size_t)all[k].n * sizeof(int64_t);
    }
    int64_t value;
    memcpy(&value, job->grid.beyond, sizeof value);
    hd__convert(type, job->grid.beyond, HD_I64, &value, 1);
    memcpy(&value, a->beside, sizeof value);
    hd__convert(type, a->beside, HD_I64, &value, 1);
    job->grid.sum = type;
}

// ---- Tiles --------------------------------------------------------------------------------------

static int64_t pieces(int64_t n, int64_t of)
{
    return (n + of - 1) / of;
}

// Rows of a one-dimensional mask are lines of a plane.
static void use_rows(hd__gpu_grid_pass *p, const hd__convolve_job *job)
{
    if (job->rows != 1 || p->grid.y.n != 1 || p->is.batch_axes == 0) return;
    p->grid.y = p->grid.batch[--p->is.batch_axes];
    p->batches /= p->grid.y.n;
}

typedef struct tile {
    hd__gpu_kernel_config config;
    int64_t width, height;
    int64_t bytes;
} tile;

static void fill_tile(const pass *a, const hd__gpu_grid_pass *p, tile *t)
{
    const hd__convolve_job *job = a->job;
    const hd__gpu_tuning *tuning = &a->gpu->tuning;
    const int64_t size = (int64_t)hd__size_of(p->is.sum);
    hd__gpu_kernel_config *c = &t->config;
    hd__gpu_stencil_config(c, "convolve_tile", &p->is);
    c->k = VECTOR / (int32_t)size;
    const bool large = job->rows * job->columns >= tuning->convolve_large;
    c->threads =
        large || p->grid.y.n == 1 ? tuning->convolve_large_threads : tuning->convolve_threads;
    c->rows = large ? tuning->convolve_large_rows : tuning->convolve_rows;
    c->items = large ? tuning->convolve_large_groups : tuning->convolve_groups;
    c->chunks = 1;
    if (p->grid.y.n == 1) {
        c->rows = 1;
        c->items = tuning->convolve_line_groups;
    }
    const int32_t warps = c->threads / 32;
    while (c->chunks < warps && p->grid.y.n <= (int64_t)c->rows * warps / c->chunks / 2)
        c->chunks *= 2;
    t->width = (int64_t)32 * c->k * c->items * c->chunks;
    t->height = (int64_t)c->rows * warps / c->chunks;
    c->stencil.rows = (int32_t)job->rows;
    c->stencil.columns = (int32_t)job->columns;
    c->stencil.anchor_y = (int32_t)job->anchor_y;
    c->stencil.anchor_x = (int32_t)job->anchor_x;
    c->stencil.by_parameter = job->rows * job->columns * size <= MASK_BYTES;
    hd__gpu_grid_find_vectors(p, c, c->k);
    const int64_t left = job->anchor_x * p->is.channels, shift = (c->k - left % c->k) % c->k;
    const int64_t reach = (job->columns - 1) * p->is.channels;
    const int64_t vectors = (t->height + job->rows - 1) * pieces(shift + t->width + reach, c->k);
    const int64_t each = pieces(vectors, c->threads);
    c->stencil.loads = (uint8_t)(each < LOADS_MOST ? each : LOADS_MOST);
    t->bytes = vectors * VECTOR;
}

static bool fits_tile(const pass *a, const hd__gpu_grid_pass *p, const tile *t)
{
    const hd__convolve_job *job = a->job;
    const int64_t room = a->gpu->driver->properties(a->gpu->device)->shared_bytes - BESIDE_BYTES;
    return job->columns <= COLUMNS_MOST && (job->columns - 1) * p->is.channels <= REACH_MOST &&
           t->bytes <= room;
}

static hd_status launch_tiles(const pass *a, const hd__gpu_grid_pass *p, const tile *t)
{
    hd__gpu *gpu = a->gpu;
    const bool by_parameter = t->config.stencil.by_parameter;
    const size_t bytes = (size_t)(a->job->rows * a->job->columns) * hd__size_of(p->is.sum);
    const uint32_t tiles_x = (uint32_t)pieces(p->grid.x.n, t->width),
                   tiles_y = (uint32_t)pieces(p->grid.y.n, t->height);
    hd__gpu_address there = 0;
    hd__gpu_kernel *kernel;
    HD_TRY(hd__gpu_kernel_for(a->ctx, gpu, &t->config, NULL, NULL, &kernel));
    if (!by_parameter) HD_TRY(hd__gpu_send_weights(a->ctx, gpu, a->job->mask, bytes, &there));
    const void *arguments[] = {&p->grid, by_parameter ? a->job->mask : (const void *)&there,
                               &tiles_x, &tiles_y};
    const hd_status status =
        gpu->driver->launch(a->ctx, gpu->device, kernel,
                            &(hd__gpu_launch){.blocks = (int64_t)tiles_x * tiles_y * p->batches,
                                              .threads = t->config.threads,
                                              .shared_bytes = (int32_t)t->bytes,
                                              .argument_count = 4,
                                              .arguments = arguments});
    if (!by_parameter) hd__gpu_release(gpu, there, bytes);
    return status;
}

// ---- Points -------------------------------------------------------------------------------------

static hd_status sum_points(const pass *a, const hd__gpu_grid_pass *p, int64_t rows,
                            int64_t columns, const void *weight, hd__gpu_address sum)
{
    const hd__convolve_job *job = a->job;
    const int64_t count = rows * columns;
    const int64_t ay = rows > 1 || !job->separable || p->is.mends ? job->anchor_y : 0;
    const int64_t ax = columns > 1 || !job->separable || p->is.mends ? job->anchor_x : 0;
    const size_t bytes = (size_t)count * sizeof(int64_t[3]);
    int64_t(*offset)[3] = hd__allocate(a->ctx, bytes);
    if (offset == NULL) return HD_ERROR_MEMORY;
    for (int64_t t = 0; t < count; t++) {
        offset[t][0] = 0;
        offset[t][1] = t / columns - ay;
        offset[t][2] = t % columns - ax;
    }
    const hd__gpu_mask_offsets mask = {
        .count = count, .offset = (const int64_t(*)[3])offset, .weight = weight, .sum = sum};
    const hd_status status = hd__gpu_stencil_points(a->ctx, a->gpu, p, &mask);
    hd__release(a->ctx, offset, bytes);
    return status;
}

// Columns into an array of sums, then rows; where these may overflow, into another one, of which
// those that are not finite are computed once more.
static hd_status two_passes(const pass *a, const hd__gpu_grid_pass *p)
{
    const hd__convolve_job *job = a->job;
    const bool mends = job->overflowed != NULL;
    const size_t each = (size_t)p->points * hd__size_of(p->is.sum), bytes = mends ? 2 * each : each;
    hd__gpu_grid_pass first = *p, second = *p, third = *p;
    hd__gpu_address between;
    HD_TRY(hd__gpu_allocate(a->ctx, a->gpu, bytes, &between));
    hd__gpu_grid_pass_to(&first, p->is.sum, between);
    hd__gpu_grid_pass_from(&second, p->is.sum, between);
    memcpy(&second.grid.beyond, a->beside, sizeof second.grid.beyond);
    if (mends) hd__gpu_grid_pass_to(&second, p->is.sum, between + each);
    third.is.mends = true;
    hd_status status = sum_points(a, &first, job->rows, 1, a->job->column, 0);
    if (status == HD_OK) status = sum_points(a, &second, 1, job->columns, a->job->row, 0);
    if (status == HD_OK && mends)
        status = sum_points(a, &third, job->rows, job->columns, a->job->mask, between + each);
    hd__gpu_release(a->gpu, between, bytes);
    return status;
}

// ---- All of it ----------------------------------------------------------------------------------

static hd__gpu_separable separable_of(const pass *a)
{
    const hd__convolve_job *job = a->job;
    hd__gpu_separable how = {.rows = job->rows,
                             .columns = job->columns,
                             .anchor_y = job->anchor_y,
                             .anchor_x = job->anchor_x,
                             .column = a->job->column,
                             .row = a->job->row,
                             .mask = job->overflowed != NULL ? a->job->mask : NULL};
    memcpy(&how.beyond, a->beside, sizeof how.beyond);
    return how;
}

static hd_status convolve(const pass *a)
{
    const hd__convolve_job *job = a->job;
    const hd__grid *g = &job->grid;
    const bool flat = hd__gpu_is_flat(g) && g->shape[HD__CHANNEL] <= CHANNELS_MOST;
    hd__gpu_grid_pass p = hd__gpu_grid_pass_of(g, flat);
    const hd__gpu_grid_pass points = hd__gpu_grid_pass_of(g, false);
    if (job->separable) {
        const hd__gpu_separable how = separable_of(a);
        return hd__gpu_separable_fits(a->gpu, &p, &how)
                   ? hd__gpu_separable_strips(a->ctx, a->gpu, &p, &how)
                   : two_passes(a, &points);
    }
    tile t;
    use_rows(&p, job);
    fill_tile(a, &p, &t);
    return fits_tile(a, &p, &t) ? launch_tiles(a, &p, &t)
                                : sum_points(a, &points, job->rows, job->columns, a->job->mask, 0);
}

static hd_status run(hd__gpu_stage *s, hd__convolve_job *job)
{
    pass a = {.ctx = s->ctx, .gpu = s->gpu, .job = job};
    HD_TRY(hd__gpu_stage_grid(s, &job->grid));
    if (job->separable) hd__beyond_column(job, a.beside);
    if (job->grid.sum != HD_I64) return convolve(&a);
    const size_t bytes =
        (size_t)(job->separable ? job->rows + job->columns : job->rows * job->columns) *
        sizeof(int64_t);
    unsigned char *weights = hd__allocate(s->ctx, bytes);
    if (weights == NULL) return HD_ERROR_MEMORY;
    narrow_sums(&a, weights);
    const hd_status status = convolve(&a);
    hd__release(s->ctx, weights, bytes);
    return status;
}

hd_status hd__gpu_convolve(hd_context *ctx, const void *any, const char **why)
{
    hd__convolve_job job = *(const hd__convolve_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    (void)why; // never declines
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &job));
}
