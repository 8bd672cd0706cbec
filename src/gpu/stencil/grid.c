// SPDX-License-Identifier: Apache-2.0
// Grids for kernels, weights on their way to the device, and launches of stencil_points.
#include "grid.h"

#include <string.h>

enum { VECTOR = 16 }; // bytes

// ---- Axes ---------------------------------------------------------------------------------------

hd_status hd__gpu_stage_grid(hd__gpu_stage *s, hd__grid *g)
{
    HD_TRY(hd__gpu_stage_in(s, &g->in));
    HD_TRY(hd__gpu_stage_out(s, &g->out));
    for (int k = 0; k < HD__GRID_AXES; k++) {
        if (g->axis[k] < 0) continue;
        g->in_stride[k] = g->in.stride[g->axis[k]];
        g->out_stride[k] = g->out.stride[g->axis[k]];
    }
    return HD_OK;
}

bool hd__gpu_is_flat(const hd__grid *g)
{
    const int64_t c = g->shape[HD__CHANNEL];
    if (c == 1) return true;
    return g->in_stride[HD__CHANNEL] == 1 && g->out_stride[HD__CHANNEL] == 1 &&
           g->in_stride[HD__X] == c && g->out_stride[HD__X] == c;
}

// Behind the others; one that goes on where the one before it ends becomes part of it.
static void add_batch_axis(hd__gpu_grid_pass *p, hd__gpu_axis a)
{
    hd__gpu_axis *last = p->is.batch_axes > 0 ? &p->grid.batch[p->is.batch_axes - 1] : NULL;
    p->batches *= a.n;
    if (a.n == 1) return;
    if (last != NULL && last->in == a.in * a.n && last->out == a.out * a.n)
        *last = (hd__gpu_axis){last->n * a.n, a.in, a.out};
    else
        p->grid.batch[p->is.batch_axes++] = a;
}

hd__gpu_grid_pass hd__gpu_grid_pass_of(const hd__grid *g, bool flat)
{
    hd__gpu_grid_pass p;
    memset(&p, 0, sizeof p);
    hd__gpu_axis axis[HD__GRID_AXES];
    for (int k = 0; k < HD__GRID_AXES; k++)
        axis[k] = (hd__gpu_axis){g->shape[k], g->in_stride[k], g->out_stride[k]};
    p.grid.in = (uintptr_t)g->in.data;
    p.grid.out = (uintptr_t)g->out.data;
    memcpy(&p.grid.beyond, g->beyond, sizeof p.grid.beyond);
    p.is.in = g->in.type;
    p.is.out = g->out.type;
    p.is.sum = g->sum;
    p.is.border = (uint8_t)g->border;
    p.is.channels = 1;
    p.batches = 1;
    for (int k = 0; k < g->batch_axes; k++)
        add_batch_axis(&p, (hd__gpu_axis){g->in.shape[k], g->in.stride[k], g->out.stride[k]});
    if (axis[HD__CHANNEL].n > 1 && flat) {
        p.is.channels = (uint8_t)axis[HD__CHANNEL].n;
        axis[HD__X] = (hd__gpu_axis){axis[HD__X].n * axis[HD__CHANNEL].n, 1, 1};
    } else {
        add_batch_axis(&p, axis[HD__CHANNEL]);
    }
    p.grid.z = axis[HD__Z];
    p.grid.y = axis[HD__Y];
    p.grid.x = axis[HD__X];
    p.points = p.batches * p.grid.z.n * p.grid.y.n * p.grid.x.n;
    return p;
}

// The steps of a dense array along all axes.
static void make_dense(hd__gpu_grid_pass *p, bool out)
{
    hd__gpu_axis *axes[HD_MAX_DIMS + 4];
    int32_t n = 0;
    int64_t step = 1;
    for (int k = 0; k < p->is.batch_axes; k++) axes[n++] = &p->grid.batch[k];
    axes[n++] = &p->grid.z;
    axes[n++] = &p->grid.y;
    axes[n++] = &p->grid.x;
    for (int k = n - 1; k >= 0; k--) {
        *(out ? &axes[k]->out : &axes[k]->in) = step;
        step *= axes[k]->n;
    }
}

void hd__gpu_grid_pass_from(hd__gpu_grid_pass *p, hd_type type, hd__gpu_address at)
{
    p->grid.in = at;
    p->is.in = type;
    make_dense(p, false);
}

void hd__gpu_grid_pass_to(hd__gpu_grid_pass *p, hd_type type, hd__gpu_address at)
{
    p->grid.out = at;
    p->is.out = type;
    make_dense(p, true);
}

