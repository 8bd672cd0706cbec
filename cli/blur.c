// SPDX-License-Identifier: Apache-2.0
//
// heddle blur: Gaussian blur of an image.
#include "neighbours.h"

static const char name[] = "blur";

typedef struct blur_args {
    const char *sigma, *output;
    arg_int radius;
    bool boxes, batches, json, hex;
    border_options border;
    file_options file;
    context_options run;
} blur_args;

static const arg_option options[] = {
    ARG_TEXT('s', "sigma", "S", "standard deviation in pixels (2)", blur_args, sigma),
    ARG_INT('r', "radius", "R", "pixels to each side that count (3 sigma)", blur_args, radius, 1,
            1 << 20),
    ARG_FLAG(0, "boxes", "u8, u16: three box filters instead, quick for any sigma", blur_args,
             boxes),
    BORDER_OPTION_ROWS(blur_args, border, BORDER_NAMES, "reflect"),
    ARG_FLAG(0, "batches", "a third axis is not channels: the first one is a batch", blur_args,
             batches),
    OUTPUT_OPTION_ROW(blur_args, output),
    FILE_OPTION_ROWS(blur_args, file),
    CONTEXT_OPTION_ROWS(blur_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", blur_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", blur_args, hex),
    ARG_END,
};

const arg_spec blur_spec = {
    name,
    "FILE",
    "blurs an image by a Gaussian",
    "The image has two axes, or three: the last one is then channels, unless --batches is given.\n"
    "Its elements are u8, u16, f32 or f64. Without -o a short result is printed.\n\n"
    "Examples:\n"
    "  heddle blur x.npy --sigma 8 -o soft.npy\n"
    "  heddle blur x.npy --sigma 20 --border replicate -o soft.npy\n",
    options,
    1,
    1,
};

static int run(workspace *w, const blur_args *a, const char *file)
{
    hd_view in, out;
    io_read_options read;
    hd_blur_options o = {.sigma = 2, .radius = a->radius.value};
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(neighbours_number(name, "sigma", a->sigma, &o.sigma));
    EXIT_TRY(neighbours_border(name, &a->border, &o.border, &o.constant));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    o.channels = in.ndim == 3 && !a->batches;
    o.method = a->boxes ? HD_BLUR_BOXES : HD_BLUR_GAUSS;
    EXIT_TRY(workspace_like(w, in, &out));
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_blur(w->ctx, in, out, &o)));
    return workspace_emit(
        w,
        &(emission){.out = out, .file = a->output, .input = file, .json = a->json, .hex = a->hex});
}

int command_blur(int argc, char **argv)
{
    blur_args a = {0};
    arg_result operands;
    int code;
    if (!args_begin(&blur_spec, argc, argv, &a, &operands, &code)) return code;
    workspace w = {0};
    code = run(&w, &a, operands.operand[0]);
    workspace_close(&w);
    return code;
}
