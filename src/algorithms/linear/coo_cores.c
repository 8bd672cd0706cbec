// SPDX-License-Identifier: Apache-2.0
// Threads distribute the products of a range of coordinates to buckets of neighbouring rows, each
// to its own part of each bucket; then each bucket, which fits a core's cache, is put in the order
// of its rows, which are added up.
#include "coo_cores.h"

#include <stdatomic.h>

#include "../simd/coo_kernels.h"
#include "../support/team.h"
#include "sparse_cores.h"

// Buckets: as many as a core's cache has open lines for. Coordinates: of a bucket, so that it stays
// in the cache, and of a task, at least.
enum { MOST_BUCKETS = 512, BUCKET_ITEMS = 16384, TASK_ITEMS = 1 << 16, TASKS_OF_THREAD = 4 };

typedef struct work {
    const hd__coo_kernels *kernels;
    hd__coordinates c;
    _Atomic bool failed;
} work;

static void count(void *user, int64_t task)
{
    work *w = user;
    if (!w->kernels->count(&w->c, task)) w->failed = true;
}

static void distribute(void *user, int64_t task)
{
    const work *w = user;
    w->kernels->distribute(&w->c, task);
}

static void reduce(void *user, int64_t group)
{
    const work *w = user;
    w->kernels->reduce(&w->c, group);
}

static void cut(hd__coordinates *c, int32_t threads)
{
    const int64_t most_tasks = (int64_t)threads * TASKS_OF_THREAD;
    int64_t most = c->n / BUCKET_ITEMS + 1;
    if (most > MOST_BUCKETS) most = MOST_BUCKETS;
    for (c->shift = 0; (c->rows - 1) >> c->shift >= most;) c->shift++;
    c->buckets = ((c->rows - 1) >> c->shift) + 1;
    c->tasks = c->n / TASK_ITEMS + 1;
    if (threads == 1) c->tasks = 1;
    if (c->tasks > most_tasks) c->tasks = most_tasks;
    c->groups = threads == 1 ? 1 : c->buckets < 4 * most_tasks ? c->buckets : 4 * most_tasks;
}

// Counts become places. Gives the number of items, which begin on lines, and in *made of what is
// in order at a time.
static int64_t place(hd__coordinates *c, int64_t items, int64_t *made)
{
    int64_t at = 0, group = 0, most = 0;
    *made = c->made_at[0] = 0;
    for (int64_t b = 0; b < c->buckets; b++) {
        int64_t of_bucket = 0;
        for (int64_t part = b; part < c->tasks * c->buckets; part += c->buckets) {
            c->first[part] = at;
            at += (c->count[part] + items - 1) / items * items;
            of_bucket += c->count[part];
        }
        if (b == c->buckets * (group + 1) / c->groups) {
            c->made_at[++group] = *made += most;
            most = 0;
        }
        if (most < of_bucket) most = of_bucket;
    }
    *made += most;
    return at;
}

static hd_status make_room(hd__frame *f, hd__coordinates *c)
{
    hd_view counts, firsts, mades, lines;
    const int64_t parts = c->tasks * c->buckets;
    hd_status status = hd__frame_row(f, HD_I64, parts, &counts);
    if (!status) status = hd__frame_row(f, HD_I64, parts, &firsts);
    if (!status) status = hd__frame_row(f, HD_I64, c->groups, &mades);
    if (!status) status = hd__frame_row(f, HD_U8, parts * HD__COO_LINE, &lines);
    if (status) return status;
    c->count = counts.data, c->first = firsts.data, c->made_at = mades.data, c->line = lines.data;
    return HD_OK;
}

static hd_status multiply(hd__frame *f, work *w, hd_type type, bool *done)
{
    hd__coordinates *c = &w->c;
    hd_view items, made, ends;
    const int32_t threads = hd__team_size(f->ctx);
    const int64_t bytes = (int64_t)w->kernels->item;
    cut(c, threads);
    hd_status status = make_room(f, c);
    if (status) return status;
    hd__team_run(threads, c->tasks, count, w);
    if (w->failed) return HD_OK;
    int64_t most;
    const int64_t all = place(c, HD__COO_LINE / bytes, &most);
    status = hd__frame_row(f, HD_U8, all * bytes, &items);
    if (!status) status = hd__frame_row(f, type, most, &made);
    if (!status) status = hd__frame_row(f, HD_I64, c->rows, &ends);
    if (status) return status;
    c->item = items.data, c->made = made.data, c->end = ends.data;
    hd__team_run(threads, c->tasks, distribute, w);
    hd__team_run(threads, c->groups, reduce, w);
    *done = true;
    return HD_OK;
}

hd_status hd__coo_rows(hd__frame *f, hd_view row, hd_view column, hd_view value, hd_view x,
                       hd_view y, bool *done)
{
    int64_t falls = -1;
    hd_backend ran = HD_AUTO;
    bool fits = row.type == HD_I32 && row.ndim == 1 && hd_count(row) == hd_count(column) &&
                hd_count(y) <= INT32_MAX;
    hd_status status = HD_OK;
    if (fits) status = hd__sparse_fits(f, "row", row, column, value, x, y, &fits);
    if (!status && fits) status = hd_is_sorted(f->ctx, row, HD_VIEW(&falls, 1), NULL);
    if (status || falls < 0) return status;
    status = hd__frame_backend(f, &ran);
    if (status || ran != HD_CPU) return status;
    const bool wide = column.type == HD_I64;
    work w = {.kernels = hd__coo_kernels_of(f->ctx, y.type, wide),
              .c = {.row = row.data,
                    .column = column.data,
                    .value = value.data,
                    .x = x.data,
                    .n = column.shape[0],
                    .rows = y.shape[0],
                    .columns = x.shape[0],
                    .y = y.data}};
    return multiply(f, &w, y.type, done);
}
