// SPDX-License-Identifier: Apache-2.0
//
// heddle expand: each value as often as its length says.
#include "cli/command.h"
#include "io/support/limit.h"
#include "cli/run/workspace.h"

static const char name[] = "expand";

typedef struct expand_args {
    const char *output;
    file_options file;
    context_options run;
    bool json, hex;
} expand_args;

static const arg_option options[] = {
    OUTPUT_OPTION_ROW(expand_args, output),
    FILE_OPTION_ROWS(expand_args, file),
    CONTEXT_OPTION_ROWS(expand_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", expand_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", expand_args, hex),
    ARG_END,
};

const arg_spec expand_spec = {
    name,
    "VALUES LENGTHS",
    "repeats each value as often as its length says",
    "The inverse of heddle runs. --dtype and --shape are those of a raw file of values.\n\n"
    "Examples:\n"
    "  heddle runs x.npy -o values.npy --lengths-out lengths.npy\n"
    "  heddle expand values.npy lengths.npy -o x.npy\n",
    options,
    2,
    2,
};

// A short file of lengths can ask for any number of elements: as much as of any file may come.
static int check_size(const char *file, hd_view values, hd_view lengths, int64_t count)
{
    io_error error;
    const int64_t element = (int64_t)hd_type_size(values.type);
    const int64_t given =
        hd_count(values) * element + hd_count(lengths) * (int64_t)hd_type_size(lengths.type);
    const int64_t bytes = count > INT64_MAX / element ? INT64_MAX : count * element;
    return io_limit_check(file, "the result", bytes, given, &error) == IO_OK
               ? EXIT_DONE
               : io_failed(name, &error);
}

// The call once with no room tells how much is needed.
static int run_expand(workspace *w, const expand_args *a, const arg_result *files)
{
    io_read_options read;
    hd_view values, lengths, out;
    int64_t count = 0;
    EXIT_TRY(options_one_pipe(name, files->operand[0], files->operand[1], NULL));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, files->operand[0], &read, &values));
    EXIT_TRY(workspace_load(w, files->operand[1], NULL, &lengths));
    const hd_view none = hd_view_of(values.type, NULL, 0);
    const hd_status status = hd_expand(w->ctx, values, lengths, none, HD_VIEW(&count, 1), NULL);
    if (status != HD_OK && (status != HD_ERROR_SHAPE || count == 0))
        return library_failed(name, w->ctx, status);
    EXIT_TRY(check_size(files->operand[1], values, lengths, count));
    EXIT_TRY(workspace_row(w, values.type, count, &out));
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_expand(w->ctx, values, lengths, out, HD_VIEW(&count, 1), NULL)));
    return workspace_emit(w, &(emission){.out = out,
                                         .file = a->output,
                                         .input = files->operand[0],
                                         .json = a->json,
                                         .hex = a->hex});
}

int command_expand(int argc, char **argv)
{
    expand_args a = {.output = NULL};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&expand_spec, argc, argv, &a, &operands, &code)) return code;
    code = run_expand(&w, &a, &operands);
    workspace_close(&w);
    return code;
}
