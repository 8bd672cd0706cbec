// SPDX-License-Identifier: Apache-2.0
//
// What is said about a set of samples: median, 10th and 90th percentile, least. No means: a
// machine shared with others has outliers on one side only.
#ifndef HEDDLE_BENCH_SUPPORT_STATISTICS_H
#define HEDDLE_BENCH_SUPPORT_STATISTICS_H

#include <stdint.h>

typedef struct statistics {
    int64_t count;
    double least, p10, median, p90;
} statistics;

// Of count samples in any order, which are left as they are. Without samples (or memory) all
// members are 0.
statistics statistics_of(const double *samples, int64_t count);

// The quantile q (0 to 1) of sorted values, interpolated between neighbours as NumPy does.
double quantile(const double *sorted, int64_t count, double q);

// (p90 - p10) / median, as a share; 0 if there is no median.
double statistics_spread(const statistics *s);

// Whether two sets of samples differ by more than their spread: each median lies outside the
// other's p10 .. p90 and they are more than `least` (a share, 0.02) apart. Returns -1 if b is
// faster (smaller), 1 if it is slower, 0 if they are the same.
int statistics_compare(const statistics *a, const statistics *b, double least);

#endif
