// SPDX-License-Identifier: Apache-2.0
//
// heddle stencil, heddle convolve and heddle blur over ranks, each of which has rows of the array;
// weights and masks are everywhere.
#include "cli/patterns/command_options.h"
#include "commands.h"
#include "part.h"

// ---- Stencil ------------------------------------------------------------------------------------

static int stencil(job *r, const stencil_args *a, const char *file)
{
    static const char name[] = "stencil";
    part_array in, out;
    io_read_options read;
    stencil_neighbourhood t = {.offsets = HD_EMPTY, .weights = HD_EMPTY};
    hd_stencil_options o = {.iterations = a->steps.value, .channels = HD_CHANNELS_NONE};
    EXIT_TRY(options_one_pipe(name, file, a->weights_file, NULL));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(neighbours_border(name, &a->border, &o.border, &o.constant));
    EXIT_TRY(ranks_open(r, name, &a->run));
    EXIT_TRY(part_load(r, file, &read, PART_ROWS, &in));
    EXIT_TRY(stencil_weights(&r->w, a, in.view, &t));
    EXIT_TRY(part_like(r, &in, in.view.type, &out));
    RANKS_CALL(r, hd_mpi_stencil(r->mpi, in.view, t.offsets, t.weights, out.view, &o));
    const emission e = {.file = a->output, .input = file, .json = a->json, .hex = a->hex};
    return part_emit(r, &out, NULL, NULL, &e);
}

int ranks_stencil(job *r, int argc, char **argv)
{
    stencil_args a = {0};
    arg_result operands;
    int code;
    if (!args_begin(&stencil_spec, argc, argv, &a, &operands, &code)) return code;
    return stencil(r, &a, operands.operand[0]);
}

// ---- Convolution --------------------------------------------------------------------------------

static int convolve(job *r, const convolve_args *a, const char *file)
{
    static const char name[] = "convolve";
    part_array in, out;
    io_read_options read;
    convolve_call c;
    EXIT_TRY(options_one_pipe(name, file, a->mask_file, NULL));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(ranks_open(r, name, &a->run));
    EXIT_TRY(part_load(r, file, &read, PART_ROWS, &in));
    EXIT_TRY(convolve_prepare(&r->w, a, in.view, &c));
    EXIT_TRY(part_like(r, &in, c.type, &out));
    RANKS_CALL(r, hd_mpi_convolve(r->mpi, in.view, c.mask, out.view, &c.options));
    const emission e = {.file = a->output, .input = file, .json = a->json, .hex = a->hex};
    return part_emit(r, &out, NULL, NULL, &e);
}

int ranks_convolve(job *r, int argc, char **argv)
{
    convolve_args a = {0};
    arg_result operands;
    int code;
    if (!args_begin(&convolve_spec, argc, argv, &a, &operands, &code)) return code;
    return convolve(r, &a, operands.operand[0]);
}

// ---- Blur ---------------------------------------------------------------------------------------

static int blur(job *r, const blur_args *a, const char *file)
{
    static const char name[] = "blur";
    part_array in, out;
    io_read_options read;
    double sigma;
    hd_blur_options o;
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(blur_prepare(a, &sigma, &o));
    EXIT_TRY(ranks_open(r, name, &a->run));
    EXIT_TRY(part_load(r, file, &read, PART_ROWS, &in));
    o.channels = in.ndim == 3 && !a->batches ? HD_CHANNELS_LAST : HD_CHANNELS_NONE;
    EXIT_TRY(part_like(r, &in, in.view.type, &out));
    RANKS_CALL(r, hd_mpi_blur(r->mpi, in.view, sigma, out.view, &o));
    blur_error off = {.known = false};
    if (r->rank == 0) off = blur_boxes(&o, sigma);
    const emission e = {.file = a->output,
                        .input = file,
                        .json = a->json,
                        .hex = a->hex,
                        .more = blur_json,
                        .user = &off};
    return part_emit(r, &out, NULL, NULL, &e);
}

int ranks_blur(job *r, int argc, char **argv)
{
    blur_args a = {0};
    arg_result operands;
    int code;
    if (!args_begin(&blur_spec, argc, argv, &a, &operands, &code)) return code;
    return blur(r, &a, operands.operand[0]);
}
