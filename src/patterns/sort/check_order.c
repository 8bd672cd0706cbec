// SPDX-License-Identifier: Apache-2.0
// Whether what a call takes for sorted is, on the host or, as hd_is_sorted does, on a device.
#include "comparisons.h"
#include "core/convert.h"
#include "is_sorted.h"
#include "rows.h"

#include <stdio.h>

HD__BRINGS(is_sorted)
HD__BRINGS_PASS(is_sorted)

#define BLOCK 4096 // elements looked at between two gathers

static hd_status not_sorted(hd_context *ctx, const char *call, const char *name, int64_t row,
                            int64_t at)
{
    char of_row[40] = "";
    if (row >= 0) snprintf(of_row, sizeof of_row, " in row %lld", (long long)row);
    return hd__fail(ctx, HD_ERROR_VALUE,
                    "%s: %s is not sorted: element %lld comes before element %lld%s", call, name,
                    (long long)at, (long long)at - 1, of_row);
}

// The first i with x[i] before x[i - 1], or n.
static int64_t first_unordered(const hd__ordered_rows *r, const char *x, int64_t n)
{
    const size_t size = r->order->elements.size;
    if (!r->backwards) return r->order->run(x, n, false, r->order->state.data);
    for (int64_t i = 1; i < n; i++)
        if (hd__precedes(r->order, x + (size_t)(i - 1) * size, x + (size_t)i * size)) return i;
    return n;
}

static int64_t first_unordered_of(const hd__ordered_rows *r, const hd_view *v, void *block)
{
    const int64_t n = hd__count(v);
    if (hd__is_contiguous(v)) return first_unordered(r, v->data, n);
    for (int64_t start = 0; start < n - 1; start += BLOCK - 1) { // blocks share an element
        const int64_t m = n - start < BLOCK ? n - start : BLOCK;
        hd__gather(v, start, m, block);
        const int64_t at = first_unordered(r, block, m);
        if (at < m) return start + at;
    }
    return n;
}

// The same of a row on the device, where hd_is_sorted looks.
static hd_status check_there(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                             int64_t length, const hd__ordered_rows *rows)
{
    for (int64_t r = 0; r < rows->rows; r++) {
        int64_t at = -1;
        const hd__is_sorted_job job = {.in = hd__range_of(v, r * length, length),
                                       .n = length,
                                       .order = rows->order,
                                       .backwards = rows->backwards,
                                       .position = &at};
        const hd__subject subject = {call, length, v->type};
        HD_TRY(hd__dispatch(ctx, HD__IS_SORTED_PATTERN, &job, &subject));
        if (at >= 0) return not_sorted(ctx, call, name, rows->rows > 1 ? r : -1, at);
    }
    return HD_OK;
}

hd_status hd__check_order(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                          int64_t length, const hd__ordered_rows *rows)
{
    if (v->space == HD_DEVICE) return check_there(ctx, call, name, v, length, rows);
    void *block = NULL;
    if (!hd__is_contiguous(v)) {
        block = hd__scratch(ctx, BLOCK * rows->order->elements.size);
        if (block == NULL) return HD_ERROR_MEMORY;
    }
    for (int64_t r = 0; r < rows->rows; r++) {
        const hd_view row = hd__range_of(v, r * length, length);
        const int64_t at = first_unordered_of(rows, &row, block);
        if (at < length) return not_sorted(ctx, call, name, rows->rows > 1 ? r : -1, at);
    }
    return HD_OK;
}
