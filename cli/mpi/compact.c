// SPDX-License-Identifier: Apache-2.0
//
// heddle compact over ranks: what is kept stays where it is, and has its place in the file.
#include "cli/patterns/command_options.h"
#include "commands.h"
#include "part.h"

static const char name[] = "compact";

static bool has_condition(const where_options *o)
{
    return o->greater || o->at_least || o->less || o->at_most || o->equal;
}

// Flags of a file are cut as the elements are; conditions are of each rank's own elements.
static int find_flags(job *r, const where_options *o, const part_array *in, hd_view *flags)
{
    part_array file;
    if (has_condition(o) || o->flags == NULL) return where_flags(&r->w, o, in->view, flags);
    EXIT_TRY(part_load(r, o->flags, NULL, PART_ELEMENTS, &file));
    *flags = file.view;
    return EXIT_DONE;
}

static int keep(job *r, hd_view in, hd_view flags, bool invert, part_array *out)
{
    int64_t count = 0;
    hd_view kept;
    EXIT_TRY(workspace_row(&r->w, in.type, hd_count(in), &kept));
    const hd_compact_options o = {.flags = HD_REF(flags), .invert = invert};
    RANKS_CALL(r, hd_mpi_compact(r->mpi, in, kept, HD_VIEW(&count, 1), false, &o));
    return part_of(r, hd_slice(kept, 0, 0, count, 1), out);
}

// The positions in the whole of what is kept; without flags elements are their own.
static int keep_positions(job *r, const part_array *in, hd_view flags, bool invert, part_array *out)
{
    hd_view position;
    EXIT_TRY(workspace_row(&r->w, HD_I64, hd_count(in->view), &position));
    int64_t *p = position.data;
    for (int64_t k = 0; k < hd_count(position); k++) p[k] = in->first + k;
    return keep(r, position, flags.type != HD_NONE ? flags : in->view, invert, out);
}

static int run(job *r, const compact_args *a, const char *file)
{
    io_read_options read;
    part_array in, out, indices;
    hd_view flags;
    EXIT_TRY(options_one_pipe(name, file, a->where.flags, NULL));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(ranks_open(r, name, &a->run));
    EXIT_TRY(part_load(r, file, &read, PART_ELEMENTS, &in));
    EXIT_TRY(find_flags(r, &a->where, &in, &flags));
    EXIT_TRY(keep(r, in.view, flags, a->where.invert, &out));
    if (a->indices || a->indices_out)
        EXIT_TRY(keep_positions(r, &in, flags, a->where.invert, &indices));
    if (a->indices_out) EXIT_TRY(part_write(r, a->indices_out, &indices));
    const emission e = {.file = a->output, .input = file, .json = a->json, .hex = a->hex};
    return part_emit(r, &out, NULL, a->indices ? &indices : NULL, &e);
}

int ranks_compact(job *r, int argc, char **argv)
{
    compact_args a = {.output = NULL};
    arg_result operands;
    int code;
    if (!args_begin(&compact_spec, argc, argv, &a, &operands, &code)) return code;
    return run(r, &a, operands.operand[0]);
}
