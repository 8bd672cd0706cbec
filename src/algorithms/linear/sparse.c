// SPDX-License-Identifier: Apache-2.0
// A sparse matrix times a vector: rows as segments of a reduction, or of a scan (Blelloch 1990).
#include <heddle_algorithms.h>

#include <inttypes.h>

#include "../support/indices.h"
#include "coo_cores.h"
#include "sparse_cores.h"

HD_FUNCTION(multiply_f32, float, HD_NO_SOURCE, (float, a, float, b), { return a * b; })
HD_FUNCTION(multiply_f64, double, HD_NO_SOURCE, (double, a, double, b), { return a * b; })
HD_FUNCTION(has_elements, int64_t, HD_NO_SOURCE, (int64_t, begin, int64_t, end),
            { return end > begin; })
HD_FUNCTION(one_before, int64_t, HD_NO_SOURCE, (int64_t, end, int64_t, begin),
            { return begin < end ? end - 1 : 0; })

// The entries in the order of their rows, and what is made of them.
typedef struct product {
    hd_view offset, column, value, x, y;
    const hd_operator *op;
    hd_spmv_options o;
} product;

// What is reduced (a view for in, one for .with) and how.
typedef struct terms {
    hd_view in, with;
    hd_views list;
    const hd_operator *op;
    const hd_function *map;
} terms;

static bool has_values(const product *p)
{
    return p->value.type != HD_NONE;
}

static void make_terms(const product *p, terms *t)
{
    const hd_view fetched = hd_indexed(p->x, p->column);
    *t = (terms){.in = has_values(p) ? p->value : fetched, .op = p->op, .map = p->o.map};
    t->with = fetched;
    if (has_values(p)) t->list = (hd_views){&t->with, 1};
    if (!has_values(p) && p->op == HD_DOT) t->op = HD_SUM; // of ones
}

// Sums of products of one type: the cores have a loop for them, and coordinates make the products
// first, so that only they are sorted.
static bool sums_products(const product *p)
{
    return p->op == HD_DOT && has_values(p) && p->value.type == p->y.type &&
           p->value.type == p->x.type && (p->y.type == HD_F32 || p->y.type == HD_F64) &&
           p->o.map == NULL && p->o.accumulate == HD_NONE && p->o.method == HD_SPMV_REDUCE;
}

static hd_status reduce_rows(hd__frame *f, const product *p)
{
    terms t;
    bool done = false;
    if (sums_products(p)) {
        const hd_status status =
            hd__sparse_rows(f, p->offset, p->column, p->value, p->x, p->y, &done);
        if (status || done) return status;
    }
    make_terms(p, &t);
    return hd_reduce(
        f->ctx, t.in, t.op, p->y,
        &(hd_reduce_options){
            .segments = &p->offset, .map = t.map, .with = t.list, .accumulate = p->o.accumulate});
}

// HD_DOT as a map and a sum, which scans take.
static hd_status split_dot(hd__frame *f, const product *p, terms *t)
{
    if (t->op != HD_DOT) return HD_OK;
    if (p->y.type != p->value.type || (p->y.type != HD_F32 && p->y.type != HD_F64))
        return hd__frame_fail(f, HD_ERROR_TYPE,
                              "HD_SPMV_SCAN of %s into %s; expected f32 or f64 for both, or .map",
                              hd_type_name(p->value.type), hd_type_name(p->y.type));
    t->op = HD_SUM, t->map = p->y.type == HD_F32 ? multiply_f32 : multiply_f64;
    return HD_OK;
}

