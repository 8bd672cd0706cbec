// SPDX-License-Identifier: Apache-2.0
// Transposition as it is defined: every element to its index; in place, pairs are swapped.
#include "core/reader.h"
#include "patterns/move/transpose.h"
#include "serial.h"

static void swap_pairs(const hd_view *v, int64_t side)
{
    _Alignas(HD__ALIGNMENT) unsigned char a[HD_MAX_ELEMENT], b[HD_MAX_ELEMENT];
    const int64_t n = hd_count(*v);
    for (int64_t k = 0; k < n; k++) {
        const int64_t i = k / side % side, j = k % side, mirror = k + (j - i) * (side - 1);
        if (i >= j) continue;
        hd__gather(v, k, 1, a);
        hd__gather(v, mirror, 1, b);
        hd__scatter(v, k, 1, b);
        hd__scatter(v, mirror, 1, a);
    }
}

hd_status hd__serial_transpose(hd_context *ctx, const void *any, const char **why)
{
    const hd__transpose_job *job = any;
    (void)ctx, (void)why;
    _Alignas(HD__ALIGNMENT) unsigned char element[HD_MAX_ELEMENT];
    if (job->in_place) {
        swap_pairs(&job->out, job->out.shape[job->out.ndim - 1]);
        return HD_OK;
    }
    const int64_t n = hd_count(job->out);
    for (int64_t k = 0; k < n; k++) {
        hd__gather(&job->in, k, 1, element);
        hd__scatter(&job->out, k, 1, element);
    }
    return HD_OK;
}
