// SPDX-License-Identifier: Apache-2.0
//
// Steps that are calls of the library: the same arrays, on the device of a context of its own. The
// model machine shows the report of every launch; a card is timed from mark to mark.
#include "ladder.h"

#include <stdio.h>
#include <string.h>

#include "program.h"

typedef struct own {
    hd_context *ctx;
    hd__gpu *gpu;
    ladder_case *c;
    ladder_arrays arrays;
    stage_totals *totals;
} own;

hd_view ladder_view(hd_type type, void *at, int64_t n)
{
    hd_view v = hd_view_of(type, at, n);
    v.space = HD_DEVICE;
    return v;
}

hd_view ladder_cube(hd_type type, void *at, int32_t axes, int64_t n)
{
    hd_view v = hd_view_nd(type, at, axes, (const int64_t[]){n, n, n}, NULL);
    v.space = HD_DEVICE;
    return v;
}

static hd_status room(own *o, int64_t bytes, void **at)
{
    hd__gpu_address address;
    HD_TRY(
        o->gpu->driver->allocate(o->ctx, o->gpu->device, bytes > 0 ? (size_t)bytes : 1, &address));
    *at = (void *)(uintptr_t)address;
    return HD_OK;
}

static hd_status bring(own *o)
{
    const hd__gpu_driver *m = o->gpu->driver;
    for (int k = 0; k < LADDER_ARRAYS; k++) {
        if (o->c->in[k] == NULL) continue;
        HD_TRY(room(o, o->c->in_bytes[k], &o->arrays.in[k]));
        HD_TRY(m->upload(o->ctx, o->gpu->device, (hd__gpu_address)(uintptr_t)o->arrays.in[k],
                         o->c->in[k], (size_t)o->c->in_bytes[k]));
    }
    HD_TRY(room(o, o->c->bytes + 8, &o->arrays.out)); // an answer of 8 bytes for one of 4 fits
    return m->wait(o->ctx, o->gpu->device);
}

static void leave(own *o)
{
    for (int k = 0; k < LADDER_ARRAYS && o->gpu != NULL; k++)
        if (o->arrays.in[k] != NULL)
            o->gpu->driver->release(o->gpu->device, (hd__gpu_address)(uintptr_t)o->arrays.in[k]);
    if (o->arrays.out != NULL)
        o->gpu->driver->release(o->gpu->device, (hd__gpu_address)(uintptr_t)o->arrays.out);
    hd_close(o->ctx);
}

static void seen(void *user, const hd_model_report *report)
{
    const own *o = user;
    stage_add(o->totals, report);
    o->totals->launches++;
}

static hd_status play_timed(own *o, const ladder_step *r)
{
    const hd__gpu_driver *m = o->gpu->driver;
    for (int k = 0; k < STAGE_PLAYS; k++) {
        double milliseconds;
        HD_TRY(m->timer(o->ctx, o->gpu->device, 0));
        HD_TRY(r->call(o->ctx, o->c, &o->arrays));
        HD_TRY(m->timer(o->ctx, o->gpu->device, 1));
        HD_TRY(m->elapsed(o->ctx, o->gpu->device, &milliseconds));
        if (k <= 1 || milliseconds / 1e3 < o->totals->device_seconds)
            o->totals->device_seconds = milliseconds / 1e3;
    }
    return HD_OK;
}

static hd_status play(own *o, const ladder_step *r, bool cuda)
{
    HD_TRY(hd__gpu_of(o->ctx, &o->gpu));
    HD_TRY(bring(o));
    if (r->expect != NULL) r->expect(o->c);
    if (cuda) {
        HD_TRY(play_timed(o, r));
    } else {
        hd__gpu_model_watch(o->gpu->device, seen, o);
        hd__gpu_model_pretend(o->gpu->device, hd__model_architecture(90)->multiprocessors);
        HD_TRY(r->call(o->ctx, o->c, &o->arrays));
    }
    HD_TRY(hd_sync(o->ctx));
    return o->gpu->driver->download(o->ctx, o->gpu->device, o->c->got,
                                    (hd__gpu_address)(uintptr_t)o->arrays.out, (size_t)o->c->bytes);
}

void ladder_run_own(const ladder_step *r, ladder_case *c, const stage_options *how,
                    ladder_result *result)
{
    own o = {.c = c, .totals = &result->totals};
    const hd_context_options options = {.backend = how->cuda ? HD_CUDA : HD_MODEL,
                                        .threads = how->threads};
    result->status = hd_open(&o.ctx, &options);
    if (result->status == HD_OK) result->status = play(&o, r, how->cuda);
    result->ran = result->status == HD_OK;
    if (!result->ran)
        snprintf(result->error, sizeof result->error, "%s",
                 o.ctx != NULL ? hd_error(o.ctx) : "no memory");
    leave(&o);
}