// y = the last element of each row of the scan; a row of none is reduced to the empty value.
static hd_status take_last(hd__frame *f, const product *p, const terms *t, hd_view scanned)
{
    const int64_t rows = hd_count(p->y);
    hd_view offset, begin, last, filled;
    const int64_t zero = 0;
    hd_status status = hd__frame_dense(f, p->offset, HD_I64, &offset);
    if (!status) status = hd__frame_row(f, HD_I64, rows, &last);
    if (!status) status = hd__frame_row(f, HD_I64, rows + 1, &begin);
    if (status) return status;
    const hd_view from = hd__frame_part(offset, 0, rows), to = hd__frame_part(offset, 1, rows);
    int64_t count = 0;
    status = hd_map(f->ctx, hd_constant(zero, 1), NULL, hd__frame_part(begin, 0, 1), NULL);
    if (!status)
        status = hd_scan(f->ctx, from, HD_SUM, hd__frame_part(begin, 1, rows),
                         &(hd_scan_options){.map = has_elements, .with = HD_VIEWS(to)});
    if (!status) status = hd__frame_row(f, HD_BOOL, rows, &filled);
    if (!status)
        status = hd_map(f->ctx, from, has_elements, last, &(hd_map_options){.with = HD_VIEWS(to)});
    if (!status) status = hd_map(f->ctx, last, NULL, filled, NULL);
    if (!status)
        status = hd_map(f->ctx, to, one_before, last, &(hd_map_options){.with = HD_VIEWS(from)});
    if (!status)
        status = hd_compact(f->ctx, last, last, HD_VIEW(&count, 1),
                            &(hd_compact_options){.flags = &filled});
    if (status) return status;
    return hd_reduce(f->ctx, hd_indexed(scanned, hd__frame_part(last, 0, count)), t->op, p->y,
                     &(hd_reduce_options){.segments = &begin});
}

static hd_status scan_rows(hd__frame *f, const product *p)
{
    terms t;
    hd_view scanned;
    make_terms(p, &t);
    if (p->o.accumulate != HD_NONE)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, ".accumulate: expected HD_SPMV_REDUCE");
    hd_status status = split_dot(f, p, &t);
    if (!status) status = hd__frame_row(f, p->y.type, hd_count(p->column), &scanned);
    if (!status)
        status = hd_scan(f->ctx, t.in, t.op, scanned,
                         &(hd_scan_options){.segments = &p->offset, .map = t.map, .with = t.list});
    return status ? status : take_last(f, p, &t, scanned);
}

// ---- What is asked for --------------------------------------------------------------------------

static hd_status check(hd__frame *f, const product *p)
{
    const int64_t n = hd_count(p->column);
    if (p->column.ndim != 1 || p->y.ndim != 1)
        return hd__frame_fail(f, HD_ERROR_SHAPE, "column has %d dimensions and y %d; expected 1",
                              p->column.ndim, p->y.ndim);
    if (has_values(p) && (p->value.ndim != 1 || hd_count(p->value) != n))
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "%" PRId64 " values for %" PRId64 " columns; expected as many",
                              hd_count(p->value), n);
    if (has_values(p) && p->op != HD_DOT && p->o.map == NULL)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT,
                              "an operator without .map; expected a function of value and x, or "
                              "HD_DOT");
    if (p->op == HD_DOT && p->o.map != NULL)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT,
                              ".map with HD_DOT, which multiplies by itself; expected HD_SUM");
    if (p->o.method != HD_SPMV_REDUCE && p->o.method != HD_SPMV_SCAN)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "there is no method %d", p->o.method);
    hd_status status = hd__frame_check_apart(f, "y", p->y, "column", p->column);
    if (!status && has_values(p)) status = hd__frame_check_apart(f, "y", p->y, "value", p->value);
    return status ? status : hd__frame_check_apart(f, "y", p->y, "x", p->x);
}

static hd_status multiply(hd__frame *f, product *p)
{
    const int64_t rows = hd_count(p->y);
    if (p->offset.ndim != 1 || hd_count(p->offset) != rows + 1)
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "%" PRId64 " offsets; expected %" PRId64 ", one more than y has",
                              hd_count(p->offset), rows + 1);
    hd_status status = hd__frame_check_apart(f, "y", p->y, "offset", p->offset);
    if (!status) status = hd__frame_dense(f, p->x, p->x.type, &p->x);
    if (status) return status;
    return p->o.method == HD_SPMV_SCAN ? scan_rows(f, p) : reduce_rows(f, p);
}

