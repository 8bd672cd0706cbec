// SPDX-License-Identifier: Apache-2.0
// Merging as it is defined: a's element goes first unless b's comes before it.
#include "serial.h"
#include "patterns/sort/merge.h"

// Element i of a or j of b to index k of out, and of the values.
static void move(const hd__merge_job *job, bool from_b, int64_t at, int64_t k, void *element)
{
    const hd_views *v = &job->values;
    hd__scatter(&job->out, k, 1, element);
    for (int64_t s = 0; s < v->count; s += 3) {
        hd__gather(&v->view[from_b ? s + 1 : s], at, 1, element);
        hd__scatter(&v->view[s + 2], k, 1, element);
    }
}

hd_status hd__serial_merge(hd_context *ctx, const void *any, const char **why)
{
    const hd__merge_job *job = any;
    (void)why; // never declines
    (void)ctx;
    _Alignas(HD__ALIGNMENT) unsigned char x[HD_MAX_ELEMENT], y[HD_MAX_ELEMENT];
    int64_t i = 0, j = 0;
    for (int64_t k = 0; k < job->na + job->nb; k++) {
        if (i < job->na) hd__gather(&job->a, i, 1, x);
        if (j < job->nb) hd__gather(&job->b, j, 1, y);
        if (i == job->na || (j < job->nb && job->order->less(y, x)))
            move(job, true, j++, k, y);
        else
            move(job, false, i++, k, x);
    }
    return HD_OK;
}
