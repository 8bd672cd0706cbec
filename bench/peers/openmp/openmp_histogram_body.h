// SPDX-License-Identifier: Apache-2.0
// The loops of openmp_histogram.c for one type.
#define PASTE_(a, b) a##_##b
#define PASTE(a, b)  PASTE_(a, b)

static void PASTE(count, NAME)(const peer_job *job)
{
    const T *x = job->in;
    uint32_t *table = job->out;
    const int64_t bins = histogram_of(job)->bins;
    memset(table, 0, (size_t)bins * sizeof *table);
#pragma omp parallel for reduction(+ : table[:bins]) num_threads(job->threads)
    for (int64_t i = 0; i < job->n; i++) table[BIN(x[i])]++;
}

__attribute__((unused)) static void PASTE(count_large, NAME)(const peer_job *job)
{
    const T *x = job->in;
    uint32_t *table = job->out;
    const int64_t bins = histogram_of(job)->bins;
    static uint32_t *own; // kept: fresh pages would cost more than the counting
    static int64_t room;
    if (room < bins * job->threads) {
        free(own);
        own = malloc((size_t)(bins * job->threads) * sizeof *own);
        room = own ? bins * job->threads : 0;
        if (!own) return;
    }
#pragma omp parallel num_threads(job->threads)
    {
        uint32_t *mine = own + bins * omp_get_thread_num();
        memset(mine, 0, (size_t)bins * sizeof *mine);
#pragma omp for schedule(static)
        for (int64_t i = 0; i < job->n; i++) mine[BIN(x[i])]++;
#pragma omp for schedule(static)
        for (int64_t b = 0; b < bins; b++) {
            uint32_t sum = 0;
            for (int t = 0; t < omp_get_num_threads(); t++) sum += own[bins * t + b];
            table[b] = sum;
        }
    }
}
#undef T
#undef NAME
#undef BIN
#undef PASTE
#undef PASTE_
