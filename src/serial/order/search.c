// SPDX-License-Identifier: Apache-2.0
// Searching as it is defined: halving, until one position is left.
#include "serial/serial.h"
#include "patterns/sort/search.h"

// Whether an element is among those that are counted for a query.
static bool counts(const hd__search_job *row, const void *x, const void *query)
{
    if (row->right) return !hd__comes_before(row->order, row->backwards, query, x);
    return hd__comes_before(row->order, row->backwards, x, query);
}

static int64_t position_of(const hd__search_job *row, const void *query)
{
    _Alignas(HD__ALIGNMENT) unsigned char x[HD_MAX_ELEMENT];
    int64_t low = 0, high = row->n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        hd__gather(&row->sorted, middle, 1, x);
        if (counts(row, x, query))
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
    for (int64_t r = 0; r < job->rows; r++) {
        const hd__search_job row = hd__search_row(job, r);
        for (int64_t j = 0; j < row.m; j++) {
            hd__gather(&row.queries, j, 1, query);
            const int64_t position = position_of(&row, query);
            hd__put_positions(&row.out, j, 1, &position, &scratch);
        }
    }
    return HD_OK;
}
