// SPDX-License-Identifier: Apache-2.0
//
// heddle mst: a minimum spanning forest of a graph given as a list of edges with weights.
#include <heddle_algorithms.h>

#include "cli/command.h"
#include "edge_list.h"

static const char name[] = "mst";

typedef struct mst_args {
    const char *weights, *output;
    arg_int nodes;
    bool indices, total, json;
    file_options file;
    context_options run;
} mst_args;

static const arg_option options[] = {
    ARG_TEXT('w', "weights", "FILE", "the weights, one an edge; default: the third column of EDGES",
             mst_args, weights),
    ARG_INT('n', "nodes", "N", "how many nodes there are (one more than the greatest)", mst_args,
            nodes, 0, INT64_MAX / 64),
    ARG_FLAG('i', "indices", "the numbers of the rows of the forest, from 0, not the rows",
             mst_args, indices),
    ARG_FLAG(0, "total", "print the weight of the forest alone", mst_args, total),
    OUTPUT_OPTION_ROW(mst_args, output),
    FILE_OPTION_ROWS(mst_args, file),
    CONTEXT_OPTION_ROWS(mst_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", mst_args, json),
    ARG_END,
};

const arg_spec mst_spec = {
    name,
    "EDGES",
    "finds a minimum spanning forest",
    "EDGES has a row \"u v w\" for each edge, w its weight: text, CSV, or an array (m, 3); or "
    "rows\n"
    "\"u v\" and --weights. The result has the rows of the forest in their order, a tree for each\n"
    "component; of equal weights the first row is the lightest. Without -o a short one is "
    "printed.\n"
    "\n"
    "Example:\n"
    "  printf '0 1 4\\n1 2 1\\n2 0 2\\n' >edges.txt\n"
    "  heddle mst edges.txt              prints 1 2 1 and 2 0 2\n"
    "  heddle mst edges.txt --total      prints 3\n",
    options,
    1,
    1,
};

typedef struct mst_run {
    const mst_args *a;
    edge_list list;
    hd_view total; // of one element
    int64_t count, rounds;
} mst_run;

static void add_counts(json *j, const void *user)
{
    const mst_run *r = user;
    double total;
    if (r->total.type == HD_F64)
        total = *(const double *)r->total.data;
    else
        total = r->total.type == HD_U64 ? (double)*(const uint64_t *)r->total.data
                                        : (double)*(const int64_t *)r->total.data;
    json_int(j, "nodes", r->list.nodes);
    json_int(j, "edges", hd_count(r->list.u));
    json_int(j, "components", r->list.nodes - r->count);
    json_real(j, "total", total);
    json_int(j, "rounds", r->rounds);
}

static int load_weights(workspace *w, mst_run *r, const char *file)
{
    edge_list *list = &r->list;
    if (r->a->weights != NULL) EXIT_TRY(workspace_load(w, r->a->weights, NULL, &list->weight));
    if (list->weight.type == HD_NONE)
        return fail(EXIT_USAGE, name, "%s: no weights; expected rows u v w, or --weights", file);
    const hd_type type = hd_default_output(HD_SUM, list->weight.type);
    if (type == HD_NONE)
        return fail(EXIT_USAGE, name, "%s: weights of %s; expected numbers", file,
                    hd_type_name(list->weight.type));
    return workspace_row(w, type == HD_I64 || type == HD_U64 ? type : HD_F64, 1, &r->total);
}

// The rows of the list that edges name.
static int take_rows(workspace *w, const mst_run *r, hd_view edges, hd_view *out)
{
    const hd_view rows = r->list.rows;
    const int64_t shape[2] = {hd_count(edges), rows.shape[1]};
    EXIT_TRY(workspace_alloc(w, rows.type, 2, shape, out));
    return workspace_call(
        w, hd_gather(w->ctx, rows, edges, *out, &(hd_gather_options){.axis = HD_AXIS(0)}));
}

static int run(workspace *w, mst_run *r, const char *file)
{
    const mst_args *a = r->a;
    edge_list *list = &r->list;
    io_read_options read;
    hd_view edges, out;
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(options_one_pipe(name, file, a->weights, NULL));
    EXIT_TRY(workspace_open(w, name, &a->run));
    workspace_begin(w);
    EXIT_TRY(edge_list_load(w, file, &read, a->nodes, list));
    EXIT_TRY(load_weights(w, r, file));
    EXIT_TRY(workspace_row(w, HD_I64, list->nodes, &edges));
    const hd_spanning_forest_options how = {.total = &r->total,
                                            .rounds = HD_REF(HD_VIEW(&r->rounds, 1))};
    workspace_begin(w);
    EXIT_TRY(
        workspace_call(w, hd_spanning_forest(w->ctx, list->u, list->v, list->weight, list->nodes,
                                             edges, HD_VIEW(&r->count, 1), &how)));
    const double seconds = w->seconds;
    out = edges = hd_slice(edges, 0, 0, r->count, 1);
    if (a->total)
        out = r->total;
    else if (!a->indices)
        EXIT_TRY(take_rows(w, r, edges, &out));
    w->seconds = seconds;
    return workspace_emit(w, &(emission){.out = out,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .single = a->total,
                                         .more = add_counts,
                                         .user = r});
}

int command_mst(int argc, char **argv)
{
    mst_args args = {0};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&mst_spec, argc, argv, &args, &operands, &code)) return code;
    mst_run r = {.a = &args};
    code = run(&w, &r, operands.operand[0]);
    workspace_close(&w);
    return code;
}
