// SPDX-License-Identifier: Apache-2.0
//
// heddle inverse: the inverse of a dense or triangular matrix.
#include <heddle_algorithms.h>

#include <string.h>

#include "cli/command.h"
#include "cli/run/workspace.h"

static const char name[] = "inverse";

typedef struct inverse_args {
    const char *method, *triangle, *type, *output;
    bool unit, residual, counts, json;
    file_options file;
    context_options run;
} inverse_args;

static const arg_option options[] = {
    ARG_TEXT(0, "method", "blocked|log",
             "how (blocked); log takes log^2 n steps, for teaching: Csanky's\nmethod, at most 64 "
             "rows, or halves of a triangle",
             inverse_args, method),
    ARG_TEXT(0, "triangle", "lower|upper", "the matrix is this triangle of the file", inverse_args,
             triangle),
    ARG_FLAG('u', "unit", "with --triangle: ones on the diagonal", inverse_args, unit),
    ARG_FLAG(0, "residual", "say on standard error the greatest element of I - A X", inverse_args,
             residual),
    ARG_FLAG(0, "counts", "say on standard error how many parallel steps it took", inverse_args,
             counts),
    ARG_TEXT(0, "type", "f32|f64", "type that is computed in (f32 if the file is, else f64)",
             inverse_args, type),
    OUTPUT_OPTION_ROW(inverse_args, output),
    FILE_OPTION_ROWS(inverse_args, file),
    CONTEXT_OPTION_ROWS(inverse_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", inverse_args, json),
    ARG_END,
};

const arg_spec inverse_spec = {
    name,
    "FILE",
    "inverts a matrix",
    "FILE is a square matrix. A singular one is an error that names the column without a pivot.\n"
    "Without -o a short result is printed. --counts goes with --method log or --triangle.\n\n"
    "Example:\n"
    "  printf '2 1\\n1 1\\n' >a.txt; heddle inverse a.txt    prints 1.0 -1.0 and -1.0 2.0\n",
    options,
    1,
    1,
};

typedef struct inverse_run {
    const inverse_args *a;
    bool log, counts;
    double residual;
    int64_t steps;
} inverse_run;

static int check_args(const inverse_run *r)
{
    if (r->a->unit && r->a->triangle == NULL)
        return fail(EXIT_USAGE, name, "--unit: needs --triangle");
    if (r->a->counts && !r->counts)
        return fail(EXIT_USAGE, name, "--counts: needs --method log or --triangle");
    return EXIT_DONE;
}

static hd_status invert(hd_context *ctx, inverse_run *r, hd_view in, hd_view out)
{
    const hd_view residual = HD_VIEW(&r->residual, 1), steps = HD_VIEW(&r->steps, 1);
    const hd_view *wanted = r->a->residual || r->a->json ? &residual : NULL;
    const int32_t method = r->log ? HD_INVERSE_LOG : HD_INVERSE_BLOCKED;
    if (r->a->triangle == NULL)
        return hd_inverse(ctx, in, out,
                          &(hd_inverse_options){.method = method,
                                                .steps = r->counts ? &steps : NULL,
                                                .residual = wanted});
    return hd_triangular_inverse(
        ctx, in, out,
        &(hd_triangular_inverse_options){.method = method,
                                         .upper_triangle = strcmp(r->a->triangle, "upper") == 0,
                                         .unit = r->a->unit,
                                         .steps = &steps,
                                         .residual = wanted});
}

static void add_counts(json *j, const void *user)
{
    const inverse_run *r = user;
    json_real(j, "residual", r->residual);
    if (r->counts) json_int(j, "steps", r->steps);
}

static int run(workspace *w, inverse_run *r, const char *file)
{
    const inverse_args *a = r->a;
    io_read_options read;
    hd_view in, out;
    EXIT_TRY(check_args(r));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    if (in.ndim == 1 && hd_count(in) == 1) {
        in.ndim = 2;
        in.shape[1] = 1, in.stride[1] = 1;
    }
    if (in.ndim != 2)
        return fail(EXIT_USAGE, name, "%s: %d dimensions; expected a matrix", file, in.ndim);
    hd_type type = in.type == HD_F32 ? HD_F32 : HD_F64;
    if (a->type != NULL) EXIT_TRY(options_type(name, "type", a->type, &type));
    EXIT_TRY(workspace_alloc(w, type, 2, in.shape, &out));
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_map(w->ctx, in, NULL, out, NULL)));
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, invert(w->ctx, r, out, out)));
    if (a->residual) fprintf(stderr, "residual %.3g\n", r->residual);
    if (a->counts) fprintf(stderr, "%lld steps\n", (long long)r->steps);
    return workspace_emit(w, &(emission){.out = out,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .more = add_counts,
                                         .user = r});
}

int command_inverse(int argc, char **argv)
{
    inverse_args args = {0};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&inverse_spec, argc, argv, &args, &operands, &code)) return code;
    inverse_run r = {.a = &args, .log = args.method != NULL && strcmp(args.method, "log") == 0};
    r.counts = r.log || args.triangle != NULL;
    code = run(&w, &r, operands.operand[0]);
    workspace_close(&w);
    return code;
}
