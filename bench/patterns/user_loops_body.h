// SPDX-License-Identifier: Apache-2.0
//
// The hand-written reductions of user_operators.c for one operator: T, COMBINE(a, b), NAME. Each
// thread takes one run of elements, in order; the partial results are combined in order.

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define FN(name)    JOIN(name, NAME)
#ifndef USER_LOOPS_THREADS
#define USER_LOOPS_THREADS 1024
#endif

static inline T FN(run_plain)(const T *x, int64_t n)
{
    T r = x[0];
    for (int64_t i = 1; i < n; i++) r = COMBINE(r, x[i]);
    return r;
}

// Four runs side by side hide the latency of COMBINE.
static inline T FN(run_four)(const T *x, int64_t n)
{
    const int64_t q = n / 4;
    if (q == 0) return FN(run_plain)(x, n);
    T a = x[0], b = x[q], c = x[2 * q], d = x[3 * q];
    for (int64_t i = 1; i < q; i++) {
        a = COMBINE(a, x[i]), b = COMBINE(b, x[q + i]);
        c = COMBINE(c, x[2 * q + i]), d = COMBINE(d, x[3 * q + i]);
    }
    for (int64_t i = 4 * q; i < n; i++) d = COMBINE(d, x[i]);
    return COMBINE(COMBINE(a, b), COMBINE(c, d));
}

static inline void FN(parallel)(const peer_job *job, T (*run)(const T *, int64_t))
{
    const T *x = job->in;
    T partial[USER_LOOPS_THREADS];
    int parts = 1;
#pragma omp parallel num_threads(job->threads)
    {
        const int t = omp_get_thread_num(), threads = omp_get_num_threads();
        const int64_t begin = job->n * t / threads, end = job->n * (t + 1) / threads;
        partial[t] = run(x + begin, end - begin);
        if (t == 0) parts = threads;
    }
    T r = partial[0];
    for (int t = 1; t < parts; t++) r = COMBINE(r, partial[t]);
    *(T *)job->out = r;
}

static void FN(plain)(const peer_job *job)
{
    FN(parallel)(job, FN(run_plain));
}

static void FN(four)(const peer_job *job)
{
    FN(parallel)(job, FN(run_four));
}

#undef JOIN_
#undef JOIN
#undef FN
#undef T
#undef COMBINE
#undef NAME
