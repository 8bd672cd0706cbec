// SPDX-License-Identifier: Apache-2.0
// Gaussian blur by three box filters as running sums: the sum over a box that moves one step
// changes by what enters and what leaves. Three boxes one after another are three such sums of
// sums; what enters the first is the third difference of the input, eight elements at distances of
// the boxes' widths. Sums are exact, so the result is that of the weights. They are kept modulo
// 2^64 or, where the final ones fit, 2^32: overflow in between cancels.
//
// First down: strips of columns, each by one thread from top to bottom, into an array of u16. Then
// along: each thread its rows.
#include "box_filter.h"
#include "core/system/float_state.h"
#include "cpu/runtime/cpu.h"
#include "cpu/runtime/team.h"

#include <string.h>

#define TERMS 8 // of a third difference
// Pixels of a padded row before its first: the border, and zeros as far as a third difference goes.
#define BEFORE(radius) (3 * (radius) + 3)

#define SUM         uint32_t
#define IN          uint8_t
#define OUT         uint16_t
#define NAMED(name) name##_u8_32
#include "box_filter.inc"
#define SUM         uint64_t
#define IN          uint8_t
#define OUT         uint16_t
#define NAMED(name) name##_u8_64
#include "box_filter.inc"
#define SUM         uint64_t
#define IN          uint16_t
#define OUT         uint16_t
#define NAMED(name) name##_u16_64
#include "box_filter.inc"

typedef struct plan {
    const hd__blur_job *job;
    int64_t back[TERMS]; // distances of the third difference
    int64_t n, rows;     // elements of a row, rows
    const void *in;      // one image
    int64_t pitch;       // of its rows, in elements
    uint16_t *between;   // n elements a row
    const void *beyond;  // a row of what lies outside
    const void *zeros;   // a row of zeros: before anything entered
    bool narrow;         // sums modulo 2^32 will do
    size_t size;         // of an element of in
    int64_t padded;      // elements of a row with its border
    size_t worker_bytes;
} plan;

// ---- Down --------------------------------------------------------------------------------------

// The row that enters at y, mapped by the border; nothing has entered before row -radius.
static const char *row_at(const plan *p, int64_t y, int64_t column)
{
    const hd__blur_job *job = p->job;
    const char *row = p->zeros;
    if (y >= -job->radius) {
        const int64_t at = hd__border_index(job->grid.border, y, p->rows);
        row = at < 0 ? p->beyond : (const char *)p->in + (size_t)(at * p->pitch) * p->size;
    }
    return row + (size_t)column * p->size;
}

static void strip_down(const plan *p, int64_t column, void *sums)
{
    const int64_t strip = hd__cpu_tune.box_filter_strip;
    const hd__blur_job *job = p->job;
    const int64_t n = p->n - column < strip ? p->n - column : strip;
    memset(sums, 0, 3 * (size_t)strip * sizeof(uint64_t));
    for (int64_t y = -2 * job->radius; y < p->rows; y++) {
        const void *in[TERMS];
        for (int k = 0; k < TERMS; k++) in[k] = row_at(p, y + job->radius - p->back[k], column);
        uint16_t *out = y < 0 ? NULL : p->between + y * p->n + column;
        if (p->size == 2)
            step_u16_64(sums, (const uint16_t *const *)in, &job->column, n, out);
        else if (p->narrow)
            step_u8_32(sums, (const uint8_t *const *)in, &job->column, n, out);
        else
            step_u8_64(sums, (const uint8_t *const *)in, &job->column, n, out);
    }
}

// ---- Along -------------------------------------------------------------------------------------

// A row of `between` with its border, and zeros before that.
static void pad_row(const plan *p, const uint16_t *row, uint16_t *to)
{
    const hd__grid *g = &p->job->grid;
    const int64_t channels = g->shape[HD__CHANNEL], width = g->shape[HD__X];
    const int64_t radius = p->job->radius;
    uint16_t beyond = 0;
    if (g->border == HD_BORDER_CONSTANT)
        beyond =
            (uint16_t)((p->size == 1 ? g->beyond[0] : *(const uint16_t *)(const void *)g->beyond)
                       << p->job->extra);
    memset(to, 0, (size_t)(BEFORE(radius) * channels) * sizeof *to);
    to += BEFORE(radius) * channels;
    memcpy(to, row, (size_t)(width * channels) * sizeof *to);
    for (int64_t side = 0; side < 2 * radius; side++) {
        const int64_t x = side < radius ? -1 - side : width + side - radius;
        const int64_t at = hd__border_index(g->border, x, width);
        for (int64_t c = 0; c < channels; c++)
            to[x * channels + c] = at < 0 ? beyond : row[at * channels + c];
    }
}

