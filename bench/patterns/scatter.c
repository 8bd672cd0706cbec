// SPDX-License-Identifier: Apache-2.0
//
// The rows of scatter: i32 and f64 by i32 indices, each once, in random order, nearly in order, in
// order; Heddle is not told that they are unique, but for two. With duplicates equal indices have
// equal elements, for other libraries do not say which stays. And sums into as many places, and
// into few. GB/s counts indices and elements read and elements written.
#include "bench/harness/pattern.h"

#include "bench/harness/indices.h"
#include "bench/peer/peer_gather.h"

#include <stdlib.h>
#include <string.h>

#define FEW 4096

static const bench_case cases[] = {
    {"scatter", "i32", "random", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, NULL},
    {"scatter", "i32", "random, unique", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, NULL},
    {"scatter", "i32", "with duplicates", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, NULL},
    {"scatter", "i32", "nearly in order", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, NULL},
    {"scatter", "i32", "nearly, unique", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, NULL},
    {"scatter", "i32", "in order", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, NULL},
    {"scatter", "f64", "random", PEER_OTHER_OP, PEER_F64, PEER_F64, NULL, NULL},
    {"sum", "i32", "random", PEER_SUM, PEER_I32, PEER_I32, NULL, NULL},
    {"sum", "f32", "random", PEER_SUM, PEER_F32, PEER_F32, NULL, NULL},
    {"sum", "f32", "4096 places", PEER_SUM, PEER_F32, PEER_F32, NULL, NULL},
};

typedef struct state {
    peer_gather more;
    int32_t *index;
    hd_view view; // of it
    hd_scatter_options options;
    double *sums; // what the places must have risen by
} state;

static void call(bench_row *row)
{
    const state *s = row->state;
    const hd_status status = hd_scatter(row->ctx, row->in, s->view, row->out, &s->options);
    if (status) row->status = status;
}

static bool check(const bench_row *row)
{
    const state *s = row->state;
    const size_t size = data_type_size(row->job.type);
    const char *x = row->job.in, *y = row->job.out;
    int64_t wrong = 0;
    if (s->sums) { // the places were zeros before
        for (int64_t d = 0; d < s->more.places; d++)
            wrong += (row->job.type == PEER_F32 ? (double)((const float *)row->job.out)[d]
                                                : ((const int32_t *)row->job.out)[d]) != s->sums[d];
        return wrong == 0;
    }
#pragma omp parallel for reduction(+ : wrong)
    for (int64_t i = 0; i < row->job.n; i++)
        wrong += memcmp(x + (size_t)i * size, y + (size_t)s->index[i] * size, size) != 0;
    return wrong == 0;
}

// Sums start from zeros before each check; in a race they go on growing, which costs the same.
static bool prepare_sums(data *d, bench_row *row, state *s)
{
    const int64_t n = row->job.n;
    const int64_t places = strcmp(row->what->variant, "random") == 0 ? n : FEW;
    s->index = indices_anywhere(n, places);
    s->sums = calloc((size_t)places, sizeof *s->sums);
    if (!s->index || !s->sums) return false;
    data_fill_in(d, FILL_WHOLE, row->what->peer_type, n);
    for (int64_t i = 0; i < n; i++)
        s->sums[s->index[i]] += row->what->peer_type == PEER_F32 ? (double)((const float *)d->in)[i]
                                                                 : ((const int32_t *)d->in)[i];
    s->more = (peer_gather){s->index, places};
    s->options.combine = HD_SUM;
    row_set(row, PEER_SCATTER, d->in, d->out, places);
    row->in_place = true; // the zeros of `source` are copied to out before each check
    void *zeros = calloc((size_t)places, data_type_size(row->what->peer_type));
    row->source = zeros;
    return zeros != NULL;
}

static void equal_for_equal(data *d, const int32_t *index, int64_t n)
{
    int32_t *in = d->in;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++) in[i] = (int32_t)(data_mix((uint64_t)index[i]) >> 33);
    d->filled = 0; // for the next row
}

static bool prepare_places(data *d, bench_row *row, state *s)
{
    const int64_t n = row->job.n;
    const char *variant = row->what->variant;
    s->index = strncmp(variant, "random", 6) == 0        ? indices_random(n)
               : strcmp(variant, "in order") == 0        ? indices_in_order(n)
               : strcmp(variant, "with duplicates") == 0 ? indices_anywhere(n, n)
                                                         : indices_nearly(n);
    if (!s->index) return false;
    data_fill_in(d, FILL_POSITIVE, row->what->peer_type, n);
    if (strcmp(variant, "with duplicates") == 0) equal_for_equal(d, s->index, n);
    s->more = (peer_gather){s->index, n};
    s->options.unique = strstr(variant, "unique") != NULL;
    row_set(row, PEER_SCATTER, d->in, d->out, n);
    row->op = NULL;
    return true;
}

static bool prepare(data *d, bench_row *row)
{
    const bool sums = row->what->peer_op == PEER_SUM;
    row->host_only = sums;
    state *s = calloc(1, sizeof *s);
    row->state = s;
    if (!s || row->job.n > INT32_MAX) return false;
    if (!(sums ? prepare_sums(d, row, s) : prepare_places(d, row, s))) return false;
    row->job.more = &s->more;
    s->view = HD_VIEW(s->index, row->job.n);
    row->with = &s->view;
    row->heddle = call;
    row->check = check;
    row->bytes = row->job.n * (4 + 2 * (int64_t)data_type_size(row->what->peer_type));
    return true;
}

static void finish(bench_row *row)
{
    state *s = row->state;
    if (s) free(s->index), free(s->sums), free((void *)(uintptr_t)row->source);
    free(s);
}

static const int64_t sizes[] = {1 << 10, 1 << 16, 1 << 20, 3000001, 1 << 24, (int64_t)1 << 27, 0};

const bench_pattern pattern_scatter = {
    .name = "scatter",
    .formula = "bytes of indices and elements read, elements written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
    .finish = finish,
};
