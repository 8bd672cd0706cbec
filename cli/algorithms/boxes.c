// SPDX-License-Identifier: Apache-2.0
//
// heddle boxes: sum, mean or variance of the box around each element of an image.
#include <heddle_algorithms.h>

#include <string.h>

#include "cli/command.h"
#include "gray.h"

static const char name[] = "boxes";

typedef struct boxes_args {
    arg_int height, width;
    const char *output, *what, *out_type;
    bool json;
    file_options file;
    context_options run;
} boxes_args;

static const arg_option options[] = {
    ARG_INT('H', "height", "N", "rows of a box (as --width)", boxes_args, height, 1, INT64_MAX),
    ARG_INT('W', "width", "N", "columns of a box (as --height)", boxes_args, width, 1, INT64_MAX),
    ARG_TEXT(0, "what", "sum|mean|variance|count", "of the elements in the box (mean)", boxes_args,
             what),
    ARG_TEXT(0, "out-type", "f32|f64", "type of means and variances (f64)", boxes_args, out_type),
    OUTPUT_OPTION_ROW(boxes_args, output),
    FILE_OPTION_ROWS(boxes_args, file),
    CONTEXT_OPTION_ROWS(boxes_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", boxes_args, json),
    ARG_END,
};

const arg_spec boxes_spec = {
    name,
    "FILE",
    "sum, mean or variance of the box around each element",
    "Boxes are clipped at the borders of the image. The time does not depend on their size: each\n"
    "result is made of four corners of a summed-area table. Images of colours become gray first.\n"
    "Without -o a short result is printed.\n\n"
    "Examples:\n"
    "  heddle boxes x.npy --height 3 --width 3 -o means.npy\n"
    "  heddle boxes photo.png --width 25 --what variance -o texture.npy\n",
    options,
    1,
    1,
};

static int run(workspace *w, const boxes_args *a, const char *file)
{
    io_read_options read;
    hd_view in, out;
    const char *what = a->what != NULL ? a->what : "mean";
    hd_box_options how = {.size = sizeof how};
    EXIT_TRY(options_file(name, &a->file, &read));
    if (!a->height.given && !a->width.given)
        return fail(EXIT_USAGE, name, "expected --height, --width or both");
    const int64_t height = a->height.given ? a->height.value : a->width.value;
    const int64_t width = a->width.given ? a->width.value : a->height.value;
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    EXIT_TRY(gray_image(w, in, &in));
    hd_type type = in.type == HD_F32 || in.type == HD_F64 ? HD_F64 : HD_I64;
    const bool is_real = strcmp(what, "mean") == 0 || strcmp(what, "variance") == 0;
    if (is_real) type = HD_F64;
    if (strcmp(what, "count") == 0) type = HD_I64;
    if (is_real && a->out_type) EXIT_TRY(options_type(name, "out-type", a->out_type, &type));
    EXIT_TRY(workspace_alloc(w, type, in.ndim, in.shape, &out));
    const hd_view **outputs[] = {&how.sums, &how.means, &how.variances, &how.counts};
    static const char *const names[] = {"sum", "mean", "variance", "count"};
    for (int k = 0; k < 4; k++)
        if (strcmp(what, names[k]) == 0) *outputs[k] = &out;
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_box_statistics(w->ctx, in, height, width, &how)));
    return workspace_emit(
        w, &(emission){.out = out, .file = a->output, .input = file, .json = a->json});
}

int command_boxes(int argc, char **argv)
{
    boxes_args a = {.output = NULL};
    arg_result files;
    workspace w = {0};
    int code;
    if (!args_begin(&boxes_spec, argc, argv, &a, &files, &code)) return code;
    code = run(&w, &a, files.operand[0]);
    workspace_close(&w);
    return code;
}
