// SPDX-License-Identifier: Apache-2.0
//
// heddle blur: Gaussian blur of an image, and how far three boxes in its place are off.
#include "cli/command.h"
#include "command_options.h"
#include "neighbours.h"

#include "program.h"

#include <math.h>
#include <stdlib.h>

static const char name[] = "blur";

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
    "Its elements are u8, u16, f32 or f64. Without -o a short result is printed. How far --boxes\n"
    "are off the Gaussian is in the JSON document, and on standard error for a sigma below 2.\n\n"
    "Examples:\n"
    "  heddle blur x.npy --sigma 8 -o soft.npy\n"
    "  heddle blur x.npy --sigma 20 --border replicate -o soft.npy\n",
    options,
    1,
    1,
};

// ---- Boxes in the place of a Gaussian -----------------------------------------------------------

// Widths are odd, so that few of them come near a small variance. Below this sigma the user is
// told.
#define COARSE 2.0

static bool are_boxes(const hd_blur_options *o, double sigma)
{
    return o->method == HD_BLUR_BOX && sigma > 0 && sigma <= HD__BLUR_WIDEST_BOXES;
}

// Boxes of one pixel blur nothing: sigma is too small for three widths that are odd.
static int refuse_single_pixels(const hd_blur_options *o, double sigma)
{
    int64_t box[3];
    if (!are_boxes(o, sigma)) return EXIT_DONE;
    hd__three_boxes(sigma, box);
    if (box[0] + box[1] + box[2] > 0) return EXIT_DONE;
    return fail(EXIT_USAGE, name,
                "--boxes: for sigma %g each box is one pixel wide and the image stays as it is: "
                "expected a sigma of at least 0.58, or no --boxes",
                sigma);
}

static blur_error measure_boxes(double sigma)
{
    blur_error e = {.known = false};
    hd__three_boxes(sigma, e.box);
    const int64_t radius = e.box[0] + e.box[1] + e.box[2];
    const int64_t three = (int64_t)ceil(3 * sigma), most = three > radius ? three : radius;
    double *g = calloc((size_t)most + 1, sizeof *g);
    uint64_t *w = calloc((size_t)(most + 1 + 2 * (2 * radius + 1)), sizeof *w);
    if (g != NULL && w != NULL) {
        double sum = 0, variance = 0;
        hd__gaussian(sigma, most, g);
        hd__boxes_whole(e.box, w + most + 1, w); // zeros follow its weights
        for (int64_t k = 0; k <= most; k++) {
            const double both = (k > 0 ? 2 : 1) * (double)w[k];
            sum += both;
            variance += both * (double)k * (double)k;
        }
        for (int64_t k = 0; k <= most; k++)
            e.deviation = fmax(e.deviation, fabs((double)w[k] / sum - g[k]));
        e.sigma = sqrt(variance / sum);
        e.greatest = g[0];
        e.known = true;
    }
    free(g);
    free(w);
    return e;
}

static void print_box_error(double sigma, const blur_error *e)
{
    if (!e->known || sigma >= COARSE) return;
    fprintf(stderr,
            "heddle blur: boxes of %lld, %lld and %lld pixels have a sigma of %.3f in the place of "
            "%g; a weight is off by up to %.3f, %.0f %% of the Gaussian's greatest\n",
            (long long)(2 * e->box[0] + 1), (long long)(2 * e->box[1] + 1),
            (long long)(2 * e->box[2] + 1), e->sigma, sigma, e->deviation,
            100 * e->deviation / e->greatest);
}

void blur_json(json *j, const void *user)
{
    const blur_error *e = user;
    if (!e->known) return;
    json_array(j, "boxes");
    for (int k = 0; k < 3; k++) json_int(j, NULL, 2 * e->box[k] + 1);
    json_close(j);
    json_real(j, "effective_sigma", e->sigma);
    json_real(j, "largest_deviation", e->deviation);
}

blur_error blur_boxes(const hd_blur_options *o, double sigma)
{
    blur_error off = {.known = false};
    if (are_boxes(o, sigma)) off = measure_boxes(sigma);
    print_box_error(sigma, &off);
    return off;
}

// ---- The command --------------------------------------------------------------------------------

int blur_prepare(const blur_args *a, double *sigma, hd_blur_options *o)
{
    *sigma = 2;
    *o = (hd_blur_options){.radius = a->radius.value};
    EXIT_TRY(neighbours_number(name, "sigma", a->sigma, sigma));
    EXIT_TRY(neighbours_border(name, &a->border, &o->border, &o->constant));
    o->method = a->boxes ? HD_BLUR_BOX : HD_BLUR_GAUSSIAN;
    return refuse_single_pixels(o, *sigma);
}

static int run(workspace *w, const blur_args *a, const char *file)
{
    hd_view in, out;
    io_read_options read;
    double sigma;
    hd_blur_options o;
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(blur_prepare(a, &sigma, &o));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    o.channels = in.ndim == 3 && !a->batches ? HD_CHANNELS_LAST : HD_CHANNELS_NONE;
    EXIT_TRY(workspace_like(w, in, &out));
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_blur(w->ctx, in, sigma, out, &o)));
    const blur_error off = blur_boxes(&o, sigma);
    return workspace_emit(w, &(emission){.out = out,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .hex = a->hex,
                                         .more = blur_json,
                                         .user = &off});
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
