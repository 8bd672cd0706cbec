// SPDX-License-Identifier: Apache-2.0
//
// heddle sort: an array of numbers in order, other arrays moved along, rows of a table by one of
// their columns, or the indices that would sort. Tables of text are in sort_table.c.
#include <string.h>

#include "cli/command.h"
#include "command_options.h"
#include "sort_table.h"
#include "cli/run/workspace.h"

static const char name[] = "sort";

static const arg_option options[] = {
    ARG_FLAG('r', "descending", "the greatest first; NaN are last all the same", sort_args,
             descending),
    ARG_FLAG(0, "argsort", "the indices that sort, from 0 on, instead of the numbers", sort_args,
             argsort),
    ARG_TEXT('k', "key", "K",
             "sort the rows of a table (2 dimensions) by column K; the\nfirst is 1; of a text, a "
             "title will do",
             sort_args, key),
    ARG_INT(0, "axis", "K", "sort each row along axis K; -1 is the last", sort_args, axis,
            -HD_MAX_DIMS, HD_MAX_DIMS - 1),
    ARG_TEXT(0, "segments", "FILE", "offsets: sort between each and the next", sort_args, segments),
    ARG_TEXT(0, "values", "FILE[,FILE...]", "arrays to move along, each of the input's shape",
             sort_args, values),
    ARG_TEXT(0, "values-out", "FILE[,FILE...]", "where they go, as many", sort_args, values_out),
    ARG_OUTPUT('o', "output", "FILE", "write a file: .npy, or the format of the suffix (.csv ...)",
               sort_args, output),
    FILE_OPTION_ROWS(sort_args, file),
    CONTEXT_OPTION_ROWS(sort_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", sort_args, json),
    ARG_FLAG(0, "hex", "print the bits of the result", sort_args, hex),
    ARG_END,
};

const arg_spec sort_spec = {
    name,
    "FILE",
    "sorts an array, stably, and moves others along",
    "Everything is sorted in row-major order, unless --axis, --segments or --key say otherwise.\n"
    "-0 comes before +0 and every NaN last. Without -o a short result is printed. Lines of a\n"
    "CSV or text file sorted by --key stay as they are, words among them, under their header;\n"
    "with --json they are the texts of one document.\n\n"
    "Examples:\n"
    "  printf '\\3\\1\\2' | heddle sort - --dtype u8                        prints 1 2 3\n"
    "  heddle sort --key 2 table.csv -o by_second_column.csv\n"
    "  heddle sort x.npy -o sorted.npy --values y.npy --values-out y_sorted.npy\n",
    options,
    1,
    1,
};

int sort_cut(const char *option, const char *list, sort_names *out)
{
    out->count = 0;
    if (list == NULL) return EXIT_DONE;
    if (strlen(list) >= sizeof out->text)
        return fail(EXIT_USAGE, name, "--%s: the list is too long", option);
    strcpy(out->text, list);
    for (char *at = strtok(out->text, ","); at != NULL; at = strtok(NULL, ",")) {
        if (out->count == SORT_MAX_VALUES)
            return fail(EXIT_USAGE, name, "--%s: more than %d files", option, SORT_MAX_VALUES);
        out->file[out->count++] = at;
    }
    return EXIT_DONE;
}

int sort_check(const sort_args *a, const char *file, const sort_names *in, const sort_names *out)
{
    const int ways = a->axis.given + (a->key != NULL) + (a->segments != NULL);
    if (ways > 1) return fail(EXIT_USAGE, name, "--axis, --key, --segments: expected one of them");
    if (in->count != out->count)
        return fail(EXIT_USAGE, name, "--values has %d files, --values-out %d; expected as many",
                    in->count, out->count);
    if (a->argsort && in->count > 0)
        return fail(EXIT_USAGE, name, "--argsort moves nothing: --values does not go with it");
    if (a->key != NULL && in->count > 0)
        return fail(EXIT_USAGE, name,
                    "--key moves the rows themselves: --values does not go with it");
    return options_one_pipe(name, file, a->segments, in->count > 0 ? in->file[0] : NULL);
}

// ---- Rows by a column ---------------------------------------------------------------------------

static int sort_rows(workspace *w, const sort_args *a, hd_view in, hd_view *out)
{
    const int64_t column = table_sort_column(a->key);
    if (column < 0)
        return fail(EXIT_USAGE, name, "--key: expected the number of a column, from 1 on, got '%s'",
                    a->key);
    if (in.ndim != 2)
        return fail(EXIT_USAGE, name, "--key: expected a table of 2 dimensions, got %d",
                    (int)in.ndim);
    if (column >= in.shape[1])
        return fail(EXIT_USAGE, name, "--key %s: the table has %lld columns", a->key,
                    (long long)in.shape[1]);
    const hd_view key = hd_slice(in, 1, column, 1, 1);
    hd_view order, keys = key;
    keys.ndim = 1; // the column alone
    EXIT_TRY(workspace_row(w, HD_I64, in.shape[0], &order));
    const hd_sort_options how = {.descending = a->descending, .indices = &order};
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_sort(w->ctx, keys, HD_EMPTY, HD_NO_VALUES, &how)));
    *out = order;
    if (a->argsort) return EXIT_DONE;
    EXIT_TRY(workspace_like(w, in, out));
    const size_t size = hd_type_size(in.type);
    const int64_t *index = order.data;
    for (int64_t r = 0; r < in.shape[0]; r++) // as rows lie in any order in the file's array
        for (int64_t c = 0; c < in.shape[1]; c++)
            memcpy((char *)out->data + (size_t)(r * in.shape[1] + c) * size,
                   (const char *)in.data +
                       (index[r] * in.stride[0] + c * in.stride[1]) * (int64_t)size,
                   size);
    return EXIT_DONE;
}

