// SPDX-License-Identifier: Apache-2.0
//
// The rows of sparse matrices times a vector, n entries in square matrices: rows of 16 at random
// columns, rows of power-law lengths, five diagonals, and entries in random order (coordinates).
// Peers: offsets (or the row of each entry), columns, values, x. GB/s counts bytes of offsets,
// columns and values read, of x read and y written once; the peak is a read of as many.
#include "algorithm_row.h"

#include <heddle_algorithms.h>
#include <string.h>

#define RANDOM "rows of 16"
#define POWER  "power law"
#define BAND   "5 diagonals"
#define MIXED  "coordinates"

static const bench_case cases[] = {
    {"csr", "f32", RANDOM, PEER_OTHER_OP, PEER_F32, PEER_F32, HD_DOT, NULL},
    {"csr", "f64", RANDOM, PEER_OTHER_OP, PEER_F64, PEER_F64, HD_DOT, NULL},
    {"csr", "f32", POWER, PEER_OTHER_OP, PEER_F32, PEER_F32, HD_DOT, NULL},
    {"csr", "f64", BAND, PEER_OTHER_OP, PEER_F64, PEER_F64, HD_DOT, NULL},
    {"coo", "f32", MIXED, PEER_OTHER_OP, PEER_F32, PEER_F32, HD_DOT, NULL},
};

typedef struct state {
    algorithm_row row;
    int64_t rows;
    int32_t *row_of, *offset, *column;
    void *value, *x;
    hd_view rows_view, columns, values, vector;
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_status status = row->what->op[1] == 's'
                                 ? hd_spmv(row->ctx, s->rows_view, s->columns, s->values, s->vector,
                                           HD_DOT, row->out, NULL)
                                 : hd_spmv_coo(row->ctx, s->rows_view, s->columns, s->values,
                                               s->vector, HD_DOT, row->out, NULL);
    if (status) row->status = status;
}

// Entry k of n is in row row_of[k], which rises, at a column.
static void place_entries(state *s, const char *variant, int64_t n)
{
    const bool power = strcmp(variant, POWER) == 0, band = strcmp(variant, BAND) == 0;
    const int64_t rows = s->rows;
    for (int64_t k = 0; k < n; k++) {
        const double u = (double)k / (double)n;
        const int64_t r = power ? (int64_t)((double)rows * u * u * u) : k * rows / n;
        const int64_t in_band = r + k % 5 - 2;
        s->row_of[k] = (int32_t)r;
        s->column[k] = (int32_t)(band ? in_band < 0       ? 0
                                        : in_band >= rows ? rows - 1
                                                          : in_band
                                      : (int64_t)(data_mix((uint64_t)k) % (uint64_t)rows));
        s->offset[r + 1] = (int32_t)(k + 1);
    }
    for (int64_t r = 0; r < rows; r++)
        if (s->offset[r + 1] < s->offset[r]) s->offset[r + 1] = s->offset[r];
}

// The same entries in random order.
static void mix_entries(state *s, int64_t n)
{
    for (int64_t k = n - 1; k > 0; k--) {
        const int64_t j = (int64_t)(data_mix((uint64_t)(k + n)) % (uint64_t)(k + 1));
        const int32_t r = s->row_of[k], c = s->column[k];
        s->row_of[k] = s->row_of[j], s->row_of[j] = r;
        s->column[k] = s->column[j], s->column[j] = c;
    }
}

// The definition: entry after entry, in f64.
static bool define(const bench_row *row)
{
    state *s = row->state;
    const int32_t type = row->job.type;
    double *sum = algorithm_array(&s->row, s->rows, sizeof *sum);
    for (int64_t k = 0; sum && k < row->job.n; k++)
        sum[s->row_of[k]] +=
            algorithm_load(s->value, type, k) * algorithm_load(s->x, type, s->column[k]);
    for (int64_t r = 0; sum && r < s->rows; r++) algorithm_store(s->row.want, type, r, sum[r]);
    return sum != NULL;
}

static bool make_matrix(state *s, bench_row *row, data *d)
{
    const int32_t type = row->what->peer_type;
    const int64_t n = row->job.n;
    s->rows = strcmp(row->what->variant, BAND) == 0 ? n / 5 + 1 : n / 16 + 1;
    s->row_of = algorithm_array(&s->row, n, sizeof *s->row_of);
    s->offset = algorithm_array(&s->row, s->rows + 1, sizeof *s->offset);
    s->column = algorithm_array(&s->row, n, sizeof *s->column);
    s->x = algorithm_array(&s->row, s->rows, data_type_size(type));
    s->value = d->in;
    if (s->row.no_memory) return false;
    place_entries(s, row->what->variant, n);
    if (row->what->op[1] == 'o') mix_entries(s, n);
    algorithm_fill(s->value, type, n, 1);
    algorithm_fill(s->x, type, s->rows, 2);
    return true;
}

static bool prepare(data *d, bench_row *row)
{
    const int32_t type = row->what->peer_type;
    const int64_t n = row->job.n, size = (int64_t)data_type_size(type), index = sizeof(int32_t);
    const bool csr = row->what->op[1] == 's';
    state *s = algorithm_begin(row, d, csr ? "spmv-csr" : "spmv-coo", sizeof *s);
    if (!s || n > INT32_MAX || !make_matrix(s, row, d)) return false;
    const int32_t *const rows = csr ? s->offset : s->row_of;
    const int64_t row_count = csr ? s->rows + 1 : n;
    algorithm_output(row, d, s->rows);
    if (s->row.no_memory) return false;
    s->rows_view = HD_VIEW(rows, row_count), s->columns = HD_VIEW(s->column, n);
    s->values = row_view(type, s->value, n), s->vector = row_view(type, s->x, s->rows);
    algorithm_input(&s->row, 0, rows, PEER_I32, row_count);
    algorithm_input(&s->row, 1, s->column, PEER_I32, n);
    algorithm_input(&s->row, 2, s->value, type, n);
    algorithm_input(&s->row, 3, s->x, type, s->rows);
    const int64_t bytes = n * (size + index) + row_count * index + 2 * s->rows * size;
    algorithm_peak(row, PEAK_READ, bytes, bytes);
    algorithm_on_device(row, 0, &s->rows_view);
    algorithm_on_device(row, 1, &s->columns);
    algorithm_on_device(row, 2, &s->values);
    algorithm_on_device(row, 3, &s->vector);
    row->heddle = call;
    s->row.tolerance = type == PEER_F64 ? 1e-12 : 1e-4;
    return define(row);
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 22, 0};

const bench_pattern pattern_spmv = {
    .name = "spmv",
    .formula = "bytes of the matrix and the vector read, of the result written, once",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 24,
    .prepare = prepare,
    .finish = algorithm_finish,
};
