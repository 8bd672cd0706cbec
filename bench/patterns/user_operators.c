// SPDX-License-Identifier: Apache-2.0
//
// The rows of users' operators: max of 3-D points by norm, product of complex numbers, saturating
// f32 addition, written once through HD_OPERATOR and HD_MONOID, against hand-written OpenMP loops
// that do the same, compiled with the same flags, and a sum against the built-in one.
// GB/s counts the bytes read, of a scan those written as well.
#include "bench/harness/pattern.h"

#include <math.h>
#include <omp.h>
#include <string.h>

extern const bench_pattern pattern_reduce, pattern_scan;

HD_SOURCE(
    geometry, typedef struct { float x, y, z; } point;
    static inline float norm2(point p) { return p.x * p.x + p.y * p.y + p.z * p.z; })
HD_OPERATOR(farther, point, geometry, HD_ASSOCIATIVE, { return norm2(a) >= norm2(b) ? a : b; })

HD_SOURCE(
    numbers, typedef struct { float re, im; } number;)
HD_MONOID(complex_product, number, numbers, HD_ASSOCIATIVE | HD_COMMUTATIVE, HD_BRACES(1.0f, 0.0f),
          {
              number r;
              r.re = a.re * b.re - a.im * b.im;
              r.im = a.re * b.im + a.im * b.re;
              return r;
          })

// Of numbers that are not negative.
HD_MONOID(saturating_add, float, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE, 0.0f, {
    const float s = a + b;
    return s < 1048576.0f ? s : 1048576.0f;
})

HD_MONOID(own_sum, float, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE, 0.0f, { return a + b; })
HD_MONOID(own_sum_i32, int32_t, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE, 0,
          { return (int32_t)((uint32_t)a + (uint32_t)b); })

#define SCAN  "scan"
#define OTHER PEER_OTHER_OP, PEER_OTHER_TYPE, PEER_OTHER_TYPE
static const bench_case cases[] = {
    {"farther", "point", "", OTHER, farther, NULL},
    {"complex_product", "complex", "", OTHER, complex_product, NULL},
    {"saturating_add", "f32", "", OTHER, saturating_add, NULL},
    {"own_sum", "f32", "", PEER_SUM, PEER_F32, PEER_F32, own_sum, NULL},
    {"own_sum", "i32", "", PEER_SUM, PEER_I32, PEER_I32, own_sum_i32, NULL},
    {"own_sum", "f32", SCAN, PEER_SUM, PEER_F32, PEER_F32, own_sum, NULL},
    {"own_sum", "i32", SCAN, PEER_SUM, PEER_I32, PEER_I32, own_sum_i32, NULL},
};

// ---- The hand-written loops: plain, and with four accumulators a thread ----------------------

#define T             point
#define COMBINE(a, b) farther__one(a, b, NULL)
#define NAME          farther
#include "user_loops_body.h"
#define T             number
#define COMBINE(a, b) complex_product__one(a, b, NULL)
#define NAME          product
#include "user_loops_body.h"
#define T             float
#define COMBINE(a, b) saturating_add__one(a, b, NULL)
#define NAME          saturating
#include "user_loops_body.h"

// ---- Data whose results are exact in any order ------------------------------------------------

static void fill_points(point *p, int64_t n)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = data_mix((uint64_t)i);
        const float far = (float)data_peak(i);
        p[i] = (point){(float)(bits & 0xfff) * 0x1p-12f, (float)(bits >> 12 & 0xfff) * 0x1p-12f,
                       (float)(bits >> 24 & 0xfff) * 0x1p-12f + far};
    }
}

// Powers of i: their products are powers of i.
static void fill_numbers(number *p, int64_t n)
{
    static const number unit[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) p[i] = unit[data_mix((uint64_t)i) >> 62];
}

static void fill_bits(float *p, int64_t n)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) p[i] = (float)(data_mix((uint64_t)i) >> 63);
}

static bool check_points(const bench_row *row)
{
    const point *p = row->job.in, got = *(const point *)row->job.out;
    float most = 0;
#pragma omp parallel for reduction(max : most)
    for (int64_t i = 0; i < row->job.n; i++) most = norm2(p[i]) > most ? norm2(p[i]) : most;
    return norm2(got) == most;
}

static bool check_numbers(const bench_row *row)
{
    const number *p = row->job.in, got = *(const number *)row->job.out;
    int64_t turns = 0; // by 90 degrees
#pragma omp parallel for reduction(+ : turns)
    for (int64_t i = 0; i < row->job.n; i++)
        turns += p[i].im == 1 ? 1 : p[i].re == -1 ? 2 : p[i].im == -1 ? 3 : 0;
    static const number unit[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    return got.re == unit[turns & 3].re && got.im == unit[turns & 3].im;
}

static bool check_saturating(const bench_row *row)
{
    const float *p = row->job.in;
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int64_t i = 0; i < row->job.n; i++) s += p[i];
    return *(const float *)row->job.out == (float)fmin(s, 1048576.0);
}

// A row of reduce or scan, with the operator written here instead of the built-in one.
static bool prepare_sum(data *d, bench_row *row)
{
    const bool scan = strcmp(row->what->variant, SCAN) == 0;
    row->built_in = hd_operator_named("sum");
    return (scan ? &pattern_scan : &pattern_reduce)->prepare(d, row);
}

static bool prepare(data *d, bench_row *row)
{
    if (row->what->peer_op == PEER_SUM) return prepare_sum(d, row);
    const hd_operator *op = row->what->operator;
    const int64_t n = row->job.n;
    row_set(row, PEER_REDUCE, d->in, d->out, 1);
    row->in = HD_VIEW_OF(op->type, d->in, n), row->out = HD_VIEW_OF(op->type, d->out, 1);
    d->fill = FILL_NONE;
    row->rivals = 2;
    if (op == farther) {
        fill_points(d->in, n);
        row->check = check_points;
        row->rival[0] = (bench_rival){"OpenMP loop", plain_farther};
        row->rival[1] = (bench_rival){"OpenMP loop x4", four_farther};
    } else if (op == complex_product) {
        fill_numbers(d->in, n);
        row->check = check_numbers;
        row->rival[0] = (bench_rival){"OpenMP loop", plain_product};
        row->rival[1] = (bench_rival){"OpenMP loop x4", four_product};
    } else {
        fill_bits(d->in, n);
        row->check = check_saturating;
        row->rival[0] = (bench_rival){"OpenMP loop", plain_saturating};
        row->rival[1] = (bench_rival){"OpenMP loop x4", four_saturating};
    }
    row->bytes = row->peak_bytes = n * (int64_t)hd_type_size(op->type);
    row->peak = PEAK_READ;
    return true;
}

static const int64_t sizes[] = {1 << 16, 1 << 20, 3000001, 1 << 24, 0};

const bench_pattern pattern_user_operators = {
    .name = "user_operators",
    .formula = "bytes read",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = sizeof(point),
    .against_itself = true, // loops of the program's own
    .prepare = prepare,
};