static bool has_vectors(const hd__gpu_grid_pass *p, bool out, int32_t k)
{
    const hd__gpu_grid *g = &p->grid;
    const int64_t size = (int64_t)hd__size_of(out ? p->is.out : p->is.in);
    uint64_t bits = (out ? g->out : g->in) / (uint64_t)size;
    bits |= (uint64_t)(out ? g->y.out | g->z.out : g->y.in | g->z.in);
    for (int32_t j = 0; j < p->is.batch_axes; j++)
        bits |= (uint64_t)(out ? g->batch[j].out : g->batch[j].in);
    return (out ? g->x.out : g->x.in) == 1 && k * size <= VECTOR && bits % (uint64_t)k == 0;
}

static bool is_near(int64_t step)
{
    return step >= INT32_MIN && step <= INT32_MAX;
}

void hd__gpu_grid_find_vectors(const hd__gpu_grid_pass *p, hd__gpu_kernel_config *config, int32_t k)
{
    config->contiguous = p->grid.x.in == 1;
    config->stencil.out_contiguous = p->grid.x.out == 1;
    config->stencil.in_vectors = has_vectors(p, false, k);
    config->stencil.out_vectors = has_vectors(p, true, k);
    config->stencil.near = is_near(p->grid.y.in) && is_near(p->grid.y.out);
}

// ---- Weights ------------------------------------------------------------------------------------

hd_status hd__gpu_send_weights(hd_context *ctx, hd__gpu *gpu, const void *from, size_t bytes,
                               hd__gpu_address *at)
{
    if (gpu->driver->recording(gpu->device))
        return hd__fail(ctx, HD_ERROR_BACKEND,
                        "%s: the stream records a graph, which cannot hold these weights",
                        hd_backend_name(ctx->backend));
    HD_TRY(hd__gpu_allocate(ctx, gpu, bytes, at));
    const hd_status status = gpu->driver->upload(ctx, gpu->device, *at, from, bytes);
    if (status != HD_OK) hd__gpu_release(gpu, *at, bytes);
    return status;
}

// ---- stencil_points -----------------------------------------------------------------------------

// hk_mask_offsets of stencil_points.cu.
typedef struct mask_offsets {
    hd__gpu_address offset, weight, sum;
    int64_t count, points, least[3], most[3];
    hd__rounding rounding;
} mask_offsets;

void hd__gpu_stencil_config(hd__gpu_kernel_config *config, const char *kernel,
                            const hd__gpu_neighbourhood *is)
{
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, kernel);
    config->codegen_kind = HD__GPU_CODEGEN_STENCIL;
    config->op = -1;
    config->hint = 8;
    config->k = config->rows = config->items = config->blocks = config->chunks = 1;
    config->stencil = *is;
}

static hd_status launch_points(hd_context *ctx, hd__gpu *gpu, const hd__gpu_grid_pass *p,
                               const hd__gpu_mask_offsets *how, const mask_offsets *t)
{
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    hd__gpu_stencil_config(&config, "stencil_points", &p->is);
    config.threads = gpu->tuning.stencil_point_threads;
    if (how->function != NULL) {
        config.stencil.function = (uint8_t)how->count;
        config.inputs = 1;
        config.in[0] = (hd__gpu_layout){.type = p->is.in, .form = HD__GPU_CONTIGUOUS, .aligned = 1};
    }
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, how->function, &kernel));
    const void *arguments[] = {&p->grid, t};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__gpu_launch){.blocks = (p->points + config.threads - 1) / config.threads,
                          .threads = config.threads,
                          .argument_count = 2,
                          .arguments = arguments});
}

hd_status hd__gpu_stencil_points(hd_context *ctx, hd__gpu *gpu, const hd__gpu_grid_pass *p,
                                 const hd__gpu_mask_offsets *how)
{
    const size_t offsets = (size_t)how->count * sizeof *how->offset;
    const size_t weights = how->function != NULL ? 0 : (size_t)how->count * hd__size_of(p->is.sum);
    mask_offsets t = {
        .count = how->count, .points = p->points, .rounding = how->rounding, .sum = how->sum};
    memcpy(t.least, how->least, sizeof t.least);
    memcpy(t.most, how->most, sizeof t.most);
    HD_TRY(hd__gpu_send_weights(ctx, gpu, how->offset, offsets, &t.offset));
    hd_status status =
        weights > 0 ? hd__gpu_send_weights(ctx, gpu, how->weight, weights, &t.weight) : HD_OK;
    if (status == HD_OK) {
        status = launch_points(ctx, gpu, p, how, &t);
        if (weights > 0) hd__gpu_release(gpu, t.weight, weights);
    }
    hd__gpu_release(gpu, t.offset, offsets);
    return status;
}
