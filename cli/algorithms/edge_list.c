// SPDX-License-Identifier: Apache-2.0
#include "edge_list.h"

#include "io/numbers/convert.h"
#include "io/support/limit.h"

static hd_view column_of(hd_view rows, int64_t k)
{
    hd_view v = hd_slice(rows, 1, k, 1, 1);
    v.ndim = 1;
    return v;
}

static bool is_integer(hd_type type)
{
    return type >= HD_I8 && type <= HD_U64;
}

// A column of whole numbers, also where weights made it one of floats.
static int load_nodes(workspace *w, const char *file, hd_view column, hd_view *out)
{
    const int64_t n = hd_count(column);
    hd_view real;
    io_error error;
    EXIT_TRY(workspace_row(w, HD_I64, n, out));
    if (is_integer(column.type)) return workspace_call(w, hd_map(w->ctx, column, NULL, *out, NULL));
    EXIT_TRY(workspace_row(w, HD_F64, n, &real));
    EXIT_TRY(workspace_call(w, hd_map(w->ctx, column, NULL, real, NULL)));
    io_conversion to = {.name = file, .from = HD_F64, .to = HD_I64};
    if (io_convert(&to, real.data, out->data, n, &error) == IO_OK) return EXIT_DONE;
    return io_failed(w->command, &error);
}

// A few bytes of a file can name a node that is far away: what goes with every node is bounded as
// an array of the file is.
static int check_nodes(const workspace *w, const char *file, int64_t n, int64_t bytes)
{
    const int64_t size = (int64_t)sizeof(int64_t);
    io_error error;
    const io_status status = io_limit_check(
        file, "a label for each node", n > INT64_MAX / size ? INT64_MAX : n * size, bytes, &error);
    return status == IO_OK ? EXIT_DONE : io_failed(w->command, &error);
}

int edge_list_nodes(const workspace *w, const char *file, int64_t greatest, int64_t bytes,
                    edge_list *list)
{
    if (greatest < -1 || greatest == INT64_MAX)
        return fail(EXIT_DATA, w->command, "%s: the greatest node is %lld; expected 0 or more",
                    file, (long long)greatest);
    list->nodes = greatest + 1;
    return check_nodes(w, file, list->nodes, bytes);
}

static int count_nodes(workspace *w, const char *file, edge_list *list, arg_int given)
{
    int64_t most[2] = {-1, -1};
    list->nodes = given.value;
    if (given.given) return EXIT_DONE;
    if (hd_count(list->u) > 0) {
        EXIT_TRY(workspace_call(w, hd_reduce(w->ctx, list->u, HD_MAX, HD_VIEW(&most[0], 1), NULL)));
        EXIT_TRY(workspace_call(w, hd_reduce(w->ctx, list->v, HD_MAX, HD_VIEW(&most[1], 1), NULL)));
    }
    const int64_t greatest = most[0] > most[1] ? most[0] : most[1];
    const int64_t bytes = hd_count(list->rows) * (int64_t)hd_type_size(list->rows.type);
    return edge_list_nodes(w, file, greatest, bytes, list);
}

int edge_list_rows(const workspace *w, const char *file, hd_view *rows)
{
    if (rows->ndim == 1 && (rows->shape[0] == 2 || rows->shape[0] == 3)) { // one edge
        rows->ndim = 2;
        rows->shape[1] = rows->shape[0], rows->stride[1] = rows->stride[0];
        rows->shape[0] = 1, rows->stride[0] = rows->shape[1];
    }
    if (rows->ndim == 1 && rows->shape[0] == 0) {
        rows->ndim = 2, rows->shape[1] = 2, rows->stride[1] = 1, rows->stride[0] = 2;
    }
    if (rows->ndim == 2 && (rows->shape[1] == 2 || rows->shape[1] == 3)) return EXIT_DONE;
    return fail(EXIT_USAGE, w->command, "%s: expected rows of two numbers or three, u v or u v w",
                file);
}

int edge_list_columns(workspace *w, const char *file, hd_view rows, edge_list *list)
{
    list->rows = rows;
    EXIT_TRY(load_nodes(w, file, column_of(rows, 0), &list->u));
    EXIT_TRY(load_nodes(w, file, column_of(rows, 1), &list->v));
    if (rows.shape[1] == 3) list->weight = column_of(rows, 2);
    return EXIT_DONE;
}

int edge_list_load(workspace *w, const char *file, const io_read_options *read, arg_int nodes,
                   edge_list *list)
{
    hd_view rows;
    EXIT_TRY(workspace_load(w, file, read, &rows));
    EXIT_TRY(edge_list_rows(w, file, &rows));
    EXIT_TRY(edge_list_columns(w, file, rows, list));
    return count_nodes(w, file, list, nodes);
}
