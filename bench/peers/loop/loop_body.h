// SPDX-License-Identifier: Apache-2.0
//
// The loops of loop.c for one element type: T, NAME.

#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define FN(name)    JOIN(name, NAME)

static void FN(sum)(const peer_job *job)
{
    const T *x = job->in;
    T s = 0;
#pragma omp simd reduction(+ : s)
    for (int64_t i = 0; i < job->n; i++) s += x[i];
    *(T *)job->out = s;
}

static void FN(min)(const peer_job *job)
{
    const T *x = job->in;
    T m = x[0];
#pragma omp simd reduction(min : m)
    for (int64_t i = 1; i < job->n; i++) m = x[i] < m ? x[i] : m;
    *(T *)job->out = m;
}

static void FN(max)(const peer_job *job)
{
    const T *x = job->in;
    T m = x[0];
#pragma omp simd reduction(max : m)
    for (int64_t i = 1; i < job->n; i++) m = x[i] > m ? x[i] : m;
    *(T *)job->out = m;
}

static void FN(argmax)(const peer_job *job)
{
    const T *x = job->in;
    int64_t at = 0;
    for (int64_t i = 1; i < job->n; i++)
        if (x[i] > x[at]) at = i;
    *(int64_t *)job->out = at;
}

static void FN(scan)(const peer_job *job)
{
    const T *x = job->in;
    T *y = job->out, s = 0;
    for (int64_t i = 0; i < job->n; i++) y[i] = s += x[i];
}

static void FN(exclusive)(const peer_job *job)
{
    const T *x = job->in;
    T *y = job->out, s = 0;
    for (int64_t i = 0; i < job->n; i++) {
        const T next = s + x[i];
        y[i] = s, s = next;
    }
}

static void FN(scan_max)(const peer_job *job)
{
    const T *x = job->in;
    T *y = job->out, m = x[0];
    for (int64_t i = 0; i < job->n; i++) y[i] = m = x[i] > m ? x[i] : m;
}

static void FN(segmented)(const peer_job *job)
{
    const T *x = job->in;
    T *y = job->out;
    for (int64_t j = 0; j < job->segments; j++) {
        T s = 0;
#pragma omp simd reduction(+ : s)
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
