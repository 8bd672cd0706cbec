// SPDX-License-Identifier: Apache-2.0
//
// heddle recurrence: linear recurrences along the rows of a file.
#include "heddle_algorithms.h"

#include "cli/command.h"
#include "numbers.h"

static const char name[] = "recurrence";

typedef struct recurrence_args {
    const char *coefficients, *initial, *accumulate, *output;
    arg_int axis;
    bool backward, json, hex;
    file_options file;
    context_options run;
} recurrence_args;

static const arg_option options[] = {
    ARG_TEXT(
        'c', "coefficients", "LIST",
        "c[0],c[1],...: numbers with commas between them; or a\nfile, of them or, with one axis "
        "more than FILE, of those\nof every element",
        recurrence_args, coefficients),
    ARG_TEXT(0, "initial", "LIST", "what comes before: y[-1],y[-2],... (zeros)", recurrence_args,
             initial),
    ARG_INT(0, "axis", "K", "along axis K; -1, the last, is the default", recurrence_args, axis,
            -HD_MAX_DIMS, HD_MAX_DIMS - 1),
    ARG_FLAG('b', "backward", "from the last element to the first", recurrence_args, backward),
    ARG_TEXT(0, "accumulate", "f64", "compute in f64 where all is f32", recurrence_args,
             accumulate),
    OUTPUT_OPTION_ROW(recurrence_args, output),
    FILE_OPTION_ROWS(recurrence_args, file),
    CONTEXT_OPTION_ROWS(recurrence_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", recurrence_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", recurrence_args, hex),
    ARG_END,
};

const arg_spec recurrence_spec = {
    name,
    "FILE",
    "solves y[i] = x[i] + c[0] y[i-1] + c[1] y[i-2] + ...",
    "Elements of a whole type become f64. Without -o a short result is printed.\n\n"
    "Examples:\n"
    "  printf '1 0 0 0 0 0 0' >one.txt\n"
    "  heddle recurrence one.txt -c 1,1      prints 1.0 1.0 2.0 3.0 5.0 8.0 13.0\n"
    "  heddle recurrence interest.npy -c 1.02 --initial 1000 -o balance.npy\n",
    options,
    1,
    1,
};

static int run(workspace *w, const recurrence_args *a, const char *file)
{
    io_read_options read;
    hd_view in, c, initial, out;
    if (a->coefficients == NULL)
        return fail(EXIT_USAGE, name, "--coefficients: expected numbers or a file");
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(options_one_pipe(name, file, a->coefficients, a->initial));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    EXIT_TRY(numbers_real(w, &in));
    EXIT_TRY(numbers_load(w, a->coefficients, NULL, &c));
    EXIT_TRY(numbers_load(w, a->initial, NULL, &initial));
    EXIT_TRY(workspace_like(w, in, &out));
    const hd_recurrence_options how = {.axis = a->axis.given ? HD_AXIS((int32_t)a->axis.value) : 0,
                                       .accumulate = a->accumulate ? HD_F64 : HD_NONE,
                                       .backward = a->backward,
                                       .initial = &initial};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_recurrence(w->ctx, in, c, out, &how)));
    const emission e = {
        .out = out, .like = in, .file = a->output, .input = file, .json = a->json, .hex = a->hex};
    return workspace_emit(w, &e);
}

int command_recurrence(int argc, char **argv)
{
    recurrence_args args = {0};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&recurrence_spec, argc, argv, &args, &operands, &code)) return code;
    code = run(&w, &args, operands.operand[0]);
    workspace_close(&w);
    return code;
}
