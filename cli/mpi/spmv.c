// SPDX-License-Identifier: Apache-2.0
//
// heddle spmv over ranks: rank 0 reads the matrix, a text, and hands out its rows.
#include <heddle_algorithms.h>

#include <string.h>

#include "cli/algorithms/graph_options.h"
#include "commands.h"
#include "io/tables/matrix_market.h"
#include "part.h"

static const char name[] = "spmv";

// Rows and columns of the matrix, transposed or not, and its entries; in CSR, this rank's rows.
typedef struct sparse {
    int64_t rows, columns, entries;
    hd_view length, offset, column, value;
} sparse;

// Rank 0's: coordinates become rows, whose lengths are the same for all.
static int make_rows(workspace *w, const io_matrix *m, bool transpose, hd_type type, sparse *s)
{
    const double one = 1;
    hd_view value, offset;
    const hd_view row = hd_view_of(HD_I64, transpose ? m->column : m->row, m->count);
    const hd_view column = hd_view_of(HD_I64, transpose ? m->row : m->column, m->count);
    const hd_view values =
        m->value != NULL ? hd_view_of(HD_F64, m->value, m->count) : hd_constant(one, m->count);
    EXIT_TRY(workspace_row(w, type, m->count, &value));
    EXIT_TRY(workspace_call(w, hd_map(w->ctx, values, NULL, value, NULL)));
    EXIT_TRY(workspace_row(w, HD_I64, s->rows + 1, &offset));
    EXIT_TRY(workspace_row(w, HD_I64, s->rows, &s->length));
    EXIT_TRY(workspace_row(w, HD_I64, m->count, &s->column));
    EXIT_TRY(workspace_row(w, type, m->count, &s->value));
    EXIT_TRY(workspace_call(w, hd_coo_to_csr(w->ctx, row, column, offset, s->column,
                                             HD_VALUES(value, s->value), NULL)));
    const int64_t *o = offset.data;
    for (int64_t k = 0; k < s->rows; k++) ((int64_t *)s->length.data)[k] = o[k + 1] - o[k];
    return EXIT_DONE;
}

static int read_matrix(job *r, const spmv_args *a, const char *file, hd_type type, sparse *s)
{
    io_matrix m = {0};
    io_error error;
    if (strcmp(file, "-") == 0)
        return fail(EXIT_USAGE, name, "%s: over several ranks a file is expected, not a pipe",
                    file);
    if (io_matrix_load(&m, file, &error) != IO_OK) return io_failed(name, &error);
    s->rows = a->transpose ? m.columns : m.rows;
    s->columns = a->transpose ? m.rows : m.columns;
    s->entries = m.count;
    const int code = make_rows(&r->w, &m, a->transpose, type, s);
    io_matrix_release(&m);
    return code;
}

// n elements of rank 0's row for this one; the row becomes them.
static int take(job *r, hd_view *row, int64_t n)
{
    hd_view mine;
    EXIT_TRY(workspace_row(&r->w, row->type, n, &mine));
    RANKS_CALL(r, hd_mpi_redistribute(r->mpi, *row, mine, NULL));
    *row = mine;
    return EXIT_DONE;
}

static int hand_out_rows(job *r, hd_type type, sparse *s)
{
    int64_t told[3] = {s->rows, s->columns, s->entries}; // the views stay each rank's own
    EXIT_TRY(ranks_tell(r, told, sizeof told));
    s->rows = told[0], s->columns = told[1], s->entries = told[2];
    if (r->rank > 0) {
        s->length = s->column = hd_view_of(HD_I64, NULL, 0);
        s->value = hd_view_of(type, NULL, 0);
    }
    const int64_t rows =
        hd_mpi_even(s->rows, r->rank + 1, r->size) - hd_mpi_even(s->rows, r->rank, r->size);
    EXIT_TRY(take(r, &s->length, rows));
    EXIT_TRY(workspace_row(&r->w, HD_I64, rows + 1, &s->offset));
    int64_t *o = s->offset.data;
    const int64_t *length = s->length.data;
    o[0] = 0;
    for (int64_t k = 0; k < rows; k++) o[k + 1] = o[k] + length[k];
    EXIT_TRY(take(r, &s->column, o[rows]));
    return take(r, &s->value, o[rows]);
}

static int load_vector(job *r, const char *file, const io_read_options *read, hd_type type,
                       int64_t columns, part_array *x)
{
    part_array in;
    EXIT_TRY(part_load(r, file, read, PART_ELEMENTS, &in));
    if (in.count != columns)
        return fail(EXIT_USAGE, name, "%s: %lld elements; expected %lld, one a column", file,
                    (long long)in.count, (long long)columns);
    EXIT_TRY(part_like(r, &in, type, x));
    return workspace_call(&r->w, hd_map(r->w.ctx, in.view, NULL, x->view, NULL));
}

static void add_matrix(json *j, const void *user)
{
    const sparse *s = user;
    json_int(j, "rows", s->rows);
    json_int(j, "columns", s->columns);
    json_int(j, "entries", s->entries);
}

static int run(job *r, const spmv_args *a, const char *const *file)
{
    const hd_type type = a->type != NULL && strcmp(a->type, "f32") == 0 ? HD_F32 : HD_F64;
    const bool scan = a->method != NULL && strcmp(a->method, "scan") == 0;
    const hd_operator *op;
    const hd_function *map;
    io_read_options read;
    sparse s = {.rows = 0};
    part_array x, y;
    EXIT_TRY(RANKS_REFUSE(name, {scan, "--method scan"}));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(options_one_pipe(name, file[0], file[1], NULL));
    spmv_semiring(a->semiring, type, &op, &map);
    EXIT_TRY(ranks_open(r, name, &a->run));
    if (r->rank == 0) EXIT_TRY(read_matrix(r, a, file[0], type, &s));
    EXIT_TRY(hand_out_rows(r, type, &s));
    EXIT_TRY(load_vector(r, file[1], &read, type, s.columns, &x));
    EXIT_TRY(part_new(r, type, 1, &s.rows, PART_ELEMENTS, &y));
    const hd_spmv_options how = {.map = map};
    RANKS_CALL(r, hd_mpi_spmv(r->mpi, s.offset, s.column, s.value, x.view, op, y.view, &how));
    const emission e = {
        .file = a->output, .input = file[0], .json = a->json, .more = add_matrix, .user = &s};
    return part_emit(r, &y, NULL, NULL, &e);
}

int ranks_spmv(job *r, int argc, char **argv)
{
    spmv_args a = {0};
    arg_result operands;
    int code;
    if (!args_begin(&spmv_spec, argc, argv, &a, &operands, &code)) return code;
    return run(r, &a, operands.operand);
}
