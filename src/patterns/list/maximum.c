// SPDX-License-Identifier: Apache-2.0
// hd_maximum: methods as lists of rounds; what a round costs on a PRAM; elements in order.
#include "maximum.h"
#include "core/arguments.h"
#include "core/convert.h"
#include "core/system/float_state.h"

#include <string.h>

HD__BRINGS(maximum)
HD__BRINGS_PASS(maximum)

static const char *const names[HD_MAXIMUM_METHODS] = {
    [HD_MAXIMUM_CASCADE] = "cascade",       [HD_MAXIMUM_SEQUENTIAL] = "sequential",
    [HD_MAXIMUM_SQUARE] = "square",         [HD_MAXIMUM_TREE] = "tree",
    [HD_MAXIMUM_DOUBLE_LOG] = "double-log",
};

const char *hd_maximum_name(hd_maximum_method method)
{
    return (int)method >= 0 && method < HD_MAXIMUM_METHODS ? names[method] : NULL;
}

int32_t hd_maximum_named(const char *name)
{
    for (int32_t k = 0; name != NULL && k < HD_MAXIMUM_METHODS; k++)
        if (strcmp(names[k], name) == 0) return k;
    return -1;
}

// ---- Rounds -------------------------------------------------------------------------------------

// Adds a round for m players; returns how many are left.
static int64_t add_round(hd__maximum_job *job, hd__play play, int64_t group, int64_t m)
{
    if (m < 2 || group < 2) return m;
    job->round[job->rounds++] = (hd__round){play, group};
    return (m + group - 1) / group;
}

// Pairs, pairs of winners, then groups as large as the product of all before: there is a processor
// for each element, so a group of g has g * g of them.
static void plan_double_log(hd__maximum_job *job, int64_t m)
{
    m = add_round(job, HD__IN_PAIRS, 2, m);
    m = add_round(job, HD__IN_PAIRS, 2, m);
    for (int64_t g = 4; m > 1; g = g < (int64_t)1 << 31 ? g * g : g)
        m = add_round(job, HD__ALL_AT_ONCE, g, m);
}

static int64_t log2_floor(int64_t n)
{
    return n > 0 ? 63 - __builtin_clzll((unsigned long long)n) : 0;
}

static void plan_rounds(hd__maximum_job *job, hd_maximum_method method)
{
    int64_t m = job->n;
    job->rounds = 0;
    switch (method) {
    case HD_MAXIMUM_SEQUENTIAL: add_round(job, HD__ONE_BY_ONE, m, m); break;
    case HD_MAXIMUM_SQUARE: add_round(job, HD__ALL_AT_ONCE, m, m); break;
    case HD_MAXIMUM_TREE:
        while (m > 1) m = add_round(job, HD__IN_PAIRS, 2, m);
        break;
    case HD_MAXIMUM_CASCADE:
        m = add_round(job, HD__ONE_BY_ONE, log2_floor(log2_floor(m)), m);
        plan_double_log(job, m);
        break;
    case HD_MAXIMUM_DOUBLE_LOG:
    case HD_MAXIMUM_METHODS: plan_double_log(job, m); break;
    }
}

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void hd__count_round(hd_maximum_result *result, hd__play play, int64_t g, int64_t m, int64_t work)
{
    const int64_t full = m / g, rest = m % g, largest = m < g ? m : g;
    int64_t processors, steps;
    if (play == HD__ALL_AT_ONCE) {
        processors = largest < 2 ? 0 : full * g * g + (rest > 1 ? rest * rest : 0);
        steps = 3;
    } else {
        processors = (g > 1 ? full : 0) + (rest > 1);
        steps = largest - 1;
    }
    result->work += work;
    result->steps += steps;
    result->processors = greater(result->processors, processors);
}

// ---- Order --------------------------------------------------------------------------------------

#define SIGN ((uint64_t)1 << 63)

