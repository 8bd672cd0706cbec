// SPDX-License-Identifier: Apache-2.0
//
// heddle rank: the rank of every node of linked lists, values scanned along them, and the roots of
// forests.
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "command_options.h"
#include "cli/run/workspace.h"

static const char name[] = "rank";

static const arg_option options[] = {
    ARG_TEXT(0, "method", "efficient|wyllie", "how to rank (efficient); wyllie is pointer jumping",
             rank_args, method),
    ARG_FLAG(0, "from-head", "count from the first node instead of to the last", rank_args,
             from_head),
    ARG_TEXT(0, "heads", "FILE", "first nodes: all that they do not reach is no node (-1)",
             rank_args, heads),
    ARG_TEXT(0, "values", "FILE", "scan these values along the lists instead", rank_args, values),
    ARG_TEXT(0, "op", "sum|product|min|max|and|or|xor|all|any|mean|variance",
             "with --values: the operator (sum)", rank_args, op),
    ARG_FLAG('x', "exclusive", "with --values: over the nodes before each", rank_args, exclusive),
    ARG_FLAG('b', "backward", "with --values: from the last node to the first", rank_args,
             backward),
    ARG_FLAG(0, "roots", "FILE has parents: find the root of every node", rank_args, roots),
    ARG_TEXT(0, "depth-out", "FILE", "with --roots: where the links to the root go", rank_args,
             depth_out),
    ARG_FLAG(0, "counts", "say on standard error how many steps and visits it took", rank_args,
             counts),
    ARG_TEXT(0, "out-type", "T", "type of the result (i64; of values as in heddle scan)", rank_args,
             out_type),
    OUTPUT_OPTION_ROW(rank_args, output),
    FILE_OPTION_ROWS(rank_args, file),
    CONTEXT_OPTION_ROWS(rank_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", rank_args, json),
    ARG_END,
};

const arg_spec rank_spec = {
    name,
    "FILE",
    "ranks linked lists: how many links from each node to the last",
    "FILE has the next node of each node; the last of a list links to itself or to -1. There may\n"
    "be any number of lists. Without -o a short result is printed, one element a line. What is no\n"
    "list (a link to no node, two links to one node, a circle) is named.\n\n"
    "Examples:\n"
    "  printf '\\2\\1\\1' | heddle rank - --dtype u8                  prints 2 0 1\n"
    "  heddle rank next.npy --method wyllie --counts -o ranks.npy\n"
    "  heddle rank next.npy --values x.npy -o sums.npy\n"
    "  heddle rank parents.npy --roots --depth-out depth.npy -o roots.npy\n",
    options,
    1,
    1,
};

typedef struct rank_run {
    const rank_args *a;
    const char *file;
    int64_t steps, work, lists;
    hd_view steps_view, work_view, lists_view; // of these
} rank_run;

int rank_check(const rank_args *a)
{
    if (a->roots && (a->values || a->heads || a->method || a->from_head))
        return fail(EXIT_USAGE, name, "--roots: goes with --depth-out alone");
    if (a->depth_out && !a->roots) return fail(EXIT_USAGE, name, "--depth-out: needs --roots");
    if (!a->values && (a->op || a->exclusive || a->backward))
        return fail(EXIT_USAGE, name, "--op, --exclusive, --backward: need --values");
    if (a->values && a->from_head)
        return fail(EXIT_USAGE, name, "--from-head: does not go with --values");
    return EXIT_DONE;
}

static int result_type(const rank_args *a, hd_type *type)
{
    if (a->out_type == NULL) return EXIT_DONE;
    return options_type(name, "out-type", a->out_type, type);
}

static hd_list_options list_options(rank_run *r, const hd_view *heads)
{
    const rank_args *a = r->a;
    r->steps_view = HD_VIEW(&r->steps, 1);
    r->work_view = HD_VIEW(&r->work, 1);
    r->lists_view = HD_VIEW(&r->lists, 1);
    const bool wyllie = a->method != NULL && strcmp(a->method, "wyllie") == 0;
    return (hd_list_options){.method = wyllie ? HD_LIST_WYLLIE : HD_LIST_EFFICIENT,
                             .from_head = a->from_head,
                             .exclusive = a->exclusive,
                             .backward = a->backward,
                             .heads = heads,
                             .steps = &r->steps_view,
                             .work = &r->work_view,
                             .lists = &r->lists_view};
}

static int rank_lists(workspace *w, rank_run *r, hd_view next, hd_view heads, hd_view *out)
{
    hd_type type = HD_I64;
    EXIT_TRY(result_type(r->a, &type));
    EXIT_TRY(workspace_row(w, type, hd_count(next), out));
    const hd_list_options how = list_options(r, &heads);
    workspace_begin(w);
    return workspace_call(w, hd_list_rank(w->ctx, next, *out, &how));
}

static int scan_lists(workspace *w, rank_run *r, hd_view next, hd_view heads, hd_view *out)
{
    const hd_operator *op = hd_operator_named(r->a->op != NULL ? r->a->op : "sum");
    hd_view values;
    EXIT_TRY(workspace_load(w, r->a->values, NULL, &values));
    hd_type type = hd_default_output(op, values.type);
    if (type == HD_NONE)
        return fail(EXIT_USAGE, name, "--op %s does not take elements of type %s (%s)",
                    hd_operator_name(op), hd_type_name(values.type), r->a->values);
    EXIT_TRY(result_type(r->a, &type));
    EXIT_TRY(workspace_row(w, type, hd_count(next), out));
    if (out->data != NULL)
        memset(out->data, 0,
               (size_t)hd_count(*out) * hd_type_size(type)); // what heads do not reach
    const hd_list_options how = list_options(r, &heads);
    workspace_begin(w);
    return workspace_call(w, hd_list_scan(w->ctx, next, values, op, *out, &how));
}

static int find_roots(workspace *w, rank_run *r, hd_view parent, hd_view *out)
{
    hd_type type = HD_I64;
    hd_view depth = {0};
    EXIT_TRY(result_type(r->a, &type));
    EXIT_TRY(workspace_row(w, type, hd_count(parent), out));
    if (r->a->depth_out) EXIT_TRY(workspace_row(w, type, hd_count(parent), &depth));
    const hd_forest_options how = {.depth = HD_REF(depth),
                                   .steps = HD_REF(HD_VIEW(&r->steps, 1)),
                                   .work = HD_REF(HD_VIEW(&r->work, 1))};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_forest_roots(w->ctx, parent, *out, &how)));
    return r->a->depth_out ? result_write(name, r->a->depth_out, depth, false) : EXIT_DONE;
}

