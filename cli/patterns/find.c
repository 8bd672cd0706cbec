// SPDX-License-Identifier: Apache-2.0
//
// heddle find: the position of the first element that is not zero, or equal to a value.
#include "cli/command.h"
#include "cli/support/print.h"
#include "cli/run/workspace.h"

static const char name[] = "find";

typedef struct find_args {
    const char *value;
    file_options file;
    context_options run;
    bool last, json;
} find_args;

static const arg_option options[] = {
    ARG_TEXT(0, "value", "V", "look for what is equal to V; else for what is not zero", find_args,
             value),
    ARG_FLAG(0, "last", "the last such element instead of the first", find_args, last),
    FILE_OPTION_ROWS(find_args, file),
    CONTEXT_OPTION_ROWS(find_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", find_args, json),
    ARG_END,
};

const arg_spec find_spec = {
    name,
    "FILE",
    "finds the first element that is not zero, or is equal to a value",
    "Prints its position, counted from 0 in row-major order, or -1 if there is none.\n\n"
    "Examples:\n"
    "  printf '\\0\\0\\7' | heddle find - --dtype u8        prints 2\n"
    "  heddle find x.npy --value 3 --last\n",
    options,
    1,
    1,
};

static int run(workspace *w, const find_args *a, const char *file)
{
    io_read_options read;
    hd_view in, out;
    _Alignas(8) unsigned char value[16];
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    if (a->value != NULL && !print_parse(in.type, a->value, value))
        return fail(EXIT_USAGE, name, "--value: expected a number of type %s, got '%s'",
                    hd_type_name(in.type), a->value);
    EXIT_TRY(workspace_row(w, HD_I64, 1, &out));
    const hd_find_options options = {.value = a->value ? value : NULL, .last = a->last};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_find(w->ctx, in, out, &options)));
    return workspace_emit(w,
                          &(emission){.out = out, .input = file, .json = a->json, .single = true});
}

int command_find(int argc, char **argv)
{
    find_args a = {0};
    arg_result operands;
    workspace w = {0};
    int code;
    if (!args_begin(&find_spec, argc, argv, &a, &operands, &code)) return code;
    code = run(&w, &a, operands.operand[0]);
    workspace_close(&w);
    return code;
}
