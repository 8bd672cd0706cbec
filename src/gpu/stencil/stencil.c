// SPDX-License-Identifier: Apache-2.0
// The pass of hd_stencil: step by step, from one array to another and back. Few neighbours at a
// short distance go plane by plane (stencil_march), others point by point (stencil_points).
#include "patterns/stencil/stencil.h"
#include "grid.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHANNELS_MOST = 16,     // that are part of x
    OFFSET_MOST = 16,       // either way
    LOADS_MOST = 8,         // vectors of a thread under way
    BESIDE_BYTES = 1 << 10, // of shared memory that the device keeps
    VECTOR = 16
};

// ---- Planes -------------------------------------------------------------------------------------

typedef struct march {
    hd__gpu_kernel_config config;
    int64_t width, height; // of a tile
    int64_t bytes;         // of shared memory
    int64_t loads;         // vectors of a thread of each plane
} march;

static int64_t pieces(int64_t n, int64_t of)
{
    return (n + of - 1) / of;
}

// Whether offsets may be numbers in the text, and kept elements have the bits of sums.
static bool is_plain(const hd__stencil_job *job, const hd__gpu_grid_pass *p)
{
    if (job->function != NULL || job->offset_count > HD__GPU_OFFSETS_MAX) return false;
    if (p->is.border == HD_BORDER_KEEP && p->is.in != p->is.sum) return false;
    for (int k = 0; k < 3; k++)
        if (job->least[k] < -OFFSET_MOST || job->most[k] > OFFSET_MOST) return false;
    return true;
}

// HK_SLOTS * HK_PLANE of stencil_march.cu.
static void measure(march *m)
{
    const hd__gpu_kernel_config *c = &m->config;
    const hd__gpu_neighbourhood *n = &c->stencil;
    const int64_t left = -n->least[2] * n->channels, shift = (c->k - left % c->k) % c->k;
    const int64_t reach = (n->most[2] - n->least[2]) * n->channels;
    m->width = (int64_t)32 * c->k * c->chunks;
    m->height = (int64_t)c->rows * (c->threads / 32) / c->chunks;
    const int64_t vectors =
        (m->height + n->most[1] - n->least[1]) * pieces(shift + m->width + reach, c->k);
    m->loads = pieces(vectors, c->threads);
    m->bytes = (n->most[0] - n->least[0] + 2) * vectors * VECTOR;
}

// Whether all elements of a plane's tile are less than 2^31 apart.
static bool lines_are_near(const hd__gpu_grid_pass *p, int64_t height)
{
    const int64_t most = INT32_MAX / 4, lines = height + 2 * OFFSET_MOST;
    const int64_t y = llabs(p->grid.y.in), x = llabs(p->grid.x.in);
    return y < most / lines && x < most / (1 << 14) && llabs(p->grid.y.out) < most;
}

// False: it does not fit.
static bool fill_march(const hd__gpu *gpu, const hd__stencil_job *job, const hd__gpu_grid_pass *p,
                       march *m)
{
    const int64_t room = gpu->driver->properties(gpu->device)->shared_bytes - BESIDE_BYTES;
    hd__gpu_kernel_config *c = &m->config;
    if (!is_plain(job, p)) return false;
    hd__gpu_stencil_config(c, "stencil_march", &p->is);
    c->threads = gpu->tuning.stencil_threads;
    c->rows = gpu->tuning.stencil_rows;
    c->blocks = gpu->tuning.stencil_blocks;
    c->k = VECTOR / (int32_t)hd__size_of(p->is.sum);
    c->stencil.offset_count = (uint8_t)job->offset_count;
    for (int64_t t = 0; t < job->offset_count && t < HD__GPU_OFFSETS_MAX; t++)
        for (int k = 0; k < 3; k++) c->stencil.offset[t][k] = (int8_t)job->offset[t][k];
    for (int k = 0; k < 3; k++) {
        c->stencil.least[k] = (int8_t)job->least[k];
        c->stencil.most[k] = (int8_t)job->most[k];
    }
    const int32_t warps = c->threads / 32;
    if (p->grid.y.n == 1) c->rows = 1;
    while (c->chunks < warps && p->grid.y.n <= (int64_t)c->rows * warps / c->chunks / 2)
        c->chunks *= 2;
    hd__gpu_grid_find_vectors(p, c, c->k);
    measure(m);
    for (; (m->bytes > room || m->loads > LOADS_MOST) && c->rows > 1; measure(m)) c->rows /= 2;
    c->stencil.loads = (uint8_t)m->loads;
    while (c->blocks > 1 && c->blocks * m->bytes > room) c->blocks--;
    return m->bytes <= room && m->loads <= LOADS_MOST && lines_are_near(p, m->height);
}

