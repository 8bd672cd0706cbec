// SPDX-License-Identifier: Apache-2.0
//
// heddle spmv: a sparse matrix of a Matrix Market file times a vector, over a semiring.
#include <heddle_algorithms.h>

#include <string.h>

#include "cli/command.h"
#include "graph_options.h"
#include "cli/run/workspace.h"
#include "io/tables/matrix_market.h"

static const char name[] = "spmv";

static const arg_option options[] = {
    ARG_TEXT(0, "semiring", "plus-times|min-plus|max-plus|max-times|or-and",
             "what sums and products are (plus-times)", spmv_args, semiring),
    ARG_FLAG('T', "transpose", "the transposed matrix times the vector", spmv_args, transpose),
    ARG_TEXT(0, "method", "reduce|scan", "a segmented reduction (reduce), or a segmented scan",
             spmv_args, method),
    ARG_TEXT(0, "type", "f32|f64", "type that is computed in, and of the result (f64)", spmv_args,
             type),
    OUTPUT_OPTION_ROW(spmv_args, output),
    FILE_OPTION_ROWS(spmv_args, file),
    CONTEXT_OPTION_ROWS(spmv_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", spmv_args, json),
    ARG_END,
};

const arg_spec spmv_spec = {
    name,
    "MATRIX X",
    "multiplies a sparse matrix by a vector",
    "MATRIX is a Matrix Market file: coordinate or array; real, integer or pattern; general,\n"
    "symmetric or skew-symmetric. X is the vector, a file of any format of arrays. In other\n"
    "semirings rows without entries give the sum of nothing: inf for min, -inf for max, 0 for or.\n"
    "\n"
    "Example:\n"
    "  printf '%s\\n' '%%MatrixMarket matrix coordinate real general' '2 3 3' '1 1 2' '1 3 1' \\\n"
    "      '2 2 5' >a.mtx; printf '1 10 100' >x.txt\n"
    "  heddle spmv a.mtx x.txt                        prints 102.0 50.0\n"
    "  heddle spmv a.mtx x.txt --semiring min-plus    prints 3.0 15.0\n",
    options,
    2,
    2,
};

HD_FUNCTION(plus_f32, float, HD_NO_SOURCE, (float, a, float, b), { return a + b; })
HD_FUNCTION(plus_f64, double, HD_NO_SOURCE, (double, a, double, b), { return a + b; })
HD_FUNCTION(times_f32, float, HD_NO_SOURCE, (float, a, float, b), { return a * b; })
HD_FUNCTION(times_f64, double, HD_NO_SOURCE, (double, a, double, b), { return a * b; })
HD_FUNCTION(both_f32, float, HD_NO_SOURCE, (float, a, float, b), { return a != 0 && b != 0; })
HD_FUNCTION(both_f64, double, HD_NO_SOURCE, (double, a, double, b), { return a != 0 && b != 0; })
HD_MONOID(min_f32, float, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_EXACT, 1.0f / 0.0f,
          { return b < a || b != b ? b : a; })
HD_MONOID(min_f64, double, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_EXACT, 1.0 / 0.0,
          { return b < a || b != b ? b : a; })
HD_MONOID(max_f32, float, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_EXACT, -1.0f / 0.0f,
          { return b > a || b != b ? b : a; })
HD_MONOID(max_f64, double, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_EXACT, -1.0 / 0.0,
          { return b > a || b != b ? b : a; })
HD_MONOID(or_f32, float, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_EXACT, 0.0f,
          { return a != 0 || b != 0; })
HD_MONOID(or_f64, double, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_EXACT, 0.0,
          { return a != 0 || b != 0; })

typedef struct semiring {
    const char *name;
    const hd_operator *op[2]; // f32, f64
    const hd_function *map[2];
} semiring;

static const semiring semirings[] = {
    {"plus-times", {HD_DOT, HD_DOT}, {NULL, NULL}},
    {"min-plus", {min_f32, min_f64}, {plus_f32, plus_f64}},
    {"max-plus", {max_f32, max_f64}, {plus_f32, plus_f64}},
    {"max-times", {max_f32, max_f64}, {times_f32, times_f64}},
    {"or-and", {or_f32, or_f64}, {both_f32, both_f64}},
};

void spmv_semiring(const char *wanted, hd_type type, const hd_operator **op,
                   const hd_function **map)
{
    enum { COUNT = sizeof semirings / sizeof *semirings };
    int k = COUNT - 1;
    while (k > 0 && (wanted == NULL || strcmp(semirings[k].name, wanted) != 0)) k--;
    *op = semirings[k].op[type == HD_F64];
    *map = semirings[k].map[type == HD_F64];
}

// The entries as the library takes them; a pattern's ones are values where a semiring maps them.
typedef struct spmv_run {
    const spmv_args *a;
    io_matrix matrix;
    hd_view row, column, value, x, y;
    hd_type type;
} spmv_run;

static int load_matrix(workspace *w, spmv_run *r, const char *file)
{
    io_error error;
    if (io_matrix_load(&r->matrix, file, &error) != IO_OK) return io_failed(name, &error);
    const io_matrix *m = &r->matrix;
    r->row = hd_view_of(HD_I64, r->a->transpose ? m->column : m->row, m->count);
    r->column = hd_view_of(HD_I64, r->a->transpose ? m->row : m->column, m->count);
    const double one = 1;
    const hd_view values =
        m->value != NULL ? hd_view_of(HD_F64, m->value, m->count) : hd_constant(one, m->count);
    r->value = values;
    if (m->value != NULL && r->type == HD_F64) return EXIT_DONE;
    EXIT_TRY(workspace_row(w, r->type, m->count, &r->value));
    return workspace_call(w, hd_map(w->ctx, values, NULL, r->value, NULL));
}

static int load_vector(workspace *w, spmv_run *r, const char *file, const io_read_options *read)
{
    const int64_t columns = r->a->transpose ? r->matrix.rows : r->matrix.columns;
    hd_view in;
    EXIT_TRY(workspace_load(w, file, read, &in));
    if (hd_count(in) != columns)
        return fail(EXIT_USAGE, name, "%s: %lld elements; expected %lld, one a column", file,
                    (long long)hd_count(in), (long long)columns);
    EXIT_TRY(workspace_alloc(w, r->type, in.ndim, in.shape, &r->x));
    return workspace_call(w, hd_map(w->ctx, in, NULL, r->x, NULL));
}

static void add_matrix(json *j, const void *user)
{
    const spmv_run *r = user;
    json_int(j, "rows", r->matrix.rows);
    json_int(j, "columns", r->matrix.columns);
    json_int(j, "entries", r->matrix.count);
}

static int run(workspace *w, spmv_run *r, const char *const *file)
{
    const spmv_args *a = r->a;
    const hd_operator *op;
    const hd_function *map;
    io_read_options read;
    r->type = a->type != NULL && strcmp(a->type, "f32") == 0 ? HD_F32 : HD_F64;
    spmv_semiring(a->semiring, r->type, &op, &map);
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(options_one_pipe(name, file[0], file[1], NULL));
    EXIT_TRY(workspace_open(w, name, &a->run));
    workspace_begin(w);
    EXIT_TRY(load_matrix(w, r, file[0]));
    EXIT_TRY(load_vector(w, r, file[1], &read));
    EXIT_TRY(workspace_row(w, r->type, a->transpose ? r->matrix.columns : r->matrix.rows, &r->y));
    const bool scan = a->method != NULL && strcmp(a->method, "scan") == 0;
    const hd_spmv_options how = {.method = scan ? HD_SPMV_SCAN : HD_SPMV_REDUCE, .map = map};
    workspace_begin(w);
    EXIT_TRY(
        workspace_call(w, hd_spmv_coo(w->ctx, r->row, r->column, r->value, r->x, op, r->y, &how)));
    return workspace_emit(w, &(emission){.out = r->y,
                                         .file = a->output,
                                         .input = file[0],
                                         .json = a->json,
                                         .more = add_matrix,
                                         .user = r});
}

int command_spmv(int argc, char **argv)
{
    spmv_args args = {0};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&spmv_spec, argc, argv, &args, &operands, &code)) return code;
    spmv_run r = {.a = &args};
    code = run(&w, &r, operands.operand);
    workspace_close(&w);
    io_matrix_release(&r.matrix);
    return code;
}
