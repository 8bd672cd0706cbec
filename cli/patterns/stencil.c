// SPDX-License-Identifier: Apache-2.0
//
// heddle stencil: weights around each point, finite differences, and the heat equation, for as many
// time steps as asked for.
#include "cli/command.h"
#include "command_options.h"
#include "neighbours.h"

static const char name[] = "stencil";

static const arg_option options[] = {
    ARG_TEXT('w', "weights", "NUMBERS",
             "around each point; ';' ends a row: \"0 1 0; 1 -4 1; 0 1 0\"", stencil_args, weights),
    ARG_TEXT(0, "weights-file", "FILE", "the same, an array of one to three axes", stencil_args,
             weights_file),
    ARG_INT(0, "laplacian", "P", "the Laplacian, by differences of order P: 2, 4, 6, 8",
            stencil_args, laplacian, 2, 8),
    ARG_TEXT(0, "heat", "K", "x + K Laplacian(x): steps of the heat equation", stencil_args, heat),
    ARG_INT(0, "derivative", "D", "the first or second derivative along the last axis",
            stencil_args, derivative, 1, 2),
    ARG_INT(0, "order", "P", "of the derivative and of --heat: 2, 4, 6, 8 (2)", stencil_args, order,
            2, 8),
    ARG_TEXT(0, "spacing", "H", "distance of neighbouring points (1)", stencil_args, spacing),
    ARG_INT(0, "axes", "N", "of --laplacian and --heat (all of the array, at most 3)", stencil_args,
            axes, 1, 3),
    ARG_INT('n', "steps", "N", "apply it so many times (1)", stencil_args, steps, 1, INT32_MAX),
    BORDER_OPTION_ROWS(stencil_args, border, BORDER_NAMES "|keep", "zero"),
    OUTPUT_OPTION_ROW(stencil_args, output),
    FILE_OPTION_ROWS(stencil_args, file),
    CONTEXT_OPTION_ROWS(stencil_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", stencil_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", stencil_args, hex),
    ARG_END,
};

const arg_spec stencil_spec = {
    name,
    "FILE",
    "applies a fixed neighbourhood to every point, once or for many time steps",
    "Give one of --weights, --weights-file, --laplacian, --heat and --derivative. Axes of the "
    "array\n"
    "before those of the neighbourhood are batches. Without -o a short result is printed.\n\n"
    "Examples:\n"
    "  printf '\\1\\4\\11\\20' | heddle stencil - --dtype u8 --weights \"0 1 0\"      prints 1 4 9 "
    "16\n"
    "  heddle stencil x.npy --heat 0.1 --steps 100 --border keep -o later.npy\n",
    options,
    1,
    1,
};

static int make_derivative(const stencil_args *a, double spacing, stencil_neighbourhood *t)
{
    const int32_t order = a->order.given ? (int32_t)a->order.value : 2;
    const int32_t count =
        hd_finite_difference((int32_t)a->derivative.value, order, spacing, t->weight);
    if (count == 0)
        return fail(EXIT_USAGE, name,
                    "--order %d, --spacing %g: expected 2, 4, 6 or 8, and a positive number "
                    "whose weights are neither infinite nor below 2.2e-308",
                    (int)order, spacing);
    t->weights = HD_VIEW(t->weight, count);
    return EXIT_DONE;
}

static int make_laplacian(const stencil_args *a, double spacing, int32_t ndim,
                          stencil_neighbourhood *t)
{
    const int32_t order = (int32_t)(a->laplacian.given ? a->laplacian.value
                                    : a->order.given   ? a->order.value
                                                       : 2);
    const int32_t axes = a->axes.given ? (int32_t)a->axes.value : ndim < 3 ? ndim : 3;
    const int32_t count = hd_laplacian(axes, order, spacing, t->offset, t->weight);
    if (count == 0)
        return fail(EXIT_USAGE, name,
                    "order %d, --spacing %g: expected 2, 4, 6 or 8, and a positive number "
                    "whose weights are neither infinite nor below 2.2e-308",
                    (int)order, spacing);
    if (a->heat != NULL) {
        double k = 0;
        EXIT_TRY(neighbours_number(name, "heat", a->heat, &k));
        for (int32_t i = 0; i < count; i++) t->weight[i] *= k;
        t->weight[count / 2] += 1;
    }
    t->weights = HD_VIEW(t->weight, count);
    t->offsets = hd_view_nd(HD_I64, t->offset, 2, (int64_t[]){count, axes}, NULL);
    return EXIT_DONE;
}

int stencil_weights(workspace *w, const stencil_args *a, hd_view in, stencil_neighbourhood *t)
{
    const int ways = (a->weights != NULL) + (a->weights_file != NULL) + a->laplacian.given +
                     (a->heat != NULL) + a->derivative.given;
    double spacing = 1;
    if (ways != 1)
        return fail(EXIT_USAGE, name,
                    "expected one of --weights, --weights-file, --laplacian, --heat, --derivative");
    EXIT_TRY(neighbours_number(name, "spacing", a->spacing, &spacing));
    if (a->weights_file != NULL) return workspace_load(w, a->weights_file, NULL, &t->weights);
    if (a->derivative.given) return make_derivative(a, spacing, t);
    if (a->weights == NULL) return make_laplacian(a, spacing, in.ndim, t);
    const bool whole =
        in.type != HD_F16 && in.type != HD_BF16 && in.type != HD_F32 && in.type != HD_F64;
    return neighbours_mask(w, &(mask_text){"weights", a->weights, 1, whole}, &t->weights);
}

static int run(workspace *w, const stencil_args *a, const char *file)
{
    hd_view in, out;
    io_read_options read;
    stencil_neighbourhood t = {.offsets = HD_EMPTY, .weights = HD_EMPTY};
    hd_stencil_options o = {.iterations = a->steps.value, .channels = HD_CHANNELS_NONE};
    EXIT_TRY(options_one_pipe(name, file, a->weights_file, NULL));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(neighbours_border(name, &a->border, &o.border, &o.constant));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    EXIT_TRY(stencil_weights(w, a, in, &t));
    EXIT_TRY(workspace_like(w, in, &out));
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_stencil(w->ctx, in, t.offsets, t.weights, out, &o)));
    return workspace_emit(w, &(emission){.out = out,
                                         .like = in,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .hex = a->hex});
}

int command_stencil(int argc, char **argv)
{
    stencil_args a = {0};
    arg_result operands;
    int code;
    if (!args_begin(&stencil_spec, argc, argv, &a, &operands, &code)) return code;
    workspace w = {0};
    code = run(&w, &a, operands.operand[0]);
    workspace_close(&w);
    return code;
}