static void add_counts(json *j, const void *user)
{
    const rank_run *r = user;
    json_int(j, "steps", r->steps);
    json_int(j, "work", r->work);
    if (!r->a->roots) json_int(j, "lists", r->lists);
}

static int run(workspace *w, rank_run *r)
{
    const rank_args *a = r->a;
    io_read_options read;
    hd_view next, heads, out;
    EXIT_TRY(rank_check(a));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(options_one_pipe(name, r->file, a->heads, a->values));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, r->file, &read, &next));
    EXIT_TRY(workspace_load(w, a->heads, NULL, &heads));
    EXIT_TRY(a->roots    ? find_roots(w, r, next, &out)
             : a->values ? scan_lists(w, r, next, heads, &out)
                         : rank_lists(w, r, next, heads, &out));
    if (a->counts)
        fprintf(stderr, "%lld steps, work %lld\n", (long long)r->steps, (long long)r->work);
    return workspace_emit(w, &(emission){.out = out,
                                         .file = a->output,
                                         .input = r->file,
                                         .json = a->json,
                                         .more = add_counts,
                                         .user = r});
}

int command_rank(int argc, char **argv)
{
    rank_args a = {.method = NULL};
    arg_result files;
    workspace w = {0};
    int code;
    if (!args_begin(&rank_spec, argc, argv, &a, &files, &code)) return code;
    rank_run r = {.a = &a, .file = files.operand[0]};
    code = run(&w, &r);
    workspace_close(&w);
    return code;
}
