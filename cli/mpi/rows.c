// SPDX-License-Identifier: Apache-2.0
//
// heddle transpose and heddle difference over ranks, each of which has rows of the array.
#include <string.h>

#include "cli/patterns/command_options.h"
#include "cli/support/print.h"
#include "commands.h"
#include "part.h"

// ---- Transpose ----------------------------------------------------------------------------------

static int transpose(job *r, const transpose_args *a, const arg_result *files)
{
    static const char name[] = "transpose";
    const char *file = files->operand[0];
    io_read_options read;
    part_array in, out;
    const bool swaps = a->axes == NULL || strcmp(a->axes, "1,0") == 0;
    EXIT_TRY(RANKS_REFUSE(name, {a->split, "--split"}, {files->count > 1, "several files"},
                          {!swaps, "--axes"}));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(ranks_open(r, name, &a->run));
    EXIT_TRY(part_load(r, file, &read, PART_ROWS, &in));
    const bool lone = in.ndim < 2; // nothing to swap
    if (in.ndim > 2 || (lone && a->axes != NULL))
        return fail(EXIT_USAGE, name,
                    "%s: over several ranks an array of 2 dimensions is expected, got %d", file,
                    (int)in.ndim);
    const emission e = {.file = a->output, .input = file, .json = a->json, .hex = a->hex};
    if (lone) return part_emit(r, &in, NULL, NULL, &e);
    const int64_t shape[] = {in.shape[1], in.shape[0]};
    EXIT_TRY(part_new(r, in.view.type, 2, shape, PART_ROWS, &out));
    RANKS_CALL(r, hd_mpi_transpose(r->mpi, in.view, out.view, NULL));
    return part_emit(r, &out, NULL, NULL, &e);
}

int ranks_transpose(job *r, int argc, char **argv)
{
    transpose_args a = {.axes = NULL};
    arg_result files;
    int code;
    if (!args_begin(&transpose_spec, argc, argv, &a, &files, &code)) return code;
    return transpose(r, &a, &files);
}

// ---- Difference ---------------------------------------------------------------------------------

static int difference(job *r, const difference_args *a, const char *file)
{
    static const char name[] = "difference";
    io_read_options read;
    part_array in, out;
    _Alignas(8) unsigned char before[16];
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(ranks_open(r, name, &a->run));
    EXIT_TRY(part_load(r, file, &read, a->axis.given ? PART_ROWS : PART_ELEMENTS, &in));
    if (a->before != NULL && !print_parse(in.view.type, a->before, before))
        return fail(EXIT_USAGE, name, "--before: expected a number of type %s, got '%s'",
                    hd_type_name(in.view.type), a->before);
    EXIT_TRY(part_like(r, &in, in.view.type, &out));
    hd_difference_options options = {.before = a->before ? before : NULL};
    if (a->axis.given) options.axis = HD_AXIS((int32_t)a->axis.value);
    RANKS_CALL(r, hd_mpi_difference(r->mpi, in.view, out.view, &options));
    const emission e = {.file = a->output, .input = file, .json = a->json, .hex = a->hex};
    return part_emit(r, &out, NULL, NULL, &e);
}

int ranks_difference(job *r, int argc, char **argv)
{
    difference_args a = {0};
    arg_result operands;
    int code;
    if (!args_begin(&difference_spec, argc, argv, &a, &operands, &code)) return code;
    return difference(r, &a, operands.operand[0]);
}
