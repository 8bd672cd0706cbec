// SPDX-License-Identifier: Apache-2.0
//
// Body: one-thread loops without branches that choose elements of type T; NAMED(f) names them.

// By flags, or where there are none by being positive: each in an instance of its own.
#define CHOSEN(i) (flags != NULL ? flags[i] : x[i] > 0)

static inline __attribute__((always_inline)) void NAMED(compact_by)(const peer_job *job,
                                                                    const uint8_t *flags)
{
    const peer_select *s = job->more;
    const T *x = job->in;
    T *y = job->out;
    int64_t w = 0;
    for (int64_t i = 0; i < job->n; i++) {
        y[w] = x[i];
        w += CHOSEN(i);
    }
    s->counts[0] = w;
}

static inline __attribute__((always_inline)) void NAMED(partition_by)(const peer_job *job,
                                                                      const uint8_t *flags)
{
    const peer_select *s = job->more;
    const T *x = job->in;
    T *y = job->out;
    int64_t kept = 0, w = 0;
    for (int64_t i = 0; i < job->n; i++) kept += CHOSEN(i);
    s->counts[0] = kept;
    for (int64_t i = 0; i < job->n; i++) {
        const int64_t to = CHOSEN(i) ? w : kept + i - w;
        w += CHOSEN(i);
        y[to] = x[i];
    }
}

static void NAMED(compact)(const peer_job *job)
{
    NAMED(compact_by)(job, ((const peer_select *)job->more)->flags);
}

static void NAMED(compact_positive)(const peer_job *job)
{
    NAMED(compact_by)(job, NULL);
}

static void NAMED(partition)(const peer_job *job)
{
    NAMED(partition_by)(job, ((const peer_select *)job->more)->flags);
}

static void NAMED(partition_positive)(const peer_job *job)
{
    NAMED(partition_by)(job, NULL);
}

static void NAMED(buckets)(const peer_job *job)
{
    const peer_select *s = job->more;
    const T *x = job->in;
    T *y = job->out;
    int64_t place[256] = {0}, sum = 0;
    for (int64_t i = 0; i < job->n; i++) place[s->buckets[i]]++;
    for (int64_t k = 0; k < s->ways; k++) {
        s->counts[k] = place[k];
        place[k] = sum;
        sum += s->counts[k];
    }
    for (int64_t i = 0; i < job->n; i++) y[place[s->buckets[i]]++] = x[i];
}

static peer_run *NAMED(find)(const peer_job *job)
{
    const peer_select *s = job->more;
    if (job->pattern == PEER_COMPACT) return s->flags ? NAMED(compact) : NAMED(compact_positive);
    if (s->ways) return NAMED(buckets);
    return s->flags ? NAMED(partition) : NAMED(partition_positive);
}

#undef CHOSEN
#undef T
#undef NAMED