hd_status hd_spmv(hd_context *ctx, hd_view offset, hd_view column, hd_view value, hd_view x,
                  const hd_operator *op, hd_view y, const hd_spmv_options *options)
{
    hd__frame f;
    product p = {offset, column, value, x, y, op, {0}};
    hd_status status = hd__frame_open(&f, ctx, "hd_spmv", column);
    if (!status) status = hd__frame_options(&f, options, sizeof p.o, &p.o);
    if (!status) status = check(&f, &p);
    if (!status) status = multiply(&f, &p);
    return hd__frame_close(&f, status);
}

// ---- Coordinates --------------------------------------------------------------------------------

// The rows in order, and where each entry stood; *sorted: they were in order.
typedef struct ordered {
    hd_view row, from, offset;
    bool sorted;
} ordered;

// Sorts rows that are not in order: with what stands beside them, which then is in their order, or
// (a view of nothing) with the places they came from.
static hd_status sort_rows(hd__frame *f, ordered *o, hd_view beside)
{
    const int64_t n = hd_count(o->row);
    const bool travels = beside.type != HD_NONE;
    hd_view sorted;
    hd_status status = hd__frame_row(f, o->row.type, n, &sorted);
    if (!status && !travels) status = hd__frame_row(f, HD_I64, n, &o->from);
    if (!status && travels)
        status = hd_sort(f->ctx, o->row, sorted, HD_VALUES(beside, beside), NULL);
    else if (!status)
        status =
            hd_sort(f->ctx, o->row, sorted, HD_NO_VALUES, &(hd_sort_options){.indices = &o->from});
    o->row = sorted;
    return status;
}

// offset[i] = how many entries are in rows before i.
static hd_status find_offsets(hd__frame *f, ordered *o, int64_t rows, hd_view offset)
{
    hd_view queries;
    hd_status status = hd__frame_row(f, o->row.type, rows + 1, &queries);
    if (!status) status = hd_map(f->ctx, hd_iota(rows + 1), NULL, queries, NULL);
    if (!status) status = hd_search(f->ctx, o->row, queries, offset, NULL);
    return status ? status : hd__frame_drop(f, &queries);
}

// Rows that can be trusted, and whether they are in order.
static hd_status look_at_rows(hd__frame *f, hd_view row, int64_t n, int64_t rows, ordered *o)
{
    int64_t at = -1;
    if (row.ndim != 1 || hd_count(row) != n)
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "%" PRId64 " rows for %" PRId64 " columns; expected as many",
                              hd_count(row), n);
    hd_status status = hd__frame_indices(f, "row", row, rows, &row);
    // The search asks for `rows`, too, which the type must have.
    if (!status && row.type == HD_I32 && rows == INT32_MAX)
        status = hd__frame_dense(f, row, HD_I64, &row);
    if (!status) status = hd_is_sorted(f->ctx, row, HD_VIEW(&at, 1), NULL);
    o->sorted = at < 0, o->row = row;
    return status;
}

// The offsets of rows, sorted where they are not in order.
static hd_status order(hd__frame *f, int64_t rows, ordered *o, hd_view beside)
{
    hd_status status = o->sorted ? HD_OK : sort_rows(f, o, beside);
    if (!status) status = hd__frame_row(f, HD_I64, rows + 1, &o->offset);
    return status ? status : find_offsets(f, o, rows, o->offset);
}

// The elements of a view in the order of the rows.
static hd_status follow(hd__frame *f, const ordered *o, hd_view in, hd_view *out)
{
    *out = in;
    if (o->sorted || in.type == HD_NONE) return HD_OK;
    hd_status status = hd__frame_row(f, in.type, hd_count(in), out);
    return status ? status : hd_gather(f->ctx, in, o->from, *out, NULL);
}

// The first entry whose column is no node, by its number among the coordinates.
static hd_status check_columns(hd__frame *f, const product *p)
{
    return hd__frame_indices_check(f, "column", p->column, hd_count(p->x));
}

