// SPDX-License-Identifier: Apache-2.0
// Gather as it is defined: one index after another; slices along an axis row by row.
#include "serial.h"
#include "patterns/move/gather.h"
#include "patterns/move/indices.h"

// One element for each index of a row; a bad one gives zero.
static void gather_row(const hd__gather_job *job, const hd_view *in, const hd_view *out)
{
    _Alignas(HD__ALIGNMENT) unsigned char element[HD_MAX_INPUTS][HD_MAX_ELEMENT];
    _Alignas(HD__ALIGNMENT) unsigned char result[HD_MAX_ELEMENT];
    const void *inputs[HD_MAX_INPUTS];
    const int64_t n = hd_count(job->index);
    for (int64_t i = 0; i < n; i++) {
        int64_t j;
        hd__indices(&job->index, i, 1, &j);
        memset(element[0], 0, hd__size_of(in->type));
        if (hd__within(j, job->limit)) hd__gather(in, j, 1, element[0]);
        if (job->map != NULL) {
            for (int k = 0; k < job->map->inputs; k++) {
                inputs[k] = element[k];
                if (k > 0) hd__gather(&job->with[k - 1], i, 1, element[k]);
            }
            hd__apply(job->map, result, inputs, 1);
        }
        hd__scatter(out, i, 1, job->map != NULL ? result : element[0]);
    }
}

static void find_bad(const hd__gather_job *job)
{
    const int64_t n = hd_count(job->index);
    int64_t j;
    for (int64_t i = 0; i < n && *job->bad < 0; i++) {
        hd__indices(&job->index, i, 1, &j);
        if (!hd__within(j, job->limit)) *job->bad = i;
    }
}

hd_status hd__serial_gather(hd_context *ctx, const void *any, const char **why)
{
    const hd__gather_job *job = any;
    (void)ctx;
    (void)why; // never declines
    if (job->bad != NULL) find_bad(job);
    if (job->axis < 0) {
        gather_row(job, &job->in, &job->out);
        return HD_OK;
    }
    const int64_t length = job->out.shape[job->axis];
    const int64_t rows = length > 0 ? hd_count(job->out) / length : 0;
    for (int64_t r = 0; r < rows; r++) {
        const hd_view in = hd__row_of(&job->in, job->axis, r);
        const hd_view out = hd__row_of(&job->out, job->axis, r);
        gather_row(job, &in, &out);
    }
    return HD_OK;
}
