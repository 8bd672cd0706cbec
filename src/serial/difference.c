// SPDX-License-Identifier: Apache-2.0
// Difference as it is defined: each row from its last element to its first, which needs no copy
// where out is in.
#include "serial.h"
#include "patterns/stencil/difference.h"

static void difference_row(const hd__difference_job *job, const hd_view *in, const hd_view *out)
{
    _Alignas(HD__ALIGNMENT) unsigned char one[HD_MAX_ELEMENT], other[HD_MAX_ELEMENT],
        result[HD_MAX_ELEMENT];
    const void *both[2] = {one, other};
    for (int64_t i = hd_count(*in) - 1; i >= 0; i--) {
        hd__gather(in, i, 1, one);
        if (i > 0)
            hd__gather(in, i - 1, 1, other);
        else
            both[1] = job->before;
        if (both[1] != NULL) hd__apply(job->function, result, both, 1);
        hd__scatter(out, i, 1, both[1] != NULL ? result : one);
    }
}

hd_status hd__serial_difference(hd_context *ctx, const void *any, const char **why)
{
    const hd__difference_job *job = any;
    (void)ctx;
    (void)why; // never declines
    if (job->axis < 0) {
        difference_row(job, &job->in, &job->out);
        return HD_OK;
    }
    const int64_t length = job->in.shape[job->axis];
    const int64_t rows = length > 0 ? hd_count(job->in) / length : 0;
    for (int64_t r = 0; r < rows; r++) {
        const hd_view in = hd__row_of(&job->in, job->axis, r);
        const hd_view out = hd__row_of(&job->out, job->axis, r);
        difference_row(job, &in, &out);
    }
    return HD_OK;
}
