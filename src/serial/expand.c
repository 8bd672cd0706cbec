// SPDX-License-Identifier: Apache-2.0
// Expansion as it is defined: each value as often as its length says.
#include "core/convert.h"
#include "patterns/select/expand.h"
#include "serial.h"

hd_status hd__serial_expand(hd_context *ctx, const void *any, const char **why)
{
    const hd__expand_job *job = any;
    _Alignas(HD__ALIGNMENT) unsigned char value[HD_MAX_ELEMENT];
    (void)why; // never declines
    HD_TRY(hd__sum_lengths(ctx, job));
    for (int64_t j = 0, at = 0; j < job->m; j++) {
        uint64_t raw;
        int64_t length;
        hd__gather(&job->lengths, j, 1, &raw);
        hd__convert(HD_I64, &length, job->lengths.type, &raw, 1);
        hd__gather(&job->values, j, 1, value);
        for (int64_t i = 0; i < length; i++) hd__scatter(&job->out, at++, 1, value);
    }
    return HD_OK;
}
