// SPDX-License-Identifier: Apache-2.0
//
// heddle difference: each element less the one before it.
#include "cli/command.h"
#include "command_options.h"
#include "cli/support/print.h"
#include "cli/run/workspace.h"

static const char name[] = "difference";

static const arg_option options[] = {
    ARG_INT(0, "axis", "K", "along axis K; -1 is the last; else everything as one row",
            difference_args, axis, -HD_MAX_DIMS, HD_MAX_DIMS - 1),
    ARG_TEXT(0, "before", "V", "the element before the first (0)", difference_args, before),
    ARG_OUTPUT('o', "output", "FILE", "write a file instead of printing", difference_args, output),
    FILE_OPTION_ROWS(difference_args, file),
    CONTEXT_OPTION_ROWS(difference_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", difference_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", difference_args, hex),
    ARG_END,
};

const arg_spec difference_spec = {
    name,
    "FILE",
    "subtracts from each element the one before it",
    "The first element stays. heddle scan turns the result back.\n\n"
    "Examples:\n"
    "  printf '\\3\\4\\13' | heddle difference - --dtype u8        prints 3 1 7\n"
    "  heddle difference x.npy --axis 0\n",
    options,
    1,
    1,
};

static int run(workspace *w, const difference_args *a, const char *file)
{
    io_read_options read;
    hd_view in, out;
    _Alignas(8) unsigned char before[16];
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    if (a->before != NULL && !print_parse(in.type, a->before, before))
        return fail(EXIT_USAGE, name, "--before: expected a number of type %s, got '%s'",
                    hd_type_name(in.type), a->before);
    EXIT_TRY(workspace_like(w, in, &out));
    hd_difference_options options = {.before = a->before ? before : NULL};
    if (a->axis.given) options.axis = HD_AXIS((int32_t)a->axis.value);
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_difference(w->ctx, in, out, &options)));
    return workspace_emit(w, &(emission){.out = out,
                                         .like = in,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .hex = a->hex});
}

int command_difference(int argc, char **argv)
{
    difference_args a = {0};
    arg_result operands;
    workspace w = {0};
    int code;
    if (!args_begin(&difference_spec, argc, argv, &a, &operands, &code)) return code;
    code = run(&w, &a, operands.operand[0]);
    workspace_close(&w);
    return code;
}
