// SPDX-License-Identifier: Apache-2.0
//
// heddle transpose: an array with its axes in another order; the columns of an array as files of
// their own (structures to arrays), and files as the columns of one array.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "command_options.h"
#include "cli/run/workspace.h"

static const char name[] = "transpose";

static const arg_option options[] = {
    ARG_TEXT(0, "axes", "K[,K...]", "the axes of FILE in their new order (the last two swapped)",
             transpose_args, axes),
    ARG_FLAG(0, "split",
             "write each column to a file of its own: out.npy gives\nout_0.npy, out_1.npy, ...",
             transpose_args, split),
    OUTPUT_OPTION_ROW(transpose_args, output),
    FILE_OPTION_ROWS(transpose_args, file),
    CONTEXT_OPTION_ROWS(transpose_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", transpose_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", transpose_args, hex),
    ARG_END,
};

const arg_spec transpose_spec = {
    name,
    "FILE...",
    "transposes an array: rows become columns, axes change their order",
    "Without -o a short result is printed, one row a line. Several files, each of one row and\n"
    "all of one type, become the columns of one array.\n\n"
    "Examples:\n"
    "  printf '\\1\\2\\3\\4\\5\\6' | heddle transpose - --dtype u8 --shape 2,3    prints 1 4, 2 5, "
    "3 6\n"
    "  heddle transpose image.npy --axes 2,0,1 -o planes.npy\n"
    "  heddle transpose points.npy --split -o xyz.npy\n"
    "  heddle transpose x.npy y.npy z.npy -o points.npy\n",
    options,
    1,
    WORKSPACE_MAX - 1,
};

// ---- Axes ---------------------------------------------------------------------------------------

static int parse_axes(const char *text, int32_t ndim, int32_t *axes)
{
    const char *at = text;
    for (int32_t k = 0; k < ndim; k++) {
        char *end;
        const long axis = strtol(at, &end, 10);
        const char after = k + 1 < ndim ? ',' : '\0';
        if (end == at || *end != after || axis < -HD_MAX_DIMS || axis >= HD_MAX_DIMS)
            return fail(EXIT_USAGE, name, "--axes: expected %d axes as in 2,0,1, got '%s'",
                        (int)ndim, text);
        axes[k] = (int32_t)(axis < 0 ? axis + ndim : axis);
        at = end + 1;
    }
    return EXIT_DONE;
}

static int turn(workspace *w, const transpose_args *a, const char *file, hd_view in)
{
    int32_t axes[HD_MAX_DIMS];
    int64_t shape[HD_MAX_DIMS];
    hd_view out;
    for (int32_t k = 0; k < in.ndim; k++) axes[k] = k;
    if (a->axes == NULL && in.ndim > 1)
        axes[in.ndim - 1] = in.ndim - 2, axes[in.ndim - 2] = in.ndim - 1;
    if (a->axes != NULL) EXIT_TRY(parse_axes(a->axes, in.ndim, axes));
    // An axis that is not there: the library says so.
    for (int32_t k = 0; k < in.ndim; k++)
        shape[k] = axes[k] >= 0 && axes[k] < in.ndim ? in.shape[axes[k]] : 0;
    EXIT_TRY(workspace_alloc(w, in.type, in.ndim, shape, &out));
    workspace_begin(w);
    EXIT_TRY(
        workspace_call(w, hd_transpose(w->ctx, in, out, &(hd_transpose_options){.axes = axes})));
    return workspace_emit(w, &(emission){.out = out,
                                         .like = in,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .hex = a->hex});
}

// ---- Columns ------------------------------------------------------------------------------------

// Rows of k numbers as structures of k fields.
static hd_view as_structures(hd_view rows)
{
    const int64_t n = rows.shape[0], k = rows.shape[1];
    return hd_view_of(HD_STRUCT_OF((size_t)k * hd_type_size(rows.type)), rows.data, n);
}

static int check_columns(hd_view rows)
{
    if (rows.ndim == 2 && rows.shape[1] >= 1 && rows.shape[1] <= HD_MAX_FIELDS) return EXIT_DONE;
    return fail(
        EXIT_USAGE, name, "--split: expected two dimensions and 1 to %d columns, got %d and %lld",
        HD_MAX_FIELDS, (int)rows.ndim, (long long)(rows.ndim > 1 ? rows.shape[rows.ndim - 1] : 1));
}

