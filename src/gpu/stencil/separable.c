// SPDX-License-Identifier: Apache-2.0
// Launches of separable_strip: how wide and how long strips are.
#include "separable.h"

#include <string.h>

enum {
    VECTOR = 4,             // elements
    FACTOR_BYTES = 3500,    // of weights, which are a parameter: the limit of all is 4096
    CHUNKS_MOST = 4,        // columns of a thread, of bytes four times as many
    BYTE_THREADS = 512,     // of a multiprocessor: 128 registers each
    LOADS_MOST = 8,         // vectors of a thread under way
    BESIDE_BYTES = 1 << 10, // of shared memory that the device keeps
    FACTORS_BESIDE = 32     // bytes of hk_factors behind the weights
};

typedef struct strip {
    hd__gpu_kernel_config config;
    int64_t width; // outputs of a line
    int64_t bytes; // of shared memory
} strip;

static int64_t pieces(int64_t n, int64_t of)
{
    return (n + of - 1) / of;
}

static int64_t padded(int64_t bytes)
{
    return pieces(bytes, 64) * 64;
}

// HK_STRIP and hk_memory of separable_strip.cu.
static void measure(const hd__gpu_grid_pass *p, const hd__gpu_separable *how, strip *s)
{
    const hd__gpu_kernel_config *c = &s->config;
    const int64_t channels = p->is.channels, size = (int64_t)hd__size_of(p->is.sum);
    const int64_t left = how->anchor_x * channels, shift = (c->k - left % c->k) % c->k;
    const int64_t reach = (how->columns - 1) * channels, line = (int64_t)c->threads * c->chunks;
    const int64_t quantum = c->k % channels == 0 ? c->k : c->k * channels;
    const int64_t lines = (pieces(how->rows - 1, c->rows) + 1) * c->rows;
    s->width = (line - shift - reach) / quantum * quantum;
    s->bytes =
        padded(lines * line * (how->gaussian ? 1 : size)) +
        padded(c->rows * s->width * (int64_t)hd__size_of(p->is.out)) +
        padded(c->rows * (line + pieces(c->items * channels, 4) * 4) * (how->gaussian ? 2 : size));
}

static size_t factor_bytes(const hd__gpu_grid_pass *p, const hd__gpu_separable *how)
{
    return (size_t)(how->rows + how->columns) * hd__size_of(p->is.sum);
}

static size_t mask_bytes(const hd__gpu_grid_pass *p, const hd__gpu_separable *how)
{
    return how->mask != NULL ? (size_t)(how->rows * how->columns) * hd__size_of(p->is.sum) : 0;
}

// The narrowest lines of which what is read beside them is a small part; fewer rows at a time where
// shared memory has no room. False: there is none.
static bool fill(const hd__gpu *gpu, const hd__gpu_grid_pass *p, const hd__gpu_separable *how,
                 strip *s)
{
    const hd__gpu_tuning *t = &gpu->tuning;
    const int64_t room = gpu->driver->properties(gpu->device)->shared_bytes - BESIDE_BYTES;
    const int64_t reach = (how->columns - 1) * p->is.channels + VECTOR;
    const int32_t least = how->gaussian ? VECTOR : 1, chunks_most = least * CHUNKS_MOST;
    hd__gpu_kernel_config *c = &s->config;
    hd__gpu_stencil_config(c, "separable_strip", &p->is);
    c->threads = how->gaussian ? t->separable_byte_threads : t->separable_threads;
    c->rows = t->separable_rows;
    c->items = t->separable_along + (how->gaussian && p->is.channels % 2 == 1);
    c->blocks = t->separable_blocks;
    c->stencil.strip = how->gaussian ? 2 : 1;
    c->stencil.mends = how->mask != NULL;
    c->stencil.by_parameter = factor_bytes(p, how) + mask_bytes(p, how) <= FACTOR_BYTES;
    c->stencil.rows = (int32_t)how->rows;
    c->stencil.columns = (int32_t)how->columns;
    c->stencil.anchor_y = (int32_t)how->anchor_y;
    c->stencil.anchor_x = (int32_t)how->anchor_x;
    c->k = how->gaussian ? 4 * VECTOR : VECTOR;
    hd__gpu_grid_find_vectors(p, c, c->k);
    if (!c->stencil.in_vectors || !c->stencil.out_vectors) {
        c->k = VECTOR;
        hd__gpu_grid_find_vectors(p, c, c->k);
    }
    if (how->gaussian) c->chunks = VECTOR; // columns of a thread
    while (c->threads * c->chunks < t->separable_share * reach) {
        if (how->gaussian && c->threads < t->separable_threads)
            c->threads *= 2;
        else if (c->chunks < chunks_most)
            c->chunks *= 2;
        else
            break;
    }
    if (how->gaussian) c->blocks = c->threads < BYTE_THREADS ? BYTE_THREADS / c->threads : 1;
    c->stencil.loads =
        (uint8_t)(c->rows * c->chunks / c->k < LOADS_MOST ? c->rows * c->chunks / c->k
                                                          : LOADS_MOST);
    if (c->stencil.loads < 1) c->stencil.loads = 1;
    measure(p, how, s);
    for (; s->bytes > room && c->rows > 4; measure(p, how, s)) c->rows /= 2;
    for (; s->bytes > room && c->chunks > least; measure(p, how, s)) c->chunks /= 2;
    return s->bytes <= room && s->width > 0 && 4 * s->width >= (int64_t)c->threads * c->chunks;
}

