// SPDX-License-Identifier: Apache-2.0
//
// heddle histogram over ranks: bins are chosen by the least and the greatest element of all, and
// rank 0 has the counts.
#include <stdlib.h>
#include <string.h>

#include "cli/histogram/histogram.h"
#include "commands.h"
#include "part.h"

static const char name[] = "histogram";

// The least and the greatest element of all ranks, as an array of two that has the same bins.
typedef struct extremes {
    _Alignas(16) unsigned char bytes[32];
    hd_view view;
} extremes;

static int find_extremes(job *r, const part_array *in, extremes *e)
{
    const hd_type type = in->view.type;
    const size_t size = hd_type_size(type);
    *e = (extremes){.view = hd_view_of(type, e->bytes, 0)};
    if (in->view.type == HD_NONE) e->view = (hd_view){0};
    if (in->count == 0) return EXIT_DONE;
    if (type != HD_BOOL) {
        RANKS_CALL(r, hd_mpi_reduce(r->mpi, in->view, HD_MIN, hd_view_of(type, e->bytes, 1), NULL));
        RANKS_CALL(
            r, hd_mpi_reduce(r->mpi, in->view, HD_MAX, hd_view_of(type, e->bytes + size, 1), NULL));
    }
    e->view = hd_view_of(type, e->bytes, 2);
    return EXIT_DONE;
}

static int load(job *r, histogramming *h, part_array *in, part_array *weights, part_array *with)
{
    const histogram_args *a = &h->args;
    io_read_options read;
    EXIT_TRY(options_file(name, &a->file, &read));
    if (a->letters.given) read = (io_read_options){.format = IO_BYTES};
    EXIT_TRY(part_load(r, h->file, &read, PART_ELEMENTS, in));
    EXIT_TRY(part_load(r, a->weights, NULL, PART_ELEMENTS, weights));
    EXIT_TRY(part_load(r, a->with, NULL, PART_ELEMENTS, with));
    h->in = in->view, h->weights = weights->view, h->with = with->view;
    h->options.weights = &h->weights;
    h->options.second = &h->with;
    return EXIT_DONE;
}

static int run(job *r, histogramming *h)
{
    part_array in, weights, with;
    extremes rows, columns;
    EXIT_TRY(histogram_check(h));
    EXIT_TRY(ranks_open(r, name, &h->args.run));
    EXIT_TRY(load(r, h, &in, &weights, &with));
    EXIT_TRY(find_extremes(r, &in, &rows));
    EXIT_TRY(find_extremes(r, &with, &columns));
    h->w = r->w; // what they load and make is this rank's own, and given back with it
    int code = histogram_choose(h, rows.view, columns.view);
    if (code == EXIT_DONE) code = histogram_allocate(h);
    r->w = h->w;
    EXIT_TRY(code);
    RANKS_CALL(r, hd_mpi_histogram(r->mpi, h->in, h->out, &h->options));
    h->w = r->w;
    h->counted = in.count;
    // Launchers give a terminal of their own, whatever the user has.
    return r->rank == 0 ? histogram_emit(h, false) : EXIT_DONE;
}

int ranks_histogram(job *r, int argc, char **argv)
{
    histogramming h;
    arg_result operands;
    int code;
    memset(&h, 0, sizeof h);
    if (!args_begin(&histogram_spec, argc, argv, &h.args, &operands, &code)) return code;
    h.file = operands.operand[0];
    return run(r, &h);
}
