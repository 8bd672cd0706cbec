// SPDX-License-Identifier: Apache-2.0
//
// heddle polynomial: a polynomial at the points of a file.
#include "heddle_algorithms.h"

#include "cli/command.h"
#include "numbers.h"

static const char name[] = "polynomial";

typedef struct polynomial_args {
    const char *coefficients, *method, *out_type, *accumulate, *output;
    bool highest_first, json, hex;
    file_options file;
    context_options run;
} polynomial_args;

static const arg_option options[] = {
    ARG_TEXT('c', "coefficients", "LIST",
             "numbers with commas between them, or a file: that of\nthe power 0 first",
             polynomial_args, coefficients),
    ARG_FLAG(0, "highest-first", "that of the highest power first, as numpy.polyval has it",
             polynomial_args, highest_first),
    ARG_TEXT(
        0, "method", "auto|horner|tree",
        "Horner's rule for each point, or a tree over the\ncoefficients (auto: the tree for few "
        "points and many\ncoefficients)",
        polynomial_args, method),
    ARG_TEXT(0, "out-type", "f32|f64", "type of the result (that of the points, if it is one)",
             polynomial_args, out_type),
    ARG_TEXT(0, "accumulate", "f64", "compute in f64 where all is f32", polynomial_args,
             accumulate),
    OUTPUT_OPTION_ROW(polynomial_args, output),
    FILE_OPTION_ROWS(polynomial_args, file),
    CONTEXT_OPTION_ROWS(polynomial_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", polynomial_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", polynomial_args, hex),
    ARG_END,
};

const arg_spec polynomial_spec = {
    name,
    "POINTS",
    "evaluates a polynomial at every point",
    "Points of a whole type become f64. Without -o a short result is printed.\n\n"
    "Examples:\n"
    "  printf '0 1 2 3' >x.txt\n"
    "  heddle polynomial x.txt -c 1,0,2      prints 1.0 3.0 9.0 19.0\n"
    "  heddle polynomial x.npy -c c.npy --highest-first -o y.npy\n",
    options,
    1,
    1,
};

static int32_t method_of(const char *text)
{
    if (text == NULL || text[0] == 'a') return HD_POLYNOMIAL_AUTO;
    return text[0] == 'h' ? HD_POLYNOMIAL_HORNER : HD_POLYNOMIAL_TREE;
}

static int result_type(const polynomial_args *a, hd_type points, hd_type *type)
{
    *type = points == HD_F32 ? HD_F32 : HD_F64;
    return a->out_type == NULL ? EXIT_DONE : options_type(name, "out-type", a->out_type, type);
}

static int run(workspace *w, const polynomial_args *a, const char *file)
{
    io_read_options read;
    hd_view points, c, out;
    hd_type type;
    if (a->coefficients == NULL)
        return fail(EXIT_USAGE, name, "--coefficients: expected numbers or a file");
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(options_one_pipe(name, file, a->coefficients, NULL));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &points));
    const hd_view like = points;
    EXIT_TRY(numbers_load(w, a->coefficients, NULL, &c));
    EXIT_TRY(result_type(a, points.type, &type));
    EXIT_TRY(numbers_real(w, &points));
    EXIT_TRY(workspace_alloc(w, type, points.ndim, points.shape, &out));
    const hd_polynomial_options how = {.method = method_of(a->method),
                                       .accumulate = a->accumulate ? HD_F64 : HD_NONE,
                                       .highest_first = a->highest_first};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_polynomial(w->ctx, c, points, out, &how)));
    const emission e = {
        .out = out, .like = like, .file = a->output, .input = file, .json = a->json, .hex = a->hex};
    return workspace_emit(w, &e);
}

int command_polynomial(int argc, char **argv)
{
    polynomial_args args = {0};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&polynomial_spec, argc, argv, &args, &operands, &code)) return code;
    code = run(&w, &args, operands.operand[0]);
    workspace_close(&w);
    return code;
}
