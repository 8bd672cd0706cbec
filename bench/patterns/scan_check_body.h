// SPDX-License-Identifier: Apache-2.0
//
// Whether a scan is right, for one type: T, NAME. Each output follows from the one before it, so
// all can be checked at once; the sums are exact.

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)

static bool JOIN(check, NAME)(const bench_row *row)
{
    const peer_job *job = &row->job;
    const T *x = row->source, *y = job->out;
    const bool max = job->op == PEER_MAX;
    bool right = job->exclusive ? y[0] == 0 : y[0] == x[0];
#pragma omp parallel for reduction(&& : right)
    for (int64_t i = 1; i < job->n; i++) {
        const T next = job->exclusive ? x[i - 1] : x[i];
        const T expected = !max ? y[i - 1] + next : y[i - 1] > next ? y[i - 1] : next;
        right = right && close_enough((double)y[i], (double)expected, job->n);
    }
    return right;
}

#undef JOIN_
#undef JOIN
#undef T
#undef NAME
