// SPDX-License-Identifier: Apache-2.0
// Merging as it is defined: a's element goes first unless b's comes before it.
#include "serial/serial.h"
#include "patterns/sort/merge.h"

// Where one element of a row comes from, and its index in a followed by b.
typedef struct source {
    bool from_b;
    int64_t at, index;
} source;

// One element to index k of out, of the values and of the indices.
static void move(const hd__merge_job *row, source s, int64_t k, void *element)
{
    int64_t room;
    if (!hd__is_empty(&row->out)) hd__scatter(&row->out, k, 1, element);
    if (!hd__is_empty(&row->indices)) hd__put_positions(&row->indices, k, 1, &s.index, &room);
    for (int64_t v = 0; v < row->value_count; v++) {
        hd_view value[3];
        hd__merge_value(row, v, value);
        hd__gather(&value[s.from_b], s.at, 1, element);
        hd__scatter(&value[2], k, 1, element);
    }
}

static void merge_row(const hd__merge_job *row)
{
    _Alignas(HD__ALIGNMENT) unsigned char x[HD_MAX_ELEMENT], y[HD_MAX_ELEMENT];
    int64_t i = 0, j = 0;
    for (int64_t k = 0; k < row->na + row->nb; k++) {
        if (i < row->na) hd__gather(&row->a, i, 1, x);
        if (j < row->nb) hd__gather(&row->b, j, 1, y);
        if (i == row->na || (j < row->nb && hd__comes_before(row->order, row->backwards, y, x))) {
            move(row, (source){true, j, row->na + j}, k, y);
            j++;
        } else {
            move(row, (source){false, i, i}, k, x);
            i++;
        }
    }
}

hd_status hd__serial_merge(hd_context *ctx, const void *any, const char **why)
{
    const hd__merge_job *job = any;
    (void)why; // never declines
    (void)ctx;
    for (int64_t r = 0; r < job->rows; r++) {
        const hd__merge_job row = hd__merge_row(job, r);
        merge_row(&row);
    }
    return HD_OK;
}
