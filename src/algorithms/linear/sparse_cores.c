// SPDX-License-Identifier: Apache-2.0
// Threads take rows of about as many entries each; a row that is longer than most tasks is cut at
// nodes of its tree.
#include "sparse_cores.h"

#include <stdatomic.h>

#include "../simd/sparse_kernels.h"
#include "../support/team.h"

enum { TASK_ENTRIES = 32768, NODES_OF_TASK = 8 };

typedef struct all_rows {
    const hd__sparse_kernels *kernels;
    hd__sparse_matrix matrix;
    int64_t rows, tasks;
    int64_t *begin; // of each task: its first row; then all rows
    _Atomic bool failed, has_long;
} all_rows;

// The first row of a task: tasks have as many entries and rows, together, as each other. Offsets
// are only believed to rise.
static int64_t first_row(const all_rows *a, int64_t task)
{
    const int64_t all = a->rows + a->matrix.entries;
    const int64_t before = (int64_t)((double)all / (double)a->tasks * (double)task);
    int64_t low = 0, high = a->rows;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (a->kernels->offset_of(&a->matrix, middle) < before - middle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Every row belongs to one task, whatever the offsets are.
static hd_status cut_tasks(hd__frame *f, all_rows *a, hd_view *begin)
{
    const hd_status status = hd__frame_row(f, HD_I64, a->tasks + 1, begin);
    if (status) return status;
    a->begin = begin->data;
    a->begin[0] = 0, a->begin[a->tasks] = a->rows;
    for (int64_t task = 1; task < a->tasks; task++) {
        const int64_t row = first_row(a, task);
        a->begin[task] = row > a->begin[task - 1] ? row : a->begin[task - 1];
    }
    return HD_OK;
}

static void multiply_rows(void *user, int64_t task)
{
    all_rows *a = user;
    if (a->failed) return;
    const int64_t found = a->kernels->rows(&a->matrix, a->begin[task], a->begin[task + 1]);
    if (found < 0) a->failed = true;
    if (found > 0) a->has_long = true;
}

// A row that is more than one task.
typedef struct long_row {
    const all_rows *all;
    int64_t row, first, n, nodes;
    void *node;
} long_row;

static void make_nodes(void *user, int64_t task)
{
    const long_row *l = user;
    const int64_t begin = task * NODES_OF_TASK, left = l->nodes - begin;
    const int64_t end = begin + (left < NODES_OF_TASK ? left : (int64_t)NODES_OF_TASK);
    l->all->kernels->nodes(&l->all->matrix, l->first, begin, end, l->node);
}

static void finish_row(void *user, int64_t only)
{
    const long_row *l = user;
    l->all->kernels->long_row(&l->all->matrix, l->row, l->first, l->n, l->node);
    (void)only;
}

static hd_status multiply_long(hd__frame *f, long_row *l, hd_type type)
{
    hd_view node;
    l->nodes = l->n / HD__SPARSE_NODE;
    const hd_status status = hd__frame_row(f, type, l->nodes, &node);
    if (status) return status;
    l->node = node.data;
    hd__team_run(hd__team_size(f->ctx), (l->nodes + NODES_OF_TASK - 1) / NODES_OF_TASK, make_nodes,
                 l);
    hd__team_run(1, 1, finish_row, l); // in the library's floating-point state
    return hd__frame_drop(f, &node);
}

static hd_status multiply_all(hd__frame *f, all_rows *a, hd_type type, bool *done)
{
    hd_view begin;
    hd_status status = cut_tasks(f, a, &begin);
    if (status) return status;
    hd__team_run(hd__team_size(f->ctx), a->tasks, multiply_rows, a);
    const int64_t rows = a->has_long && !a->failed ? a->rows : 0;
    for (int64_t i = 0; i < rows && !status; i++) {
        long_row l = {.all = a, .row = i, .first = a->kernels->offset_of(&a->matrix, i)};
        l.n = a->kernels->offset_of(&a->matrix, i + 1) - l.first;
        if (l.n > HD__SPARSE_LONG) status = multiply_long(f, &l, type);
    }
    *done = !a->failed;
    return status ? status : hd__frame_drop(f, &begin);
}

// Whether loops may read a view, as patterns would; what they would not is theirs to say.
static hd_status look_at(hd__frame *f, const char *what, hd_view v, bool *fits)
{
    *fits = *fits && v.ndim == 1 && v.space == HD_HOST && (v.stride[0] == 1 || v.shape[0] < 2);
    if (!*fits) return HD_OK;
    const hd_status status = hd__frame_check(f, what, v);
    *fits = status == HD_OK;
    return status == HD_ERROR_MEMORY ? status : HD_OK;
}

static bool is_integer(hd_type type)
{
    return type == HD_I32 || type == HD_I64 || type == HD_U32 || type == HD_U64;
}

hd_status hd__sparse_fits(hd__frame *f, const char *what, hd_view offset, hd_view column,
                          hd_view value, hd_view x, hd_view y, bool *fits)
{
    const hd_type type = y.type;
    *fits = !f->on_device && (type == HD_F32 || type == HD_F64) && value.type == type &&
            x.type == type && (column.type == HD_I32 || column.type == HD_I64) &&
            is_integer(offset.type) && x.shape[0] > 0 && y.shape[0] > 0 && column.shape[0] > 0;
    hd_status status = look_at(f, what, offset, fits);
    if (!status) status = look_at(f, "column", column, fits);
    if (!status) status = look_at(f, "value", value, fits);
    if (!status) status = look_at(f, "x", x, fits);
    if (!status) status = look_at(f, "y", y, fits);
    if (status || !*fits) return status;
    status = hd__frame_check_out(f, "y", y);
    *fits = status == HD_OK;
    return status == HD_ERROR_MEMORY ? status : HD_OK;
}

hd_status hd__sparse_rows(hd__frame *f, hd_view offset, hd_view column, hd_view value, hd_view x,
                          hd_view y, bool *done)
{
    bool fits;
    hd_backend ran = HD_AUTO;
    hd_status status = hd__sparse_fits(f, "offset", offset, column, value, x, y, &fits);
    if (status || !fits) return status;
    status = hd__frame_backend(f, &ran);
    if (status || ran != HD_CPU) return status;
    const bool wide = column.type == HD_I64, far = wide || offset.type != HD_I32;
    status = hd__frame_dense(f, offset, far ? HD_I64 : HD_I32, &offset);
    if (status) return status;
    all_rows a = {.kernels = hd__sparse_kernels_of(f->ctx, y.type, wide, far),
                  .matrix = {offset.data, column.data, value.data, x.data, column.shape[0],
                             x.shape[0], y.data},
                  .rows = y.shape[0]};
    a.tasks = (a.rows + a.matrix.entries) / TASK_ENTRIES + 1;
    return multiply_all(f, &a, y.type, done);
}
