// SPDX-License-Identifier: Apache-2.0
// What HD_AUTO wants of a device: that it is ready for views of the host, its name, and the times
// of copies, measured the way that views of calls are staged.
#include "link_rates.h"
#include "core/choice/selector.h"
#include "staging_ring.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 3 };

// The pinned buffers are usually made once some MiB have gone through the context, in a call that
// takes longer for it; here it is known that views of the host come.
hd_status hd__gpu_ready(hd_context *ctx, char *name, size_t room)
{
    hd__gpu *gpu;
    HD_TRY(hd__gpu_of(ctx, &gpu));
    (void)hd__gpu_pinned_ring_for(ctx, gpu, 2 * (size_t)gpu->tuning.stage_slot);
    const hd__gpu_properties *p = gpu->driver->properties(gpu->device);
    snprintf(name, room, "%s, sm_%d, driver %d", p->name, (int)p->arch, (int)p->driver_version);
    return HD_OK;
}

// Nanoseconds of one view of so many bytes, there or back, with its memory on the device.
static hd_status stage_once(hd_context *ctx, hd__gpu *gpu, char *memory, size_t bytes, bool back,
                            double *ns)
{
    hd__gpu_stage s = {.ctx = ctx, .gpu = gpu};
    hd_view v = hd_view_of(HD_U8, memory, (int64_t)bytes);
    const double begin = hd__clock();
    const hd_status status = back ? hd__gpu_stage_out(&s, &v) : hd__gpu_stage_in(&s, &v);
    HD_TRY(hd__gpu_stage_end(&s, status));
    *ns = hd__clock() - begin;
    return HD_OK;
}

// The least of a few times: whatever else the machine does makes them longer.
static hd_status stage_often(hd_context *ctx, hd__gpu *gpu, char *memory, size_t bytes, bool back,
                             double *least)
{
    *least = 1e18;
    for (int k = 0; k < ROUNDS; k++) {
        double ns = 0;
        HD_TRY(stage_once(ctx, gpu, memory, bytes, back, &ns));
        if (ns < *least) *least = ns;
    }
    return HD_OK;
}

// What is beside the time of a launch belongs to the bytes.
static int64_t rate_of(double ns, double launch, size_t bytes)
{
    const double beside = ns > launch ? ns - launch : 0;
    return (int64_t)(beside * (1 << 20) / (double)bytes);
}

static hd_status measure_way(hd_context *ctx, hd__gpu *gpu, char *memory, size_t large, bool back,
                             double launch, hd__rate *rate)
{
    double small_ns, large_ns;
    HD_TRY(stage_often(ctx, gpu, memory, HD__RATE_SMALL, back, &small_ns));
    HD_TRY(stage_often(ctx, gpu, memory, large, back, &large_ns));
    rate->small = rate_of(small_ns, launch / 2, HD__RATE_SMALL);
    rate->large = rate_of(large_ns, launch / 2, large);
    return HD_OK;
}

static hd_status measure_all(hd_context *ctx, hd__gpu *gpu, char *memory, size_t large,
                             hd__rates *rates)
{
    double in, out;
    HD_TRY(stage_often(ctx, gpu, memory, 64, false, &in));
    HD_TRY(stage_often(ctx, gpu, memory, 64, true, &out));
    HD_TRY(measure_way(ctx, gpu, memory, large, false, in + out, &rates->to_device));
    HD_TRY(measure_way(ctx, gpu, memory, large, true, in + out, &rates->to_host));
    rates->launch = (int64_t)(in + out);
    return HD_OK;
}

hd_status hd__gpu_measure_link(hd_context *ctx, hd__rates *rates, size_t large)
{
    hd__gpu *gpu;
    HD_TRY(hd__gpu_of(ctx, &gpu));
    char *memory = hd__allocate(ctx, large);
    if (memory == NULL) return HD_ERROR_MEMORY;
    memset(memory, 0, large);
    const hd_status status = measure_all(ctx, gpu, memory, large, rates);
    hd__release(ctx, memory, large);
    return status;
}
