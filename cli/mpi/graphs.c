// SPDX-License-Identifier: Apache-2.0
//
// heddle rank and heddle components over ranks: nodes are numbered over the whole.
#include <heddle_algorithms.h>

#include <string.h>

#include "cli/algorithms/edge_list.h"
#include "cli/algorithms/graph_options.h"
#include "cli/patterns/command_options.h"
#include "commands.h"
#include "part.h"

// ---- Lists --------------------------------------------------------------------------------------

static void add_lists(json *j, const void *user)
{
    json_int(j, "lists", *(const int64_t *)user);
}

static int rank(job *r, const rank_args *a, const char *file)
{
    static const char name[] = "rank";
    io_read_options read;
    part_array next, out;
    hd_type type = HD_I64;
    int64_t lists = 0;
    const bool wyllie = a->method != NULL && strcmp(a->method, "wyllie") == 0;
    EXIT_TRY(RANKS_REFUSE(name, {a->values != NULL, "--values"}, {a->heads != NULL, "--heads"},
                          {a->roots, "--roots"}, {a->counts, "--counts"},
                          {wyllie, "--method wyllie"}));
    EXIT_TRY(rank_check(a));
    EXIT_TRY(options_file(name, &a->file, &read));
    if (a->out_type != NULL) EXIT_TRY(options_type(name, "out-type", a->out_type, &type));
    EXIT_TRY(ranks_open(r, name, &a->run));
    EXIT_TRY(part_load(r, file, &read, PART_ELEMENTS, &next));
    EXIT_TRY(part_new(r, type, 1, &next.count, PART_ELEMENTS, &out));
    const hd_list_options how = {.from_head = a->from_head, .lists = HD_REF(HD_VIEW(&lists, 1))};
    RANKS_CALL(r, hd_mpi_list_rank(r->mpi, next.view, out.view, &how));
    const emission e = {
        .file = a->output, .input = file, .json = a->json, .more = add_lists, .user = &lists};
    return part_emit(r, &out, NULL, NULL, &e);
}

int ranks_rank(job *r, int argc, char **argv)
{
    rank_args a = {.method = NULL};
    arg_result files;
    int code;
    if (!args_begin(&rank_spec, argc, argv, &a, &files, &code)) return code;
    return rank(r, &a, files.operand[0]);
}

// ---- Components ---------------------------------------------------------------------------------

typedef struct components_run {
    int64_t edges, count, rounds;
} components_run;

static void add_counts(json *j, const void *user)
{
    const components_run *c = user;
    json_int(j, "edges", c->edges);
    json_int(j, "components", c->count);
    json_int(j, "rounds", c->rounds);
}

// One edge alone is an array of one axis, which is rank 0's.
static int load_rows(job *r, const char *file, const io_read_options *read, hd_view *rows)
{
    part_array in;
    EXIT_TRY(part_load(r, file, read, PART_ROWS, &in));
    *rows = in.view;
    if (in.ndim == 1 && in.count <= 3) {
        EXIT_TRY(part_collect(r, &in, rows));
        if (r->rank > 0) // a row of nothing: rows of nothing
            *rows = hd_view_nd(rows->type, NULL, 2, (int64_t[]){0, in.count == 3 ? 3 : 2}, NULL);
    }
    return edge_list_rows(&r->w, file, rows);
}

// One more than the greatest node of any rank; edges without one have no nodes.
static int count_nodes(job *r, const char *file, int64_t edges, edge_list *list)
{
    int64_t most[2] = {INT64_MIN, INT64_MIN}, greatest = -1;
    const hd_view ends[] = {list->u, list->v};
    for (int k = 0; k < 2 && hd_count(list->u) > 0; k++)
        EXIT_TRY(workspace_call(&r->w,
                                hd_reduce(r->w.ctx, ends[k], HD_MAX, HD_VIEW(&most[k], 1), NULL)));
    RANKS_CALL(r, hd_mpi_reduce(r->mpi, HD_VIEW(most, 2), HD_MAX, HD_VIEW(&greatest, 1), NULL));
    if (edges == 0) greatest = -1;
    const int64_t row = list->rows.shape[1] * (int64_t)hd_type_size(list->rows.type);
    return edge_list_nodes(&r->w, file, greatest, edges * row, list);
}

static int components(job *r, const components_args *a, const char *file)
{
    static const char name[] = "components";
    io_read_options read;
    hd_type type = HD_I64;
    hd_view rows;
    part_array label;
    edge_list list = {.nodes = a->nodes.value};
    components_run c = {.count = 0};
    int64_t first;
    EXIT_TRY(options_file(name, &a->file, &read));
    if (a->out_type != NULL) EXIT_TRY(options_type(name, "out-type", a->out_type, &type));
    EXIT_TRY(ranks_open(r, name, &a->run));
    EXIT_TRY(load_rows(r, file, &read, &rows));
    EXIT_TRY(edge_list_columns(&r->w, file, rows, &list));
    RANKS_CALL(r, hd_mpi_layout(r->mpi, hd_count(list.u), &first, &c.edges));
    if (!a->nodes.given) EXIT_TRY(count_nodes(r, file, c.edges, &list));
    EXIT_TRY(part_new(r, type, 1, &list.nodes, PART_ELEMENTS, &label));
    const hd_components_options how = {.count = HD_REF(HD_VIEW(&c.count, 1)),
                                       .rounds = HD_REF(HD_VIEW(&c.rounds, 1))};
    RANKS_CALL(r, hd_mpi_components(r->mpi, list.u, list.v, label.view, &how));
    const part_array count = {.view = hd_view_of(HD_I64, &c.count, r->rank == 0), .count = 1};
    const emission e = {
        .file = a->output, .input = file, .json = a->json, .more = add_counts, .user = &c};
    return part_emit(r, a->count ? &count : &label, NULL, NULL, &e);
}

int ranks_components(job *r, int argc, char **argv)
{
    components_args a = {0};
    arg_result operands;
    int code;
    if (!args_begin(&components_spec, argc, argv, &a, &operands, &code)) return code;
    return components(r, &a, operands.operand[0]);
}
