// SPDX-License-Identifier: Apache-2.0
//
// heddle unique and heddle runs: the first element of each run of equal neighbours, alone or with
// how many there are.
#include "cli/command.h"
#include "cli/run/workspace.h"

typedef struct run_args {
    const char *output, *lengths_out, *indices_out;
    file_options file;
    context_options run;
    bool json, hex;
} run_args;

#define COMMON_ROWS                                                                                \
    ARG_TEXT(0, "indices-out", "FILE", "write the index at which each run begins as i64",          \
             run_args, indices_out),                                                               \
        FILE_OPTION_ROWS(run_args, file), CONTEXT_OPTION_ROWS(run_args, run),                      \
        ARG_FLAG(0, "json", "one JSON document on standard output", run_args, json),               \
        ARG_FLAG(0, "hex", "print the bits of the result", run_args, hex), ARG_END

static const arg_option unique_options[] = {
    OUTPUT_OPTION_ROW(run_args, output),
    COMMON_ROWS,
};

static const arg_option runs_options[] = {
    ARG_OUTPUT('o', "output", "FILE", "write the values: .npy, or the format of the suffix",
               run_args, output),
    ARG_TEXT(0, "lengths-out", "FILE", "where the lengths go, as i64", run_args, lengths_out),
    COMMON_ROWS,
};

const arg_spec unique_spec = {
    "unique",
    "FILE",
    "keeps the first of each run of equal neighbours",
    "Of a sorted array these are its different values. -0 equals 0, and a NaN nothing.\n\n"
    "Examples:\n"
    "  printf '\\1\\1\\1\\4\\4\\1' | heddle unique - --dtype u8      prints 1 4 1\n"
    "  heddle unique x.npy -o first.npy --indices-out where.npy\n",
    unique_options,
    1,
    1,
};

const arg_spec runs_spec = {
    "runs",
    "FILE",
    "prints each run of equal neighbours: its value and its length",
    "heddle expand makes the array again from values and lengths.\n\n"
    "Examples:\n"
    "  printf '\\1\\1\\1\\4\\4\\1' | heddle runs - --dtype u8      prints 1 3, 4 2, 1 1\n"
    "  heddle runs x.npy -o values.npy --lengths-out lengths.npy\n",
    runs_options,
    1,
    1,
};

static int run_runs(workspace *w, const char *name, const run_args *a, const char *file,
                    bool with_lengths)
{
    io_read_options read;
    hd_view in, out, lengths, indices;
    int64_t count = 0;
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    const int64_t n = hd_count(in);
    EXIT_TRY(workspace_row(w, in.type, n, &out));
    EXIT_TRY(workspace_row(w, HD_I64, n, &indices));
    EXIT_TRY(workspace_row(w, HD_I64, with_lengths ? n : 0, &lengths));
    workspace_begin(w);
    EXIT_TRY(workspace_call(
        w, with_lengths ? hd_run_lengths(w->ctx, in, out, lengths, HD_VIEW(&count, 1),
                                         &(hd_run_lengths_options){.indices = HD_REF(indices)})
                        : hd_unique(w->ctx, in, out, HD_VIEW(&count, 1),
                                    &(hd_unique_options){.indices = HD_REF(indices)})));
    emission e = {.out = hd_slice(out, 0, 0, count, 1),
                  .file = a->output,
                  .input = file,
                  .json = a->json,
                  .hex = a->hex};
    if (with_lengths) e.values = hd_slice(lengths, 0, 0, count, 1);
    if (a->lengths_out) EXIT_TRY(result_write(name, a->lengths_out, e.values, false));
    indices = hd_slice(indices, 0, 0, count, 1);
    if (a->indices_out) EXIT_TRY(result_write(name, a->indices_out, indices, false));
    return workspace_emit(w, &e);
}

static int run_command(const arg_spec *spec, int argc, char **argv, bool with_lengths)
{
    run_args a = {.output = NULL};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(spec, argc, argv, &a, &operands, &code)) return code;
    code = run_runs(&w, spec->command, &a, operands.operand[0], with_lengths);
    workspace_close(&w);
    return code;
}

int command_unique(int argc, char **argv)
{
    return run_command(&unique_spec, argc, argv, false);
}

int command_runs(int argc, char **argv)
{
    return run_command(&runs_spec, argc, argv, true);
}
