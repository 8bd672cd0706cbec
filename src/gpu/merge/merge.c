// SPDX-License-Identifier: Apache-2.0
// The pass of hd_merge: the split of each tile (merge_splits), the tiles (merge_tiles), what is
// done where the inputs are not sorted (merge_unsorted), and the values by the indices of these.
#include "patterns/sort/merge.h"
#include "gpu/codegen/emit_kernel.h"
#include "gpu/codegen/order_function.h"
#include "gpu/merge/merge_probes.h"
#include "patterns/move/map.h"
#include "patterns/sort/rows.h"

#include <string.h>

enum {
    TILE_BYTES = 36 << 10,
    THREADS = 256,
    FROM_BYTES = 2,
    VALUES = 4,
    BULK_BYTES = 64
}; // of elements, and which they are

// hk_merge_how of merge_path.cuh.
typedef struct merge_how {
    int64_t na, nb, rows, tiles;
    hd__gpu_address split, unsorted;
} merge_how;

// hk_values_how of merge_values.cu.
typedef struct values_how {
    int64_t na, nb, rows, units;
    int32_t ndim[3];
} values_how;

typedef struct merging {
    hd_context *ctx;
    hd__gpu *gpu;
    hd__merge_job job; // its views are of the device
    hd__gpu_order order;
    hd__gpu_kernel_config config;
    merge_how how;
    hd_view indices; // where values come from, of the call; or empty
    hd__gpu_address memory;
    size_t bytes;
    const char **why;
} merging;

// ---- Elements -----------------------------------------------------------------------------------

static void fill_config(merging *m)
{
    const hd__reader in = {.inputs = 2, .view = {m->job.a, m->job.b}};
    const size_t size = hd__size_of(m->job.a.type), each = size + FROM_BYTES;
    hd__gpu_kernel_config *config = &m->config;
    memset(config, 0, sizeof *config);
    config->codegen_kind = HD__GPU_CODEGEN_ORDER;
    config->op = -1;
    hd__gpu_config_inputs(config, &in, 0);
    config->k = config->blocks = 1;
    config->rows = m->gpu->tuning.merge_items;
    config->threads = m->gpu->tuning.merge_threads;
    while (config->rows > 1 && (size_t)(config->rows * config->threads) * each > TILE_BYTES)
        config->rows = config->rows > 2 ? config->rows - 2 : 1;
    while (config->threads > 32 && (size_t)(config->rows * config->threads) * each > TILE_BYTES)
        config->threads /= 2;
    config->stage_bytes =
        (int32_t)((size_t)(config->rows * (config->threads + 1) + 1) * size) + BULK_BYTES;
    config->direct = m->gpu->tuning.merge_bulk == 0;
    config->both = m->job.backwards;
    config->out = hd__gpu_layout_of(&m->job.out);
    config->contiguous = config->in[0].form == HD__GPU_CONTIGUOUS &&
                         config->in[1].form == HD__GPU_CONTIGUOUS &&
                         config->out.form == HD__GPU_CONTIGUOUS;
    config->integer[HD__GPU_PUT_INDEX] = hd__gpu_layout_of(&m->job.indices);
}

static hd_status launch(merging *m, const char *name, int64_t blocks, int32_t threads,
                        const void *const *arguments, int32_t count)
{
    hd__gpu_kernel *kernel;
    hd__gpu_kernel_config config = m->config;
    strcpy(config.kernel, name);
    config.threads = threads;
    HD_TRY(hd__gpu_kernel_for(m->ctx, m->gpu, &config, NULL, &m->order.precedes, &kernel));
    return m->gpu->driver->launch(
        m->ctx, m->gpu->device, kernel,
        &(hd__gpu_launch){
            .blocks = blocks, .threads = threads, .argument_count = count, .arguments = arguments});
}

