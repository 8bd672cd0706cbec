// SPDX-License-Identifier: Apache-2.0
// Reversal and rotation as they are defined: a row is copied, and taken from the copy in the new
// order.
#include "serial.h"
#include "patterns/move/reverse.h"

static void move_row(const hd__reverse_job *job, const hd_view *in, const hd_view *out,
                     unsigned char *copy)
{
    const int64_t n = job->length;
    const size_t size = hd__size_of(in->type);
    hd__gather(in, 0, n, copy);
    for (int64_t i = 0; i < n; i++) {
        const int64_t from =
            job->rotates ? (i < n - job->shift ? i + job->shift : i - (n - job->shift)) : n - 1 - i;
        hd__scatter(out, i, 1, copy + (size_t)from * size);
    }
}

hd_status hd__serial_reverse(hd_context *ctx, const void *any, const char **why)
{
    const hd__reverse_job *job = any;
    (void)why; // never declines
    unsigned char *copy = hd__scratch(ctx, (size_t)job->length * hd__size_of(job->in.type));
    if (copy == NULL) return HD_ERROR_MEMORY;
    if (job->axis < 0) move_row(job, &job->in, &job->out, copy);
    for (int64_t row = 0; job->axis >= 0 && row < job->n / job->length; row++) {
        const hd_view in =
            job->in.space == HD_IMPLICIT ? job->in : hd__row_of(&job->in, job->axis, row);
        const hd_view out = hd__row_of(&job->out, job->axis, row);
        move_row(job, &in, &out, copy);
    }
    return HD_OK;
}
