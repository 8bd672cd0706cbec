// SPDX-License-Identifier: Apache-2.0
//
// The rows of transpose: matrices of f32 (also in place), u8, u16 and f64; structures of three f32
// to arrays and back. GB/s counts bytes read and written; the peak is the fastest copy of as many.
#include "bench/harness/pattern.h"
#include "bench/peer/peer_transpose.h"

#include <stdlib.h>
#include <string.h>

#define IN_PLACE "in place"
#define UNZIP    "3 fields apart"
#define ZIP      "3 fields together"

// The matrix a size stands for: one of these, the largest square it holds, or a tall one.
static const peer_transpose shapes[] = {{10007, 4099}};

static const bench_case matrices[] = {
    {"turn", "f32", "", PEER_OTHER_OP, PEER_F32, PEER_F32, HD_SUM, NULL},
    {"turn", "f32", IN_PLACE, PEER_OTHER_OP, PEER_F32, PEER_F32, HD_SUM, NULL},
    {"turn", "f64", "", PEER_OTHER_OP, PEER_F64, PEER_F64, HD_SUM, NULL},
    {"turn", "u16", "", PEER_OTHER_OP, PEER_U16, PEER_U16, HD_SUM, NULL},
    {"turn", "u8", "", PEER_OTHER_OP, PEER_U8, PEER_U8, HD_SUM, NULL},
};

static const bench_case structures[] = {
    {"zip", "f32", UNZIP, PEER_OTHER_OP, PEER_F32, PEER_F32, HD_SUM, NULL},
    {"zip", "f32", ZIP, PEER_OTHER_OP, PEER_F32, PEER_F32, HD_SUM, NULL},
};

static int64_t side_of(int64_t n)
{
    int64_t side = 1;
    while ((side + 1) * (side + 1) <= n) side++;
    return side;
}

static peer_transpose shape_of(int64_t n)
{
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        if (shapes[k].rows * shapes[k].columns == n) return shapes[k];
    int64_t side = side_of(n);
    while (n % side != 0) side--;
    return (peer_transpose){n / side, side};
}

static bool check(const bench_row *row)
{
    const peer_transpose *m = row->job.more;
    const size_t size = data_type_size(row->job.type);
    const char *in = row->in_place ? row->source : row->job.in, *out = row->job.out;
    int64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong) schedule(static)
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t j = 0; j < m->columns; j++)
            wrong += memcmp(out + (size_t)(j * m->rows + i) * size,
                            in + (size_t)(i * m->columns + j) * size, size) != 0;
    return wrong == 0;
}

static void call_transpose(bench_row *row)
{
    const hd_status status = hd_transpose(row->ctx, row->in, row->out, NULL);
    if (status) row->status = status;
}

typedef struct point {
    float x, y, z;
} point;

// The three arrays lie one after another in one buffer.
static void call_zip(bench_row *row)
{
    const peer_transpose *m = row->job.more;
    const bool apart = m->columns == 3;
    const hd_view *arrays = apart ? &row->out : &row->in, *whole = apart ? &row->in : &row->out;
    const int64_t n = apart ? m->rows : m->columns;
    hd_view s = hd_view_of(HD_STRUCT(point), whole->data, n);
    s.space = whole->space;
    const hd_views fields = HD_VIEWS(hd_slice(*arrays, 0, 0, n, 1), hd_slice(*arrays, 0, n, n, 1),
                                     hd_slice(*arrays, 0, 2 * n, n, 1));
    const hd_status status =
        apart ? hd_unzip(row->ctx, s, fields, NULL) : hd_zip(row->ctx, fields, s, NULL);
    if (status) row->status = status;
}

static bool set_row(data *d, bench_row *row, peer_transpose shape)
{
    peer_transpose *m = malloc(sizeof *m);
    if (m == NULL) return false;
    *m = shape;
    const bench_case *what = row->what;
    const bool narrow = data_type_size(what->peer_type) < 4;
    const int64_t n = shape.rows * shape.columns;
    data_fill_in(d, narrow ? FILL_BITS : FILL_POSITIVE, what->peer_type, n);
    row_set(row, PEER_TRANSPOSE, row->in_place ? d->out : d->in, d->out, n);
    row->job.more = row->state = m;
    row->peak_bytes = n * (int64_t)data_type_size(what->peer_type);
    row->bytes = 2 * row->peak_bytes;
    row->peak = row->in_place ? PEAK_UPDATE : PEAK_COPY;
    row->source = d->in;
    row->check = check;
    return true;
}

static bool prepare_matrix(data *d, bench_row *row)
{
    peer_transpose m = shape_of(row->job.n);
    const hd_type type = hd_type_named(data_type_name(row->what->peer_type));
    row->in_place = strcmp(row->what->variant, IN_PLACE) == 0;
    if (row->in_place) m.rows = m.columns = side_of(row->job.n);
    if (!set_row(d, row, m)) return false;
    row->in = hd_view_nd(type, row->job.in, 2, (int64_t[]){m.rows, m.columns}, NULL);
    row->out = hd_view_nd(type, row->job.out, 2, (int64_t[]){m.columns, m.rows}, NULL);
    row->heddle = call_transpose;
    return true;
}

static bool prepare_structures(data *d, bench_row *row)
{
    const bool apart = strcmp(row->what->variant, UNZIP) == 0;
    const peer_transpose m = {apart ? row->job.n : 3, apart ? 3 : row->job.n};
    if (!set_row(d, row, m)) return false;
    row->in = hd_view_of(HD_F32, row->job.in, 3 * row->job.n);
    row->out = hd_view_of(HD_F32, row->job.out, 3 * row->job.n);
    row->heddle = call_zip;
    return true;
}

static void finish(bench_row *row)
{
    free(row->state);
    row->state = NULL;
}

static const int64_t matrix_sizes[] = {1024 * 1024, 10007 * 4099, 8192 * 8192, 0};
static const int64_t structure_sizes[] = {(int64_t)1 << 24, 0};

const bench_pattern pattern_transpose = {
    .name = "transpose",
    .formula = "bytes read + bytes written",
    .cases = matrices,
    .case_count = sizeof matrices / sizeof *matrices,
    .sizes = matrix_sizes,
    .most_bytes = 8,
    .prepare = prepare_matrix,
    .finish = finish,
};

const bench_pattern pattern_zip = {
    .name = "zip",
    .formula = "bytes read + bytes written",
    .cases = structures,
    .case_count = sizeof structures / sizeof *structures,
    .sizes = structure_sizes,
    .most_bytes = 12,
    .prepare = prepare_structures,
    .finish = finish,
};
