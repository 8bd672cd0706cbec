// SPDX-License-Identifier: Apache-2.0
//
// heddle sort over ranks.
#include "cli/patterns/command_options.h"
#include "commands.h"
#include "part.h"

static const char name[] = "sort";

typedef struct moved {
    hd_view views[2 * SORT_MAX_VALUES]; // in, out, in, out
    part_array out[SORT_MAX_VALUES];
    int count;
} moved;

// Everything is sorted in place, which saves a rank a third of its memory.
static void add_values(const part_array *from, moved *m)
{
    m->out[m->count] = *from;
    m->views[2 * m->count] = m->views[2 * m->count + 1] = from->view;
    m->count++;
}

// The positions in the whole, which move along with the keys.
static int add_positions(job *r, const part_array *in, moved *m)
{
    part_array position;
    EXIT_TRY(part_like(r, in, HD_I64, &position));
    int64_t *p = position.view.data;
    for (int64_t k = 0; k < hd_count(position.view); k++) p[k] = in->first + k;
    add_values(&position, m);
    return EXIT_DONE;
}

static int run(job *r, const sort_args *a, const char *file)
{
    io_read_options read;
    sort_names values, values_out;
    part_array in, value;
    moved m = {.count = 0};
    EXIT_TRY(RANKS_REFUSE(name, {a->axis.given, "--axis"}, {a->key != NULL, "--key"},
                          {a->segments != NULL, "--segments"}));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(sort_cut("values", a->values, &values));
    EXIT_TRY(sort_cut("values-out", a->values_out, &values_out));
    EXIT_TRY(sort_check(a, file, &values, &values_out));
    EXIT_TRY(ranks_open(r, name, &a->run));
    EXIT_TRY(part_load(r, file, &read, PART_ELEMENTS, &in));
    if (a->argsort) EXIT_TRY(add_positions(r, &in, &m));
    for (int k = 0; k < values.count; k++) {
        EXIT_TRY(part_load(r, values.file[k], NULL, PART_ELEMENTS, &value));
        add_values(&value, &m);
    }
    const hd_mpi_sort_options how = {.descending = a->descending};
    RANKS_CALL(r, hd_mpi_sort(r->mpi, in.view, in.view, (hd_views){m.views, 2 * m.count}, &how));
    for (int k = 0; k < values.count; k++) EXIT_TRY(part_write(r, values_out.file[k], &m.out[k]));
    const emission e = {.file = a->output, .input = file, .json = a->json, .hex = a->hex};
    return part_emit(r, a->argsort ? &m.out[0] : &in, NULL, NULL, &e);
}

int ranks_sort(job *r, int argc, char **argv)
{
    sort_args a = {0};
    arg_result operands;
    int code;
    if (!args_begin(&sort_spec, argc, argv, &a, &operands, &code)) return code;
    return run(r, &a, operands.operand[0]);
}
