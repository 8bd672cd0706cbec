// SPDX-License-Identifier: Apache-2.0
// Map as it is defined: one element after another through the function, or converted.
#include "serial.h"
#include "core/convert.h"
#include "patterns/move/map.h"

hd_status hd__serial_map(hd_context *ctx, const void *any, const char **why)
{
    const hd__map_job *job = any;
    (void)why; // never declines
    unsigned char *scratch = hd__scratch(ctx, hd__elements_bytes(&job->in, 1) + HD_MAX_ELEMENT);
    if (scratch == NULL) return HD_ERROR_MEMORY;
    unsigned char *converted = scratch + hd__elements_bytes(&job->in, 1);
    const hd_type element = hd__element_type(&job->in);
    for (int64_t i = 0; i < job->in.n; i++) {
        const void *value = hd__read_elements(&job->in, i, 1, scratch);
        if (element != job->out.type || (element == HD_BOOL && job->in.map == NULL)) {
            hd__convert(job->out.type, converted, element, value, 1);
            value = converted;
        }
        hd__scatter(&job->out, i, 1, value);
    }
    return HD_OK;
}
