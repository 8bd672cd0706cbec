// SPDX-License-Identifier: Apache-2.0
//
// heddle tree: depth, order, sizes, sums over subtrees and common ancestors of a tree given by its
// parents or by its edges.
#include <heddle_algorithms.h>

#include <string.h>

#include "cli/command.h"
#include "edge_list.h"

static const char name[] = "tree";

typedef struct tree_args {
    const char *give, *values, *op, *queries, *out_type, *output;
    arg_int root;
    bool json;
    file_options file;
    context_options run;
} tree_args;

static const arg_option options[] = {
    ARG_TEXT('g', "give", "depth|sizes|preorder|postorder|tour|parents|sums|ancestors",
             "what is asked for (depth)", tree_args, give),
    ARG_INT('r', "root", "NODE", "FILE has edges u v; this node is the root", tree_args, root, 0,
            INT64_MAX / 64),
    ARG_TEXT(0, "values", "FILE", "with --give sums: a value for each node", tree_args, values),
    ARG_TEXT(0, "op", "sum|product|min|max|and|or|xor", "with --give sums: the operator (sum)",
             tree_args, op),
    ARG_TEXT(0, "queries", "FILE", "with --give ancestors: pairs of nodes, one a row", tree_args,
             queries),
    ARG_TEXT(0, "out-type", "T", "type of the result (i64; of sums as in heddle reduce)", tree_args,
             out_type),
    OUTPUT_OPTION_ROW(tree_args, output),
    FILE_OPTION_ROWS(tree_args, file),
    CONTEXT_OPTION_ROWS(tree_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", tree_args, json),
    ARG_END,
};

const arg_spec tree_spec = {
    name,
    "FILE",
    "numbers the nodes of a tree, reduces over subtrees, finds common ancestors",
    "FILE has the parent of each node, the root itself or -1; with --root a row \"u v\" for each\n"
    "edge. Children are in the order of their numbers. Sizes are of subtrees; preorder and\n"
    "postorder count the nodes that are entered, or left, before a node; the tour names each node\n"
    "when it is entered and when it is left. Without -o a short result is printed.\n\n"
    "Example:\n"
    "  echo -1 0 0 1 1 >parents.txt\n"
    "  heddle tree parents.txt                                      prints 0 1 1 2 2\n"
    "  echo 1 2 3 4 5 >x.txt; heddle tree parents.txt -g sums --values x.txt\n"
    "                                                               prints 15 11 3 4 5\n"
    "  printf '3 4\\n3 2\\n' >pairs.txt; heddle tree parents.txt -g ancestors --queries pairs.txt\n"
    "                                                               prints 1 0\n",
    options,
    1,
    1,
};

typedef struct tree_run {
    const tree_args *a;
    const char *give, *file;
    hd_view parent, out;
    hd_type type;
} tree_run;

static bool gives(const tree_run *r, const char *what)
{
    return strcmp(r->give, what) == 0;
}

static int check_args(const tree_run *r)
{
    const tree_args *a = r->a;
    if (gives(r, "sums") != (a->values != NULL))
        return fail(EXIT_USAGE, name, "--values: goes with --give sums, which needs it");
    if (gives(r, "ancestors") != (a->queries != NULL))
        return fail(EXIT_USAGE, name, "--queries: goes with --give ancestors, which needs it");
    if (a->op != NULL && !gives(r, "sums"))
        return fail(EXIT_USAGE, name, "--op: goes with --give sums");
    return EXIT_DONE;
}

// The parents, from the file or from its edges.
static int load_parents(workspace *w, tree_run *r, const io_read_options *read)
{
    edge_list list = {.nodes = 0};
    if (!r->a->root.given) {
        EXIT_TRY(workspace_load(w, r->file, read, &r->parent));
        if (r->parent.ndim == 1) return EXIT_DONE;
        return fail(EXIT_USAGE, name,
                    "%s: %d dimensions; expected one, the parent of each node (edges u v need "
                    "--root)",
                    r->file, r->parent.ndim);
    }
    EXIT_TRY(edge_list_load(w, r->file, read, (arg_int){.given = false}, &list));
    const int64_t nodes = list.nodes > r->a->root.value ? list.nodes : r->a->root.value + 1;
    const int64_t edges = hd_count(list.u);
    if (nodes != edges + 1) // said here: many nodes would take much memory
        return fail(EXIT_DATA, name, "%s: %lld edges for the nodes 0 .. %lld; a tree has %lld",
                    r->file, (long long)edges, (long long)nodes - 1, (long long)nodes - 1);
    EXIT_TRY(workspace_row(w, HD_I64, nodes, &r->parent));
    workspace_begin(w);
    return workspace_call(
        w, hd_tree_parents(w->ctx, list.u, list.v, r->a->root.value, r->parent, NULL));
}

static int give_sums(workspace *w, tree_run *r)
{
    const hd_operator *op = hd_operator_named(r->a->op != NULL ? r->a->op : "sum");
    hd_view values;
    EXIT_TRY(workspace_load(w, r->a->values, NULL, &values));
    hd_type type = hd_default_output(op, values.type);
    if (type == HD_NONE)
        return fail(EXIT_USAGE, name, "--op %s does not take elements of type %s (%s)",
                    hd_operator_name(op), hd_type_name(values.type), r->a->values);
    if (r->a->out_type != NULL) type = r->type;
    EXIT_TRY(workspace_row(w, type, hd_count(r->parent), &r->out));
    workspace_begin(w);
    return workspace_call(w, hd_tree_reduce(w->ctx, r->parent, values, op, r->out, NULL));
}

static int give_ancestors(workspace *w, tree_run *r)
{
    edge_list pairs = {.nodes = 0};
    EXIT_TRY(edge_list_load(w, r->a->queries, NULL, (arg_int){.given = false}, &pairs));
    EXIT_TRY(workspace_row(w, r->type, hd_count(pairs.u), &r->out));
    workspace_begin(w);
    return workspace_call(w, hd_tree_ancestors(w->ctx, r->parent, pairs.u, pairs.v, r->out, NULL));
}

static int give_numbers(workspace *w, tree_run *r)
{
    const int64_t n = hd_count(r->parent);
    EXIT_TRY(workspace_row(w, r->type, gives(r, "tour") ? 2 * n : n, &r->out));
    const hd_view *out = &r->out;
    workspace_begin(w);
    if (gives(r, "parents"))
        return workspace_call(w, hd_map(w->ctx, r->parent, NULL, r->out, NULL));
    const hd_tree_order_options how = {.depth = gives(r, "depth") ? out : NULL,
                                       .preorder = gives(r, "preorder") ? out : NULL,
                                       .postorder = gives(r, "postorder") ? out : NULL,
                                       .sizes = gives(r, "sizes") ? out : NULL,
                                       .tour = gives(r, "tour") ? out : NULL};
    return workspace_call(w, hd_tree_order(w->ctx, r->parent, &how));
}

static int run(workspace *w, tree_run *r)
{
    const tree_args *a = r->a;
    io_read_options read;
    EXIT_TRY(check_args(r));
    EXIT_TRY(options_file(name, &a->file, &read));
    if (a->out_type != NULL) EXIT_TRY(options_type(name, "out-type", a->out_type, &r->type));
    EXIT_TRY(options_one_pipe(name, r->file, a->values, a->queries));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(load_parents(w, r, &read));
    EXIT_TRY(gives(r, "sums")        ? give_sums(w, r)
             : gives(r, "ancestors") ? give_ancestors(w, r)
                                     : give_numbers(w, r));
    return workspace_emit(
        w, &(emission){.out = r->out, .file = a->output, .input = r->file, .json = a->json});
}

int command_tree(int argc, char **argv)
{
    tree_args args = {0};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&tree_spec, argc, argv, &args, &operands, &code)) return code;
    tree_run r = {.a = &args, .file = operands.operand[0], .type = HD_I64};
    r.give = args.give != NULL ? args.give : "depth";
    code = run(&w, &r);
    workspace_close(&w);
    return code;
}
