// SPDX-License-Identifier: Apache-2.0
//
// heddle integral: the summed-area table of an image.
#include <heddle_algorithms.h>

#include "cli/command.h"
#include "cli/run/workspace.h"

static const char name[] = "integral";

typedef struct integral_args {
    const char *output, *out_type;
    bool border, batches, json;
    file_options file;
    context_options run;
} integral_args;

static const arg_option options[] = {
    ARG_FLAG('b', "border", "zeros above and on the left: one row and one column more",
             integral_args, border),
    ARG_FLAG(0, "batches", "a third axis is not channels: the first one is a batch", integral_args,
             batches),
    ARG_TEXT(0, "out-type", "T", "type of the sums (as heddle scan's)", integral_args, out_type),
    OUTPUT_OPTION_ROW(integral_args, output),
    FILE_OPTION_ROWS(integral_args, file),
    CONTEXT_OPTION_ROWS(integral_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", integral_args, json),
    ARG_END,
};

const arg_spec integral_spec = {
    name,
    "FILE",
    "the summed-area table of an image: a scan along both axes",
    "Each element of the result is the sum of all above it and on its left, itself among them.\n"
    "The image has two axes, or three: the last one is then channels, unless --batches is given.\n"
    "Without -o a short result is printed.\n\n"
    "Examples:\n"
    "  printf '\\1\\2\\3\\4' | heddle integral - --dtype u8 --shape 2,2     prints 1 3 and 4 10\n"
    "  heddle integral photo.png --border -o table.npy\n",
    options,
    1,
    1,
};

static int run(workspace *w, const integral_args *a, const char *file)
{
    io_read_options read;
    hd_view in, out;
    hd_integral_options how = {.exclusive = a->border};
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    if (in.ndim < 2 || in.ndim > 3)
        return fail(EXIT_USAGE, name, "%s: expected two axes or three, got %d", file, (int)in.ndim);
    hd_type type = hd_default_output(HD_SUM, in.type);
    if (a->out_type != NULL) EXIT_TRY(options_type(name, "out-type", a->out_type, &type));
    const bool channels = in.ndim == 3 && !a->batches;
    const int y = in.ndim - 2 - channels;
    int64_t shape[3] = {in.shape[0], in.shape[1], in.ndim == 3 ? in.shape[2] : 1};
    if (a->border) shape[y]++, shape[y + 1]++;
    how.channels = channels ? HD_CHANNELS_LAST : HD_CHANNELS_NONE;
    EXIT_TRY(workspace_alloc(w, type, in.ndim, shape, &out));
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_integral(w->ctx, in, out, &how)));
    return workspace_emit(
        w, &(emission){.out = out, .file = a->output, .input = file, .json = a->json});
}

int command_integral(int argc, char **argv)
{
    integral_args a = {.output = NULL};
    arg_result files;
    workspace w = {0};
    int code;
    if (!args_begin(&integral_spec, argc, argv, &a, &files, &code)) return code;
    code = run(&w, &a, files.operand[0]);
    workspace_close(&w);
    return code;
}
