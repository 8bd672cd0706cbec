// SPDX-License-Identifier: Apache-2.0
// Find as it is defined: from the first element on, or from the last one back.
#include "serial.h"
#include "patterns/select/find.h"

hd_status hd__serial_find(hd_context *ctx, const void *any, const char **why)
{
    const hd__find_job *job = any;
    (void)why; // never declines
    void *scratch = hd__scratch(ctx, hd__elements_bytes(&job->in, 1));
    if (scratch == NULL) return HD_ERROR_MEMORY;
    const hd_type type = hd__element_type(&job->in);
    const int64_t n = job->in.n;
    int64_t found = -1;
    for (int64_t k = 0; k < n && found < 0; k++) {
        const int64_t i = job->last ? n - 1 - k : k;
        if (hd__is_wanted(type, hd__read_elements(&job->in, i, 1, scratch), job->value)) found = i;
    }
    *job->position = found;
    return HD_OK;
}
