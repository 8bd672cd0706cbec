// SPDX-License-Identifier: Apache-2.0
//
// Body: OpenMP loops that choose elements of type T; NAMED(f) names them.

static void NAMED(compact)(const peer_job *job)
{
    const peer_select *s = job->more;
    const uint8_t *flags = s->flags;
    const T *x = job->in;
    T *y = job->out;
    int64_t counts[MOST];
#pragma omp parallel num_threads(job->threads)
    {
        const int t = omp_get_thread_num();
        int64_t end = part(job, t + 1), count = 0;
        for (int64_t i = part(job, t); i < end; i++) count += flags[i];
        counts[t] = count;
#pragma omp barrier
#pragma omp single
        s->counts[0] = sum_up(counts, job->threads);
        int64_t w = counts[t];
        while (end > part(job, t) && !flags[end - 1]) end--;
        for (int64_t i = part(job, t); i < end; i++) {
            y[w] = x[i];
            w += flags[i];
        }
    }
}

static __attribute__((unused)) void NAMED(positive)(const peer_job *job)
{
    const peer_select *s = job->more;
    const T *x = job->in;
    T *y = job->out;
    int64_t counts[MOST];
#pragma omp parallel num_threads(job->threads)
    {
        const int t = omp_get_thread_num();
        int64_t end = part(job, t + 1), count = 0;
        for (int64_t i = part(job, t); i < end; i++) count += x[i] > 0;
        counts[t] = count;
#pragma omp barrier
#pragma omp single
        s->counts[0] = sum_up(counts, job->threads);
        int64_t w = counts[t];
        while (end > part(job, t) && !(x[end - 1] > 0)) end--;
        for (int64_t i = part(job, t); i < end; i++) {
            y[w] = x[i];
            w += x[i] > 0;
        }
    }
}

static __attribute__((unused)) void NAMED(partition)(const peer_job *job)
{
    const peer_select *s = job->more;
    const uint8_t *flags = s->flags;
    const T *x = job->in;
    T *y = job->out;
    int64_t counts[MOST];
#pragma omp parallel num_threads(job->threads)
    {
        const int t = omp_get_thread_num();
        const int64_t begin = part(job, t), end = part(job, t + 1);
        int64_t count = 0;
        for (int64_t i = begin; i < end; i++) count += flags[i];
        counts[t] = count;
#pragma omp barrier
#pragma omp single
        s->counts[0] = sum_up(counts, job->threads);
        int64_t w = counts[t];
        for (int64_t i = begin; i < end; i++) {
            T *const to = y + (flags[i] ? w : s->counts[0] + i - w);
            *to = x[i];
            w += flags[i];
        }
    }
}

#undef T
#undef NAMED
