// SPDX-License-Identifier: Apache-2.0
//
// heddle scatter: elements sent to the places an index says, written or combined.
#include "cli/command.h"
#include "command_options.h"
#include "cli/run/workspace.h"

static const char name[] = "scatter";

static const arg_option options[] = {
    ARG_TEXT(0, "op", "sum|product|min|max|and|or|xor|all|any",
             "combine with what is there; else the last one stays", scatter_args, op),
    ARG_TEXT(0, "into", "FILE", "start from this array", scatter_args, into),
    ARG_INT(0, "size", "N", "start from N zeros; else from as many as FILE has elements",
            scatter_args, size, 0, INT64_MAX),
    ARG_FLAG(0, "any-order", "combine in any order", scatter_args, any_order),
    ARG_FLAG(0, "unique", "a promise that no index comes twice", scatter_args, unique),
    ARG_FLAG(0, "checked", "an index out of range is an error; else it is left out", scatter_args,
             checked),
    ARG_OUTPUT('o', "output", "FILE", "write a file instead of printing", scatter_args, output),
    FILE_OPTION_ROWS(scatter_args, file),
    CONTEXT_OPTION_ROWS(scatter_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", scatter_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", scatter_args, hex),
    ARG_END,
};

const arg_spec scatter_spec = {
    name,
    "FILE INDEX",
    "sends elements to places: out[INDEX[i]] = FILE[i], or combines them there",
    "The index is an array of any integer type, of FILE's shape; --dtype and --shape are of FILE.\n"
    "Where an index comes more than once, the last one stays; with --op all are combined, in "
    "order.\n\n"
    "Examples:\n"
    "  heddle shuffle x.npy --indices -o order.npy\n"
    "  heddle scatter x.npy order.npy --checked\n",
    options,
    2,
    2,
};

// A copy of --into, or zeros, of the type the result has; *like is what it has its shape of.
static int make_out(workspace *w, const scatter_args *a, hd_view in, hd_view *out, hd_view *like)
{
    static const uint64_t zero[2];
    hd_view start;
    if (a->into != NULL && a->size.given)
        return fail(EXIT_USAGE, name, "--into, --size: expected one of them");
    EXIT_TRY(workspace_load(w, a->into, NULL, &start));
    *like = a->into != NULL ? start : a->size.given ? (hd_view){0} : in;
    if (a->into == NULL) {
        const int64_t n = a->size.given ? a->size.value : hd_count(in);
        const hd_type type =
            a->op == NULL ? in.type : hd_default_output(hd_operator_named(a->op), in.type);
        if (type == HD_NONE)
            return fail(EXIT_USAGE, name, "--op %s does not take elements of type %s", a->op,
                        hd_type_name(in.type));
        start = hd_constant_of(type, zero, n);
    }
    EXIT_TRY(workspace_alloc(w, start.type, start.ndim, start.shape, out));
    return workspace_call(w, hd_map(w->ctx, start, NULL, *out, NULL));
}

static int run(workspace *w, const scatter_args *a, const char *file, const char *indices)
{
    io_read_options read;
    hd_view in, index, out, like;
    EXIT_TRY(options_one_pipe(name, file, indices, a->into));
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(workspace_open(w, name, &a->run));
    EXIT_TRY(workspace_load(w, file, &read, &in));
    EXIT_TRY(workspace_load(w, indices, NULL, &index));
    workspace_begin(w);
    EXIT_TRY(make_out(w, a, in, &out, &like));
    const hd_scatter_options options = {.combine = a->op ? hd_operator_named(a->op) : NULL,
                                        .order = a->any_order ? HD_ANY_ORDER : 0,
                                        .unique = a->unique,
                                        .checked = a->checked};
    EXIT_TRY(workspace_call(w, hd_scatter(w->ctx, in, index, out, &options)));
    return workspace_emit(w, &(emission){.out = out,
                                         .like = like,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .hex = a->hex});
}

int command_scatter(int argc, char **argv)
{
    scatter_args a = {0};
    arg_result operands;
    workspace w = {0};
    int code;
    if (!args_begin(&scatter_spec, argc, argv, &a, &operands, &code)) return code;
    code = run(&w, &a, operands.operand[0], operands.operand[1]);
    workspace_close(&w);
    return code;
}
