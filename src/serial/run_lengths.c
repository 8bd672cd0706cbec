// SPDX-License-Identifier: Apache-2.0
// Run lengths as they are defined: from each head to the next.
#include "patterns/select/run_lengths.h"
#include "serial.h"

hd_status hd__serial_run_lengths(hd_context *ctx, const void *any, const char **why)
{
    const hd__run_lengths_job *job = any;
    _Alignas(HD__ALIGNMENT) unsigned char value[HD_MAX_ELEMENT];
    int64_t runs = 0;
    (void)ctx, (void)why; // never fails, never declines
    for (int64_t begin = 0, end; begin < job->n; begin = end, runs++) {
        hd__gather(&job->in, begin, 1, value);
        for (end = begin + 1; end < job->n && !hd__is_chosen(&job->flags, end);) end++;
        const int64_t length = end - begin;
        if (runs < hd__room(&job->values)) hd__scatter(&job->values, runs, 1, value);
        if (runs < hd__room(&job->lengths)) hd__put_indices(&job->lengths, runs, 1, &length);
        if (runs < hd__room(&job->indices)) hd__put_indices(&job->indices, runs, 1, &begin);
    }
    *job->runs = runs;
    return HD_OK;
}
