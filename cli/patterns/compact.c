// SPDX-License-Identifier: Apache-2.0
//
// heddle compact: the elements that meet a condition, one after another.
#include "cli/command.h"
#include "command_options.h"
#include "condition.h"

static const char name[] = "compact";

static const arg_option options[] = {
    WHERE_OPTION_ROWS(compact_args, where),
    ARG_FLAG('i', "indices", "print each element with its index before it", compact_args, indices),
    OUTPUT_OPTION_ROW(compact_args, output),
    ARG_TEXT(0, "indices-out", "FILE", "where the indices of the elements go, as i64", compact_args,
             indices_out),
    FILE_OPTION_ROWS(compact_args, file),
    CONTEXT_OPTION_ROWS(compact_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", compact_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", compact_args, hex),
    ARG_END,
};

const arg_spec compact_spec = {
    name,
    "FILE",
    "keeps the elements that meet a condition, in their order",
    "Without a condition those that are not zero are kept. Several conditions must all hold.\n\n"
    "Examples:\n"
    "  printf '\\3\\1\\7\\0\\4\\1\\6\\3' | heddle compact - --dtype u8 --greater 3      prints 7 4 "
    "6\n"
    "  heddle compact x.npy --at-least 0 --less 1 -o unit.npy --indices-out where.npy\n",
    options,
    1,
    1,
};

static int run_compact(workspace *w, const compact_args *a, const char *file)
{
    io_read_options read;
    hd_view in, flags, out, indices = HD_EMPTY;
    int64_t count = 0;
    EXIT_TRY(options_one_pipe(name, file, a->where.flags, NULL));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    EXIT_TRY(where_flags(w, &a->where, in, &flags));
    EXIT_TRY(workspace_row(w, in.type, hd_count(in), &out));
    if (a->indices || a->indices_out) EXIT_TRY(workspace_row(w, HD_I64, hd_count(in), &indices));
    const hd_compact_options o = {
        .flags = HD_REF(flags), .invert = a->where.invert, .indices = HD_REF(indices)};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_compact(w->ctx, in, out, HD_VIEW(&count, 1), &o)));
    emission e = {.out = hd_slice(out, 0, 0, count, 1),
                  .file = a->output,
                  .input = file,
                  .json = a->json,
                  .hex = a->hex};
    if (a->indices || a->indices_out) indices = hd_slice(indices, 0, 0, count, 1);
    if (a->indices_out) EXIT_TRY(result_write(name, a->indices_out, indices, false));
    if (a->indices) e.keys = indices;
    return workspace_emit(w, &e);
}

int command_compact(int argc, char **argv)
{
    compact_args a = {.output = NULL};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&compact_spec, argc, argv, &a, &operands, &code)) return code;
    code = run_compact(&w, &a, operands.operand[0]);
    workspace_close(&w);
    return code;
}
