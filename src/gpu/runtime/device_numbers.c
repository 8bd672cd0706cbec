// SPDX-License-Identifier: Apache-2.0
// Numbers that calls give, written on the device: nobody waits for them.
#include "gpu/gpu.h"
#include "patterns/move/map.h"

// Kernels leave ~i of the first bad index i, or 0.
HD_FUNCTION(bad_index, int64_t, HD_NO_SOURCE, (int64_t, left), { return ~left; })

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

hd_status hd__gpu_bad_to(hd_context *ctx, hd__gpu *gpu, const hd__gpu_state *state,
                         const hd_view *to)
{
    const hd__gpu_address at = state->control + HD__GPU_CONTROL_BAD;
    const hd_view left = hd__gpu_array(HD_I64, at, 1);
    HD_TRY(map_number(ctx, &left, bad_index, to));
    return gpu->driver->clear(ctx, gpu->device, at, sizeof(int64_t));
}