static hd_status reduce_products(hd__frame *f, product *p, ordered *o)
{
    const int64_t n = hd_count(p->column);
    hd_view made;
    hd_status status = hd__frame_dense(f, p->x, p->x.type, &p->x);
    if (!status) status = hd__frame_row(f, p->y.type, n, &made);
    if (!status)
        status = hd_map(f->ctx, p->value, p->y.type == HD_F32 ? multiply_f32 : multiply_f64, made,
                        &(hd_map_options){.with = HD_VIEWS(hd_indexed(p->x, p->column))});
    if (!status) status = order(f, hd_count(p->y), o, made);
    if (status) return status;
    return hd_reduce(f->ctx, made, HD_SUM, p->y, &(hd_reduce_options){.segments = &o->offset});
}

// The entries in the order of their rows, then as CSR.
static hd_status multiply_in_order(hd__frame *f, product *p, ordered *o)
{
    hd_status status = order(f, hd_count(p->y), o, HD_EMPTY);
    if (!status) status = follow(f, o, p->column, &p->column);
    if (!status) status = follow(f, o, p->value, &p->value);
    p->offset = o->offset;
    return status ? status : multiply(f, p);
}

hd_status hd_spmv_coo(hd_context *ctx, hd_view row, hd_view column, hd_view value, hd_view x,
                      const hd_operator *op, hd_view y, const hd_spmv_options *options)
{
    hd__frame f;
    bool done = false;
    ordered o = {.sorted = true};
    product p = {HD_EMPTY, column, value, x, y, op, {0}};
    hd_status status = hd__frame_open(&f, ctx, "hd_spmv_coo", column);
    if (!status) status = hd__frame_options(&f, options, sizeof p.o, &p.o);
    if (!status) status = check(&f, &p);
    if (!status) status = hd__frame_check_apart(&f, "y", y, "row", row);
    if (!status && sums_products(&p)) status = hd__coo_rows(&f, row, column, value, x, y, &done);
    if (status || done) return hd__frame_close(&f, status);
    status = look_at_rows(&f, row, hd_count(column), hd_count(y), &o);
    if (!status && !o.sorted) status = check_columns(&f, &p);
    if (!status)
        status = !o.sorted && sums_products(&p) ? reduce_products(&f, &p, &o)
                                                : multiply_in_order(&f, &p, &o);
    return hd__frame_close(&f, status);
}

static hd_status check_csr(hd__frame *f, hd_view column, hd_view offset, hd_view column_out,
                           hd_views values)
{
    const int64_t n = hd_count(column);
    if (offset.ndim != 1 || hd_count(offset) < 1)
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "offset has %" PRId64 " elements; expected a row, "
                              "one more than rows",
                              hd_count(offset));
    if (hd_count(column_out) != n || values.count % 2 != 0)
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "%" PRId64 " columns into %" PRId64 ", %" PRId64
                              " views of values; expected as many, and pairs",
                              n, hd_count(column_out), values.count);
    return hd__frame_indices_hold(f, "offset", offset, n + 1);
}

static hd_status place(hd__frame *f, const ordered *o, hd_view in, hd_view out)
{
    if (o->sorted) return hd_map(f->ctx, in, NULL, out, NULL);
    return hd_gather(f->ctx, in, o->from, out, NULL);
}

hd_status hd_coo_to_csr(hd_context *ctx, hd_view row, hd_view column, hd_view offset,
                        hd_view column_out, hd_views values, const hd_coo_to_csr_options *options)
{
    hd__frame f;
    ordered o = {.sorted = true};
    hd_coo_to_csr_options how = {0};
    hd_status status = hd__frame_open(&f, ctx, "hd_coo_to_csr", column);
    if (!status) status = hd__frame_options(&f, options, sizeof how, &how);
    if (!status) status = check_csr(&f, column, offset, column_out, values);
    const int64_t rows = hd_count(offset) - 1;
    if (!status) status = look_at_rows(&f, row, hd_count(column), rows, &o);
    if (!status) status = order(&f, rows, &o, HD_EMPTY);
    if (!status) status = hd__frame_copy(&f, o.offset, offset);
    if (!status) status = place(&f, &o, column, column_out);
    for (int64_t k = 0; k + 1 < values.count && !status; k += 2)
        status = place(&f, &o, values.view[k], values.view[k + 1]);
    return hd__frame_close(&f, status);
}
