// SPDX-License-Identifier: Apache-2.0
//
// heddle matmul: the product of two dense matrices.
#include <heddle_algorithms.h>

#include <string.h>

#include "cli/command.h"
#include "cli/run/workspace.h"

static const char name[] = "matmul";

typedef struct matmul_args {
    const char *order, *type, *output;
    bool left_transposed, right_transposed, json;
    file_options file;
    context_options run;
} matmul_args;

static const arg_option options[] = {
    ARG_TEXT(0, "order", "chain|tree",
             "order of additions: fma one after another (chain), or the one\ntree", matmul_args,
             order),
    ARG_FLAG('A', "transpose-a", "the transposed A", matmul_args, left_transposed),
    ARG_FLAG('B', "transpose-b", "the transposed B", matmul_args, right_transposed),
    ARG_TEXT(0, "type", "f32|f64", "type that is computed in (f32 if both files are, else f64)",
             matmul_args, type),
    OUTPUT_OPTION_ROW(matmul_args, output),
    FILE_OPTION_ROWS(matmul_args, file),
    CONTEXT_OPTION_ROWS(matmul_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", matmul_args, json),
    ARG_END,
};

const arg_spec matmul_spec = {
    name,
    "A B",
    "multiplies two dense matrices",
    "A and B are files of two dimensions; a row of one dimension is a row vector as A, a column\n"
    "as B. The result has the same bits on every backend. Without -o a short one is printed.\n\n"
    "Example:\n"
    "  printf '1 2\\n3 4\\n' >a.txt; printf '5 6\\n7 8\\n' >b.txt\n"
    "  heddle matmul a.txt b.txt      prints 19.0 22.0 and 43.0 50.0\n",
    options,
    2,
    2,
};

// A file as a matrix of the type; a row becomes one row, or one column.
static int load_matrix(workspace *w, const char *file, const io_read_options *read, bool column,
                       bool turned, hd_view *out)
{
    EXIT_TRY(workspace_load(w, file, read, out));
    if (out->ndim == 1) {
        out->ndim = 2;
        out->shape[column] = 1, out->stride[column] = 0;
        out->shape[!column] = hd_count(w->loaded[w->loaded_count - 1].view);
        out->stride[!column] = w->loaded[w->loaded_count - 1].view.stride[0];
    }
    if (out->ndim != 2)
        return fail(EXIT_USAGE, name, "%s: %d dimensions; expected a matrix", file, out->ndim);
    if (!turned) return EXIT_DONE;
    const int64_t shape = out->shape[0], stride = out->stride[0];
    out->shape[0] = out->shape[1], out->stride[0] = out->stride[1];
    out->shape[1] = shape, out->stride[1] = stride;
    return EXIT_DONE;
}

static int convert(workspace *w, hd_type type, hd_view *matrix)
{
    const hd_view in = *matrix;
    if (in.type == type) return EXIT_DONE;
    EXIT_TRY(workspace_alloc(w, type, 2, in.shape, matrix));
    return workspace_call(w, hd_map(w->ctx, in, NULL, *matrix, NULL));
}

static int run(workspace *w, const matmul_args *args, const char *const *file)
{
    io_read_options read;
    hd_view a, b, out;
    EXIT_TRY(options_file(name, &args->file, &read));
    EXIT_TRY(options_one_pipe(name, file[0], file[1], NULL));
    EXIT_TRY(workspace_open(w, name, &args->run));
    EXIT_TRY(load_matrix(w, file[0], &read, false, args->left_transposed, &a));
    EXIT_TRY(load_matrix(w, file[1], &read, true, args->right_transposed, &b));
    hd_type type = a.type == HD_F32 && b.type == HD_F32 ? HD_F32 : HD_F64;
    if (args->type != NULL) EXIT_TRY(options_type(name, "type", args->type, &type));
    workspace_begin(w);
    EXIT_TRY(convert(w, type, &a));
    EXIT_TRY(convert(w, type, &b));
    const int64_t shape[2] = {a.shape[0], b.shape[1]};
    EXIT_TRY(workspace_alloc(w, type, 2, shape, &out));
    const bool tree = args->order != NULL && strcmp(args->order, "tree") == 0;
    const hd_matmul_options how = {.method = tree ? HD_MATMUL_TREE : HD_MATMUL_CHAIN};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_matmul(w->ctx, a, b, out, &how)));
    return workspace_emit(
        w, &(emission){.out = out, .file = args->output, .input = file[0], .json = args->json});
}

int command_matmul(int argc, char **argv)
{
    matmul_args args = {0};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&matmul_spec, argc, argv, &args, &operands, &code)) return code;
    code = run(&w, &args, operands.operand);
    workspace_close(&w);
    return code;
}