#define SUM         uint32_t
#define NAMED(name) name##_32
#include "box_filter_row.inc"
#define SUM         uint64_t
#define NAMED(name) name##_64
#include "box_filter_row.inc"

static void row_along(const plan *p, int64_t batch, int64_t y, uint16_t *padded, uint16_t *result)
{
    const hd__grid *g = &p->job->grid;
    const int64_t channels = g->shape[HD__CHANNEL];
    pad_row(p, p->between + y * p->n, padded);
    for (int64_t c = 0; c < channels; c++) {
        if (p->narrow)
            along_32(p, padded + c, channels, result + c);
        else
            along_64(p, padded + c, channels, result + c);
    }
    if (p->size == 1)
        for (int64_t i = 0; i < p->n; i++) ((uint8_t *)result)[i] = (uint8_t)result[i];
    hd__grid as_it_is = *g;
    as_it_is.sum = g->out.type;
    hd__grid_write(&as_it_is, &(hd__row){batch, 0, y, 0, g->shape[HD__X]}, result);
}

// ---- One image ---------------------------------------------------------------------------------

static void run(const plan *p, int64_t batch, int threads, unsigned char *memory)
{
    const int64_t strip = hd__cpu_tune.box_filter_strip;
    const int64_t strips = (p->n + strip - 1) / strip;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        HD__FLOAT_STATE;
        unsigned char *own = memory + (size_t)omp_get_thread_num() * p->worker_bytes;
        uint16_t *padded = (uint16_t *)(void *)own;
        uint16_t *result = padded + p->padded;
#pragma omp for schedule(dynamic)
        for (int64_t s = 0; s < strips; s++) strip_down(p, s * strip, own);
#pragma omp for schedule(static) nowait
        for (int64_t y = 0; y < p->rows; y++) row_along(p, batch, y, padded, result);
    }
}

static void fill_plan(const hd__blur_job *job, plan *p)
{
    const hd__grid *g = &job->grid;
    p->job = job;
    p->n = g->shape[HD__X] * g->shape[HD__CHANNEL];
    p->rows = g->shape[HD__Y];
    p->size = hd__size_of(g->in.type);
    p->narrow = job->column.down == 0 && job->row.down == 0 && p->size == 1;
    for (int k = 0; k < TERMS; k++) {
        p->back[k] = 0;
        for (int b = 0; b < 3; b++)
            if (k >> b & 1) p->back[k] += 2 * job->box[b] + 1;
    }
    p->padded = p->n + (BEFORE(job->radius) + job->radius) * g->shape[HD__CHANNEL];
    const size_t rows = (size_t)(p->padded + p->n) * sizeof(uint16_t);
    const size_t sums = 3 * (size_t)hd__cpu_tune.box_filter_strip * sizeof(uint64_t);
    p->worker_bytes = hd__padded(rows > sums ? rows : sums);
}

// An image whose rows do not lie one after another is copied into `room`.
static void find_image(const hd__grid *g, plan *p, int64_t batch, unsigned char *room)
{
    const int64_t channels = g->shape[HD__CHANNEL];
    if (g->in_stride[HD__X] == channels && (channels == 1 || g->in_stride[HD__CHANNEL] == 1)) {
        p->in = hd__at(&g->in, hd__grid_in_offset(g, batch));
        p->pitch = g->in_stride[HD__Y];
        return;
    }
    for (int64_t y = 0; y < p->rows; y++)
        hd__grid_read(g, &(hd__row){batch, 0, y, 0, g->shape[HD__X]},
                      room + (size_t)(y * p->n) * p->size);
    p->in = room;
    p->pitch = p->n;
}

hd_status hd__cpu_box_filter(hd_context *ctx, const hd__blur_job *job)
{
    const hd__grid *g = &job->grid;
    plan p;
    fill_plan(job, &p);
    const int threads = hd__cpu_threads_for(ctx, g->batches * hd__grid_points(g), 8);
    const size_t row = hd__padded((size_t)p.n * p.size);
    const size_t image = hd__padded((size_t)(p.n * p.rows) * sizeof(uint16_t));
    const size_t bytes = 2 * image + 2 * row + (size_t)threads * p.worker_bytes;
    unsigned char *memory = hd__scratch(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    unsigned char *zeros = memory + 2 * image, *beyond = zeros + row;
    memset(zeros, 0, row);
    for (int64_t i = 0; i < p.n; i++) memcpy(beyond + (size_t)i * p.size, g->beyond, p.size);
    p.between = (uint16_t *)(void *)memory;
    p.zeros = zeros;
    p.beyond = beyond;
    for (int64_t b = 0; b < g->batches; b++) {
        find_image(g, &p, b, memory + image);
        run(&p, b, threads, beyond + row);
    }
    return HD_OK;
}