// xyz.npy and 2 give xyz_2.npy.
static int part_name(const char *output, int64_t k, char *buffer, size_t size)
{
    const char *slash = strrchr(output, '/'), *dot = strrchr(output, '.');
    const size_t stem =
        dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - output) : strlen(output);
    const int length =
        snprintf(buffer, size, "%.*s_%lld%s", (int)stem, output, (long long)k, output + stem);
    if (length > 0 && (size_t)length < size) return EXIT_DONE;
    return fail(EXIT_USAGE, name, "-o: the name is too long");
}

static int split(workspace *w, const transpose_args *a, const char *file, hd_view in)
{
    hd_view rows, columns, fields[HD_MAX_FIELDS];
    if (a->output == NULL || strcmp(a->output, "-") == 0)
        return fail(EXIT_USAGE, name, "--split: needs -o FILE, from which the names are made");
    EXIT_TRY(check_columns(in));
    const int64_t n = in.shape[0], k = in.shape[1];
    EXIT_TRY(workspace_like(w, in, &rows)); // the file may be in Fortran's order
    EXIT_TRY(workspace_alloc(w, in.type, 2, (int64_t[]){k, n}, &columns));
    workspace_begin(w);
    EXIT_TRY(workspace_call(
        w, hd_transpose(w->ctx, in, rows, &(hd_transpose_options){.axes = (int32_t[]){0, 1}})));
    const size_t row = (size_t)n * hd_type_size(in.type);
    for (int64_t f = 0; f < k; f++)
        fields[f] = hd_view_of(in.type, (char *)columns.data + (size_t)f * row, n);
    const hd_views list = {fields, k};
    EXIT_TRY(workspace_call(w, hd_unzip(w->ctx, as_structures(rows), list, NULL)));
    for (int64_t f = 0; f < k; f++) {
        char path[4096];
        EXIT_TRY(part_name(a->output, f, path, sizeof path));
        EXIT_TRY(result_write(name, path, fields[f], false));
    }
    if (!a->json) return EXIT_DONE;
    return workspace_emit(
        w, &(emission){.out = columns, .file = NULL, .input = file, .json = true, .hex = a->hex});
}

static int join(workspace *w, const transpose_args *a, const io_read_options *read,
                const arg_result *files)
{
    hd_view fields[WORKSPACE_MAX], out;
    if (a->axes != NULL || a->split)
        return fail(EXIT_USAGE, name, "--axes, --split: need one file, got %d", files->count);
    for (int k = 0; k < files->count; k++) {
        EXIT_TRY(workspace_load(w, files->operand[k], read, &fields[k]));
        const hd_view *v = &fields[k];
        if (v->ndim != 1 || v->type != fields[0].type || v->shape[0] != fields[0].shape[0])
            return fail(EXIT_USAGE, name,
                        "%s: expected one row of %lld %s, as %s is; got %d dimensions, %lld %s",
                        files->operand[k], (long long)hd_count(fields[0]),
                        hd_type_name(fields[0].type), files->operand[0], (int)v->ndim,
                        (long long)hd_count(*v), hd_type_name(v->type));
    }
    EXIT_TRY(
        workspace_alloc(w, fields[0].type, 2, (int64_t[]){fields[0].shape[0], files->count}, &out));
    const hd_views list = {fields, files->count};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_zip(w->ctx, list, as_structures(out), NULL)));
    return workspace_emit(w, &(emission){.out = out,
                                         .file = a->output,
                                         .input = files->operand[0],
                                         .json = a->json,
                                         .hex = a->hex});
}

static int run(workspace *w, const transpose_args *a, const arg_result *files)
{
    io_read_options read;
    hd_view in;
    EXIT_TRY(options_file(name, &a->file, &read));
    if (files->count > 1)
        EXIT_TRY(options_one_pipe(name, files->operand[0], files->operand[1], NULL));
    EXIT_TRY(workspace_open(w, name, &a->run));
    if (files->count > 1) return join(w, a, &read, files);
    EXIT_TRY(workspace_load(w, files->operand[0], &read, &in));
    if (a->split && a->axes != NULL)
        return fail(EXIT_USAGE, name, "--axes, --split: expected one of them");
    return a->split ? split(w, a, files->operand[0], in) : turn(w, a, files->operand[0], in);
}

int command_transpose(int argc, char **argv)
{
    transpose_args a = {.axes = NULL};
    arg_result files;
    workspace w = {0};
    int code;
    if (!args_begin(&transpose_spec, argc, argv, &a, &files, &code)) return code;
    code = run(&w, &a, &files);
    workspace_close(&w);
    return code;
}
