// SPDX-License-Identifier: Apache-2.0
//
// hd_spmv, hd_spmv_coo, hd_coo_to_csr: random matrices with empty and long rows, every index type,
// plus-times in f32 and f64, users' semirings, patterns, both methods, coordinates in any order,
// against rows multiplied one by one and reduced; hostile indices; errors; failing memory.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

#include "failing_memory.h"

HD_FUNCTION(plus, float, HD_NO_SOURCE, (float, a, float, b), { return a + b; })
HD_SOURCE(
    pairs, typedef struct {
        double best;
        int64_t from;
    } pair;)
HD_FUNCTION(offer, pair, pairs, (double, a, pair, x), {
    pair p = x;
    p.best = p.best * a;
    return p;
})
HD_MONOID(better, pair, pairs, HD_ASSOCIATIVE, HD_BRACES(-1.0, -1),
          { return b.best > a.best ? b : a; })

enum { MOST = 20000, ROWS = 3000 };

typedef struct matrix {
    int64_t rows, columns, n;
    int64_t offset[ROWS + 1], row[MOST], column[MOST];
    float f[MOST], x[ROWS];
    double d[MOST], xd[ROWS];
} matrix;
static matrix m;

static void make(int64_t rows, int64_t columns, int64_t mean, uint64_t *r)
{
    m.rows = rows, m.columns = columns, m.n = 0, m.offset[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        int64_t length = check_below(r, 3) == 0 ? 0 : check_below(r, 2 * mean + 1);
        if (check_below(r, 50) == 0) length = 20 * mean;
        if (columns == 0) length = 0;
        for (int64_t k = 0; k < length && m.n < MOST; k++, m.n++)
            m.row[m.n] = i, m.column[m.n] = check_below(r, columns);
        m.offset[i + 1] = m.n;
    }
    check_fill(HD_F32, m.f, m.n, CHECK_ORDINARY, check_next(r));
    check_fill(HD_F64, m.d, m.n, CHECK_ORDINARY, check_next(r));
    check_fill(HD_F32, m.x, columns, CHECK_ORDINARY, check_next(r));
    check_fill(HD_F64, m.xd, columns, CHECK_ORDINARY, check_next(r));
}

// The definition: the products of each row, reduced by themselves.
static void define_f(hd_context *serial, const hd_operator *op, bool times, float *y)
{
    static float terms[MOST];
    for (int64_t i = 0; i < m.rows; i++) {
        int64_t count = 0;
        for (int64_t k = m.offset[i]; k < m.offset[i + 1]; k++) {
            const float x = m.x[m.column[k]];
            terms[count++] = times ? m.f[k] * x : m.f[k] + x;
        }
        CHECK_OK(serial, hd_reduce(serial, HD_VIEW(terms, count), op, HD_VIEW(&y[i], 1), NULL));
    }
}

static void define_d(hd_context *serial, bool pattern, double *y)
{
    static double terms[MOST];
    for (int64_t i = 0; i < m.rows; i++) {
        int64_t count = 0;
        for (int64_t k = m.offset[i]; k < m.offset[i + 1]; k++)
            terms[count++] = pattern ? m.xd[m.column[k]] : m.d[k] * m.xd[m.column[k]];
        CHECK_OK(serial, hd_reduce(serial, HD_VIEW(terms, count), HD_SUM, HD_VIEW(&y[i], 1), NULL));
    }
}

// A copy of indices as another type.
static hd_view as(hd_context *serial, const int64_t *in, int64_t n, hd_type type, void *out)
{
    const hd_view v = hd_view_of(type, out, n);
    CHECK_OK(serial, hd_map(serial, hd_view_of(HD_I64, in, n), NULL, v, NULL));
    return v;
}

static hd_view there_of(hd_context *ctx, hd_view in)
{
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, in.type, 1, in.shape, &v));
    CHECK_OK(ctx, hd_map(ctx, in, NULL, v, NULL));
    return v;
}

