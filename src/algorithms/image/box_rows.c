// SPDX-License-Identifier: Apache-2.0
// Boxes of integers by the cores: bands of rows, each by a thread, in scratch of a few rows.
#include "box_rows.h"

#include <string.h>

#include "../support/team.h"

enum { LEAST_BAND = 16 };

#define ELEMENT  uint8_t
#define SUM      int32_t
#define UNSIGNED uint32_t
#define NAME(x)  u8_##x
#include "box_rows.inc"

#define ELEMENT  uint16_t
#define SUM      int32_t
#define UNSIGNED uint32_t
#define NAME(x)  u16_##x
#include "box_rows.inc"

#define ELEMENT  int64_t
#define SUM      int64_t
#define UNSIGNED uint64_t
#define NAME(x)  i64_##x
#include "box_rows.inc"

bool hd__box_rows_fit(hd_view v)
{
    return v.ndim == 2 && (v.shape[1] < 2 || v.stride[1] == 1) &&
           (uintptr_t)v.data % hd_type_size(v.type) == 0;
}

hd_status hd__box_rows_open(hd__boxes *b, hd_view in, hd__box_rows *r)
{
    const int64_t most = in.type == HD_U8 ? 255 : 65535;
    const bool small = (in.type == HD_U8 || in.type == HD_U16) && hd__box_rows_fit(in) &&
                       b->height < INT32_MAX / most / b->width;
    hd_view row;
    *r = (hd__box_rows){.type = small ? in.type : HD_I64, .in = in.data, .in_step = in.stride[0]};
    r->h = b->h, r->w = b->w, r->height = b->height, r->width = b->width;
    r->columns = b->columns.data;
    if (small) return HD_OK;
    const hd_status status = hd__frame_dense(b->f, in, HD_I64, &row);
    r->in = row.data, r->in_step = b->w;
    return status;
}

typedef struct bands {
    const hd__box_rows *r;
    int64_t rows; // of a band
    char *scratch;
    int64_t bytes;
} bands;

static void run_band(void *user, int64_t k)
{
    const bands *b = user;
    const hd__box_rows *r = b->r;
    const int64_t from = k * b->rows, to = from + b->rows < r->h ? from + b->rows : r->h;
    char *scratch = b->scratch + k * b->bytes;
    if (r->type == HD_U8)
        u8_band(r, from, to, scratch);
    else if (r->type == HD_U16)
        u16_band(r, from, to, scratch);
    else
        i64_band(r, from, to, scratch);
}

hd_status hd__box_rows_run(hd__boxes *b, const hd__box_rows *r)
{
    const int32_t threads = hd__team_size(b->f->ctx);
    hd_view scratch;
    int64_t rows = (r->h + 4 * (int64_t)threads - 1) / (4 * (int64_t)threads);
    if (rows < 2 * r->height) rows = 2 * r->height; // a band adds up so many before its first one
    if (rows > (r->h + threads - 1) / threads) rows = (r->h + threads - 1) / threads;
    if (rows < LEAST_BAND) rows = LEAST_BAND;
    const int64_t count = (r->h + rows - 1) / rows, bytes = (4 * r->w + 8) * 8;
    const hd_status status = hd__frame_row(b->f, HD_U8, count * bytes, &scratch);
    if (status != HD_OK) return status;
    bands all = {r, rows, scratch.data, bytes};
    hd__team_run(threads, count, run_band, &all);
    return HD_OK;
}
