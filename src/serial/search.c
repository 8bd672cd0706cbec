// SPDX-License-Identifier: Apache-2.0
// Searching as it is defined: halving, until one position is left.
#include "serial.h"
#include "patterns/sort/search.h"

static int64_t position_of(const hd__search_job *job, const void *query)
{
    _Alignas(HD__ALIGNMENT) unsigned char x[HD_MAX_ELEMENT];
    int64_t low = 0, high = job->n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        hd__gather(&job->sorted, middle, 1, x);
        if (job->right ? !job->order->less(query, x) : job->order->less(x, query))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

hd_status hd__serial_search(hd_context *ctx, const void *any, const char **why)
{
    const hd__search_job *job = any;
    (void)why; // never declines
    (void)ctx;
    _Alignas(HD__ALIGNMENT) unsigned char query[HD_MAX_ELEMENT];
    int64_t scratch;
    for (int64_t j = 0; j < job->m; j++) {
        hd__gather(&job->queries, j, 1, query);
        const int64_t position = position_of(job, query);
        hd__put_positions(&job->out, j, 1, &position, &scratch);
    }
    return HD_OK;
}
