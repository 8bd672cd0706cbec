// SPDX-License-Identifier: Apache-2.0
//
// The rows of parameters: functions whose second input is an array, a constant, a view of one
// element or a progression, or that have a state or a number in the text instead, fused into a sum,
// a count and a map. GB/s counts the bytes of arrays.
#include "bench/harness/pattern.h"

#include <stdlib.h>

HD_FUNCTION(scaled, float, HD_NO_SOURCE, (float, x, float, y), { return x * y; })
HD_FUNCTION(is_above, uint8_t, HD_NO_SOURCE, (float, x, float, y), { return x > y; })
HD_FUNCTION(is_above_two, uint8_t, HD_NO_SOURCE, (float, x), { return x > 2.0f; })
HD_FUNCTION_STATE(is_above_state, uint8_t, HD_NO_SOURCE, (float, x), float, { return x > *state; })
HD_FUNCTION(doubled, float, HD_NO_SOURCE, (float, x), { return x * 2.0f; })
HD_FUNCTION_STATE(scaled_state, float, HD_NO_SOURCE, (float, x), float, { return x * *state; })
HD_FUNCTION(plus_index, float, HD_NO_SOURCE, (float, x, int64_t, i), { return x + (float)(i & 1); })

typedef enum parameter {
    NONE,
    ARRAY,
    CONSTANT,
    ONE_ELEMENT,
    PROGRESSION,
    IN_TEXT,
    IN_STATE
} parameter;
typedef enum kind { SUM, COUNT, MAP } kind;

typedef struct detail {
    kind kind;
    parameter parameter;
} detail;

typedef struct state {
    float *second; // 2, n times
    hd_view with;
} state;

#define ROW(op, variant, kind, parameter)                                                          \
    {                                                                                              \
        op, "f32", variant, PEER_OTHER_OP, PEER_F32, PEER_F32, NULL, &(const detail)               \
        {                                                                                          \
            kind, parameter                                                                        \
        }                                                                                          \
    }
static const bench_case cases[] = {
    ROW("sum", "", SUM, NONE),
    ROW("sum of products", "array", SUM, ARRAY),
    ROW("sum of products", "constant", SUM, CONSTANT),
    ROW("sum of products", "one element", SUM, ONE_ELEMENT),
    ROW("count above", "array", COUNT, ARRAY),
    ROW("count above", "constant", COUNT, CONSTANT),
    ROW("count above", "one element", COUNT, ONE_ELEMENT),
    ROW("count above", "in the text", COUNT, IN_TEXT),
    ROW("count above", "state", COUNT, IN_STATE),
    ROW("map", "array", MAP, ARRAY),
    ROW("map", "constant", MAP, CONSTANT),
    ROW("map", "one element", MAP, ONE_ELEMENT),
    ROW("map", "progression", MAP, PROGRESSION),
    ROW("map", "in the text", MAP, IN_TEXT),
    ROW("map", "state", MAP, IN_STATE),
};

static hd_view parameter_view(const state *s, parameter p, int64_t n)
{
    static const float two = 2;
    if (p == ARRAY) return HD_VIEW(s->second, n);
    if (p == ONE_ELEMENT) return HD_VIEW(s->second, 1);
    if (p == PROGRESSION) return hd_progression(0, 1, n);
    return hd_constant_of(HD_F32, &two, 1);
}

// Functions of one input.
static void call_alone(bench_row *row)
{
    const detail *d = row->what->detail;
    const float two = 2;
    const bool given = d->parameter == IN_STATE;
    const hd_function *above = given ? HD_WITH_STATE(is_above_state, &two) : is_above_two;
    const hd_function *twice = given ? HD_WITH_STATE(scaled_state, &two) : doubled;
    const hd_status status = d->kind == MAP ? hd_map(row->ctx, row->in, twice, row->out, NULL)
                                            : hd_reduce(row->ctx, row->in, HD_SUM, row->out,
                                                        &(hd_reduce_options){.map = above});
    if (status) row->status = status;
}

static void call(bench_row *row)
{
    const state *s = row->state;
    const detail *d = row->what->detail;
    hd_status status;
    if (d->kind == MAP)
        status = hd_map(row->ctx, row->in, d->parameter == PROGRESSION ? plus_index : scaled,
                        row->out, &(hd_map_options){.with = HD_VIEWS(s->with)});
    else if (d->parameter == NONE)
        status = hd_reduce(row->ctx, row->in, HD_SUM, row->out, NULL);
    else
        status = hd_reduce(row->ctx, row->in, HD_SUM, row->out,
                           &(hd_reduce_options){.map = d->kind == SUM ? scaled : is_above,
                                                .with = HD_VIEWS(s->with)});
    if (status) row->status = status;
}

static bool check_map(const bench_row *row, const detail *d)
{
    const float *x = row->job.in, *y = row->job.out;
    int64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (int64_t i = 0; i < row->job.n; i++)
        wrong += y[i] != (d->parameter == PROGRESSION ? x[i] + (float)(i & 1) : 2 * x[i]);
    return wrong == 0;
}

static bool check(const bench_row *row)
{
    const detail *d = row->what->detail;
    const float *x = row->job.in;
    double sum = 0;
    int64_t count = 0;
    if (d->kind == MAP) return check_map(row, d);
#pragma omp parallel for reduction(+ : sum, count)
    for (int64_t i = 0; i < row->job.n; i++) sum += x[i], count += x[i] > 2;
    if (d->kind == COUNT) return *(const int64_t *)row->job.out == count;
    return close_enough(*(const float *)row->job.out, d->parameter == NONE ? sum : 2 * sum,
                        row->job.n);
}

// 0 and 1, but 3 at every 16th place for what is counted: every sum is exact.
static void fill_small(float *x, int64_t n)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = data_mix((uint64_t)i);
        x[i] = bits >> 60 == 0 ? 3.0f : 0.0f;
    }
}

static bool prepare(data *all, bench_row *row)
{
    const detail *d = row->what->detail;
    const int64_t n = row->job.n;
    state *s = row->state = calloc(1, sizeof *s);
    if (s == NULL || (s->second = malloc((size_t)n * sizeof *s->second)) == NULL) return false;
    for (int64_t i = 0; i < n; i++) s->second[i] = 2;
    fill_small(all->in, n);
    all->fill = FILL_NONE;
    row_set(row, PEER_OTHER_OP, all->in, all->out, d->kind == MAP ? n : 1);
    if (d->kind == COUNT) row->out = HD_VIEW((int64_t *)all->out, 1);
    s->with = parameter_view(s, d->parameter, n);
    row->job.pattern = -1; // no peer has it
    row->host_only = true;
    row->heddle = d->parameter >= IN_TEXT ? call_alone : call;
    row->check = check;
    row->peak_bytes = n * (d->parameter == ARRAY && d->kind != MAP ? 8 : 4);
    row->bytes = n * (4 + (d->parameter == ARRAY ? 4 : 0) + (d->kind == MAP ? 4 : 0));
    row->peak = d->kind == MAP ? PEAK_COPY : PEAK_READ;
    return true;
}

static void finish(bench_row *row)
{
    state *s = row->state;
    if (s != NULL) free(s->second);
    free(s);
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 22, 1 << 24, 0};

const bench_pattern pattern_parameters = {
    .name = "parameters",
    .formula = "bytes of arrays",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .wide_outputs = true,
    .prepare = prepare,
    .finish = finish,
};
