// SPDX-License-Identifier: Apache-2.0
//
// heddle partition: those that meet a condition first, or bucket after bucket.
#include "cli/command.h"
#include "condition.h"

static const char name[] = "partition";

typedef struct partition_args {
    where_options where;
    const char *buckets, *output, *counts_out, *indices_out;
    arg_int ways;
    file_options file;
    context_options run;
    bool json, hex;
} partition_args;

static const arg_option options[] = {
    WHERE_OPTION_ROWS(partition_args, where),
    ARG_TEXT(0, "buckets", "FILE", "the bucket of each element, 0 to K-1", partition_args, buckets),
    ARG_INT(0, "ways", "K", "with --buckets: how many there are", partition_args, ways, 1,
            (int64_t)1 << 30),
    OUTPUT_OPTION_ROW(partition_args, output),
    ARG_TEXT(0, "counts-out", "FILE", "write the size of each bucket as i64", partition_args,
             counts_out),
    ARG_TEXT(0, "indices-out", "FILE", "write the source index of each element as i64",
             partition_args, indices_out),
    FILE_OPTION_ROWS(partition_args, file),
    CONTEXT_OPTION_ROWS(partition_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", partition_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", partition_args, hex),
    ARG_END,
};

const arg_spec partition_spec = {
    name,
    "FILE",
    "moves the elements that meet a condition to the front, or into buckets",
    "Within each part elements keep their order. Without a condition those that are not zero\n"
    "come first.\n\n"
    "Examples:\n"
    "  printf '\\3\\1\\7\\0\\4\\1\\6\\3' | heddle partition - --dtype u8 --less 4    prints 3 1 0 "
    "1 3 7 "
    "4 6\n"
    "  heddle partition x.npy --greater 0 -o partitioned.npy --counts-out counts.npy\n",
    options,
    1,
    1,
};

static int check_args(const partition_args *a, const char *file)
{
    if ((a->buckets != NULL) != a->ways.given)
        return fail(EXIT_USAGE, name, "--buckets and --ways go together");
    return options_one_pipe(name, file, a->where.flags, a->buckets);
}

static int run_partition(workspace *w, const partition_args *a, const char *file)
{
    io_read_options read;
    hd_view in, out, counts, flags = HD_EMPTY, buckets = HD_EMPTY, indices = HD_EMPTY;
    const hd_partition_options o = {.flags = &flags,
                                    .buckets = &buckets,
                                    .ways = a->ways.value,
                                    .indices = &indices,
                                    .invert = a->where.invert};
    EXIT_TRY(check_args(a, file));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    EXIT_TRY(where_flags(w, &a->where, in, &flags));
    EXIT_TRY(workspace_load(w, a->buckets, NULL, &buckets));
    EXIT_TRY(workspace_row(w, in.type, hd_count(in), &out));
    EXIT_TRY(workspace_row(w, HD_I64, a->ways.given ? a->ways.value : 2, &counts));
    if (a->indices_out) EXIT_TRY(workspace_row(w, HD_I64, hd_count(in), &indices));
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_partition(w->ctx, in, out, counts, &o)));
    if (a->counts_out) EXIT_TRY(result_write(name, a->counts_out, counts, false));
    if (a->indices_out) EXIT_TRY(result_write(name, a->indices_out, indices, false));
    return workspace_emit(
        w,
        &(emission){.out = out, .file = a->output, .input = file, .json = a->json, .hex = a->hex});
}

int command_partition(int argc, char **argv)
{
    partition_args a = {.output = NULL};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&partition_spec, argc, argv, &a, &operands, &code)) return code;
    code = run_partition(&w, &a, operands.operand[0]);
    workspace_close(&w);
    return code;
}
