// SPDX-License-Identifier: Apache-2.0
//
// The rows of sorting by a user's comparison: i32, f32 and a structure of a key and a number, at
// random, and i32 that are sorted already. GB/s counts the bytes read and written once.
#include "bench/harness/pattern.h"
#include "bench/peer/peer_order.h"

#include <string.h>

HD_COMPARISON(less_i32, int32_t, HD_NO_SOURCE, { return a < b; })
HD_COMPARISON(less_f32, float, HD_NO_SOURCE, { return a < b; })
// peer_record by a text that a device's compiler is shown too.
HD_SOURCE(
    records, typedef struct {
        float key;
        int32_t id;
    } record;)
_Static_assert(sizeof(record) == sizeof(peer_record), "records are the peers'");
HD_COMPARISON(less_record, record, records, { return a.key < b.key; })

#define SORTED "sorted"
static const bench_case cases[] = {
    {"less", "i32", "", PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, less_i32},
    {"less", "f32", "", PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, less_f32},
    {"less", "record", "", PEER_OTHER_OP, PEER_OTHER_TYPE, PEER_OTHER_TYPE, NULL, less_record},
    {"less", "i32", SORTED, PEER_OTHER_OP, PEER_I32, PEER_I32, NULL, less_i32},
};

static void fill(int32_t type, void *in, int64_t n, bool sorted)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        const uint32_t bits = sorted ? (uint32_t)i : (uint32_t)(data_mix((uint64_t)i) >> 33);
        if (type == PEER_I32)
            ((int32_t *)in)[i] = (int32_t)bits;
        else if (type == PEER_F32)
            ((float *)in)[i] = (float)bits;
        else
            ((record *)in)[i] = (record){(float)bits, (int32_t)i};
    }
}

// In order, and the same elements: their sum and their mixed sum.
static bool check(const bench_row *row)
{
    const hd_comparison *less = row->what->detail;
    const size_t size = less->elements.size;
    const char *x = row->job.in, *y = row->job.out;
    uint64_t sum = 0;
    bool right = true;
#pragma omp parallel for reduction(&& : right) reduction(+ : sum)
    for (int64_t i = 0; i < row->job.n; i++) {
        uint64_t before = 0, after = 0;
        memcpy(&before, x + (size_t)i * size, size);
        memcpy(&after, y + (size_t)i * size, size);
        sum += data_mix(before) - data_mix(after);
        right = right &&
                (i == 0 || !less->less(y + (size_t)i * size, y + (size_t)(i - 1) * size, NULL));
    }
    return right && sum == 0;
}

static void call(bench_row *row)
{
    const hd_status status = hd_sort(row->ctx, row->in, row->out, HD_NO_VALUES,
                                     &(hd_sort_options){.comparison = row->what->detail});
    if (status) row->status = status;
}

static bool prepare(data *d, bench_row *row)
{
    const hd_comparison *less = row->what->detail;
    peer_job *job = &row->job;
    d->fill = FILL_NONE;
    fill(row->what->peer_type, d->in, job->n, row->what->variant[0] != 0);
    job->pattern = PEER_SORT_BY, job->op = PEER_OTHER_OP;
    job->type = job->out_type = row->what->peer_type;
    job->in = d->in, job->out = d->out;
    row->in = HD_VIEW_OF(less->type, d->in, job->n);
    row->out = HD_VIEW_OF(less->type, d->out, job->n);
    row->heddle = call;
    row->peak_bytes = job->n * (int64_t)less->elements.size;
    row->bytes = 2 * row->peak_bytes;
    row->peak = PEAK_COPY;
    row->check = check;
    return true;
}

static const int64_t sizes[] = {1 << 10, 1 << 16, 1 << 20, 3000001, 1 << 24, 0};

const bench_pattern pattern_sort_by = {
    .name = "sort_by",
    .formula = "bytes read + bytes written, once",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = sizeof(record),
    .prepare = prepare,
};
