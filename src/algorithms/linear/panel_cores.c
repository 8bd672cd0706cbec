// SPDX-License-Identifier: Apache-2.0
// Eight columns at a time are eliminated by themselves; then the others of the panel follow, row by
// row, while they are in registers. Each element goes through what it would go through column by
// column, so the bits are the same.
#include "panel_cores.h"

#include "../simd/dense_kernels.h"
#include "../support/team.h"

enum { CHUNK_ROWS = 256 };

hd_status hd__panels_open(hd__frame *f, hd_type type, int64_t n, int64_t most_columns,
                          hd__panels *panels)
{
    hd_backend ran = HD_AUTO;
    *panels = (hd__panels){0};
    hd_status status = f->on_device ? HD_OK : hd__frame_backend(f, &ran);
    panels->serves = ran == HD_CPU;
    if (status || !panels->serves) return status;
    status = hd__frame_row(f, type, n * HD__PANEL_STEP, &panels->step);
    if (!status) status = hd__frame_row(f, type, n * HD__PANEL_STEP, &panels->factor);
    if (!status) status = hd__frame_row(f, type, n, &panels->column);
    if (!status) status = hd__frame_row(f, type, most_columns * HD__PANEL_STEP, &panels->row);
    return status ? status : hd__frame_row(f, HD_I64, most_columns, &panels->other);
}

typedef struct follow {
    const hd__dense_kernels *kernels;
    hd__panel *panel;
} follow;

static void eliminate_step(void *user, int64_t only)
{
    const follow *f = user;
    f->kernels->eliminate(f->panel);
    (void)only;
}

static void follow_rows(void *user, int64_t chunk)
{
    const follow *f = user;
    const int64_t begin = chunk * CHUNK_ROWS, left = f->panel->n - begin;
    f->kernels->follow(f->panel, begin, begin + (left < CHUNK_ROWS ? left : (int64_t)CHUNK_ROWS));
}

static void exchange_bytes(char *a, char *b, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        const char x = a[k];
        a[k] = b[k], b[k] = x;
    }
}

// Rows of the matrix, in the order of the pivots.
static void exchange_rows(const hd__panel *p, int64_t columns, hd_view w, hd_view order)
{
    const int64_t row_bytes = w.stride[0] * (int64_t)hd_type_size(w.type);
    for (int64_t c = 0; c < columns; c++) {
        const int64_t j = p->diagonal + c, at = p->other[c];
        if (at == j) continue;
        exchange_bytes((char *)w.data + j * row_bytes, (char *)w.data + at * row_bytes, row_bytes);
        exchange_bytes((char *)order.data + j * 8, (char *)order.data + at * 8, 8);
    }
}

hd_status hd__panel_eliminate(hd__frame *f, const hd__panels *panels, hd_view panel, int64_t p,
                              hd_view w, hd_view order, int64_t *failed, double *size)
{
    const hd__dense_kernels *const kernels = hd__dense_kernels_of(f->ctx, panel.type);
    const int64_t n = panel.shape[0], chunks = (n + CHUNK_ROWS - 1) / CHUNK_ROWS;
    hd__panel own = {.x = panel.data,
                     .n = n,
                     .width = panel.shape[1],
                     .diagonal = p,
                     .step = panels->step.data,
                     .factor = panels->factor.data,
                     .column = panels->column.data,
                     .row = panels->row.data,
                     .other = panels->other.data};
    follow all = {kernels, &own};
    hd_backend ran;
    *failed = -1;
    const hd_status status = hd__frame_backend(f, &ran); // asks whether to go on
    for (; own.first < own.width && !status; own.first += HD__PANEL_STEP) {
        const int64_t left = own.width - own.first;
        const int64_t wanted = left < HD__PANEL_STEP ? left : (int64_t)HD__PANEL_STEP;
        hd__team_run(1, 1, eliminate_step, &all); // in the library's floating-point state
        if (own.taken < wanted) {
            *failed = p + own.first + own.taken, *size = own.size;
            return HD_OK;
        }
        hd__team_run(hd__team_size(f->ctx), chunks, follow_rows, &all);
    }
    if (!status) exchange_rows(&own, own.width, w, order);
    return status;
}
