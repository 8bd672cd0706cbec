// SPDX-License-Identifier: Apache-2.0
//
// heddle convolve: an array or an image by a mask, given on the command line or in a file.
#include "cli/command.h"
#include "command_options.h"
#include "neighbours.h"

#include <stdlib.h>
#include <string.h>

static const char name[] = "convolve";

static const arg_option options[] = {
    ARG_TEXT('m', "mask", "NUMBERS", "the mask; ';' ends a row: \"1 2 1; 2 4 2; 1 2 1\"",
             convolve_args, mask),
    ARG_TEXT(0, "mask-file", "FILE", "the mask, an array of one or two axes", convolve_args,
             mask_file),
    ARG_TEXT(0, "divide", "V", "divide the mask's numbers by this", convolve_args, divide),
    BORDER_OPTION_ROWS(convolve_args, border, BORDER_NAMES, "zero"),
    ARG_TEXT(0, "anchor", "I[,J]", "the mask's element over the output's place (its middle)",
             convolve_args, anchor),
    ARG_FLAG(0, "flip", "turn the mask by 180 degrees first", convolve_args, flip),
    ARG_FLAG(0, "direct", "never as two passes, even if the mask is a column times a row",
             convolve_args, direct),
    ARG_FLAG(0, "batches", "a third axis is not channels: the first one is a batch", convolve_args,
             batches),
    ARG_TEXT(0, "out-type", "T", "type of the result; by default the input's own", convolve_args,
             out_type),
    OUTPUT_OPTION_ROW(convolve_args, output),
    FILE_OPTION_ROWS(convolve_args, file),
    CONTEXT_OPTION_ROWS(convolve_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", convolve_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", convolve_args, hex),
    ARG_END,
};

const arg_spec convolve_spec = {
    name,
    "FILE",
    "sums each element's neighbours, weighted by a mask",
    "A mask of one row goes along the last axis, one of several rows over the last two. An array "
    "of\n"
    "three axes is then an image whose last axis is channels, unless --batches is given.\n"
    "Without -o a short result is printed.\n\n"
    "Examples:\n"
    "  printf '\\1\\2\\3\\4' | heddle convolve - --dtype u8 --mask \"1 1 1\"      prints 3 6 9 7\n"
    "  heddle convolve x.npy --mask \"1 2 1; 2 4 2; 1 2 1\" --divide 16 --border reflect -o "
    "y.npy\n",
    options,
    1,
    1,
};

// "I" or "I,J", as many as the mask has axes.
static int read_anchor(const char *text, int32_t axes, int64_t anchor[2])
{
    const char *at = text;
    for (int32_t k = 0; k < axes; k++) {
        char *end;
        anchor[k] = strtoll(at, &end, 10);
        const bool last = k == axes - 1;
        if (end == at || *end != (last ? 0 : ','))
            return fail(EXIT_USAGE, name, "--anchor %s: expected %d whole numbers", text,
                        (int)axes);
        at = end + 1;
    }
    return EXIT_DONE;
}

static int find_mask(workspace *w, const convolve_args *a, bool whole, hd_view *mask)
{
    mask_text text = {"mask", a->mask, 1, whole};
    if ((a->mask == NULL) == (a->mask_file == NULL))
        return fail(EXIT_USAGE, name, "expected --mask or --mask-file");
    EXIT_TRY(neighbours_number(name, "divide", a->divide, &text.divisor));
    if (a->mask == NULL && a->divide != NULL)
        return fail(EXIT_USAGE, name, "--divide: needs --mask");
    if (text.divisor == 0) return fail(EXIT_USAGE, name, "--divide 0: expected another number");
    return a->mask != NULL ? neighbours_mask(w, &text, mask)
                           : workspace_load(w, a->mask_file, NULL, mask);
}

int convolve_prepare(workspace *w, const convolve_args *a, hd_view in, convolve_call *c)
{
    hd_convolve_options *o = &c->options;
    *c = (convolve_call){.type = in.type, .options = {.flip = a->flip}};
    EXIT_TRY(neighbours_border(name, &a->border, &o->border, &o->constant));
    if (a->out_type != NULL) EXIT_TRY(options_type(name, "out-type", a->out_type, &c->type));
    const bool whole =
        in.type != HD_F16 && in.type != HD_BF16 && in.type != HD_F32 && in.type != HD_F64;
    EXIT_TRY(find_mask(w, a, whole, &c->mask));
    const int32_t axes = c->mask.ndim <= 2 ? c->mask.ndim : 2;
    if (a->anchor != NULL) EXIT_TRY(read_anchor(a->anchor, axes, c->anchor));
    o->anchor = a->anchor != NULL ? c->anchor : NULL;
    o->method = a->direct ? HD_CONVOLVE_DIRECT : HD_CONVOLVE_AUTO;
    const bool image = in.ndim == 3 && c->mask.ndim == 2 && !a->batches;
    o->channels = image ? HD_CHANNELS_LAST : HD_CHANNELS_NONE;
    return EXIT_DONE;
}

static int run(workspace *w, const convolve_args *a, const char *file)
{
    hd_view in, out;
    io_read_options read;
    convolve_call c;
    EXIT_TRY(options_one_pipe(name, file, a->mask_file, NULL));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    EXIT_TRY(convolve_prepare(w, a, in, &c));
    EXIT_TRY(workspace_alloc(w, c.type, in.ndim, in.shape, &out));
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_convolve(w->ctx, in, c.mask, out, &c.options)));
    return workspace_emit(w, &(emission){.out = out,
                                         .like = in,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .hex = a->hex});
}

int command_convolve(int argc, char **argv)
{
    convolve_args a = {0};
    arg_result operands;
    int code;
    if (!args_begin(&convolve_spec, argc, argv, &a, &operands, &code)) return code;
    workspace w = {0};
    code = run(&w, &a, operands.operand[0]);
    workspace_close(&w);
    return code;
}
