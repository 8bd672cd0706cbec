// SPDX-License-Identifier: Apache-2.0
// Whether elements are sorted, as it is defined: from the first pair of neighbours on.
#include "serial/serial.h"
#include "patterns/sort/is_sorted.h"

hd_status hd__serial_is_sorted(hd_context *ctx, const void *any, const char **why)
{
    const hd__is_sorted_job *job = any;
    (void)ctx, (void)why; // never declines
    _Alignas(HD__ALIGNMENT) unsigned char earlier[HD_MAX_ELEMENT], later[HD_MAX_ELEMENT];
    *job->position = -1;
    for (int64_t i = 1; i < job->n && *job->position < 0; i++) {
        hd__gather(&job->in, i - 1, 1, earlier);
        hd__gather(&job->in, i, 1, later);
        if (hd__out_of_order(job, earlier, later)) *job->position = i;
    }
    return HD_OK;
}
