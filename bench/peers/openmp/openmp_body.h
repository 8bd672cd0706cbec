// SPDX-License-Identifier: Apache-2.0
//
// The loops of openmp.c for one element type: T, NAME.

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define FN(name)    JOIN(name, NAME)

static void FN(sum)(const peer_job *job)
{
    const T *x = job->in;
    T s = 0;
    PARALLEL(reduction(+ : s))
    for (int64_t i = 0; i < job->n; i++) s += x[i];
    *(T *)job->out = s;
}

static void FN(min)(const peer_job *job)
{
    const T *x = job->in;
    T m = x[0];
    PARALLEL(reduction(min : m))
    for (int64_t i = 0; i < job->n; i++) m = x[i] < m ? x[i] : m;
    *(T *)job->out = m;
}

static void FN(max)(const peer_job *job)
{
    const T *x = job->in;
    T m = x[0];
    PARALLEL(reduction(max : m))
    for (int64_t i = 0; i < job->n; i++) m = x[i] > m ? x[i] : m;
    *(T *)job->out = m;
}

typedef struct FN(best) {
    T value;
    int64_t at;
} FN(best);

static inline FN(best) FN(better)(FN(best) a, FN(best) b)
{
    if (a.at < 0 || b.value > a.value) return b.at < 0 ? a : b;
    return b.at >= 0 && b.value == a.value && b.at < a.at ? b : a;
}

static void FN(argmax)(const peer_job *job)
{
    const T *x = job->in;
    FN(best) m = {x[0], 0};
#pragma omp parallel num_threads(job->threads)
    {
        FN(best) mine = {x[0], 0};
#pragma omp for nowait
        for (int64_t i = 0; i < job->n; i++)
            if (x[i] > mine.value) mine.value = x[i], mine.at = i;
#pragma omp critical
        m = FN(better)(m, mine);
    }
    *(int64_t *)job->out = m.at;
}

static void FN(scan)(const peer_job *job)
{
    const T *x = job->in;
    T *y = job->out, s = 0;
#pragma omp parallel for reduction(inscan, + : s) num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) {
        s += x[i];
#pragma omp scan inclusive(s)
        y[i] = s;
    }
}

static void FN(exclusive)(const peer_job *job)
{
    const T *x = job->in;
    T *y = job->out, s = 0;
#pragma omp parallel for reduction(inscan, + : s) num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) {
        y[i] = s;
#pragma omp scan exclusive(s)
        s += x[i];
    }
}

static void FN(scan_max)(const peer_job *job)
{
    const T *x = job->in;
    T *y = job->out, m = x[0];
#pragma omp parallel for reduction(inscan, max : m) num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) {
        m = x[i] > m ? x[i] : m;
#pragma omp scan inclusive(m)
        y[i] = m;
    }
}

static void FN(segmented)(const peer_job *job)
{
    const T *x = job->in;
    T *y = job->out;
#pragma omp parallel for schedule(guided, 64) num_threads(job->threads)
    for (int64_t j = 0; j < job->segments; j++) {
        T s = 0;
        SIMD(reduction(+ : s))
        for (int64_t i = job->offsets[j]; i < job->offsets[j + 1]; i++) s += x[i];
        y[j] = s;
    }
}

static peer_run *FN(find)(const peer_job *job)
{
    static peer_run *const reduce[] = {FN(sum), FN(min), FN(max), FN(argmax)};
    if (job->pattern == PEER_REDUCE) return job->op <= PEER_ARGMAX ? reduce[job->op] : NULL;
    if (job->pattern == PEER_SCAN && job->op == PEER_SUM)
        return job->exclusive ? FN(exclusive) : FN(scan);
    if (job->pattern == PEER_SCAN && job->op == PEER_MAX && !job->exclusive) return FN(scan_max);
    if (job->pattern == PEER_SEGMENTED && job->op == PEER_SUM) return FN(segmented);
    return NULL;
}

#undef JOIN_
#undef JOIN
#undef FN
#undef T
#undef NAME
