// SPDX-License-Identifier: Apache-2.0
//
// heddle components: the connected components of a graph given as a list of edges.
#include <heddle_algorithms.h>

#include "cli/command.h"
#include "graph_options.h"
#include "edge_list.h"

static const char name[] = "components";

static const arg_option options[] = {
    ARG_INT('n', "nodes", "N", "how many nodes there are (one more than the greatest)",
            components_args, nodes, 0, INT64_MAX / 64),
    ARG_FLAG('c', "count", "print how many components there are, and no labels", components_args,
             count),
    ARG_TEXT(0, "out-type", "T", "type of the labels (i64)", components_args, out_type),
    OUTPUT_OPTION_ROW(components_args, output),
    FILE_OPTION_ROWS(components_args, file),
    CONTEXT_OPTION_ROWS(components_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", components_args, json),
    ARG_END,
};

const arg_spec components_spec = {
    name,
    "EDGES",
    "labels the connected components of a graph",
    "EDGES has a row \"u v\" for each edge: text, CSV, or an array (m, 2). A third column, as of\n"
    "weights, is passed over. The label of a node is the least node of its component; without -o\n"
    "a short result is printed, one label a line.\n\n"
    "Example:\n"
    "  printf '0 2\\n3 4\\n' >edges.txt; heddle components edges.txt    prints 0 1 0 3 3\n"
    "  heddle components edges.txt --count                            prints 3\n",
    options,
    1,
    1,
};

typedef struct components_run {
    const components_args *a;
    edge_list list;
    int64_t count, rounds;
} components_run;

static void add_counts(json *j, const void *user)
{
    const components_run *r = user;
    json_int(j, "edges", hd_count(r->list.u));
    json_int(j, "components", r->count);
    json_int(j, "rounds", r->rounds);
}

static int run(workspace *w, components_run *r, const char *file)
{
    const components_args *a = r->a;
    io_read_options read;
    hd_type type = HD_I64;
    hd_view label;
    EXIT_TRY(options_file(name, &a->file, &read));
    if (a->out_type != NULL) EXIT_TRY(options_type(name, "out-type", a->out_type, &type));
    EXIT_TRY(workspace_open(w, name, &a->run));
    workspace_begin(w);
    EXIT_TRY(edge_list_load(w, file, &read, a->nodes, &r->list));
    EXIT_TRY(workspace_row(w, type, r->list.nodes, &label));
    const hd_components_options how = {.count = HD_REF(HD_VIEW(&r->count, 1)),
                                       .rounds = HD_REF(HD_VIEW(&r->rounds, 1))};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_components(w->ctx, r->list.u, r->list.v, label, &how)));
    return workspace_emit(w, &(emission){.out = a->count ? HD_VIEW(&r->count, 1) : label,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .single = a->count,
                                         .more = add_counts,
                                         .user = r});
}

int command_components(int argc, char **argv)
{
    components_args args = {0};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&components_spec, argc, argv, &args, &operands, &code)) return code;
    components_run r = {.a = &args};
    code = run(&w, &r, operands.operand[0]);
    workspace_close(&w);
    return code;
}