static uint64_t key_of_double(double x)
{
    uint64_t bits;
    if (x != x) return UINT64_MAX;
    x += 0.0; // -0 becomes +0
    memcpy(&bits, &x, sizeof bits);
    return bits & SIGN ? ~bits : bits | SIGN;
}

void hd__order_keys(const hd_view *v, int64_t start, int64_t n, uint64_t *keys)
{
    enum { BLOCK = 256 };
    _Alignas(8) unsigned char raw[BLOCK * 8];
    double reals[BLOCK];
    const hd__kind kind = hd__kind_of(v->type);
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        hd__gather(v, start + at, m, raw);
        if (kind == HD__FLOAT) {
            hd__convert(HD_F64, reals, v->type, raw, m);
            for (int64_t k = 0; k < m; k++) keys[at + k] = key_of_double(reals[k]);
        } else {
            hd__convert(kind == HD__SIGNED ? HD_I64 : HD_U64, keys + at, v->type, raw, m);
            for (int64_t k = 0; k < m && kind == HD__SIGNED; k++) keys[at + k] ^= SIGN;
        }
    }
}

// ---- The call -----------------------------------------------------------------------------------

static hd_status fill_value(hd_context *ctx, const hd_view *v, hd_maximum_result *result)
{
    _Alignas(8) unsigned char raw[8];
    const hd__kind kind = hd__kind_of(v->type);
    if (v->space == HD_DEVICE)
        HD_TRY(hd__fetch(ctx, v, result->index, raw));
    else
        hd__gather(v, result->index, 1, raw);
    hd__convert(kind == HD__FLOAT    ? HD_F64
                : kind == HD__SIGNED ? HD_I64
                                     : HD_U64,
                &result->value, v->type, raw, 1);
    return HD_OK;
}

static hd_status check(hd_context *ctx, const hd_view *in, hd_maximum_method method)
{
    HD_TRY(hd__check_input(ctx, "hd_maximum: in", in));
    if (!hd__is_number(in->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "hd_maximum: in is a %s; expected numbers",
                        hd_type_name(in->type));
    if (in->space == HD_IMPLICIT && in->ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "hd_maximum: an implicit view has one dimension, got %d", (int)in->ndim);
    if (hd_maximum_name(method) == NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "hd_maximum: method %d does not exist",
                        (int)method);
    if (method == HD_MAXIMUM_SQUARE && hd_count(*in) > HD_MAXIMUM_SQUARE_MAX)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "hd_maximum: %lld elements by the square method; expected at most %lld",
                        (long long)hd_count(*in), (long long)HD_MAXIMUM_SQUARE_MAX);
    return HD_OK;
}

hd_status hd_maximum(hd_context *ctx, hd_view in, hd_maximum_result *result,
                     const hd_maximum_options *options)
{
    HD__FLOAT_STATE;
    HD__BEGIN_ANYWHERE(ctx);
    hd_maximum_options o[1];
    HD_TRY(HD__TAKE_OPTIONS(ctx, "hd_maximum", hd_maximum_options, options, o));
    HD__AT_LEAST_1D(&in);
    const hd_maximum_method method = o->method;
    if (result == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "hd_maximum: result is NULL");
    HD_TRY(check(ctx, &in, method));
    const hd_view given = hd_view_of(HD_STRUCT(hd_maximum_result), result, 1);
    if ((uintptr_t)result % _Alignof(hd_maximum_result) != 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "hd_maximum: result is %p; expected a multiple of %zu", (void *)result,
                        _Alignof(hd_maximum_result));
    HD_TRY(hd__check_apart_of(ctx, "hd_maximum", "result", &given, "in", &in));
    *result = (hd_maximum_result){.index = -1};
    hd__maximum_job job = {.in = in, .n = hd_count(in), .result = result};
    if (job.n == 0) return HD_OK;
    hd__collapse(&job.in);
    plan_rounds(&job, method);
    const hd__subject subject = {hd_maximum_name(method), job.n, in.type};
    HD_TRY(hd__dispatch(ctx, HD__MAXIMUM_PATTERN, &job, &subject));
    return fill_value(ctx, &job.in, result);
}
