// SPDX-License-Identifier: Apache-2.0
//
// Body: OpenMP loops that choose elements of type T; NAMED(f) names them.

// By flags, or where there are none by being positive: each in an instance of its own.
#define CHOSEN(i) (flags != NULL ? flags[i] : x[i] > 0)

static inline __attribute__((always_inline)) void NAMED(compact_by)(const peer_job *job,
                                                                    const uint8_t *flags)
{
    const peer_select *s = job->more;
    const T *x = job->in;
    T *y = job->out;
    int64_t counts[MOST];
#pragma omp parallel num_threads(job->threads)
    {
        const int t = omp_get_thread_num();
        int64_t end = part(job, t + 1), count = 0;
        for (int64_t i = part(job, t); i < end; i++) count += CHOSEN(i);
        counts[t] = count;
#pragma omp barrier
#pragma omp single
        s->counts[0] = sum_up(counts, job->threads);
        int64_t w = counts[t];
        while (end > part(job, t) && !CHOSEN(end - 1)) end--;
        for (int64_t i = part(job, t); i < end; i++) {
            y[w] = x[i];
            w += CHOSEN(i);
        }
    }
}

static inline __attribute__((always_inline, unused)) void NAMED(partition_by)(const peer_job *job,
                                                                              const uint8_t *flags)
{
    const peer_select *s = job->more;
    const T *x = job->in;
    T *y = job->out;
    int64_t counts[MOST];
#pragma omp parallel num_threads(job->threads)
    {
        const int t = omp_get_thread_num();
        const int64_t begin = part(job, t), end = part(job, t + 1);
        int64_t count = 0;
        for (int64_t i = begin; i < end; i++) count += CHOSEN(i);
        counts[t] = count;
#pragma omp barrier
#pragma omp single
        s->counts[0] = sum_up(counts, job->threads);
        int64_t w = counts[t];
        for (int64_t i = begin; i < end; i++) {
            T *const to = y + (CHOSEN(i) ? w : s->counts[0] + i - w);
            w += CHOSEN(i);
            *to = x[i];
        }
    }
}

static void NAMED(compact)(const peer_job *job)
{
    NAMED(compact_by)(job, ((const peer_select *)job->more)->flags);
}

static __attribute__((unused)) void NAMED(compact_positive)(const peer_job *job)
{
    NAMED(compact_by)(job, NULL);
}

static __attribute__((unused)) void NAMED(partition)(const peer_job *job)
{
    NAMED(partition_by)(job, ((const peer_select *)job->more)->flags);
}

static __attribute__((unused)) void NAMED(partition_positive)(const peer_job *job)
{
    NAMED(partition_by)(job, NULL);
}

#undef CHOSEN
#undef T
#undef NAMED