static hd_status merge(merging *m)
{
    const hd__merge_job *job = &m->job;
    const hd__reader in = {.inputs = 2, .view = {job->a, job->b}};
    const hd__gpu_kernel_inputs inputs = hd__gpu_kernel_inputs_of(&in);
    const hd__gpu_kernel_view out = hd__gpu_kernel_view_of(&job->out),
                              indices = hd__gpu_kernel_view_of(&job->indices);
    const int32_t items = m->config.rows * m->config.threads;
    const int64_t splits = job->rows * (m->how.tiles + 1);
    const int32_t bits = hd__gpu_probe_bits(m->gpu, splits);
    const int64_t lanes = splits << bits;
    const void *splitting[] = {&inputs, &m->how, &items, &bits};
    if (m->how.split != 0)
        HD_TRY(launch(m, "merge_splits", (lanes + THREADS - 1) / THREADS, THREADS, splitting, 4));
    const void *arguments[] = {&inputs, &m->how, &out, &indices};
    HD_TRY(launch(m, "merge_tiles", job->rows * m->how.tiles, m->config.threads, arguments, 4));
    const int64_t most = m->gpu->driver->properties(m->gpu->device)->multiprocessors;
    return launch(m, "merge_unsorted", m->how.tiles < most ? m->how.tiles : most, THREADS,
                  arguments, 4);
}

// ---- Values -------------------------------------------------------------------------------------

// The widest words that elements at these addresses are made of.
static size_t unit_of(const hd_view *v, size_t unit)
{
    uintptr_t bits = (uintptr_t)v->data | hd__size_of(v->type);
    while (unit > 1 && bits % unit != 0) unit /= 2;
    return unit;
}

static hd_status move_value(merging *m, const hd_view value[3])
{
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    memset(&config, 0, sizeof config);
    strcpy(config.kernel, "merge_values");
    config.codegen_kind = HD__GPU_CODEGEN_UNITS;
    config.op = -1;
    config.k = config.blocks = 1;
    config.rows = VALUES;
    config.threads = THREADS;
    config.wide_keys = m->indices.type == HD_I64;
    size_t unit = 16;
    for (int s = 0; s < 3; s++) unit = unit_of(&value[s], unit);
    config.stage_bytes = (int32_t)unit;
    HD_TRY(hd__gpu_kernel_for(m->ctx, m->gpu, &config, NULL, NULL, &kernel));
    const hd__merge_job *job = &m->job;
    const values_how how = {job->na,
                            job->nb,
                            job->rows,
                            (int64_t)(hd__size_of(value[0].type) / unit),
                            {value[0].ndim, value[1].ndim, value[2].ndim}};
    const hd__gpu_kernel_view view[3] = {hd__gpu_kernel_view_of(&value[0]),
                                         hd__gpu_kernel_view_of(&value[1]),
                                         hd__gpu_kernel_view_of(&value[2])};
    const void *arguments[] = {&view[0], &view[1], &view[2], &m->indices.data, &how};
    const int64_t n = job->rows * (job->na + job->nb);
    return m->gpu->driver->launch(
        m->ctx, m->gpu->device, kernel,
        &(hd__gpu_launch){.blocks = (n + VALUES * THREADS - 1) / (VALUES * THREADS),
                          .threads = THREADS,
                          .argument_count = 5,
                          .arguments = arguments});
}

// An implicit view has elements from now on.
static hd_status make_real(const merging *m, hd_view *v, hd__gpu_block *block)
{
    const hd_view implicit = *v;
    const int64_t n = hd_count(*v);
    if (v->space != HD_IMPLICIT || n == 0) return HD_OK;
    block->bytes = (size_t)n * hd__size_of(v->type);
    HD_TRY(hd__gpu_allocate(m->ctx, m->gpu, block->bytes, &block->at));
    *v = hd__gpu_array(v->type, block->at, n);
    return hd__gpu_copy(m->ctx, implicit, *v, m->why);
}

// One array of values at a time is on the device, where it is the host's.
static hd_status merge_value(merging *m, int64_t k)
{
    hd__gpu_stage s = {.ctx = m->ctx, .gpu = m->gpu};
    hd__gpu_block block[3] = {{0, 0}};
    hd_view value[3];
    hd_status status = HD_OK;
    for (int v = 0; v < 3 && status == HD_OK; v++) {
        value[v] = m->job.values[3 * k + v];
        hd__at_least_1d(&value[v]);
        hd__put_axis_last(&value[v], m->job.axis);
        status = v < 2 ? hd__gpu_stage_in(&s, &value[v]) : hd__gpu_stage_out(&s, &value[v]);
        hd__collapse(&value[v]);
        if (status == HD_OK) status = make_real(m, &value[v], &block[v]);
    }
    if (status == HD_OK) status = move_value(m, value);
    for (int v = 0; v < 3; v++)
        if (block[v].at != 0) hd__gpu_release(m->gpu, block[v].at, block[v].bytes);
    return hd__gpu_stage_end(&s, status);
}

