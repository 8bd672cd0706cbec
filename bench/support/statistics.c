// SPDX-License-Identifier: Apache-2.0
//
// Order statistics of samples, and the verdict whether two sets differ.
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double quantile(const double *sorted, int64_t count, double q)
{
    if (count <= 0) return 0;
    const double at = q * (double)(count - 1);
    const int64_t k = (int64_t)at;
    if (k + 1 >= count) return sorted[count - 1];
    return sorted[k] + (at - (double)k) * (sorted[k + 1] - sorted[k]);
}

statistics statistics_of(const double *samples, int64_t count)
{
    statistics s = {0, 0, 0, 0, 0};
    if (count <= 0) return s;
    double *sorted = malloc((size_t)count * sizeof *sorted);
    if (!sorted) return s;
    memcpy(sorted, samples, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    s = (statistics){count, sorted[0], quantile(sorted, count, 0.1), quantile(sorted, count, 0.5),
                     quantile(sorted, count, 0.9)};
    free(sorted);
    return s;
}

double statistics_spread(const statistics *s)
{
    return s->median > 0 ? (s->p90 - s->p10) / s->median : 0;
}

static int outside(double x, const statistics *s)
{
    return x < s->p10 || x > s->p90;
}

int statistics_compare(const statistics *a, const statistics *b, double least)
{
    if (a->median <= 0 || b->median <= 0) return 0;
    if (fabs(log(b->median / a->median)) <= log1p(least)) return 0;
    if (!outside(a->median, b) || !outside(b->median, a)) return 0;
    return b->median < a->median ? -1 : 1;
}
