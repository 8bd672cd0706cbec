// SPDX-License-Identifier: Apache-2.0
//
// Body: one-thread loops without branches that choose elements of type T; NAMED(f) names them.

static void NAMED(compact)(const peer_job *job)
{
    const peer_select *s = job->more;
    const uint8_t *flags = s->flags;
    const T *x = job->in;
    T *y = job->out;
    int64_t w = 0;
    for (int64_t i = 0; i < job->n; i++) {
        y[w] = x[i];
        w += flags[i];
    }
    s->counts[0] = w;
}

static void NAMED(compact_positive)(const peer_job *job)
{
    const peer_select *s = job->more;
    const T *x = job->in;
    T *y = job->out;
    int64_t w = 0;
    for (int64_t i = 0; i < job->n; i++) {
        y[w] = x[i];
        w += x[i] > 0;
    }
    s->counts[0] = w;
}

static void NAMED(partition)(const peer_job *job)
{
    const peer_select *s = job->more;
    const uint8_t *flags = s->flags;
    const T *x = job->in;
    T *y = job->out;
    int64_t kept = 0, w = 0;
    for (int64_t i = 0; i < job->n; i++) kept += flags[i];
    s->counts[0] = kept;
    for (int64_t i = 0; i < job->n; i++) {
        const int64_t to = flags[i] ? w : kept + i - w;
        y[to] = x[i];
        w += flags[i];
    }
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
    return s->ways ? NAMED(buckets) : NAMED(partition);
}

#undef T
#undef NAMED
