// SPDX-License-Identifier: Apache-2.0
//
// heddle gather: elements, or whole slices, fetched by an index.
#include "cli/command.h"
#include "command_options.h"
#include "cli/run/workspace.h"

static const char name[] = "gather";

static const arg_option options[] = {
    ARG_INT(0, "axis", "K", "fetch whole slices, indexed along axis K; -1 is the last", gather_args,
            axis, -HD_MAX_DIMS, HD_MAX_DIMS - 1),
    ARG_FLAG(0, "checked", "an index out of range is an error; else it gives zero", gather_args,
             checked),
    ARG_OUTPUT('o', "output", "FILE", "write a file instead of printing", gather_args, output),
    FILE_OPTION_ROWS(gather_args, file),
    CONTEXT_OPTION_ROWS(gather_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", gather_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", gather_args, hex),
    ARG_END,
};

const arg_spec gather_spec = {
    name,
    "FILE INDEX",
    "fetches elements by index: out[i] = FILE[INDEX[i]]",
    "The index is an array of any integer type; --dtype and --shape are of FILE. Without --axis "
    "the\n"
    "elements of FILE are numbered 0, 1, ... whatever its dimensions.\n\n"
    "Examples:\n"
    "  heddle shuffle x.npy --indices -o order.npy\n"
    "  heddle gather x.npy order.npy --checked\n",
    options,
    2,
    2,
};

// What out looks like: the index, or FILE with the axis as long as the index.
static int make_out(workspace *w, const gather_args *a, hd_view in, hd_view index, hd_view *out)
{
    if (!a->axis.given) return workspace_alloc(w, in.type, index.ndim, index.shape, out);
    const int64_t axis = a->axis.value < 0 ? in.ndim + a->axis.value : a->axis.value;
    int64_t shape[HD_MAX_DIMS];
    for (int k = 0; k < in.ndim; k++) shape[k] = k == axis ? hd_count(index) : in.shape[k];
    return workspace_alloc(w, in.type, in.ndim, shape, out);
}

static int run(workspace *w, const gather_args *a, const char *file, const char *indices)
{
    io_read_options read;
    hd_view in, index, out;
    EXIT_TRY(options_one_pipe(name, file, indices, NULL));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    EXIT_TRY(workspace_load(w, indices, NULL, &index));
    EXIT_TRY(make_out(w, a, in, index, &out));
    hd_gather_options options = {.checked = a->checked};
    if (a->axis.given) options.axis = HD_AXIS((int32_t)a->axis.value);
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_gather(w->ctx, in, index, out, &options)));
    return workspace_emit(w, &(emission){.out = out,
                                         .like = a->axis.given ? in : index,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .hex = a->hex});
}

int command_gather(int argc, char **argv)
{
    gather_args a = {0};
    arg_result operands;
    workspace w = {0};
    int code;
    if (!args_begin(&gather_spec, argc, argv, &a, &operands, &code)) return code;
    code = run(&w, &a, operands.operand[0], operands.operand[1]);
    workspace_close(&w);
    return code;
}
