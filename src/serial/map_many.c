// SPDX-License-Identifier: Apache-2.0
// Several maps of the same elements as they are defined: all results of an element, then the next.
#include "serial.h"
#include "core/convert.h"
#include "patterns/move/map_many.h"

static void compute(const hd__map_job *job, int64_t i, unsigned char *scratch, void *to)
{
    const hd_type element = hd__element_type(&job->in), out = job->out.type;
    const void *value = hd__read_elements(&job->in, i, 1, scratch);
    if (element != out || (element == HD_BOOL && job->in.map == NULL))
        hd__convert(out, to, element, value, 1);
    else
        memcpy(to, value, hd__size_of(out));
}

hd_status hd__serial_map_many(hd_context *ctx, const void *any, const char **why)
{
    const hd__map_many_job *job = any;
    (void)why; // never declines
    size_t bytes = 0;
    for (int64_t k = 0; k < job->count; k++)
        if (hd__elements_bytes(&job->each[k].in, 1) > bytes)
            bytes = hd__elements_bytes(&job->each[k].in, 1);
    unsigned char *scratch = hd__scratch(ctx, bytes + (size_t)job->count * HD_MAX_ELEMENT);
    if (scratch == NULL) return HD_ERROR_MEMORY;
    unsigned char *results = scratch + bytes;
    for (int64_t i = 0; i < job->each[0].in.n; i++) {
        for (int64_t k = 0; k < job->count; k++)
            compute(&job->each[k], i, scratch, results + k * HD_MAX_ELEMENT);
        for (int64_t k = 0; k < job->count; k++)
            hd__scatter(&job->each[k].out, i, 1, results + k * HD_MAX_ELEMENT);
    }
    return HD_OK;
}
