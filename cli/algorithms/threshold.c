// SPDX-License-Identifier: Apache-2.0
//
// heddle threshold: an image in black and white, by the mean of the box around each element.
#include <heddle_algorithms.h>

#include "cli/command.h"
#include "cli/patterns/neighbours.h"
#include "gray.h"

static const char name[] = "threshold";

typedef struct threshold_args {
    arg_int height, width;
    const char *output, *ratio;
    bool invert, json;
    file_options file;
    context_options run;
} threshold_args;

static const arg_option options[] = {
    ARG_INT('H', "height", "N", "rows of a box (as --width)", threshold_args, height, 1, INT64_MAX),
    ARG_INT('W', "width", "N", "columns of a box (an eighth of the image's, at least 3)",
            threshold_args, width, 1, INT64_MAX),
    ARG_TEXT('r', "ratio", "R", "how far below the mean is dark, 0 to 1 (0.15)", threshold_args,
             ratio),
    ARG_FLAG('i', "invert", "what is dark becomes 255, the rest 0", threshold_args, invert),
    OUTPUT_OPTION_ROW(threshold_args, output),
    FILE_OPTION_ROWS(threshold_args, file),
    CONTEXT_OPTION_ROWS(threshold_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", threshold_args, json),
    ARG_END,
};

const arg_spec threshold_spec = {
    name,
    "FILE",
    "parts an image into black and white by the mean around each element",
    "An element becomes 255 where it is above (1 - ratio) times the mean of the box around it, "
    "else\n"
    "0, so uneven light does not matter (Bradley and Roth 2007). Images of colours become gray\n"
    "first. Without -o a short result is printed.\n\n"
    "Examples:\n"
    "  heddle threshold page.png -o ink.png\n"
    "  heddle threshold page.png --invert -o letters.png && heddle label letters.png --counts "
    "-o l.npy\n",
    options,
    1,
    1,
};

static int run(workspace *w, const threshold_args *a, const char *file)
{
    io_read_options read;
    hd_view in, out;
    double ratio = 0.15;
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(neighbours_number(name, "ratio", a->ratio, &ratio));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    EXIT_TRY(gray_image(w, in, &in));
    const hd_threshold_options how = {
        .height = a->height.given ? a->height.value : a->width.value,
        .width = a->width.given ? a->width.value : a->height.value,
        .ratio = ratio,
        .zero_ratio = ratio == 0,
        .invert = a->invert,
    };
    EXIT_TRY(workspace_alloc(w, HD_U8, in.ndim, in.shape, &out));
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_threshold(w->ctx, in, out, &how)));
    return workspace_emit(
        w, &(emission){.out = out, .file = a->output, .input = file, .json = a->json});
}

int command_threshold(int argc, char **argv)
{
    threshold_args a = {.output = NULL};
    arg_result files;
    workspace w = {0};
    int code;
    if (!args_begin(&threshold_spec, argc, argv, &a, &files, &code)) return code;
    code = run(&w, &a, files.operand[0]);
    workspace_close(&w);
    return code;
}
