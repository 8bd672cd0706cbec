// SPDX-License-Identifier: Apache-2.0
//
// The rows of a run: cases times sizes, filtered, with buffers large enough for all of them.
#include "rows.h"

#include "bench/machine/machine.h"

#include <stdlib.h>
#include <string.h>

static const int64_t common_sizes[] = {1 << 10, 1 << 12,          1 << 14, 1 << 16,
                                       1 << 18, 1 << 20,          3000001, 1 << 22,
                                       1 << 24, (int64_t)1 << 27, 0};
static const int64_t quick_sizes[] = {1 << 10, 1 << 16, 1 << 20, 1 << 24, 0};

const bench_pattern *pattern_named(const char *name)
{
    for (int k = 0; bench_patterns[k]; k++)
        if (strcmp(bench_patterns[k]->name, name) == 0) return bench_patterns[k];
    for (int k = 0; bench_algorithms[k]; k++)
        if (strcmp(bench_algorithms[k]->name, name) == 0) return bench_algorithms[k];
    return NULL;
}

const contestant *result_peak(const bench_result *r)
{
    for (int k = 0; k < r->count; k++)
        if (r->who[k].role == ROLE_PEAK) return &r->who[k];
    return NULL;
}

double result_time(const bench_result *r, const contestant *c)
{
    return r->least ? c->time.least : c->time.median;
}

const contestant *result_best_peer(const bench_result *r)
{
    const contestant *best = NULL;
    for (int k = 0; k < r->count; k++) {
        const contestant *c = &r->who[k];
        if (c->role != ROLE_PEER || c->count == 0) continue;
        if (!best || result_time(r, c) < result_time(r, best)) best = c;
    }
    return best;
}

static bench_result *new_result(bench_run *run)
{
    if (run->count == run->capacity) {
        const int64_t capacity = run->capacity ? 2 * run->capacity : 64;
        bench_result *grown = realloc(run->results, (size_t)capacity * sizeof *grown);
        if (!grown) return NULL;
        run->results = grown, run->capacity = capacity;
    }
    bench_result *r = &run->results[run->count++];
    memset(r, 0, sizeof *r);
    return r;
}

// Buffers that begin so many elements later; each row fills them anew.
static void shift_data(data *d, int64_t elements, const bench_pattern *pattern,
                       const bench_case *what)
{
    const size_t out = pattern->wide_outputs ? 8 : data_type_size(what->peer_out_type);
    d->in = (char *)d->in + elements * (int64_t)data_type_size(what->peer_type);
    d->out = (char *)d->out + elements * (int64_t)out;
    if (elements > 0) d->fill = FILL_NONE;
}

static void run_row(bench_run *run, const bench_pattern *pattern, const bench_case *what, int64_t n)
{
    bench_result *r = new_result(run);
    if (!r) return;
    r->pattern = pattern->name, r->type = what->type, r->op = what->op;
    r->variant = what->variant, r->n = n, r->least = run->least;
    bench_row row;
    memset(&row, 0, sizeof row);
    row.pattern = pattern->name, row.what = what, row.ctx = run->ctx;
    row.job.n = n, row.job.threads = hd_threads(run->ctx);
    data shifted = run->data;
    shift_data(&shifted, run->shift, pattern, what);
    if (run->shift > 0) run->data.fill = FILL_NONE;
    if (pattern->prepare(run->shift > 0 ? &shifted : &run->data, &row)) {
        r->bytes = row.bytes;
        bench_race_row(run, &row, r);
    } else {
        r->state = ROW_FAILED;
        snprintf(r->error, sizeof r->error, "no memory for its data");
    }
    if (pattern->finish) pattern->finish(&row);
    run->done(run, r);
}

static int sizes_of(const bench_run *run, const bench_pattern *pattern, const int64_t **sizes)
{
    *sizes = run->size_count    ? run->sizes
             : pattern->sizes   ? pattern->sizes
             : run->small_sizes ? quick_sizes
                                : common_sizes;
    if (run->size_count) return run->size_count;
    int count = 0;
    while ((*sizes)[count]) count++;
    return count;
}

// The largest n whose buffers, and a peer's copy of them, fit the memory that is free.
static int64_t largest_n(const bench_pattern *pattern)
{
    const int64_t share = 6; // in, out, a peer's in and out, and room
    return machine_free_memory() / share / (int64_t)pattern->most_bytes;
}

static bool make_room(bench_run *run, int64_t bytes)
{
    if (run->data.in && run->data.capacity >= bytes) return true;
    if (run->data.in) data_close(&run->data);
    return data_open(&run->data, bytes);
}

static bool is_wanted(const bench_run *run, const bench_case *what)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s%s", what->op, what->variant[0] ? ", " : "", what->variant);
    return list_has(run->types, what->type) && list_has(run->ops, what->op) &&
           (run->rows == NULL || strstr(name, run->rows) != NULL);
}

bool bench_has_rows(const bench_run *run, const bench_pattern *pattern)
{
    for (int c = 0; c < pattern->case_count; c++)
        if (is_wanted(run, &pattern->cases[c])) return true;
    return false;
}

bool bench_run_pattern(bench_run *run, const bench_pattern *pattern)
{
    const int64_t *sizes, most = largest_n(pattern);
    const int count = sizes_of(run, pattern, &sizes);
    int64_t largest = 1;
    for (int k = 0; k < count; k++)
        if (sizes[k] > largest && sizes[k] <= most) largest = sizes[k];
    if (!make_room(run, largest * (int64_t)pattern->most_bytes)) return false;
    for (int c = 0; c < pattern->case_count; c++) {
        const bench_case *what = &pattern->cases[c];
        if (!is_wanted(run, what)) continue;
        for (int k = 0; k < count; k++) {
            if (sizes[k] <= largest)
                run_row(run, pattern, what, sizes[k]);
            else if (c == 0)
                fprintf(run->log, "left out: %s, n = %lld: not enough memory\n", pattern->name,
                        (long long)sizes[k]);
        }
    }
    return true;
}

void bench_run_close(bench_run *run)
{
    for (int64_t i = 0; i < run->count; i++)
        for (int k = 0; k < run->results[i].count; k++) contestant_clear(&run->results[i].who[k]);
    free(run->results);
    run->results = NULL, run->count = run->capacity = 0;
    if (run->data.in) data_close(&run->data);
}
