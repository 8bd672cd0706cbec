// SPDX-License-Identifier: Apache-2.0
// Numbers that calls give, written on the device: nobody waits for them.
#include "gpu/gpu.h"
#include "patterns/move/map.h"

// Kernels leave ~i of the first bad index i, or 0.
HD_FUNCTION(bad_index, int64_t, HD_NO_SOURCE, (int64_t, left), { return ~left; })

HD_FUNCTION(last_index, int64_t, HD_NO_SOURCE, (int64_t, left), { return left - 1; })

static hd_status map_number(hd_context *ctx, const hd_view *from, const hd_function *map,
                            const hd_view *to)
{
    const char *why;
    hd__map_job job = {.in = {.map = map, .n = 1, .inputs = 1, .view = {*from}}, .out = *to};
    return hd__gpu_map(ctx, &job, &why);
}

hd_status hd__gpu_put_number(hd_context *ctx, const hd_view *to, int64_t number)
{
    const hd_view constant = hd_constant_of(HD_I64, &number, 1);
    return hd__is_empty(to) ? HD_OK : map_number(ctx, &constant, NULL, to);
}

static hd_status index_to(hd_context *ctx, hd__gpu *gpu, const hd__gpu_state *state,
                          const hd_function *map, const hd_view *to)
{
    const hd__gpu_address at = state->control + HD__GPU_CONTROL_BAD;
    const hd_view left = hd__gpu_array(HD_I64, at, 1);
    HD_TRY(map_number(ctx, &left, map, to));
    return gpu->driver->clear(ctx, gpu->device, at, sizeof(int64_t));
}

hd_status hd__gpu_bad_to(hd_context *ctx, hd__gpu *gpu, const hd__gpu_state *state,
                         const hd_view *to)
{
    return index_to(ctx, gpu, state, bad_index, to);
}

hd_status hd__gpu_found(hd_context *ctx, hd__gpu *gpu, const hd__gpu_state *state, bool last,
                        int64_t *position, const hd_view *to)
{
    int64_t left;
    if (position == NULL) return index_to(ctx, gpu, state, last ? last_index : bad_index, to);
    HD_TRY(hd__gpu_control_number(ctx, gpu, state, HD__GPU_CONTROL_BAD, &left));
    *position = last ? left - 1 : ~left;
    if (left == 0) return HD_OK;
    return gpu->driver->clear(ctx, gpu->device, state->control + HD__GPU_CONTROL_BAD, sizeof left);
}
