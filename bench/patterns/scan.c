// SPDX-License-Identifier: Apache-2.0
//
// The rows of scan: inclusive sums out of place and in place, exclusive sums, and running maxima,
// of i32, f32, f64; sums of u8, which wrap. GB/s counts the bytes read and written; the peak is the
// fastest copy of them (in place: the fastest update).
#include "bench/harness/pattern.h"

#include <string.h>

#define IN_PLACE  "in place"
#define EXCLUSIVE "exclusive"
#define ROWS(type, TYPE)                                                                           \
    {"sum", type, "", PEER_SUM, TYPE, TYPE, NULL, NULL},                                           \
        {"sum", type, IN_PLACE, PEER_SUM, TYPE, TYPE, NULL, NULL},                                 \
        {"sum", type, EXCLUSIVE, PEER_SUM, TYPE, TYPE, NULL, NULL},                                \
    {                                                                                              \
        "max", type, "", PEER_MAX, TYPE, TYPE, NULL, NULL                                          \
    }

static const bench_case cases[] = {
    ROWS("i32", PEER_I32),
    ROWS("f32", PEER_F32),
    ROWS("f64", PEER_F64),
    {"sum", "u8", "", PEER_SUM, PEER_U8, PEER_U8, NULL, NULL},
};

#define T    int32_t
#define NAME i32
#include "scan_check_body.h"
#define T    uint8_t
#define NAME u8
#include "scan_check_body.h"
#define T    float
#define NAME f32
#include "scan_check_body.h"
#define T    double
#define NAME f64
#include "scan_check_body.h"

static bool check(const bench_row *row)
{
    switch (row->job.type) {
    case PEER_I32: return check_i32(row);
    case PEER_F32: return check_f32(row);
    case PEER_U8: return check_u8(row);
    default: return check_f64(row);
    }
}

static bool prepare(data *d, bench_row *row)
{
    const bench_case *what = row->what;
    const bool sum = what->peer_op == PEER_SUM;
    data_fill_in(d, sum ? FILL_WHOLE : FILL_POSITIVE, what->peer_type, row->job.n);
    row->in_place = strcmp(what->variant, IN_PLACE) == 0;
    row_set(row, PEER_SCAN, row->in_place ? d->out : d->in, d->out, row->job.n);
    row->job.exclusive = row->scan.exclusive = strcmp(what->variant, EXCLUSIVE) == 0;
    row->with_options = row->scan.exclusive;
    row->peak_bytes = row->job.n * (int64_t)data_type_size(what->peer_type);
    row->bytes = 2 * row->peak_bytes;
    row->peak = row->in_place ? PEAK_UPDATE : PEAK_COPY;
    row->source = d->in;
    row->check = check;
    return true;
}

const bench_pattern pattern_scan = {
    .name = "scan",
    .formula = "bytes read + bytes written",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .most_bytes = 8,
    .prepare = prepare,
};
