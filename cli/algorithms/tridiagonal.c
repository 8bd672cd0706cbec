// SPDX-License-Identifier: Apache-2.0
//
// heddle tridiagonal: systems of equations with three diagonals.
#include "heddle_algorithms.h"

#include "cli/command.h"
#include "numbers.h"

static const char name[] = "tridiagonal";

typedef struct tridiagonal_args {
    const char *output, *residual;
    arg_int refine;
    bool json, hex;
    file_options file;
    context_options run;
} tridiagonal_args;

static const arg_option options[] = {
    ARG_INT(0, "refine", "N", "steps of iterative refinement (0)", tridiagonal_args, refine, 0,
            HD_MAX_REFINEMENTS),
    ARG_OUTPUT(0, "residual", "FILE", "write right - A x to a file", tridiagonal_args, residual),
    OUTPUT_OPTION_ROW(tridiagonal_args, output),
    FILE_OPTION_ROWS(tridiagonal_args, file),
    CONTEXT_OPTION_ROWS(tridiagonal_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", tridiagonal_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", tridiagonal_args, hex),
    ARG_END,
};

const arg_spec tridiagonal_spec = {
    name,
    "LOWER DIAGONAL UPPER RIGHT",
    "solves lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = right[i]",
    "The files have one shape; whole numbers become f64. lower[0] and the last of upper are not\n"
    "used. With more than one dimension every row along the last axis is a system of its own.\n"
    "Without -o a short result is printed.\n\n"
    "Example:\n"
    "  printf '0 1 1' >l.txt; printf '2 2 2' >d.txt; printf '1 1 0' >u.txt; printf '4 8 8' >r.txt\n"
    "  heddle tridiagonal l.txt d.txt u.txt r.txt      prints 1.0 2.0 3.0\n",
    options,
    4,
    4,
};

static int run(workspace *w, const tridiagonal_args *a, const char *const *file)
{
    io_read_options read;
    hd_view in[4], out, residual = {0};
    EXIT_TRY(options_file(name, &a->file, &read));
    for (int j = 0; j < 4; j++)
        for (int k = j + 1; k < 4; k++) EXIT_TRY(options_one_pipe(name, file[j], file[k], NULL));
    EXIT_TRY(workspace_open(w, name, &a->run));
    for (int k = 0; k < 4; k++) {
        EXIT_TRY(workspace_load(w, file[k], &read, &in[k]));
        EXIT_TRY(numbers_real(w, &in[k]));
    }
    EXIT_TRY(workspace_like(w, in[3], &out));
    if (a->residual != NULL) EXIT_TRY(workspace_like(w, in[3], &residual));
    const hd_tridiagonal_options how = {.refinements = (int32_t)a->refine.value,
                                        .residual = &residual};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_tridiagonal(w->ctx, in[0], in[1], in[2], in[3], out, &how)));
    if (a->residual != NULL) EXIT_TRY(result_write(name, a->residual, residual, false));
    const emission e = {.out = out,
                        .like = in[3],
                        .file = a->output,
                        .input = file[3],
                        .json = a->json,
                        .hex = a->hex};
    return workspace_emit(w, &e);
}

int command_tridiagonal(int argc, char **argv)
{
    tridiagonal_args args = {0};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&tridiagonal_spec, argc, argv, &args, &operands, &code)) return code;
    code = run(&w, &args, operands.operand);
    workspace_close(&w);
    return code;
}
