// SPDX-License-Identifier: Apache-2.0
//
// heddle top: the greatest few elements of an array and where they stand.
#include "cli/command.h"
#include "cli/run/workspace.h"

static const char name[] = "top";

typedef struct top_args {
    arg_int count;
    const char *output, *values_out;
    bool smallest, json, hex;
    file_options file;
    context_options run;
} top_args;

static const arg_option options[] = {
    ARG_INT('k', "count", "K", "how many (10, or all there are)", top_args, count, 0, INT64_MAX),
    ARG_FLAG('s', "smallest", "the smallest instead of the greatest", top_args, smallest),
    ARG_OUTPUT('o', "output", "FILE", "write the indices: .npy, or the format of the suffix",
               top_args, output),
    ARG_TEXT(0, "values-out", "FILE", "with -o: where the values go", top_args, values_out),
    FILE_OPTION_ROWS(top_args, file),
    CONTEXT_OPTION_ROWS(top_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", top_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", top_args, hex),
    ARG_END,
};

const arg_spec top_spec = {
    name,
    "FILE",
    "finds the greatest elements of an array, the greatest first",
    "Without -o each is printed on a line of its own, after its index. Among equals the lowest\n"
    "index comes first; NaN comes last.\n\n"
    "Example:\n"
    "  printf '\\3\\1\\7\\0\\4\\1\\6\\3' | heddle top - --dtype u8 -k 2     prints 2 7, 6 6\n",
    options,
    1,
    1,
};

static int run(workspace *w, const top_args *a, const char *file)
{
    io_read_options read;
    hd_view in, values, indices;
    if (a->values_out != NULL && a->output == NULL)
        return fail(EXIT_USAGE, name, "--values-out: needs -o");
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    const int64_t n = hd_count(in), usual = n < 10 ? n : 10;
    const int64_t k = a->count.given ? a->count.value : usual;
    if (k > n)
        return fail(EXIT_USAGE, name, "-k %lld: %s has %lld elements", (long long)k, file,
                    (long long)n);
    EXIT_TRY(workspace_row(w, in.type, k, &values));
    EXIT_TRY(workspace_row(w, HD_I64, k, &indices));
    const hd_top_k_options how = {.ascending = a->smallest, .indices = &indices};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_top_k(w->ctx, in, k, values, HD_NO_VALUES, &how)));
    if (a->values_out != NULL) EXIT_TRY(result_write(name, a->values_out, values, false));
    const emission e = {.out = indices,
                        .values = values,
                        .file = a->output,
                        .input = file,
                        .json = a->json,
                        .hex = a->hex};
    return workspace_emit(w, &e);
}

int command_top(int argc, char **argv)
{
    top_args args = {0};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&top_spec, argc, argv, &args, &operands, &code)) return code;
    code = run(&w, &args, operands.operand[0]);
    workspace_close(&w);
    return code;
}
