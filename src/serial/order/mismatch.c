// SPDX-License-Identifier: Apache-2.0
// Mismatch as it is defined: from the first pair of elements on.
#include "serial/serial.h"
#include "patterns/select/mismatch.h"

hd_status hd__serial_mismatch(hd_context *ctx, const void *any, const char **why)
{
    const hd__mismatch_job *job = any;
    (void)ctx, (void)why; // never declines
    _Alignas(HD__ALIGNMENT) unsigned char a[HD_MAX_ELEMENT], b[HD_MAX_ELEMENT];
    *job->position = -1;
    for (int64_t i = 0; i < job->n && *job->position < 0; i++) {
        hd__gather(&job->a, i, 1, a);
        hd__gather(&job->b, i, 1, b);
        if (hd__differ(job->type, a, b)) *job->position = i;
    }
    return HD_OK;
}
