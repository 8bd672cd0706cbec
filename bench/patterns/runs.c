// SPDX-License-Identifier: Apache-2.0
//
// The rows of runs: unique, run lengths (i32) and their inverse, over runs of mean 64 and of mean
// 2, whose lengths are spread geometrically. GB/s counts the bytes read and written; the peak is
// the fastest read (of expand: fill) of the long array.
#include "bench/harness/pattern.h"
#include "bench/peer/peer_runs.h"

#include <stdlib.h>
#include <string.h>

static const int long_runs = 64, short_runs = 2;

#define ROWS(op, type, TYPE)                                                                       \
    {op, type, "runs of 64", PEER_OTHER_OP, TYPE, TYPE, NULL, &long_runs},                         \
    {                                                                                              \
        op, type, "runs of 2", PEER_OTHER_OP, TYPE, TYPE, NULL, &short_runs                        \
    }

static const bench_case cases[] = {
    ROWS("unique", "i32", PEER_I32),
    ROWS("unique", "f32", PEER_F32),
    ROWS("run lengths", "i32", PEER_I32),
    ROWS("expand", "i32", PEER_I32),
};

// What a row keeps besides its arrays: the sequence and its runs.
typedef struct kept {
    peer_runs more;
    uint32_t *sequence, *values; // bits of i32 or f32
    int32_t *want, *lengths;     // lengths: what is right, what was found
    int64_t n, runs, count;
    hd_view view;      // of lengths
    hd_view on_device; // the count of the last call, where it ran there: it need not be waited for
    bool there;        // it has not been fetched yet
} kept;

// Where a call puts its count: beside its elements.
static hd_view count_of(bench_row *row)
{
    kept *k = row->state;
    const int64_t one = 1;
    if (row->in.space != HD_DEVICE) return HD_VIEW(&k->count, 1);
    if (k->on_device.data == NULL)
        row->status = hd_alloc_device(row->ctx, HD_I64, 1, &one, &k->on_device);
    k->there = true;
    return k->on_device;
}

static void call_unique(bench_row *row)
{
    const hd_status status = hd_unique(row->ctx, row->in, row->out, count_of(row), NULL);
    if (status) row->status = status;
}

static void call_run_lengths(bench_row *row)
{
    kept *k = row->state;
    const hd_status status =
        hd_run_lengths(row->ctx, row->in, row->out, k->view, count_of(row), NULL);
    if (status) row->status = status;
}

static void call_expand(bench_row *row)
{
    kept *k = row->state;
    const hd_status status = hd_expand(row->ctx, row->in, k->view, row->out, count_of(row), NULL);
    if (status) row->status = status;
}

static bool check(const bench_row *row)
{
    kept *k = row->state;
    const bool expands = row->job.pattern == PEER_EXPAND;
    const size_t runs = (size_t)k->runs * sizeof(int32_t), all = (size_t)k->n * sizeof(int32_t);
    if (k->there && hd_map(row->ctx, k->on_device, NULL, HD_VIEW(&k->count, 1), NULL) != HD_OK)
        return false;
    k->there = false;
    bool right = k->count == (expands ? k->n : k->runs) &&
                 memcmp(row->job.out, expands ? k->sequence : k->values, expands ? all : runs) == 0;
    if (row->job.pattern == PEER_RUN_LENGTHS)
        right = right && memcmp(k->lengths, k->want, runs) == 0;
    k->count = -1; // spoilt for the next
    memset(k->lengths, 0xa5, all);
    return right;
}

static void make_runs(kept *k, int mean, int32_t type)
{
    uint32_t value = 0;
    for (int64_t i = 0; i < k->n; i++) {
        if (i == 0 || data_mix((uint64_t)i + 777) % (uint64_t)mean == 0) {
            const float real = (float)(++value % 4096);
            if (type == PEER_F32)
                memcpy(&k->values[k->runs], &real, sizeof real);
            else
                k->values[k->runs] = value;
            k->want[k->runs++] = 0;
        }
        k->sequence[i] = k->values[k->runs - 1];
        k->want[k->runs - 1]++;
    }
}

static bool allocate(kept *k)
{
    const size_t n = (size_t)k->n;
    k->sequence = malloc(4 * n), k->values = malloc(4 * n);
    k->want = malloc(4 * n), k->lengths = malloc(4 * n), k->more.places = malloc(8 * n + 8);
    if (!k->sequence || !k->values || !k->want || !k->lengths || !k->more.places) return false;
    memset(k->lengths, 0, 4 * n), memset(k->more.places, 0, 8 * n + 8);
    return true;
}

static void set_job(data *d, bench_row *row, kept *k)
{
    const char *op = row->what->op;
    const int32_t pattern = strcmp(op, "unique") == 0   ? PEER_UNIQUE
                            : strcmp(op, "expand") == 0 ? PEER_EXPAND
                                                        : PEER_RUN_LENGTHS;
    const bool expands = pattern == PEER_EXPAND;
    if (expands) row->job.n = k->runs;
    memcpy(d->in, expands ? k->values : k->sequence, (size_t)row->job.n * 4);
    d->fill = FILL_NONE;
    row_set(row, pattern, d->in, d->out, k->n);
    row->heddle = expands ? call_expand : pattern == PEER_UNIQUE ? call_unique : call_run_lengths;
    k->more.lengths = expands ? k->want : k->lengths;
    k->more.count = &k->count;
    k->view = expands ? HD_VIEW(k->want, k->runs) : HD_VIEW(k->lengths, k->n);
    if (expands) row->with = &k->view;
    if (pattern == PEER_RUN_LENGTHS) row->other = &k->view;
    row->job.more = &k->more;
    row->peak = expands ? PEAK_FILL : PEAK_READ;
    row->peak_bytes = k->n * 4;
    row->bytes = k->n * 4 + k->runs * (pattern == PEER_UNIQUE ? 4 : 8);
}

static bool prepare(data *d, bench_row *row)
{
    kept *k = calloc(1, sizeof *k);
    row->state = k;
    if (!k) return false;
    k->n = row->job.n;
    if (!allocate(k)) return false;
    make_runs(k, *(const int *)row->what->detail, row->what->peer_type);
    set_job(d, row, k);
    row->check = check;
    return true;
}

static void finish(bench_row *row)
{
    kept *k = row->state;
    if (k && k->on_device.data) hd_free(row->ctx, &k->on_device);
    if (k)
        free(k->sequence), free(k->values), free(k->want), free(k->lengths), free(k->more.places);
    free(k);
    row->state = NULL;
}

static const int64_t sizes[] = {1 << 16, 1 << 20, 3000001, 1 << 24, 0};

const bench_pattern pattern_runs = {
    .name = "runs",
    .formula = "bytes read + bytes written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 4,
    .prepare = prepare,
    .finish = finish,
};