// ---- Arrays -------------------------------------------------------------------------------------

static int sort_array(workspace *w, const sort_args *a, hd_view in, const sort_names *values,
                      const sort_names *values_out, hd_view *out)
{
    hd_sort_options how = {.descending = a->descending};
    hd_view views[2 * SORT_MAX_VALUES];
    if (a->axis.given) how.axis = HD_AXIS((int32_t)a->axis.value);
    hd_view segments = HD_EMPTY;
    EXIT_TRY(workspace_load(w, a->segments, NULL, &segments));
    how.segments = &segments;
    EXIT_TRY(workspace_alloc(w, a->argsort ? HD_I64 : in.type, in.ndim, in.shape, out));
    for (int k = 0; k < values->count; k++) {
        EXIT_TRY(workspace_load(w, values->file[k], NULL, &views[2 * k]));
        EXIT_TRY(workspace_like(w, views[2 * k], &views[2 * k + 1]));
    }
    if (a->argsort) how.indices = out;
    workspace_begin(w);
    EXIT_TRY(workspace_call(w, hd_sort(w->ctx, in, a->argsort ? HD_EMPTY : *out,
                                       (hd_views){views, 2 * values->count}, &how)));
    for (int k = 0; k < values->count; k++)
        EXIT_TRY(result_write(name, values_out->file[k], views[2 * k + 1], false));
    return EXIT_DONE;
}

// A text by one of its columns, unless something else than its lines is asked for.
static bool keeps_lines(const sort_args *a, const table_sort *table)
{
    return a->key != NULL && a->file.shape == NULL && table_sort_fits(table) &&
           (a->argsort || !a->hex);
}

static int run_sort(workspace *w, const sort_args *a, const char *file)
{
    io_read_options read;
    sort_names values, values_out;
    hd_view in = {0}, out;
    EXIT_TRY(options_file(name, &a->file, &read));
    EXIT_TRY(sort_cut("values", a->values, &values));
    EXIT_TRY(sort_cut("values-out", a->values_out, &values_out));
    EXIT_TRY(sort_check(a, file, &values, &values_out));
    EXIT_TRY(workspace_open(w, name, &a->run));
    const table_sort table = {.file = file,
                              .format = a->file.format,
                              .key = a->key,
                              .header = read.header,
                              .type = read.type,
                              .output = a->output,
                              .descending = a->descending,
                              .argsort = a->argsort,
                              .json = a->json};
    if (keeps_lines(a, &table)) {
        EXIT_TRY(table_sort_run(w, &table, &out));
        if (!a->argsort) return EXIT_DONE;
    } else {
        EXIT_TRY(workspace_load(w, file, &read, &in));
        EXIT_TRY(a->key != NULL ? sort_rows(w, a, in, &out)
                                : sort_array(w, a, in, &values, &values_out, &out));
    }
    return workspace_emit(w, &(emission){.out = out,
                                         .like = in,
                                         .file = a->output,
                                         .input = file,
                                         .json = a->json,
                                         .hex = a->hex});
}

int command_sort(int argc, char **argv)
{
    sort_args a = {0};
    arg_result operands;
    workspace w = {0};
    int code;
    if (!args_begin(&sort_spec, argc, argv, &a, &operands, &code)) return code;
    code = run_sort(&w, &a, operands.operand[0]);
    workspace_close(&w);
    return code;
}
