// SPDX-License-Identifier: Apache-2.0
// Summed-area tables of integers by the cores, in one pass over the table: bands of rows, one a
// thread, which begin with what the bands before them add up to.
#include "integral_rows.h"

#include <string.h>

#include "../support/team.h"

#define ELEMENT uint8_t
#define SUM     uint32_t
#define NAME(x) u8_u32_##x
#define ROW_OF  t->row
#include "integral_rows.inc"
#undef ROW_OF

#define ELEMENT uint8_t
#define SUM     uint64_t
#define NAME(x) u8_u64_##x
#include "integral_rows.inc"

#define ELEMENT uint16_t
#define SUM     uint32_t
#define NAME(x) u16_u32_##x
#include "integral_rows.inc"

#define ELEMENT uint16_t
#define SUM     uint64_t
#define NAME(x) u16_u64_##x
#include "integral_rows.inc"

#define ELEMENT int32_t
#define SUM     uint32_t
#define NAME(x) i32_u32_##x
#include "integral_rows.inc"

#define ELEMENT int32_t
#define SUM     uint64_t
#define NAME(x) i32_u64_##x
#include "integral_rows.inc"

typedef struct bands {
    const hd__integral_rows *t;
    int kind; // of the functions: twice that of the element, and 1 where sums have 64 bits
    int64_t rows;
    void *totals, *above; // a row of sums for each band
} bands;

// Which functions: u8, u16 or i32, to 32 or 64 bits; -1: none.
static int kind_of(hd_type in, hd_type out)
{
    const int element = in == HD_U8 ? 0 : in == HD_U16 ? 1 : in == HD_I32 ? 2 : -1;
    if (element < 0 || out < HD_I8 || out > HD_U64 || hd_type_size(out) < 4) return -1;
    if (in == HD_I32 && out != HD_I32 && out != HD_I64) return -1;
    return 2 * element + (hd_type_size(out) == 8);
}

static bool is_plain(hd_view v)
{
    return v.ndim == 2 && (v.shape[1] < 2 || v.stride[1] == 1) &&
           (uintptr_t)v.data % hd_type_size(v.type) == 0;
}

bool hd__integral_rows_fit(hd_view in, hd_view out)
{
    return kind_of(in.type, out.type) >= 0 && is_plain(in) && is_plain(out) && in.data != out.data;
}

static int64_t band_end(const bands *b, int64_t k)
{
    return (k + 1) * b->rows < b->t->h ? (k + 1) * b->rows : b->t->h;
}

static void add_band(void *user, int64_t k)
{
    const bands *b = user;
    const int64_t from = k * b->rows, to = band_end(b, k), w = b->t->w;
    uint32_t *narrow = (uint32_t *)b->totals + k * w;
    uint64_t *wide = (uint64_t *)b->totals + k * w;
    switch (b->kind) {
    case 0: u8_u32_totals(b->t, from, to, narrow); break;
    case 1: u8_u64_totals(b->t, from, to, wide); break;
    case 2: u16_u32_totals(b->t, from, to, narrow); break;
    case 3: u16_u64_totals(b->t, from, to, wide); break;
    case 4: i32_u32_totals(b->t, from, to, narrow); break;
    default: i32_u64_totals(b->t, from, to, wide); break;
    }
}

static void write_band(void *user, int64_t k)
{
    const bands *b = user;
    const int64_t from = k * b->rows, to = band_end(b, k), w = b->t->w;
    uint32_t *narrow = (uint32_t *)b->above + k * w;
    uint64_t *wide = (uint64_t *)b->above + k * w;
    switch (b->kind) {
    case 0: u8_u32_rows(b->t, from, to, b->totals, k, narrow); break;
    case 1: u8_u64_rows(b->t, from, to, b->totals, k, wide); break;
    case 2: u16_u32_rows(b->t, from, to, b->totals, k, narrow); break;
    case 3: u16_u64_rows(b->t, from, to, b->totals, k, wide); break;
    case 4: i32_u32_rows(b->t, from, to, b->totals, k, narrow); break;
    default: i32_u64_rows(b->t, from, to, b->totals, k, wide); break;
    }
}

hd_status hd__integral_rows_run(hd__frame *f, hd_view in, hd_view out)
{
    const int32_t threads = hd__team_size(f->ctx);
    const hd__integral_rows t = {in.data,
                                 out.data,
                                 in.stride[0],
                                 out.stride[0],
                                 in.shape[0],
                                 in.shape[1],
                                 hd__integral_row_for(f->ctx)};
    bands b = {.t = &t, .kind = kind_of(in.type, out.type)};
    hd_view totals, above;
    b.rows = (t.h + threads - 1) / threads;
    if (t.h == 0 || t.w == 0) return HD_OK;
    const int64_t count = (t.h + b.rows - 1) / b.rows;
    hd_status status = hd__frame_row(f, HD_U64, count * t.w, &totals);
    if (status == HD_OK) status = hd__frame_row(f, HD_U64, count * t.w, &above);
    if (status != HD_OK) return status;
    b.totals = totals.data, b.above = above.data;
    hd__team_run(threads, count - 1, add_band, &b); // nobody needs the last one's
    hd__team_run(threads, count, write_band, &b);
    return HD_OK;
}
