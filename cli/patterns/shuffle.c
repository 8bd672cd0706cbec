// SPDX-License-Identifier: Apache-2.0
//
// heddle shuffle: the elements in a random order, or that order itself.
#include "cli/command.h"
#include "cli/support/print.h"
#include "cli/run/workspace.h"

static const char name[] = "shuffle";

typedef struct shuffle_args {
    const char *seed, *output;
    file_options file;
    context_options run;
    bool indices, json, hex;
} shuffle_args;

static const arg_option options[] = {
    ARG_TEXT(0, "seed", "N", "another order for each N (0)", shuffle_args, seed),
    ARG_FLAG(0, "indices", "the order itself: which element comes first, second, ...", shuffle_args,
             indices),
    ARG_OUTPUT('o', "output", "FILE", "write a file instead of printing", shuffle_args, output),
    FILE_OPTION_ROWS(shuffle_args, file),
    CONTEXT_OPTION_ROWS(shuffle_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", shuffle_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", shuffle_args, hex),
    ARG_END,
};

const arg_spec shuffle_spec = {
    name,
    "FILE",
    "puts the elements in a random order, the same for the same seed everywhere",
    "Every order is as likely as any other. This is no cryptography.\n\n"
    "Examples:\n"
    "  printf 'abcdefgh' | heddle shuffle - --dtype u8 --seed 42\n"
    "  heddle shuffle x.npy --indices -o order.npy\n",
    options,
    1,
    1,
};

static int run(workspace *w, const shuffle_args *a, const char *file)
{
    io_read_options read;
    hd_view in, out;
    hd_shuffle_options options = {.seed = 0};
    if (a->seed != NULL && !print_parse(HD_U64, a->seed, &options.seed))
        return fail(EXIT_USAGE, name, "--seed: expected a whole number below 2^64, got '%s'",
                    a->seed);
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    EXIT_TRY(workspace_alloc(w, a->indices ? HD_I64 : in.type, in.ndim, in.shape, &out));
    hd_view to = out;
    if (a->indices) { // as one row
        in = hd_iota(hd_count(in));
        to = HD_VIEW_OF(HD_I64, out.data, in.shape[0]);
    }
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_shuffle(w->ctx, in, to, &options)));
    return workspace_emit(w, &(emission){.out = out,
                                         .like = in,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .hex = a->hex});
}

int command_shuffle(int argc, char **argv)
{
    shuffle_args a = {0};
    arg_result operands;
    workspace w = {0};
    int code;
    if (!args_begin(&shuffle_spec, argc, argv, &a, &operands, &code)) return code;
    code = run(&w, &a, operands.operand[0]);
    workspace_close(&w);
    return code;
}