bool hd__gpu_separable_fits(const hd__gpu *gpu, const hd__gpu_grid_pass *p,
                            const hd__gpu_separable *how)
{
    strip s;
    return factor_bytes(p, how) <= FACTOR_BYTES && fill(gpu, p, how, &s);
}

// hk_factors: the column, the row, what lies beside, the whole mask or where it is; each aligned.
static void lay_out(const hd__gpu_grid_pass *p, const hd__gpu_separable *how, hd__gpu_address mask,
                    bool by_parameter, unsigned char *to)
{
    const size_t size = hd__size_of(p->is.sum);
    size_t at = (size_t)(how->rows + how->columns) * size;
    memcpy(to, how->column, (size_t)how->rows * size);
    memcpy(to + (size_t)how->rows * size, how->row, (size_t)how->columns * size);
    memcpy(to + at, &how->beyond, how->gaussian ? 2 : size);
    if (how->mask != NULL && by_parameter)
        memcpy(to + at + size, how->mask, mask_bytes(p, how));
    else
        memcpy(to + (at + size + 7) / 8 * 8, &mask, sizeof mask);
}

static hd_status launch(hd_context *ctx, hd__gpu *gpu, const hd__gpu_grid_pass *p,
                        const hd__gpu_separable *how, const strip *s, hd__gpu_address mask)
{
    _Alignas(16) unsigned char factors[FACTOR_BYTES + FACTORS_BESIDE] = {0};
    const uint32_t strips_x = (uint32_t)pieces(p->grid.x.n, s->width);
    const int64_t room = gpu->driver->properties(gpu->device)->multiprocessors *
                         (int64_t)s->config.blocks * gpu->tuning.separable_waves;
    const int64_t steps = pieces(p->grid.y.n, s->config.rows);
    int64_t each = steps * strips_x * p->batches / room;
    if (each < 1) each = 1;
    if (each > steps) each = steps;
    const uint32_t strips_y = (uint32_t)pieces(steps, each);
    const int64_t lines = each * s->config.rows;
    hd__gpu_kernel *kernel;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &s->config, NULL, NULL, &kernel));
    lay_out(p, how, mask, s->config.stencil.by_parameter, factors);
    const void *arguments[] = {&p->grid, factors, &strips_x, &strips_y, &lines};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__gpu_launch){.blocks = strips_x * (int64_t)strips_y * p->batches,
                          .threads = s->config.threads,
                          .shared_bytes = (int32_t)s->bytes,
                          .argument_count = 5,
                          .arguments = arguments});
}

hd_status hd__gpu_separable_strips(hd_context *ctx, hd__gpu *gpu, const hd__gpu_grid_pass *p,
                                   const hd__gpu_separable *how)
{
    const size_t bytes = mask_bytes(p, how);
    hd__gpu_address mask = 0;
    strip s;
    fill(gpu, p, how, &s);
    if (bytes > 0 && !s.config.stencil.by_parameter)
        HD_TRY(hd__gpu_send_weights(ctx, gpu, how->mask, bytes, &mask));
    const hd_status status = launch(ctx, gpu, p, how, &s, mask);
    if (mask != 0) hd__gpu_release(gpu, mask, bytes);
    return status;
}
