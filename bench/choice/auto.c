// SPDX-License-Identifier: Apache-2.0
//
// The rows of auto: calls on host arrays, on the backend that `auto` chooses, against those on cpu
// and on cuda. A ratio of 1 is the better of the two; 0.87 and more is what is asked for (1.15
// times its time). Contexts stay open from row to row, as what `auto` has seen is kept with its
// own; it is warmed up before each, until what a device costs first has paid.
#include "bench/harness/pattern.h"
#include "bench/support/clock.h"
#include "sample_calls.h"

#include <stdlib.h>
#include <string.h>

enum { WARM_NS = 700000000, WARM_LEAST = 4 };

typedef struct state {
    sample_arrays arrays;
    char *expected; // results of the cores
    size_t bytes;
} state;

// auto, cpu, cuda: of the run's threads. They are the process's and never closed.
static hd_context *contexts[3];

static hd_context *context_of(int which, int32_t threads)
{
    static const hd_backend backends[3] = {HD_AUTO, HD_CPU, HD_CUDA};
    if (contexts[which] != NULL) return contexts[which];
    const hd_context_options options = {.backend = backends[which], .threads = threads};
    hd_context *made = NULL;
    if (hd_open(&made, &options) != HD_OK) {
        hd_close(made);
        made = NULL;
    }
    return contexts[which] = made;
}

static bool run_on(hd_context *ctx, const bench_row *row)
{
    const sample_call *call = row->what->detail;
    const state *s = row->state;
    return call->run(ctx, &s->arrays) == HD_OK;
}

static void call_auto(bench_row *row)
{
    const sample_call *what = row->what->detail;
    const state *s = row->state;
    const hd_status status = what->run(contexts[0], &s->arrays);
    if (status) row->status = status;
}

static void run_cpu(const peer_job *job)
{
    run_on(contexts[1], job->more);
}

static void run_cuda(const peer_job *job)
{
    run_on(contexts[2], job->more);
}

static void copy_results(const state *s, char *to)
{
    const hd_view *out = &s->arrays.array[SAMPLE_OUT], *numbers = &s->arrays.array[SAMPLE_NUMBERS];
    const size_t bytes = (size_t)out->shape[0] * 4;
    memcpy(to, out->data, bytes);
    memcpy(to + bytes, numbers->data, (size_t)numbers->shape[0] * 8);
}

static void clear_results(const state *s)
{
    const hd_view *out = &s->arrays.array[SAMPLE_OUT], *numbers = &s->arrays.array[SAMPLE_NUMBERS];
    memset(out->data, 0xa5, (size_t)out->shape[0] * 4);
    memset(numbers->data, 0xa5, (size_t)numbers->shape[0] * 8);
}

// The same bits as the cores'. What is there is cleared for the next who is checked.
static bool check(const bench_row *row)
{
    const state *s = row->state;
    char *got = malloc(s->bytes);
    if (!got) return false;
    copy_results(s, got);
    const bool same = memcmp(got, s->expected, s->bytes) == 0;
    free(got);
    clear_results(s);
    return same;
}

static bool expect(bench_row *row, state *s)
{
    s->bytes = (size_t)(s->arrays.n * 4 + s->arrays.array[SAMPLE_NUMBERS].shape[0] * 8);
    s->expected = malloc(s->bytes);
    if (!s->expected) return false;
    clear_results(s);
    if (!run_on(contexts[1], row)) return false;
    copy_results(s, s->expected);
    return true;
}

static void warm_up(const bench_row *row)
{
    if (!contexts[2]) return; // there is nothing to choose
    const int64_t begin = clock_now();
    for (int k = 0; k < WARM_LEAST || clock_now() - begin < WARM_NS; k++)
        if (!run_on(contexts[0], row)) return;
    clear_results(row->state);
}

static bool prepare(data *d, bench_row *row)
{
    state *s = row->state = calloc(1, sizeof *s);
    if (!s || !sample_arrays_make(&s->arrays, row->job.n)) return false;
    for (int k = 0; k < 3; k++) context_of(k, row->job.threads);
    if (!contexts[0] || !contexts[1]) return false;
    row_set(row, PEER_OTHER_OP, d->in, d->out, 1);
    row->job.pattern = -1; // no peer has it
    row->job.more = row;
    row->ctx = contexts[0];
    row->host_only = true;
    row->heddle = call_auto;
    row->check = check;
    row->bytes = 4 * row->job.n;
    if (!expect(row, s)) return false;
    warm_up(row);
    row->rival[row->rivals++] = (bench_rival){"cpu", run_cpu};
    if (contexts[2]) row->rival[row->rivals++] = (bench_rival){"cuda", run_cuda};
    return true;
}

static void finish(bench_row *row)
{
    state *s = row->state;
    if (!s) return;
    sample_arrays_drop(&s->arrays);
    free(s->expected);
    free(s);
}

#define ROW(k, name, type)                                                                         \
    {                                                                                              \
        name, type, "", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, &sample_calls[k]                  \
    }
static const bench_case cases[] = {
    ROW(0, "sum", "f32"),
    ROW(1, "scan", "f32"),
    ROW(2, "compact", "u32"),
    ROW(3, "gather", "u32"),
    ROW(4, "scatter", "u32"),
    ROW(5, "histogram", "i32"),
    ROW(6, "sort", "u32"),
    ROW(7, "sort by", "u32"),
    ROW(8, "merge", "i32"),
    ROW(9, "transpose", "f32"),
    ROW(10, "random", "f32"),
    ROW(11, "list ranking", "i32"),
    ROW(12, "convolve 5x5", "f32"),
    ROW(13, "map", "f32"),
    ROW(14, "sort", "f32"),
    ROW(15, "partition", "u32"),
    ROW(16, "convolve 15x15", "f32"),
    ROW(17, "blur", "f32"),
    ROW(18, "top 100", "f32"),
};
_Static_assert(sizeof cases / sizeof *cases == SAMPLE_CALLS, "a row for each call");

static const int64_t sizes[] = {1 << 14, 100003, 1 << 18, 1000003, 1 << 22, 1 << 24, 1 << 26, 0};

const bench_pattern pattern_auto = {
    .name = "auto",
    .formula = "bytes of n elements of 4",
    .cases = cases,
    .case_count = SAMPLE_CALLS,
    .sizes = sizes,
    .most_bytes = 12, // of an element: six times as much is what all arrays take
    .alone = true,
    .against_itself = true,
    .prepare = prepare,
    .finish = finish,
};