static void test_csr(hd_context *serial, const check_target *t, hd_type index)
{
    static float want[ROWS], y[ROWS];
    static double want_d[ROWS], y_d[ROWS];
    static uint64_t offsets[ROWS + 1], columns[MOST];
    const hd_view offset = as(serial, m.offset, m.rows + 1, index, offsets);
    const hd_view column = as(serial, m.column, m.n, index, columns);
    const hd_view x = HD_VIEW(m.x, m.columns), xd = HD_VIEW(m.xd, m.columns);
    define_f(serial, HD_SUM, true, want);
    CHECK_OK(t->ctx, hd_spmv(t->ctx, offset, column, HD_VIEW(m.f, m.n), x, HD_DOT,
                             HD_VIEW(y, m.rows), NULL));
    CHECK_SAME(HD_F32, y, want, m.rows, "plus-times on %s, %s", t->name, hd_type_name(index));
    define_f(serial, HD_MIN, false, want);
    CHECK_OK(t->ctx, hd_spmv(t->ctx, offset, column, HD_VIEW(m.f, m.n), x, HD_MIN,
                             HD_VIEW(y, m.rows), &(hd_spmv_options){.map = plus}));
    CHECK_SAME(HD_F32, y, want, m.rows, "min-plus on %s", t->name);
    CHECK_OK(t->ctx,
             hd_spmv(t->ctx, offset, column, HD_VIEW(m.f, m.n), x, HD_MIN, HD_VIEW(y, m.rows),
                     &(hd_spmv_options){.map = plus, .method = HD_SPMV_SCAN}));
    CHECK_SAME(HD_F32, y, want, m.rows, "min-plus by a scan on %s", t->name);
    for (int pattern = 0; pattern < 2; pattern++) {
        define_d(serial, pattern, want_d);
        CHECK_OK(t->ctx, hd_spmv(t->ctx, offset, column, pattern ? HD_EMPTY : HD_VIEW(m.d, m.n), xd,
                                 HD_DOT, HD_VIEW(y_d, m.rows), NULL));
        CHECK_SAME(HD_F64, y_d, want_d, m.rows, "f64, pattern %d on %s", pattern, t->name);
    }
}

// Whole numbers: a scan's other grouping has the same sums.
static void test_scan(hd_context *serial, const check_target *t)
{
    static float want[ROWS], y[ROWS];
    check_fill(HD_F32, m.f, m.n, CHECK_LITTLE, check_seed());
    check_fill(HD_F32, m.x, m.columns, CHECK_LITTLE, check_seed() + 1);
    define_f(serial, HD_SUM, true, want);
    for (int64_t i = 0; i < m.rows; i++)
        if (want[i] == 0) want[i] = 0; // the sign of zero is the grouping's
    CHECK_OK(t->ctx, hd_spmv(t->ctx, HD_VIEW(m.offset, m.rows + 1), HD_VIEW(m.column, m.n),
                             HD_VIEW(m.f, m.n), HD_VIEW(m.x, m.columns), HD_DOT, HD_VIEW(y, m.rows),
                             &(hd_spmv_options){.method = HD_SPMV_SCAN}));
    for (int64_t i = 0; i < m.rows; i++)
        CHECK(y[i] == want[i], "row %" PRId64 " by a scan on %s: %g, expected %g", i, t->name,
              (double)y[i], (double)want[i]);
}

// Coordinates in another order, in which entries of a row keep theirs.
static void test_coo(hd_context *serial, const check_target *t, uint64_t *r)
{
    static float want[ROWS], y[ROWS], f[MOST], back[MOST];
    static int32_t row[MOST], column[MOST], column_out[MOST];
    static int64_t at[ROWS], offset[ROWS + 1];
    for (int64_t i = 0; i < m.rows; i++) at[i] = m.offset[i];
    for (int64_t k = 0; k < m.n;) { // rows drawn, each giving its next entry
        int64_t i = check_below(r, m.rows);
        while (at[i] == m.offset[i + 1]) i = (i + 1) % m.rows;
        row[k] = (int32_t)i, column[k] = (int32_t)m.column[at[i]], f[k++] = m.f[at[i]++];
    }
    define_f(serial, HD_SUM, true, want);
    CHECK_OK(t->ctx, hd_spmv_coo(t->ctx, HD_VIEW(row, m.n), HD_VIEW(column, m.n), HD_VIEW(f, m.n),
                                 HD_VIEW(m.x, m.columns), HD_DOT, HD_VIEW(y, m.rows), NULL));
    CHECK_SAME(HD_F32, y, want, m.rows, "coordinates on %s", t->name);
    CHECK_OK(t->ctx, hd_coo_to_csr(t->ctx, HD_VIEW(row, m.n), HD_VIEW(column, m.n),
                                   HD_VIEW(offset, m.rows + 1), HD_VIEW(column_out, m.n),
                                   HD_VALUES(HD_VIEW(f, m.n), HD_VIEW(back, m.n)), NULL));
    CHECK_SAME(HD_I64, offset, m.offset, m.rows + 1, "offsets on %s", t->name);
    CHECK_SAME(HD_F32, back, m.f, m.n, "values on %s", t->name);
    for (int64_t k = 0; k < m.n; k++)
        CHECK(column_out[k] == m.column[k], "column %" PRId64 " on %s", k, t->name);
    // In order already.
    CHECK_OK(t->ctx,
             hd_spmv_coo(t->ctx, HD_VIEW(m.row, m.n), HD_VIEW(m.column, m.n), HD_VIEW(m.f, m.n),
                         HD_VIEW(m.x, m.columns), HD_DOT, HD_VIEW(y, m.rows), NULL));
    CHECK_SAME(HD_F32, y, want, m.rows, "coordinates in order on %s", t->name);
}

