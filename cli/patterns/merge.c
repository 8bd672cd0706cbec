// SPDX-License-Identifier: Apache-2.0
//
// heddle merge: two sorted arrays to one.
#include "cli/command.h"
#include "cli/run/workspace.h"

static const char name[] = "merge";

typedef struct merge_args {
    const char *output;
    bool descending, unchecked, json, hex;
    file_options file;
    context_options run;
} merge_args;

static const arg_option options[] = {
    ARG_FLAG('d', "descending", "both have the greatest first", merge_args, descending),
    ARG_FLAG(0, "unchecked", "do not look first whether both are sorted", merge_args, unchecked),
    OUTPUT_OPTION_ROW(merge_args, output),
    FILE_OPTION_ROWS(merge_args, file),
    CONTEXT_OPTION_ROWS(merge_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", merge_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", merge_args, hex),
    ARG_END,
};

const arg_spec merge_spec = {
    name,
    "A B",
    "merges two sorted arrays: all of their elements, sorted",
    "Among equals those of A come first; NaN comes last. Without -o a short result is printed,\n"
    "one element a line.\n\n"
    "Example:\n"
    "  printf '\\1\\4\\6' >a.raw; printf '\\2\\4\\5' >b.raw\n"
    "  heddle merge a.raw b.raw --dtype u8                 prints 1 2 4 4 5 6\n",
    options,
    2,
    2,
};

static int run(workspace *w, const merge_args *a, const char *const *file)
{
    io_read_options read;
    hd_view left, right, out;
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(options_one_pipe(name, file[0], file[1], NULL));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file[0], &read, &left));
    EXIT_TRY(workspace_load(w, file[1], &read, &right));
    EXIT_TRY(workspace_row(w, left.type, hd_count(left) + hd_count(right), &out));
    const hd_merge_options how = {.descending = a->descending, .checked = !a->unchecked};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_merge(w->ctx, left, right, out, HD_NO_VALUES, &how)));
    const emission e = {
        .out = out, .file = a->output, .input = file[0], .json = a->json, .hex = a->hex};
    return workspace_emit(w, &e);
}

int command_merge(int argc, char **argv)
{
    merge_args args = {0};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&merge_spec, argc, argv, &args, &operands, &code)) return code;
    code = run(&w, &args, operands.operand);
    workspace_close(&w);
    return code;
}
