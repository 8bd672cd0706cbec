// SPDX-License-Identifier: Apache-2.0
//
// heddle gather and heddle scatter over ranks: indices are into the whole arrays.
#include <string.h>

#include "cli/patterns/command_options.h"
#include "commands.h"
#include "part.h"

// ---- Gather -------------------------------------------------------------------------------------

// What out looks like: the index, or rows of FILE, as many as the index has elements.
static int make_out(job *r, bool rows, const part_array *in, const part_array *index,
                    part_array *out)
{
    int64_t shape[HD_MAX_DIMS];
    if (!rows) return part_like(r, index, in->view.type, out);
    memcpy(shape, in->shape, sizeof shape);
    shape[0] = index->count;
    return part_new(r, in->view.type, in->ndim, shape, PART_ROWS, out);
}

static int gather(job *r, const gather_args *a, const char *file, const char *indices)
{
    static const char name[] = "gather";
    io_read_options read;
    part_array in, index, out;
    EXIT_TRY(options_one_pipe(name, file, indices, NULL));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(ranks_open(r, name, &a->run));
    EXIT_TRY(part_load(r, file, &read, a->axis.given ? PART_ROWS : PART_ELEMENTS, &in));
    EXIT_TRY(part_load(r, indices, NULL, PART_ELEMENTS, &index));
    const bool rows = a->axis.given && (a->axis.value == 0 || a->axis.value == -in.ndim);
    if (a->axis.given && !rows)
        return fail(EXIT_USAGE, name, "--axis %lld: over several ranks axis 0 alone",
                    (long long)a->axis.value);
    EXIT_TRY(make_out(r, rows && in.ndim > 1, &in, &index, &out));
    hd_gather_options options = {.checked = a->checked};
    if (rows) options.axis = HD_AXIS(0);
    RANKS_CALL(r, hd_mpi_gather(r->mpi, in.view, index.view, out.view, &options));
    const emission e = {.file = a->output, .input = file, .json = a->json, .hex = a->hex};
    return part_emit(r, &out, NULL, NULL, &e);
}

int ranks_gather(job *r, int argc, char **argv)
{
    gather_args a = {0};
    arg_result operands;
    int code;
    if (!args_begin(&gather_spec, argc, argv, &a, &operands, &code)) return code;
    return gather(r, &a, operands.operand[0], operands.operand[1]);
}

// ---- Scatter ------------------------------------------------------------------------------------

// A copy of --into, or zeros, of the type the result has.
static int make_start(job *r, const scatter_args *a, const part_array *in, part_array *out)
{
    const int64_t n = a->size.given ? a->size.value : in->count;
    hd_type type = in->view.type;
    if (a->into != NULL && a->size.given)
        return fail(EXIT_USAGE, "scatter", "--into, --size: expected one of them");
    if (a->into != NULL) return part_load(r, a->into, NULL, PART_ELEMENTS, out);
    if (a->op != NULL) type = hd_default_output(hd_operator_named(a->op), type);
    if (type == HD_NONE)
        return fail(EXIT_USAGE, "scatter", "--op %s does not take elements of type %s", a->op,
                    hd_type_name(in->view.type));
    EXIT_TRY(part_new(r, type, 1, &n, PART_ELEMENTS, out));
    if (!a->size.given) out->ndim = in->ndim, memcpy(out->shape, in->shape, sizeof out->shape);
    if (hd_count(out->view) > 0)
        memset(out->view.data, 0, (size_t)hd_count(out->view) * hd_type_size(type));
    return EXIT_DONE;
}

static int scatter(job *r, const scatter_args *a, const char *file, const char *indices)
{
    static const char name[] = "scatter";
    io_read_options read;
    part_array in, index, out;
    EXIT_TRY(options_one_pipe(name, file, indices, a->into));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(ranks_open(r, name, &a->run));
    EXIT_TRY(part_load(r, file, &read, PART_ELEMENTS, &in));
    EXIT_TRY(part_load(r, indices, NULL, PART_ELEMENTS, &index));
    EXIT_TRY(make_start(r, a, &in, &out));
    const hd_scatter_options options = {.combine = a->op ? hd_operator_named(a->op) : NULL,
                                        .order = a->any_order ? HD_ANY_ORDER : 0,
                                        .unique = a->unique,
                                        .checked = a->checked};
    RANKS_CALL(r, hd_mpi_scatter(r->mpi, in.view, index.view, out.view, &options));
    const emission e = {.file = a->output, .input = file, .json = a->json, .hex = a->hex};
    return part_emit(r, &out, NULL, NULL, &e);
}

int ranks_scatter(job *r, int argc, char **argv)
{
    scatter_args a = {0};
    arg_result operands;
    int code;
    if (!args_begin(&scatter_spec, argc, argv, &a, &operands, &code)) return code;
    return scatter(r, &a, operands.operand[0], operands.operand[1]);
}