static hd_status launch_march(hd_context *ctx, hd__gpu *gpu, const hd__stencil_job *job,
                              const hd__gpu_grid_pass *p, const march *m)
{
    const uint32_t tiles_x = (uint32_t)pieces(p->grid.x.n, m->width),
                   tiles_y = (uint32_t)pieces(p->grid.y.n, m->height);
    const int64_t room = gpu->driver->properties(gpu->device)->multiprocessors *
                         (int64_t)m->config.blocks * gpu->tuning.stencil_waves;
    int64_t strips = room / (tiles_x * (int64_t)tiles_y * p->batches);
    if (strips < 1) strips = 1;
    const int64_t steps = pieces(p->grid.z.n, strips);
    const uint32_t tiles_z = (uint32_t)pieces(p->grid.z.n, steps);
    hd__gpu_kernel *kernel;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &m->config, NULL, NULL, &kernel));
    const void *arguments[] = {&p->grid, job->weight, &tiles_x, &tiles_y, &tiles_z, &steps};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__gpu_launch){.blocks = tiles_x * (int64_t)tiles_y * tiles_z * p->batches,
                          .threads = m->config.threads,
                          .shared_bytes = (int32_t)m->bytes,
                          .argument_count = 6,
                          .arguments = arguments});
}

// ---- Steps --------------------------------------------------------------------------------------

static hd_status one_step(hd_context *ctx, hd__gpu *gpu, const hd__stencil_job *job,
                          const hd__gpu_grid_pass *p)
{
    march m;
    if (fill_march(gpu, job, p, &m)) return launch_march(ctx, gpu, job, p, &m);
    hd__gpu_mask_offsets mask = {.count = job->offset_count,
                                 .offset = job->offset,
                                 .weight = job->weight,
                                 .function = job->function};
    memcpy(mask.least, job->least, sizeof mask.least);
    memcpy(mask.most, job->most, sizeof mask.most);
    return hd__gpu_stencil_points(ctx, gpu, p, &mask);
}

static hd_status all_steps(hd_context *ctx, hd__gpu *gpu, const hd__stencil_job *job,
                           const hd__gpu_grid_pass *p)
{
    if (job->steps == 1) return one_step(ctx, gpu, job, p);
    const hd_type type = p->is.in;
    const size_t each = (size_t)p->points * hd__size_of(type);
    const size_t bytes = job->steps > 2 ? 2 * each : each;
    hd__gpu_address at;
    hd_status status = HD_OK;
    HD_TRY(hd__gpu_allocate(ctx, gpu, bytes, &at));
    for (int64_t s = 0; s < job->steps && status == HD_OK; s++) {
        hd__gpu_grid_pass step = *p;
        if (s > 0) hd__gpu_grid_pass_from(&step, type, s % 2 ? at : at + each);
        if (s + 1 < job->steps) hd__gpu_grid_pass_to(&step, type, s % 2 ? at + each : at);
        status = one_step(ctx, gpu, job, &step);
    }
    hd__gpu_release(gpu, at, bytes);
    return status;
}

hd_status hd__gpu_stencil(hd_context *ctx, const void *any, const char **why)
{
    hd__stencil_job job = *(const hd__stencil_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    (void)why; // never declines
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    hd_status status = hd__gpu_stage_grid(&s, &job.grid);
    if (status == HD_OK) {
        march m;
        const bool flat =
            hd__gpu_is_flat(&job.grid) && job.grid.shape[HD__CHANNEL] <= CHANNELS_MOST;
        hd__gpu_grid_pass p = hd__gpu_grid_pass_of(&job.grid, flat);
        if (!fill_march(s.gpu, &job, &p, &m)) p = hd__gpu_grid_pass_of(&job.grid, false);
        status = all_steps(ctx, s.gpu, &job, &p);
    }
    return hd__gpu_stage_end(&s, status);
}