static void test_structures(const check_target *t)
{
    static pair x[ROWS], y[ROWS];
    for (int64_t i = 0; i < m.columns; i++) x[i] = (pair){m.xd[i], i};
    CHECK_OK(t->ctx,
             hd_spmv(t->ctx, HD_VIEW(m.offset, m.rows + 1), HD_VIEW(m.column, m.n),
                     HD_VIEW(m.d, m.n), HD_VIEW_OF(HD_TYPE(pair), x, m.columns), better,
                     HD_VIEW_OF(HD_TYPE(pair), y, m.rows), &(hd_spmv_options){.map = offer}));
    for (int64_t i = 0; i < m.rows; i++) {
        pair want = {-1, -1};
        for (int64_t k = m.offset[i]; k < m.offset[i + 1]; k++) {
            const double made = m.d[k] * m.xd[m.column[k]];
            if (made > want.best) want = (pair){made, m.column[k]};
        }
        CHECK(y[i].best == want.best && y[i].from == want.from,
              "row %" PRId64 " on %s: %g from %" PRId64, i, t->name, y[i].best, y[i].from);
    }
}

// ---- Errors -------------------------------------------------------------------------------------

#define FAILS(ctx, status, text, call)                                                             \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(const check_target *t)
{
    hd_context *ctx = t->ctx;
    int32_t offset[] = {0, 2, 3}, column[] = {0, 1, 2}, row[] = {1, 0, 1};
    float f[] = {1, 2, 3}, x[] = {1, 2, 3}, y[] = {7, 7};
    const hd_view o = HD_VIEW(offset, 3), c = HD_VIEW(column, 3), v = HD_VIEW(f, 3);
    const hd_view in = HD_VIEW(x, 3), out = HD_VIEW(y, 2), r = HD_VIEW(row, 3);
    const hd_spmv_options scan = {.method = HD_SPMV_SCAN}, none = {.method = 9};
    column[1] = 3;
    FAILS(ctx, HD_ERROR_VALUE, "3", hd_spmv(ctx, o, c, v, in, HD_DOT, out, NULL));
    FAILS(ctx, HD_ERROR_VALUE, "3", hd_spmv(ctx, o, c, v, in, HD_DOT, out, &scan));
    FAILS(ctx, HD_ERROR_VALUE, "column 1 is 3; expected 0 .. 2",
          hd_spmv_coo(ctx, r, c, v, in, HD_DOT, out, NULL));
    column[1] = -1;
    FAILS(ctx, HD_ERROR_VALUE, "-1", hd_spmv(ctx, o, c, v, in, HD_DOT, out, NULL));
    column[1] = 1, row[2] = 2;
    FAILS(ctx, HD_ERROR_VALUE, "row 2 is 2; expected 0 .. 1",
          hd_spmv_coo(ctx, r, c, v, in, HD_DOT, out, NULL));
    FAILS(ctx, HD_ERROR_VALUE, "hd_coo_to_csr: row 2 is 2",
          hd_coo_to_csr(ctx, r, c, HD_VIEW(offset, 3), HD_VIEW((int32_t[3]){0}, 3), HD_NO_VALUES,
                        NULL));
    row[2] = 1, offset[1] = 4;
    FAILS(ctx, HD_ERROR_VALUE, "hd_spmv", hd_spmv(ctx, o, c, v, in, HD_DOT, out, NULL));
    FAILS(ctx, HD_ERROR_VALUE, "hd_spmv", hd_spmv(ctx, o, c, v, in, HD_DOT, out, &scan));
    offset[1] = 2;
    FAILS(ctx, HD_ERROR_SHAPE, "expected 4",
          hd_spmv(ctx, o, c, v, in, HD_DOT, HD_VIEW((float[3]){0}, 3), NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "2 values for 3 columns",
          hd_spmv(ctx, o, c, HD_VIEW(f, 2), in, HD_DOT, out, NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "2 rows for 3 columns",
          hd_spmv_coo(ctx, HD_VIEW(row, 2), c, v, in, HD_DOT, out, NULL));
    FAILS(ctx, HD_ERROR_ARGUMENT, ".map", hd_spmv(ctx, o, c, v, in, HD_MIN, out, NULL));
    const hd_spmv_options twice[] = {{.map = plus}, {.map = plus, .method = HD_SPMV_SCAN}};
    for (int k = 0; k < 2; k++)
        FAILS(ctx, HD_ERROR_ARGUMENT, ".map with HD_DOT",
              hd_spmv(ctx, o, c, v, in, HD_DOT, out, &twice[k]));
    FAILS(ctx, HD_ERROR_ARGUMENT, "no method 9", hd_spmv(ctx, o, c, v, in, HD_DOT, out, &none));
    FAILS(ctx, HD_ERROR_ALIAS, "y overlaps x",
          hd_spmv(ctx, o, c, v, in, HD_DOT, HD_VIEW(x, 2), NULL));
    FAILS(ctx, HD_ERROR_TYPE, "column", hd_spmv_coo(ctx, r, v, v, in, HD_DOT, out, NULL));
    FAILS(ctx, HD_ERROR_TYPE, "row is of f32", hd_spmv_coo(ctx, v, c, v, in, HD_DOT, out, NULL));
    CHECK(hd_spmv(NULL, o, c, v, in, HD_DOT, out, NULL) == HD_ERROR_ARGUMENT, "no context");
    const hd_spmv_options early = {.size = 4};
    FAILS(ctx, HD_ERROR_ARGUMENT, "options.size", hd_spmv(ctx, o, c, v, in, HD_DOT, out, &early));
}

static hd_status call_csr(hd_context *ctx)
{
    static float y[ROWS];
    return hd_spmv(ctx, HD_VIEW(m.offset, m.rows + 1), HD_VIEW(m.column, m.n), HD_VIEW(m.f, m.n),
                   HD_VIEW(m.x, m.columns), HD_DOT, HD_VIEW(y, m.rows), NULL);
}

static hd_status call_coo(hd_context *ctx)
{
    static float y[ROWS];
    static int32_t row[MOST];
    for (int64_t k = 0; k < m.n; k++) row[k] = (int32_t)m.row[m.n - 1 - k];
    return hd_spmv_coo(ctx, HD_VIEW(row, m.n), HD_VIEW(m.column, m.n), HD_VIEW(m.f, m.n),
                       HD_VIEW(m.x, m.columns), HD_DOT, HD_VIEW(y, m.rows),
                       &(hd_spmv_options){.method = HD_SPMV_SCAN});
}

// Rows of hundreds of thousands of entries among short ones, and lies in them, as on the serial
// backend.
static void test_long_rows(hd_context *serial, const check_target *t, hd_type type, hd_type index)
{
    enum { LONG_ROWS = 9, ENTRIES = 300000, COLUMNS = 1000 };
    static double value[ENTRIES], x[COLUMNS], want[LONG_ROWS], y[LONG_ROWS];
    static int64_t at[ENTRIES];
    static uint64_t column[ENTRIES];
    const int64_t offset[] = {2,      2,      40001,          40017,  172001,
                              172001, 172002, 172002 + 32768, 299990, ENTRIES};
    const hd_view o = HD_VIEW(offset, LONG_ROWS + 1), v = hd_view_of(type, value, ENTRIES);
    const hd_view in = hd_view_of(type, x, COLUMNS), out = hd_view_of(type, y, LONG_ROWS);
    const hd_view definition = hd_view_of(type, want, LONG_ROWS);
    for (int64_t k = 0; k < ENTRIES; k++) at[k] = k * 7919 % COLUMNS;
    check_fill(type, value, ENTRIES, CHECK_ORDINARY, check_seed());
    check_fill(type, x, COLUMNS, CHECK_ORDINARY, check_seed() + 1);
    hd_view c = as(serial, at, ENTRIES, index, column);
    CHECK_OK(serial, hd_spmv(serial, o, c, v, in, HD_DOT, definition, NULL));
    CHECK_OK(t->ctx, hd_spmv(t->ctx, o, c, v, in, HD_DOT, out, NULL));
    CHECK_SAME(type, y, want, LONG_ROWS, "long rows on %s", t->name);
    const int32_t near[] = {7, 7, 7, 29, 60000, 60000, 100000, 199999, 299999, 300000};
    const uint64_t far[] = {7, 7, 7, 29, 60000, 60000, 100000, 199999, 299999, 300000};
    const hd_view bounds[] = {HD_VIEW(near, LONG_ROWS + 1), HD_VIEW(far, LONG_ROWS + 1)};
    CHECK_OK(serial, hd_spmv(serial, bounds[0], c, v, in, HD_DOT, definition, NULL));
    for (int k = 0; k < 2; k++) {
        CHECK_OK(t->ctx, hd_spmv(t->ctx, bounds[k], c, v, in, HD_DOT, out, NULL));
        CHECK_SAME(type, y, want, LONG_ROWS, "%s offsets on %s", hd_type_name(bounds[k].type),
                   t->name);
    }
    const int64_t wraps[] = {7,      7,      7,      29,    60000, 60000 + (INT64_C(1) << 32),
                             100000, 199999, 299999, 300000}; // 32 bits of it would do
    FAILS(t->ctx, HD_ERROR_VALUE, "hd_spmv",
          hd_spmv(t->ctx, HD_VIEW(wraps, LONG_ROWS + 1), c, v, in, HD_DOT, out, NULL));
    at[100000] = COLUMNS;
    c = as(serial, at, ENTRIES, index, column);
    FAILS(t->ctx, HD_ERROR_VALUE, "1000", hd_spmv(t->ctx, o, c, v, in, HD_DOT, out, NULL));
    const int64_t falling[] = {0, 5, 4, 9, 3, 299999, 2, 300000, 1, 0};
    FAILS(t->ctx, HD_ERROR_VALUE, "hd_spmv",
          hd_spmv(t->ctx, HD_VIEW(falling, LONG_ROWS + 1), c, v, in, HD_DOT, out, NULL));
    const int64_t beyond = ENTRIES + 1; // and no row
    FAILS(t->ctx, HD_ERROR_VALUE, "hd_spmv",
          hd_spmv(t->ctx, HD_VIEW(&beyond, 1), c, v, in, HD_DOT, hd_view_of(type, y, 0), NULL));
    const double whole[LONG_ROWS + 1] = {0};
    FAILS(t->ctx, HD_ERROR_TYPE, "hd_spmv",
          hd_spmv(t->ctx, HD_VIEW(whole, LONG_ROWS + 1), c, v, in, HD_DOT, out, NULL));
    const int32_t none[LONG_ROWS + 1] = {0};
    CHECK_OK(t->ctx, hd_spmv(t->ctx, HD_VIEW(none, LONG_ROWS + 1), hd_view_of(index, NULL, 0),
                             hd_view_of(type, NULL, 0), in, HD_DOT, out, NULL));
    hd_view fixed = out;
    fixed.read_only = 1;
    FAILS(t->ctx, HD_ERROR_ARGUMENT, "hd_spmv", hd_spmv(t->ctx, o, c, v, in, HD_DOT, fixed, NULL));
}

// ---- Many coordinates ---------------------------------------------------------------------------

// In no order at all: several tasks and buckets of rows, which may be few, or more
// than there are coordinates. Those of a row are added as they stand.
static void test_many_coordinates(hd_context *serial, const check_target *t, hd_type type,
                                  hd_type index, uint64_t *r)
{
    enum { MANY = 150000, MANY_COLUMNS = 5000, MANY_ROWS = 1 << 20 };
    static int32_t row[MANY];
    static int64_t at[MANY], column[MANY];
    static double value[MANY], x[MANY_COLUMNS], y[MANY_ROWS], want[MANY_ROWS];
    static const int64_t most[] = {2, 100, 70000, MANY_ROWS};
    const int64_t n = 70000 + check_below(r, MANY - 70000 + 1);
    const int64_t rows = 1 + check_below(r, most[check_below(r, 4)]);
    const bool skewed = check_below(r, 2) == 0; // half of them in one row
    for (int64_t k = 0; k < n; k++) {
        row[k] = (int32_t)(skewed && k % 2 == 0 ? rows / 2 : check_below(r, rows));
        at[k] = check_below(r, MANY_COLUMNS);
    }
    check_fill(type, value, n, CHECK_ORDINARY, check_next(r));
    check_fill(type, x, MANY_COLUMNS, CHECK_ORDINARY, check_next(r));
    const hd_view c = as(serial, at, n, index, column), v = hd_view_of(type, value, n),
                  in = hd_view_of(type, x, MANY_COLUMNS), i = HD_VIEW(row, n);
    CHECK_OK(serial, hd_spmv_coo(serial, i, c, v, in, HD_DOT, hd_view_of(type, want, rows), NULL));
    CHECK_OK(t->ctx, hd_spmv_coo(t->ctx, i, c, v, in, HD_DOT, hd_view_of(type, y, rows), NULL));
    CHECK_SAME(type, y, want, rows, "%" PRId64 " coordinates in %" PRId64 " rows on %s, %s of %s",
               n, rows, t->name, hd_type_name(type), hd_type_name(index));
    row[n / 2] = (int32_t)rows; // which is out of range
    FAILS(t->ctx, HD_ERROR_VALUE, "hd_spmv_coo",
          hd_spmv_coo(t->ctx, i, c, v, in, HD_DOT, hd_view_of(type, y, rows), NULL));
}

// ---- A device -----------------------------------------------------------------------------------

static void test_gpu(hd_backend which)
{
    uint64_t r = check_seed();
    hd_context *serial = check_open(HD_SERIAL, 1, NULL);
    check_target t = {.ctx = check_open(which, 0, NULL)};
    snprintf(t.name, sizeof t.name, "%s", hd_backend_name(which));
    make(90, 70, 6, &r);
    float want[ROWS], y[ROWS];
    define_f(serial, HD_SUM, true, want);
    hd_view v[5] = {there_of(t.ctx, HD_VIEW(m.row, m.n)), there_of(t.ctx, HD_VIEW(m.column, m.n)),
                    there_of(t.ctx, HD_VIEW(m.f, m.n)), there_of(t.ctx, HD_VIEW(m.x, m.columns)),
                    there_of(t.ctx, HD_VIEW(m.x, m.rows))};
    CHECK_OK(t.ctx, hd_spmv_coo(t.ctx, v[0], v[1], v[2], v[3], HD_DOT, v[4], NULL));
    CHECK_OK(t.ctx, hd_map(t.ctx, v[4], NULL, HD_VIEW(y, m.rows), NULL));
    CHECK_SAME(HD_F32, y, want, m.rows, "on the device of %s", t.name);
    CHECK_OK(t.ctx,
             hd_spmv(t.ctx, HD_VIEW(m.offset, m.rows + 1), HD_VIEW(m.column, m.n),
                     HD_VIEW(m.f, m.n), HD_VIEW(m.x, m.columns), HD_DOT, HD_VIEW(y, m.rows), NULL));
    CHECK_SAME(HD_F32, y, want, m.rows, "of the host's memory on %s", t.name);
    for (int k = 0; k < 5; k++) CHECK_OK(t.ctx, hd_free(t.ctx, &v[k]));
    hd_close(t.ctx), hd_close(serial);
}

int main(void)
{
    static const struct {
        int64_t rows, columns, mean;
    } sizes[] = {{0, 0, 0}, {1, 1, 1}, {5, 0, 3}, {7, 300, 9}, {2999, 100, 5}, {40, 3000, 200}};
    static const hd_type types[] = {HD_I32, HD_U32, HD_I64, HD_U64, HD_I16, HD_I32};
    const check_target *targets;
    const int count = check_targets(&targets);
    uint64_t r = check_seed();
    for (int s = 0; s < 6; s++) {
        make(sizes[s].rows, sizes[s].columns, sizes[s].mean, &r);
        for (int t = 0; t < count; t++) {
            if (t > 0 && t % 6 != s) continue;
            test_csr(targets[0].ctx, &targets[t], types[s]);
            test_coo(targets[0].ctx, &targets[t], &r);
            test_structures(&targets[t]);
            test_scan(targets[0].ctx, &targets[t]);
        }
    }
    for (int t = 0; t < count && t < 3; t++) test_errors(&targets[t]);
    for (int t = 1; t < count; t++)
        test_long_rows(targets[0].ctx, &targets[t], t % 2 ? HD_F32 : HD_F64,
                       t % 4 < 2 ? HD_I32 : HD_I64);
    for (int t = 1; t < count; t++)
        for (int k = t % 2; k < 4; k += 2)
            test_many_coordinates(targets[0].ctx, &targets[t], k % 2 ? HD_F32 : HD_F64,
                                  k < 2 ? HD_I32 : HD_I64, &r);
    make(200, 200, 5, &r);
    failing_memory("hd_spmv", call_csr);
    failing_memory("hd_spmv_coo", call_coo);
    const int failed = check_finish();
    const int gpu = check_on_gpus(test_gpu);
    return failed ? failed : gpu == CHECK_SKIP ? 0 : gpu;
}
