// SPDX-License-Identifier: Apache-2.0
//
// The rows of windows: sums of 64 and of 1000 f32, the least of 64 f32, means of 64 f64. GB/s
// counts bytes read and written; the peak is the fastest copy.
#include "bench/harness/pattern.h"

#include <stdlib.h>
#include <string.h>

enum { CHECKED = 4096 }; // windows

static const int64_t narrow = 64, wide = 1000;
static const bench_case cases[] = {
    {"sum", "f32", "64", PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, &narrow},
    {"sum", "f32", "1000", PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, &wide},
    {"min", "f32", "64", PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, &narrow},
    {"mean", "f64", "64", PEER_OTHER_OP, PEER_F64, PEER_F64, NULL, &narrow},
};

static const hd_operator *operator_of(const bench_row *row)
{
    const char *op = row->what->op;
    return strcmp(op, "sum") == 0 ? HD_SUM : strcmp(op, "min") == 0 ? HD_MIN : HD_MEAN;
}

static int64_t windows_of(const bench_row *row)
{
    const int64_t width = *(const int64_t *)row->what->detail;
    return row->job.n < width ? 0 : row->job.n - width + 1;
}

static void call(bench_row *row)
{
    const int64_t width = *(const int64_t *)row->what->detail;
    const hd_status status = hd_slide(row->ctx, row->in, operator_of(row), width, row->out, NULL);
    if (status) row->status = status;
}

// The first windows, against the serial backend's.
static bool check(const bench_row *row)
{
    const int64_t width = *(const int64_t *)row->what->detail, all = windows_of(row);
    const int64_t count = all < CHECKED ? all : CHECKED;
    const int32_t type = row->what->peer_type;
    const hd_context_options options = {.backend = HD_SERIAL};
    const size_t bytes = (size_t)count * hd_type_size(row->in.type);
    hd_context *ctx;
    if (count == 0) return true;
    void *want = malloc(bytes);
    bool right = hd_open(&ctx, &options) == HD_OK && want != NULL;
    right = right && hd_slide(ctx, row_view(type, row->job.in, count + width - 1), operator_of(row),
                              width, row_view(type, want, count), NULL) == HD_OK;
    right = right && memcmp(want, row->job.out, bytes) == 0;
    hd_close(ctx);
    free(want);
    return right;
}

static bool prepare(data *d, bench_row *row)
{
    const int64_t n = row->job.n, size = row->what->peer_type == PEER_F64 ? 8 : 4;
    data_fill_in(d, FILL_POSITIVE, row->what->peer_type, n);
    row_set(row, PEER_OTHER_OP, d->in, d->out, windows_of(row));
    row->job.pattern = -1; // no peer has it
    row->heddle = call;
    row->check = check;
    row->peak_bytes = n * size;
    row->bytes = 2 * n * size;
    row->peak = PEAK_COPY;
    return true;
}

static const int64_t sizes[] = {1 << 16, 1 << 20, 3000001, 1 << 24, 0};

const bench_pattern pattern_slide = {
    .name = "slide",
    .formula = "bytes read and written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
};
