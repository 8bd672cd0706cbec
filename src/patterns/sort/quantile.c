// SPDX-License-Identifier: Apache-2.0
// What a quantile is made of: the ranks beside it, and the number between two elements.
#include "core/convert.h"
#include "nth.h"

#include <math.h>

// h = p * (n - 1) is between ranks i and j; t is how far beyond i.
typedef struct between {
    int64_t i, j;
    double t;
} between;

static between between_of(double p, int64_t n)
{
    const double h = p * (double)(n - 1), below = floor(h);
    between b = {.i = (int64_t)below, .t = h - below};
    if (b.i >= n - 1) b.i = n - 1, b.t = 0; // where n - 1 is rounded to a double beyond it
    b.j = b.t > 0 ? b.i + 1 : b.i;
    return b;
}

void hd__nth_ranks(const hd__nth_job *job, int64_t n, int64_t *ranks)
{
    for (int64_t k = 0; k < job->m; k++) {
        if (job->ranks != NULL) {
            ranks[k] = job->ranks[k];
            continue;
        }
        const between b = between_of(job->probability[k], n);
        ranks[2 * k] = b.i;
        ranks[2 * k + 1] = b.j;
    }
}

bool hd__nth_is_nothing(const hd__nth_job *job, int64_t nans, int64_t *n)
{
    if (job->ranks != NULL) return false;
    if (nans > 0 && !job->omit_nan) return true;
    *n -= nans;
    return *n == 0;
}

bool hd__is_nan(hd_type type, const void *x)
{
    double number;
    if (!hd__is_float(type)) return false;
    hd__convert(HD_F64, &number, type, x, 1);
    return number != number;
}

static double on_the_line(double a, double b, double t)
{
    if (t == 0 || a == b) return a;
    const double apart = b - a;
    const double step = t < 0.5 ? apart * t : apart * (1 - t);
    return t < 0.5 ? a + step : b - step;
}

static bool is_lower(const hd__nth_job *job, const between *b)
{
    if (job->method != HD_NEAREST) return job->method == HD_LOWER;
    return b->t < 0.5 || (b->t == 0.5 && b->i % 2 == 0);
}

// The quantile of two elements, as an element of out.
static void interpolate(const hd__nth_job *job, const between *b, const char *pair, void *out)
{
    const hd_type type = job->in.type;
    const size_t size = hd__size_of(type);
    double x[2], result;
    if (job->method == HD_LINEAR || job->method == HD_MIDPOINT) {
        hd__convert(HD_F64, x, type, pair, 2);
        result = on_the_line(x[0], x[1], job->method == HD_LINEAR || b->t == 0 ? b->t : 0.5);
        hd__convert(job->out.type, out, HD_F64, &result, 1);
        return;
    }
    hd__convert(job->out.type, out, type, pair + (is_lower(job, b) ? 0 : size), 1);
}

hd_status hd__nth_store(hd_context *ctx, const hd__nth_job *job, int64_t row, int64_t n,
                        const void *elements, const int64_t *positions)
{
    const size_t size = hd__size_of(job->in.type);
    const char *x = elements;
    int64_t room;
    (void)ctx;
    for (int64_t k = 0; k < job->m; k++) {
        const int64_t to = row * job->m + k;
        if (job->ranks == NULL) {
            const between b = between_of(job->probability[k], n);
            double result;
            interpolate(job, &b, x + 2 * (size_t)k * size, &result);
            hd__scatter(&job->out, to, 1, &result);
            continue;
        }
        const char *element = x + (size_t)k * size;
        const uint8_t truth = *(const uint8_t *)element != 0;
        const bool is_truth = job->numbers && job->in.type == HD_BOOL;
        hd__scatter(&job->out, to, 1, is_truth ? (const void *)&truth : element);
        if (!hd__is_empty(&job->indices))
            hd__put_positions(&job->indices, to, 1, &positions[k], &room);
    }
    return HD_OK;
}

hd_status hd__nth_store_nothing(hd_context *ctx, const hd__nth_job *job, int64_t row)
{
    const double nan = NAN;
    double result;
    if (!hd__is_float(job->out.type))
        return hd__fail(ctx, HD_ERROR_VALUE,
                        "%s: row %lld has no elements, and out is of %s, which has no NaN",
                        job->call, (long long)row, hd_type_name(job->out.type));
    hd__convert(job->out.type, &result, HD_F64, &nan, 1);
    for (int64_t k = 0; k < job->m; k++) hd__scatter(&job->out, row * job->m + k, 1, &result);
    return HD_OK;
}
