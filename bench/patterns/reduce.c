// SPDX-License-Identifier: Apache-2.0
//
// The rows of reduce: sum, min, max, argmax of i32, f32, f64; sums of u8 and i16 into 64 bits.
// GB/s counts the bytes read; the peak is the fastest read of them.
#include "bench/harness/pattern.h"

#define ROWS(type, TYPE)                                                                           \
    {"sum", type, "", PEER_SUM, TYPE, TYPE, NULL, NULL},                                           \
        {"min", type, "", PEER_MIN, TYPE, TYPE, NULL, NULL},                                       \
        {"max", type, "", PEER_MAX, TYPE, TYPE, NULL, NULL},                                       \
    {                                                                                              \
        "argmax", type, "", PEER_ARGMAX, TYPE, PEER_I64, NULL, NULL                                \
    }

static const bench_case cases[] = {
    ROWS("i32", PEER_I32),
    ROWS("f32", PEER_F32),
    ROWS("f64", PEER_F64),
    {"sum", "u8", "", PEER_SUM, PEER_U8, PEER_U64, NULL, NULL},
    {"sum", "i16", "", PEER_SUM, PEER_I16, PEER_I64, NULL, NULL},
};

#define T    int32_t
#define WIDE int64_t
#define NAME i32
#include "reduce_check_body.h"
#define T    float
#define WIDE double
#define NAME f32
#include "reduce_check_body.h"
#define T    double
#define WIDE double
#define NAME f64
#include "reduce_check_body.h"

static bool check_u8(const bench_row *row)
{
    const uint8_t *x = row->job.in;
    uint64_t s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int64_t i = 0; i < row->job.n; i++) s += x[i];
    return *(const uint64_t *)row->job.out == s;
}

static bool check_i16(const bench_row *row)
{
    const int16_t *x = row->job.in;
    int64_t s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int64_t i = 0; i < row->job.n; i++) s += x[i];
    return *(const int64_t *)row->job.out == s;
}

static bool check(const bench_row *row)
{
    switch (row->job.type) {
    case PEER_I32: return check_i32(row);
    case PEER_F32: return check_f32(row);
    case PEER_F64: return check_f64(row);
    case PEER_U8: return check_u8(row);
    default: return check_i16(row);
    }
}

static bool prepare(data *d, bench_row *row)
{
    const bench_case *what = row->what;
    const bool narrow = data_type_size(what->peer_type) < 4;
    const data_fill sum = narrow ? FILL_BITS : FILL_WHOLE;
    data_fill_in(d, what->peer_op == PEER_SUM ? sum : FILL_POSITIVE, what->peer_type, row->job.n);
    row_set(row, PEER_REDUCE, d->in, d->out, 1);
    row->bytes = row->peak_bytes = row->job.n * (int64_t)data_type_size(what->peer_type);
    row->peak = PEAK_READ;
    row->check = check;
    return true;
}

const bench_pattern pattern_reduce = {
    .name = "reduce",
    .formula = "bytes read",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .most_bytes = 8,
    .prepare = prepare,
};
