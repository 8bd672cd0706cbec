// SPDX-License-Identifier: Apache-2.0
//
// heddle search: where elements belong in a sorted array.
#include "cli/command.h"
#include "cli/run/workspace.h"

static const char name[] = "search";

typedef struct search_args {
    const char *output, *out_type;
    bool right, descending, unchecked, json;
    file_options file;
    context_options run;
} search_args;

static const arg_option options[] = {
    ARG_FLAG('r', "right", "behind the elements that equal the query, not before them", search_args,
             right),
    ARG_FLAG('d', "descending", "SORTED has the greatest first", search_args, descending),
    ARG_FLAG(0, "unchecked", "do not look first whether SORTED is", search_args, unchecked),
    ARG_TEXT(0, "out-type", "i32|u32|i64|u64", "type of the places (i64)", search_args, out_type),
    OUTPUT_OPTION_ROW(search_args, output),
    FILE_OPTION_ROWS(search_args, file),
    CONTEXT_OPTION_ROWS(search_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", search_args, json),
    ARG_END,
};

const arg_spec search_spec = {
    name,
    "SORTED QUERIES",
    "says for each query how many elements of a sorted array are less",
    "That is where the query would be put in. Without -o a short result is printed, one place a\n"
    "line.\n\n"
    "Example:\n"
    "  printf '\\1\\4\\4\\6' >sorted.raw; printf '\\4\\7\\0' >queries.raw\n"
    "  heddle search sorted.raw queries.raw --dtype u8     prints 1 4 0\n",
    options,
    2,
    2,
};

static int run(workspace *w, const search_args *a, const char *const *file)
{
    io_read_options read;
    hd_view sorted, queries, out;
    hd_type type = HD_I64;
    EXIT_TRY(options_file(name, &a->file, &read));
    if (a->out_type != NULL) EXIT_TRY(options_type(name, "out-type", a->out_type, &type));
    EXIT_TRY(options_one_pipe(name, file[0], file[1], NULL));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file[0], &read, &sorted));
    EXIT_TRY(workspace_load(w, file[1], &read, &queries));
    EXIT_TRY(workspace_alloc(w, type, queries.ndim, queries.shape, &out));
    const hd_search_options how = {
        .right = a->right, .descending = a->descending, .checked = !a->unchecked};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_search(w->ctx, sorted, queries, out, &how)));
    const emission e = {
        .out = out, .like = queries, .file = a->output, .input = file[0], .json = a->json};
    return workspace_emit(w, &e);
}

int command_search(int argc, char **argv)
{
    search_args args = {0};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&search_spec, argc, argv, &args, &operands, &code)) return code;
    code = run(&w, &args, operands.operand);
    workspace_close(&w);
    return code;
}
