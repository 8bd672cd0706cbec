// SPDX-License-Identifier: Apache-2.0
// The blur of integers as it is defined: whole weights down the columns of an image, rounded to
// u16, then along its rows, rounded to the image's type.
#include "patterns/stencil/blur.h"
#include "serial.h"

#include <string.h>

// One thread's rows: sums, and one row on its way in.
typedef struct rows {
    uint64_t *sum;
    void *row;
    int64_t n;
} rows;

static void add(const rows *r, hd_type type, uint64_t weight)
{
    const uint8_t *u8 = r->row;
    const uint16_t *u16 = r->row;
    for (int64_t i = 0; i < r->n; i++) r->sum[i] += weight * (type == HD_U8 ? u8[i] : u16[i]);
}

static uint64_t weight_at(const hd__blur_job *job, int64_t k)
{
    return job->weight[k < 0 ? -k : k];
}

static void column_pass(const hd__blur_job *job, int64_t batch, const rows *r, uint16_t *between)
{
    const hd__grid *g = &job->grid;
    for (int64_t y = 0; y < g->shape[HD__Y]; y++, between += r->n) {
        memset(r->sum, 0, (size_t)r->n * sizeof *r->sum);
        for (int64_t k = -job->radius; k <= job->radius; k++) {
            hd__grid_read(g, &(hd__row){batch, 0, y + k, 0, g->shape[HD__X]}, r->row);
            add(r, g->in.type, weight_at(job, k));
        }
        for (int64_t i = 0; i < r->n; i++)
            between[i] = (uint16_t)hd__round_blur(&job->column, r->sum[i]);
    }
}

static void row_pass(const hd__blur_job *job, int64_t batch, const rows *r, const uint16_t *between)
{
    const hd__grid *g = &job->grid;
    hd__grid middle = *g, result = *g;
    hd__grid_set_in(&middle, HD_U16, between);
    middle.sum = HD_U16;
    uint16_t beyond = 0; // the columns' pass over a constant
    if (g->border == HD_BORDER_CONSTANT)
        beyond = (uint16_t)((g->in.type == HD_U8 ? g->beyond[0] : *(const uint16_t *)g->beyond)
                            << job->extra);
    memcpy(middle.beyond, &beyond, sizeof beyond);
    result.sum = HD_I64;
    for (int64_t y = 0; y < g->shape[HD__Y]; y++) {
        memset(r->sum, 0, (size_t)r->n * sizeof *r->sum);
        for (int64_t k = -job->radius; k <= job->radius; k++) {
            hd__grid_read(&middle, &(hd__row){0, 0, y, k, g->shape[HD__X]}, r->row);
            add(r, HD_U16, weight_at(job, k));
        }
        for (int64_t i = 0; i < r->n; i++) r->sum[i] = hd__round_blur(&job->row, r->sum[i]);
        hd__grid_write(&result, &(hd__row){batch, 0, y, 0, g->shape[HD__X]}, r->sum);
    }
}

hd_status hd__serial_blur(hd_context *ctx, const void *any, const char **why)
{
    const hd__blur_job *job = any;
    const hd__grid *g = &job->grid;
    (void)why; // never declines
    const int64_t n = g->shape[HD__X] * g->shape[HD__CHANNEL];
    const size_t sums = hd__padded((size_t)n * sizeof(uint64_t));
    const size_t row = hd__padded((size_t)n * sizeof(uint16_t));
    const size_t bytes = sums + row + (size_t)hd__grid_points(g) * sizeof(uint16_t);
    unsigned char *memory = hd__allocate(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    const rows r = {(uint64_t *)(void *)memory, memory + sums, n};
    uint16_t *between = (uint16_t *)(void *)(memory + sums + row);
    for (int64_t b = 0; b < g->batches; b++) {
        column_pass(job, b, &r, between);
        row_pass(job, b, &r, between);
    }
    hd__release(ctx, memory, bytes);
    return HD_OK;
}
