// SPDX-License-Identifier: Apache-2.0
//
// Whether a reduction is right, for one type: T, WIDE (holds a sum exactly), NAME.

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)

static bool JOIN(check, NAME)(const bench_row *row)
{
    const T *x = row->job.in;
    WIDE s = 0;
    T least = x[0], greatest = x[0];
#pragma omp parallel for reduction(+ : s) reduction(min : least) reduction(max : greatest)
    for (int64_t i = 0; i < row->job.n; i++) {
        s += x[i];
        least = x[i] < least ? x[i] : least;
        greatest = x[i] > greatest ? x[i] : greatest;
    }
    switch (row->job.op) {
    case PEER_SUM: return close_enough((double)*(const T *)row->job.out, (double)(T)s, row->job.n);
    case PEER_MIN: return *(const T *)row->job.out == least;
    case PEER_MAX: return *(const T *)row->job.out == greatest;
    default: {
        const int64_t at = *(const int64_t *)row->job.out;
        return at >= 0 && at < row->job.n && x[at] == greatest;
    }
    }
}

#undef JOIN_
#undef JOIN
#undef T
#undef WIDE
#undef NAME
