// SPDX-License-Identifier: Apache-2.0
//
// heddle evaluate: the value of an arithmetic expression.
#include <string.h>

#include "cli/command.h"
#include "cli/run/workspace.h"
#include "heddle_algorithms.h"

static const char name[] = "evaluate";

typedef struct evaluate_args {
    const char *type, *max_bytes;
    bool hex, json;
    context_options run;
} evaluate_args;

static const arg_option options[] = {
    ARG_TEXT(0, "type", "f64|i64", "type of all values (f64)", evaluate_args, type),
    ARG_FLAG(0, "hex", "print the bits of the value", evaluate_args, hex),
    ARG_TEXT(0, "max-bytes", "SIZE", "memory that the text may take, as in 4G", evaluate_args,
             max_bytes),
    CONTEXT_OPTION_ROWS(evaluate_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", evaluate_args, json),
    ARG_END,
};

const arg_spec evaluate_spec = {
    name,
    "FILE",
    "computes the value of an arithmetic expression",
    "Numbers, + - * / and unary minus, parentheses, blanks; of any length and depth. The value "
    "has\n"
    "the bits of a sequential evaluation in C. Integers wrap, and are divided towards zero.\n\n"
    "Examples:\n"
    "  echo '2 * (3 + 4) - 1' | heddle evaluate -                 prints 13.0\n"
    "  echo '7 / 2 * 2' | heddle evaluate - --type i64            prints 6\n",
    options,
    1,
    1,
};

static int run(workspace *w, const evaluate_args *a, const char *file)
{
    io_read_options ignored;
    hd_view text, out;
    const hd_type type = a->type != NULL && strcmp(a->type, "i64") == 0 ? HD_I64 : HD_F64;
    EXIT_TRY(options_file(name, &(file_options){.max_bytes = a->max_bytes}, &ignored));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &(io_read_options){.type = HD_U8, .format = IO_BYTES}, &text));
    EXIT_TRY(workspace_row(w, type, 1, &out));
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_evaluate(w->ctx, text, out, NULL)));
    return workspace_emit(
        w, &(emission){.out = out, .input = file, .json = a->json, .hex = a->hex, .single = true});
}

int command_evaluate(int argc, char **argv)
{
    evaluate_args a = {0};
    arg_result operands;
    workspace w = {0};
    int code;
    if (!args_begin(&evaluate_spec, argc, argv, &a, &operands, &code)) return code;
    code = run(&w, &a, operands.operand[0]);
    workspace_close(&w);
    return code;
}