// ---- All of it ----------------------------------------------------------------------------------

// Splits, a word, and indices where values need them.
static hd_status take_memory(merging *m)
{
    const hd__merge_job *job = &m->job;
    const int64_t all = job->na + job->nb, items = (int64_t)m->config.rows * m->config.threads;
    const hd_type type = all >> 32 != 0 ? HD_I64 : HD_U32;
    m->how = (merge_how){.na = job->na, .nb = job->nb, .rows = job->rows};
    m->how.tiles = (all + items - 1) / items;
    // Few tiles search their splits themselves, and have a word each.
    const bool search =
        job->rows * m->how.tiles <= (int64_t)m->gpu->tuning.merge_search *
                                        m->gpu->driver->properties(m->gpu->device)->multiprocessors;
    const size_t words = hd__padded((size_t)(search ? job->rows * m->how.tiles : 1) * 4);
    const size_t splits =
        words + (search ? 0 : hd__padded((size_t)(job->rows * (m->how.tiles + 1)) * 8));
    m->bytes = splits + (job->value_count > 0 ? (size_t)(job->rows * all) * hd__size_of(type) : 0);
    hd__gpu_address at;
    HD_TRY(hd__gpu_allocate(m->ctx, m->gpu, m->bytes, &at));
    m->memory = m->how.unsorted = at;
    m->how.split = search ? 0 : m->memory + words;
    if (job->value_count > 0) m->indices = hd__gpu_array(type, m->memory + splits, job->rows * all);
    return HD_OK;
}

static hd_status run(hd__gpu_stage *s, merging *m)
{
    hd__merge_job *job = &m->job;
    HD_TRY(hd__gpu_order_of(&m->order, job->order, job->a.type, m->why));
    HD_TRY(hd__gpu_stage_in(s, &job->a));
    HD_TRY(hd__gpu_stage_in(s, &job->b));
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    HD_TRY(hd__gpu_stage_out(s, &job->indices));
    hd_view *const views[] = {&job->a, &job->b, &job->out, &job->indices};
    for (int k = 0; k < 4; k++)
        if (!hd__is_empty(views[k])) hd__collapse(views[k]);
    job->a.type = job->b.type = m->order.type;
    if (!hd__is_empty(&job->out)) job->out.type = m->order.type;
    fill_config(m);
    HD_TRY(take_memory(m));
    const hd_view asked = job->indices;
    if (job->value_count > 0) {
        job->indices = m->indices;
        m->config.integer[HD__GPU_PUT_INDEX] = hd__gpu_layout_of(&m->indices);
    }
    HD_TRY(merge(m));
    for (int64_t k = 0; k < job->value_count; k++) HD_TRY(merge_value(m, k));
    if (job->value_count == 0 || hd__is_empty(&asked)) return HD_OK;
    const hd__map_job copy = {.in = {.n = hd_count(asked), .inputs = 1, .view = {m->indices}},
                              .out = asked};
    return hd__gpu_map(m->ctx, &copy, m->why);
}

hd_status hd__gpu_merge(hd_context *ctx, const void *any, const char **why)
{
    merging m = {.ctx = ctx, .job = *(const hd__merge_job *)any, .why = why};
    if (m.job.rows * (m.job.na + m.job.nb) == 0) return HD_OK;
    HD_TRY(hd__gpu_of(ctx, &m.gpu));
    hd__gpu_stage s = {.ctx = ctx, .gpu = m.gpu};
    const hd_status status = run(&s, &m);
    if (m.memory != 0) hd__gpu_release(m.gpu, m.memory, m.bytes);
    return hd__gpu_stage_end(&s, status);
}
